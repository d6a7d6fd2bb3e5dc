// SPDX-License-Identifier: Apache-2.0
// The energy over time as the page draws it: rows of a run's energy.csv, or those that a live view has seen.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <vector>

#include "io/json.h"

namespace hornbeam::view {

struct EnergyRow {
  double time = 0, step = 0, total = 0, relative_error = 0;
};

/// Rows in the order of time. Beyond so many every second one goes: what stays still shows the whole course.
class EnergyHistory {
 public:
  static constexpr std::size_t most = 2000;

  void add(const EnergyRow& row);
  void clear() { rows_.clear(), every_ = 1, seen_ = 0; }
  /// Times are in a unit of so many seconds; 0, as it is without this: in the values of the snapshots.
  void set_time_unit(double seconds) { time_s_ = seconds; }
  /// {"time": [...], "step": [...], "total": [...], "relative_error": [...]}, with "time_s" if there is a unit
  [[nodiscard]] Json json() const;
  [[nodiscard]] std::size_t size() const { return rows_.size(); }

 private:
  std::vector<EnergyRow> rows_;
  std::optional<EnergyRow> last_;  ///< shown at the end, also where it is not among the rows
  std::size_t every_ = 1, seen_ = 0;
  double time_s_ = 0;
};

/// Of an energy.csv; nothing where there is none or it cannot be read just now.
std::optional<EnergyHistory> read_energies(const std::filesystem::path& path);

}  // namespace hornbeam::view
