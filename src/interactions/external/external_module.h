// SPDX-License-Identifier: Apache-2.0
// External potentials as what acts on the particles of a domain.
#pragma once

#include <memory>
#include <vector>

#include "hornbeam/potential.h"
#include "interactions/module.h"

namespace hornbeam {

/// The potentials as they are at a time that the system gives; null if there are none.
std::shared_ptr<ModuleMaker> external_maker(const std::vector<ExternalPotential>& potentials);

}  // namespace hornbeam
