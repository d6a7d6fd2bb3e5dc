// SPDX-License-Identifier: Apache-2.0
// A shared step whose length does not change when time is turned round (Hut, Makino & McMillan 1995).
#pragma once

#include <functional>

#include "backend/backend.h"
#include "hornbeam/simulation.h"

namespace hornbeam {

/// The step that the particles allow as they are: eta sqrt(eps / |a|) at least over all of them (docs/dynamics.md
/// eq. 2), and no more than options.dt. Throws Error where that is below dt / 2^max_rung: steps have collapsed.
double allowed_step(Backend& device, const SimulationOptions& options);

/// Makes one step by `make(length)`, which leaves positions, velocities and accelerations at its end; its length is the
/// mean of what the particles allow at both its ends (eq. 7), found by trial. Returns it.
double symmetrised_step(Backend& device, const SimulationOptions& options, const std::function<void(double)>& make);

}  // namespace hornbeam
