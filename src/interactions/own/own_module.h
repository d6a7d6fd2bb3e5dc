// SPDX-License-Identifier: Apache-2.0
// Forces of one's own as a module: functions of the caller, asked on the host.
#pragma once

#include <memory>
#include <vector>

#include "hornbeam/own_force.h"
#include "interactions/module.h"

namespace hornbeam {

/// Whether one of them asks for steps.
bool any_asks_for_steps(const std::vector<std::shared_ptr<OwnForce>>& forces);

/// Null if there are no forces.
std::shared_ptr<ModuleMaker> own_force_maker(const std::vector<std::shared_ptr<OwnForce>>& forces);

}  // namespace hornbeam
