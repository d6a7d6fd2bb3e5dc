// SPDX-License-Identifier: Apache-2.0
// `hornbeam analyze --groups`: the measure, its options, the catalogue and the snapshot in its order.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/analyze/measures.h"

namespace hornbeam::cli {

Json measured_groups(const Snapshot& snapshot, const MeasureSettings& settings);
memory::Need need_of_groups(const Snapshot& snapshot, const MeasureSettings& settings);

/// The options of --groups.
void add_group_flags(CLI::App& command, const std::shared_ptr<MeasureSettings>& settings);

/// Throws UsageError for files that cannot be written of so many snapshots.
void check_group_files(const MeasureSettings& settings, std::size_t snapshots);

/// Prints the lines of Python that open the catalogue in yt and pynbody.
void print_group_lines(const MeasureSettings& settings, const Units& units);

}  // namespace hornbeam::cli
