// SPDX-License-Identifier: Apache-2.0
// Starting ffmpeg and waiting for it, see ffmpeg.h.
#include "render/ffmpeg.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <vector>

#include "hornbeam/error.h"
#include "io/file.h"

namespace hornbeam::render {
namespace {

/// Runs a program with its output in `log`; true when it exits with 0.
bool run(const std::filesystem::path& program, std::vector<std::string> arguments, const std::filesystem::path& log) {
  std::string name = program.string();
  std::vector<char*> argv{name.data()};
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);

  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
  pid_t child = 0;
  const int failed = posix_spawn(&child, program.c_str(), &files, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  if (failed != 0) return false;

  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return false;
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

}  // namespace

std::optional<std::filesystem::path> find_program(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::filesystem::path candidate = std::filesystem::path(folder) / program;
    std::error_code ignored;
    if (std::filesystem::is_regular_file(candidate, ignored) && access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return {};
}

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
    encoded = run(ffmpeg,
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
