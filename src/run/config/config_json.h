// SPDX-License-Identifier: Apache-2.0
// The way back of to_json(RunConfig): from the configuration that checkpoints and records keep to its values.
#pragma once

#include <string>

#include "run/config/config.h"

namespace hornbeam::run {

/// Which devices compute: an index, a list of indices, or "all".
Json json_of_devices(const Devices& devices);
/// The text of these that Devices::from_text() reads. Throws what JSON throws for values of another kind.
std::string devices_text(const Json& json);

/// One [potential]. Throws UsageError(subject, ...), and what JSON throws for values of another kind.
ExternalPotential potential_from(const Json& json, const std::string& subject);

/// All sections but [input], [ic] and [units], of which the particles next to it show. Throws Error(subject, ...) for
/// what to_json() cannot have written.
RunConfig config_from(const Json& json, const std::string& subject);

}  // namespace hornbeam::run
