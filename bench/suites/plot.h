// SPDX-License-Identifier: Apache-2.0
// The plot of a benchmark's JSON, which bench/plot.py draws with matplotlib where a Python that has it is at hand.
#pragma once

#include <filesystem>
#include <string>

namespace hornbeam::cli {

/// Writes `png` from `json`; returns a sentence for people: where the plot is, or how to make it.
std::string plot_bench(const std::filesystem::path& json, const std::filesystem::path& png);

}  // namespace hornbeam::cli
