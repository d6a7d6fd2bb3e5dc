// SPDX-License-Identifier: Apache-2.0
// What [ic] and [gas] of one configuration both say of the gas: adiabatic index, mean molecular weight, sound speed. A
// part of config.cpp.
#pragma once

#include "run/config/config.h"
#include "run/config/config_section.h"

namespace hornbeam::run {

/// Gives [gas] the sound speed that [ic] gives its gas, where the equation of state needs one and [gas] has none.
void give_sound_speed(toml::table& root, const RunConfig& config);

/// After [gas] was read: what one section says counts for the other. Throws UsageError, naming both keys and values,
/// for a quantity that both give and that differs.
void fit_gas(RunConfig& config, const ConfigSection& gas);

}  // namespace hornbeam::run
