// SPDX-License-Identifier: Apache-2.0
// The parts of a run's configuration that say how particles move: [time], [potential], [watchdog]. config.cpp calls it.
#pragma once

#include <optional>
#include <string>

#include "run/config.h"
#include "run/config_section.h"

namespace hornbeam::run {

/// Throws UsageError where the value is not above 0; returns it else.
double positive(double value, const std::string& subject);
std::optional<double> positive(std::optional<double> value, const std::string& subject);

void read_time(const toml::table& root, const std::string& file, RunConfig& config);
/// [potential], or [[potential]] for several.
void read_potentials(const toml::table& root, const std::string& file, SimulationOptions& options);
void read_watchdog(const toml::table& root, const std::string& file, RunConfig& config);

Json time_json(const RunConfig& config);
Json potentials_json(const SimulationOptions& options);
Json watchdog_json(const WatchdogPlan& plan);

}  // namespace hornbeam::run
