// SPDX-License-Identifier: Apache-2.0
// Starting the plotting script, see plot.h.
#include "bench/suites/plot.h"

#include <fmt/format.h>

#include "cli/output/python.h"

namespace hornbeam::cli {

std::string plot_bench(const std::filesystem::path& json, const std::filesystem::path& png) {
  const std::string by_hand =
      fmt::format("with a Python that has matplotlib: bench/plot.py {} {}", json.string(), png.string());
  const std::filesystem::path tree = source_tree();
  if (tree.empty()) return "no plot, for bench/plot.py is not beside this program; " + by_hand;
  std::filesystem::path log = png;
  log += ".log";
  const std::string why = why_python_fails({(tree / "bench" / "plot.py").string(), json.string(), png.string()}, log);
  return why.empty() ? "plot in " + png.string() : fmt::format("no plot ({}); {}", why, by_hand);
}

}  // namespace hornbeam::cli
