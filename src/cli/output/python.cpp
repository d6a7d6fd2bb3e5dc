// SPDX-License-Identifier: Apache-2.0
// Finding and starting Python, see python.h.
#include "cli/output/python.h"

#include "io/files/program.h"

namespace hornbeam::cli {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> pythons() {
  std::vector<fs::path> found;
  std::error_code failed;
  const fs::path tree = source_tree(), own = tree / ".venv" / "bin" / "python3";
  if (!tree.empty() && fs::exists(own, failed)) found.push_back(own);
  if (const auto python = io::find_program("python3")) found.push_back(*python);
  return found;
}

}  // namespace

fs::path source_tree() {
  std::error_code failed;
  const fs::path program = fs::read_symlink("/proc/self/exe", failed);
  const fs::path tree = program.parent_path().parent_path();
  return !failed && fs::exists(tree / "bench" / "plot.py", failed) ? tree : fs::path{};
}

std::string why_python_fails(const std::vector<std::string>& arguments, const fs::path& log) {
  std::string why = "python3 was not found";
  for (const fs::path& python : pythons()) {
    const bool done = io::run_program(python, arguments, log);
    const std::string said = io::last_line(log);
    std::error_code ignored;
    fs::remove(log, ignored);
    if (done) return "";
    why = python.string() + ": " + said;
  }
  return why;
}

std::optional<fs::path> ffmpeg_of_python(const fs::path& log) {
  for (const fs::path& python : pythons()) {
    const bool done =
        io::run_program(python, {"-c", "import imageio_ffmpeg\nprint('\\n' + imageio_ffmpeg.get_ffmpeg_exe())"}, log);
    const fs::path found = io::last_line(log);
    std::error_code ignored;
    fs::remove(log, ignored);
    if (done && fs::is_regular_file(found, ignored)) return found;
  }
  return {};
}

}  // namespace hornbeam::cli
