// SPDX-License-Identifier: Apache-2.0
// Which modules the options of a simulation ask for, and what follows from that before there is a device: the fields
// and the memory that particles need. modules.cpp is the one list of modules.
#pragma once

#include "hornbeam/simulation.h"
#include "interactions/module.h"
#include "memory/particles.h"

namespace hornbeam {

/// In the order in which they act.
ModuleMakers makers_of(const SimulationOptions& options);

/// What the modules' traits say together.
ModuleTraits traits_of(const ModuleMakers& makers);
/// Whether particles may be taken out: by modules, or at the walls of an open box.
bool takes_out(const Boundary& boundary, const ModuleMakers& makers);
bool takes_out(const SimulationOptions& options);

/// Options of gravity with the accuracy that they mean in such a run. own_eps: particles differ in softening.
GravityOptions resolved_gravity(const SimulationOptions& options, bool own_eps);

/// The fields that a run of these options stores, without those that its stepper adds for copies.
Holding holding_of(const SimulationOptions& options, bool own_eps);
/// The same as memory plans and checkpoints count fields.
memory::Acting acting_in(const SimulationOptions& options);

}  // namespace hornbeam
