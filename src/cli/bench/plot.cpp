// SPDX-License-Identifier: Apache-2.0
// Starting the plotting script, see plot.h.
#include "cli/bench/plot.h"

#include <fmt/format.h>

#include <vector>

#include "io/program.h"

namespace hornbeam::cli {
namespace {

namespace fs = std::filesystem;

/// The source tree whose build/ this program is in; empty where it stands elsewhere.
fs::path source_tree() {
  std::error_code failed;
  const fs::path program = fs::read_symlink("/proc/self/exe", failed);
  const fs::path tree = program.parent_path().parent_path();
  return !failed && fs::exists(tree / "bench" / "plot.py", failed) ? tree : fs::path{};
}

/// The tree's own Python first: it has matplotlib after `make bench` or `make demo`.
std::vector<fs::path> pythons(const fs::path& tree) {
  std::vector<fs::path> found;
  const fs::path own = tree / ".venv" / "bin" / "python3";
  std::error_code failed;
  if (fs::exists(own, failed)) found.push_back(own);
  if (const auto python = io::find_program("python3")) found.push_back(*python);
  return found;
}

}  // namespace

std::string plot_bench(const fs::path& json, const fs::path& png) {
  const std::string by_hand =
      fmt::format("with a Python that has matplotlib: bench/plot.py {} {}", json.string(), png.string());
  const fs::path tree = source_tree();
  if (tree.empty()) return "no plot, for bench/plot.py is not beside this program; " + by_hand;
  fs::path log = png;
  log += ".log";
  std::string why = "python3 was not found";
  for (const fs::path& python : pythons(tree)) {
    const bool drawn =
        io::run_program(python, {(tree / "bench" / "plot.py").string(), json.string(), png.string()}, log);
    const std::string said = io::last_line(log);
    std::error_code ignored;
    fs::remove(log, ignored);
    if (drawn) return "plot in " + png.string();
    why = python.string() + ": " + said;
  }
  return fmt::format("no plot ({}); {}", why, by_hand);
}

}  // namespace hornbeam::cli
