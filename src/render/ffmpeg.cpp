// SPDX-License-Identifier: Apache-2.0
// The command line of ffmpeg, see ffmpeg.h.
#include "render/ffmpeg.h"

#include <fstream>
#include <iterator>
#include <vector>

#include "hornbeam/error.h"
#include "io/files/file.h"
#include "io/files/program.h"
#include "render/extension.h"

namespace hornbeam::render {
namespace {

std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

using Arguments = std::vector<std::string>;

Arguments operator+(Arguments left, const Arguments& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

/// Reads the frames, and no more of them than there are now: the folder may hold those of a longer movie.
Arguments input_of(const FrameSequence& frames) {
  return {"-hide_banner", "-loglevel",
          "error",        "-y",
          "-framerate",   frames.frames_per_second,
          "-i",           (frames.folder / "frame_%05d.png").string()};
}

/// The options between the frames and the movie's name, the best codec first; the next is tried where it is missing.
std::vector<Arguments> mp4_or_webm(const FrameSequence& frames, bool is_mp4) {
  const Arguments before = {
      "-frames:v", std::to_string(frames.count), "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt", "yuv420p", "-c:v"};
  if (is_mp4) {
    const Arguments after = {"-movflags", "+faststart", "-f", "mp4"};
    return {before + Arguments{"libx264", "-crf", "18"} + after, before + Arguments{"mpeg4", "-q:v", "3"} + after};
  }
  const Arguments after = {"-f", "webm"};
  return {before + Arguments{"libvpx-vp9", "-crf", "24", "-b:v", "0", "-row-mt", "1", "-cpu-used", "4"} + after,
          before + Arguments{"libvpx", "-crf", "10", "-b:v", "8M"} + after};
}

/// The 256 colours of a GIF, chosen from all frames beforehand: in one pass ffmpeg would hold every frame in memory.
bool choose_colours(const std::filesystem::path& ffmpeg, const FrameSequence& frames,
                    const std::filesystem::path& palette, const std::filesystem::path& log) {
  const std::string filter = "trim=end_frame=" + std::to_string(frames.count) + ",palettegen";
  return io::run_program(
      ffmpeg, input_of(frames) + Arguments{"-vf", filter, "-frames:v", "1", "-update", "1", palette.string()}, log);
}

}  // namespace

std::string frame_name(std::size_t index) {
  std::string digits = std::to_string(index);
  digits.insert(0, digits.size() < 5 ? 5 - digits.size() : 0, '0');
  return "frame_" + digits + ".png";
}

void refuse_unknown_movie(const std::filesystem::path& output) {
  refuse_other_endings(output, {".mp4", ".webm", ".gif"}, "movies are written as MP4, WebM or GIF");
}

void encode(const std::filesystem::path& ffmpeg, const FrameSequence& frames, const std::filesystem::path& output) {
  refuse_unknown_movie(output);
  io::ReplacedFile file(output);
  const std::filesystem::path log = frames.folder / "ffmpeg.log", palette = frames.folder / "palette.png";
  const std::string ending = small_ending(output);
  bool encoded = false;
  if (ending == ".gif") {
    const Arguments with_palette = {
        "-i",  palette.string(),         "-lavfi", "paletteuse", "-frames:v", std::to_string(frames.count), "-f",
        "gif", file.temporary().string()};
    encoded =
        choose_colours(ffmpeg, frames, palette, log) && io::run_program(ffmpeg, input_of(frames) + with_palette, log);
    std::error_code ignored;
    std::filesystem::remove(palette, ignored);
  } else {
    for (const Arguments& codec : mp4_or_webm(frames, ending == ".mp4")) {
      encoded = io::run_program(ffmpeg, input_of(frames) + codec + Arguments{file.temporary().string()}, log);
      if (encoded) break;
    }
  }
  if (!encoded)
    throw Error(output.string(), "ffmpeg failed: " + contents(log), "the frames are in " + frames.folder.string());
  file.commit();
  std::filesystem::remove(log);
}

}  // namespace hornbeam::render
