// SPDX-License-Identifier: Apache-2.0
// From [units] to the units of a run, and what happens where a file has its own. Before it: config.cpp; after it:
// start.cpp.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "hornbeam/gravity.h"
#include "hornbeam/particles.h"
#include "hornbeam/units.h"

namespace hornbeam::run {

/// What is done with a file whose units are not those of the configuration.
enum class FileUnits {
  same,     ///< it is refused
  convert,  ///< its numbers are converted
  ignore    ///< its numbers are taken as they stand
};
std::string_view name(FileUnits);

/// [units] as written.
struct UnitsAsked {
  std::optional<std::string> system, length, mass, velocity, time;
  std::optional<double> length_cm, mass_g, velocity_cm_per_s;
  FileUnits of_files = FileUnits::same;
};

/// Throws UsageError(subject, ...)
/// where that does not say what the units are.
Units units_of(const UnitsAsked& asked, const std::string& subject);

/// With both velocity and time: the unit of all times, in seconds; otherwise 0.
double chosen_time(const UnitsAsked& asked);

/// The unit in which a run in `units` shows its times: the chosen one, otherwise a round one.
ShownTime shown_time(const Units& units, const UnitsAsked& asked);

/// Whether that differs from length / velocity of the units.
bool has_other_time(const UnitsAsked& asked, const Units& units);

/// Gives what was read from the file `subject` the units of the configuration, if it has some. Throws UsageError where
/// the file's are others and no one has said what to do.
void settle_units(Snapshot& snapshot, const std::optional<Units>& units, FileUnits of_files,
                  const std::string& subject);

}  // namespace hornbeam::run

namespace hornbeam {

template <>
run::FileUnits parse<run::FileUnits>(std::string_view subject, std::string_view text);

}  // namespace hornbeam
