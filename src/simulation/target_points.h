// SPDX-License-Identifier: Apache-2.0
// Forces at points that are no particles, by a tree of particles: what is demanded of the points, and the walk. For
// trees that stay and for single evaluations.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "hornbeam/boundary.h"
#include "hornbeam/device_arrays.h"
#include "hornbeam/force_tree.h"

namespace hornbeam {

class ParticleSystem;

/// Throws UsageError for options that allow no target points, and for a number of lengths that is not theirs.
void demand_targets(const GravityOptions& options, std::size_t targets, std::optional<std::size_t> eps);
/// Throws UsageError if the points lack softening lengths; own: the particles have lengths that differ.
void demand_target_eps(bool given, bool own);

/// Forces by the particles of a system whose tree is built. points: in user's units, wrapped into the box of a periodic
/// boundary; eps: one of each, or empty if all particles have one length. Throws Error for points and lengths that are
/// not allowed, NotFinite for forces that are not finite.
ForceField forces_at(ParticleSystem& system, const Boundary& boundary, const std::vector<Vec3>& points,
                     const std::vector<double>& eps);
/// The same of arrays in the memory of the system's device, and into such arrays; sources: the number of particles.
void forces_at(ParticleSystem& system, const Boundary& boundary, std::size_t sources, const ArrayOnDevice& points,
               const std::optional<ArrayOnDevice>& eps, const ForcesOnDevice& forces);

}  // namespace hornbeam
