// SPDX-License-Identifier: Apache-2.0
// What ffmpeg is told, see ffmpeg.h.
#include "render/ffmpeg.h"

#include <fstream>
#include <iterator>

#include "hornbeam/error.h"
#include "io/file.h"
#include "io/program.h"

namespace hornbeam::render {
namespace {

std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

}  // namespace

std::string frame_name(std::size_t index) {
  std::string digits = std::to_string(index);
  digits.insert(0, digits.size() < 5 ? 5 - digits.size() : 0, '0');
  return "frame_" + digits + ".png";
}

void encode_mp4(const std::filesystem::path& ffmpeg, const FrameSequence& frames, const std::filesystem::path& output) {
  io::ReplacedFile file(output);
  const std::filesystem::path log = frames.folder / "ffmpeg.log";
  bool encoded = false;
  for (const std::string codec : {"libx264", "mpeg4"}) {
    encoded = io::run_program(ffmpeg,
                              {"-hide_banner",
                               "-loglevel",
                               "error",
                               "-y",
                               "-framerate",
                               std::to_string(frames.frames_per_second),
                               "-i",
                               (frames.folder / "frame_%05d.png").string(),
                               "-frames:v",
                               std::to_string(frames.count),
                               "-vf",
                               "pad=ceil(iw/2)*2:ceil(ih/2)*2",
                               "-c:v",
                               codec,
                               codec == "libx264" ? "-crf" : "-q:v",
                               codec == "libx264" ? "18" : "3",
                               "-pix_fmt",
                               "yuv420p",
                               "-movflags",
                               "+faststart",
                               "-f",
                               "mp4",
                               file.temporary().string()},
                              log);
    if (encoded) break;
  }
  if (!encoded)
    throw Error(output.string(), "ffmpeg failed: " + contents(log), "the frames are in " + frames.folder.string());
  file.commit();
  std::filesystem::remove(log);
}

}  // namespace hornbeam::render
