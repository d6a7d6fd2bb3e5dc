// SPDX-License-Identifier: Apache-2.0
// [potential] by a name or by m200 and c: it becomes the sections of the potentials that it is the sum of. Between the
// text of a configuration and its keys.
#pragma once

#include <functional>
#include <string>

#include "run/config/config_section.h"

namespace hornbeam {
struct Units;
}

namespace hornbeam::run {

/// units: called if there is such a potential. Throws UsageError.
void expand_potentials(toml::table& root, const std::string& subject, const std::function<const Units&()>& units);

}  // namespace hornbeam::run
