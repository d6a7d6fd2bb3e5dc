// SPDX-License-Identifier: Apache-2.0
// Hands measures to python/hornbeam/panels.py, which is compiled in, see analyze_plot.h.
#include "cli/analyze/plot.h"

#include <fmt/format.h>
#include <unistd.h>

#include "cli/output/python.h"
#include "hornbeam/error.h"
#include "hornbeam/panels_script.h"
#include "io/files/file.h"

namespace hornbeam::cli {
namespace {

namespace fs = std::filesystem;

/// A file next to the picture that vanishes at the end of a scope.
struct Beside {
  Beside(const fs::path& png, const char* ending)
      : path(png.parent_path() / fmt::format(".{}.{}.{}", png.filename().string(), getpid(), ending)) {}
  ~Beside() {
    std::error_code ignored;
    fs::remove(path, ignored);
  }
  Beside(const Beside&) = delete;
  Beside& operator=(const Beside&) = delete;

  fs::path path;
};

}  // namespace

void check_plot(const fs::path& png) {
  if (png.extension() != ".png")
    throw UsageError(png.string(), "--plot draws PNG files", "give a name that ends in .png");
}

void plot_measures(const fs::path& png, const Json& measures) {
  const Beside json(png, "json"), picture(png, "png"), log(png, "log");
  io::replace_text(json.path, measures.dump());
  const std::string why = why_python_fails({"-c", panels_script, json.path.string(), picture.path.string()}, log.path);
  if (!why.empty()) {
    throw Error(png.string(), "cannot be drawn: " + why, "install matplotlib: python3 -m pip install matplotlib");
  }
  std::error_code failed;
  fs::rename(picture.path, png, failed);
  if (failed) throw Error(png.string(), "cannot be written: " + failed.message());
}

}  // namespace hornbeam::cli
