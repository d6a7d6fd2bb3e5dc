// SPDX-License-Identifier: Apache-2.0
// What commands take of the host's memory besides the particles that they read or draw, each at the moment when it
// holds most. memory::demand() compares it with what there is.
#pragma once

#include "dynamics/particle_system.h"
#include "memory/particles.h"

namespace hornbeam::cli {

struct ForceOutputs {
  std::int64_t check = 0;  ///< particles to compare with direct sums
  bool file = false;
};
/// `force` of n particles.
memory::Need force_need(const ParticleSystem& system, const GravityOptions& gravity, const ForceOutputs& outputs,
                        std::uint64_t n, bool own_eps);

/// `analyze`: a copy of those particles that a measure is about, sorted by radius (analysis/radial_order.cpp,
/// centre_of_density.cpp), their stars in the disc's frame, or one evaluation in fp64
/// (analysis/energy.cpp). Groups: analysis/groups_need.h.
memory::Need radial_need();
memory::Need disc_need();
memory::Need energy_need();

}  // namespace hornbeam::cli
