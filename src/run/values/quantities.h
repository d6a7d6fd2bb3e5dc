// SPDX-License-Identifier: Apache-2.0
// Values with units in a configuration, as end = "500 Myr": they become numbers in the units of the run. Between the
// text of a configuration and its keys.
#pragma once

#include <string>

#include "hornbeam/units.h"
#include "run/config/config.h"
#include "run/config/config_section.h"

namespace hornbeam::run {

/// Puts numbers in the place of texts with units in `root` and in config.ic. Units are those of [units], of the
/// particles, or of the input file, which is read if there are such texts. With chosen_time(), plain values of
/// times are converted, too. Throws UsageError for what cannot be converted.
void take_quantities(toml::table& root, const std::string& subject, const SaidElsewhere& elsewhere, RunConfig& config);

/// The same of a model's options; `subject` begins their names in messages. time: of which times are plain numbers.
void take_quantities(const Units& units, const ShownTime& time, const std::string& subject, ModelRequest& request);

}  // namespace hornbeam::run
