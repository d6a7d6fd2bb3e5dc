// SPDX-License-Identifier: Apache-2.0
// What a run takes of the host's memory besides its particles, at the moment when it holds most. memory::demand()
// compares it with what there is; cli/memory_plan.h has the same for other commands.
#pragma once

#include "dynamics/particle_system.h"
#include "memory/particles.h"
#include "run/config/config.h"

namespace hornbeam::run {

/// What of the particles the device will hold, for whole steps.
Holding held_by_run(const SimulationOptions& options, bool own_eps);
/// The device's for n particles, copies for snapshots and checkpoints, and what catalogues of groups and tables take.
memory::Need run_need(const ParticleSystem& system, const RunConfig& config, std::uint64_t n, bool own_eps);
/// What a run takes on top of that where it writes during its steps (writer.h).
memory::Need beside_need(const RunConfig& config);

}  // namespace hornbeam::run
