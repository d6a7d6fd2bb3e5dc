// SPDX-License-Identifier: Apache-2.0
// The picture of `hornbeam analyze --plot`, drawn by matplotlib.
#pragma once

#include <filesystem>

#include "cli/names.h"

namespace hornbeam::cli {

/// Throws UsageError where `png` does not end in .png.
void check_plot(const std::filesystem::path& png);

/// measures: {"units": {key: text}, "views": those of plot_views.h, "measures": [{"name", "rows": [{"file", "time",
/// "values"}]}]}. Throws Error(png) where no Python with matplotlib is at hand.
void plot_measures(const std::filesystem::path& png, const Json& measures);

}  // namespace hornbeam::cli
