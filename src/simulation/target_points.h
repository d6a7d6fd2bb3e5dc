// SPDX-License-Identifier: Apache-2.0
// Forces at points that are no particles, by a tree of particles: what is demanded of the points, and the walk. For
// trees that stay and for single evaluations.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "hornbeam/boundary.h"
#include "hornbeam/device_arrays.h"
#include "hornbeam/force_tree.h"
#include "tree/lent_particles.h"

namespace hornbeam {

class Device;
class ParticleSystem;

/// Throws UsageError for options that allow no target points, and for a number of lengths that is not theirs.
void demand_targets(const GravityOptions& options, std::size_t targets, std::optional<std::size_t> eps);

/// Softening lengths that particles have of their own.
struct OwnLengths {
  bool some = false;             ///< whether there are any
  std::optional<double> common;  ///< if all are equal
};
/// The least and the largest of the lengths of points; none of none.
std::optional<std::array<double, 2>> range_of(Device& device, const std::optional<ArrayOnDevice>& eps);

/// Which softening lengths a tree is built with.
struct TreeLengths {
  GravityOptions options;  ///< eps: of all particles; below 0: they have lengths of their own
  double of_all = -1;      ///< the length of each particle, where it is stored though all are equal; else below 0
  bool of_points = false;  ///< whether target points have lengths that the walk must know
};
/// For particles alone.
TreeLengths tree_lengths(const GravityOptions& options, const OwnLengths& own);
/// For target points as well; least and largest: of their lengths, or none. Throws UsageError if they lack lengths.
TreeLengths tree_lengths(const GravityOptions& options, const OwnLengths& own,
                         const std::optional<std::array<double, 2>>& points);
/// Lets particles on a device have them.
void take_lengths(const TreeLengths& lengths, LentParticles& particles);

/// Throws NotFinite for tidal tensors that are not, if `forces` has any.
void demand_finite_tides(Device& device, std::size_t rows, const ForcesOnDevice& forces);

/// Computes forces by the `sources` particles of a system with a tree. Arrays are in the memory of its device. Points
/// are in the user's units, and wrapped into the box of a periodic boundary. eps: one of each, or none if all particles
/// have one length. Throws Error for points and lengths that are not allowed, NotFinite for non-finite forces.
void forces_at(ParticleSystem& system, const Boundary& boundary, std::size_t sources, const ArrayOnDevice& points,
               const std::optional<ArrayOnDevice>& eps, const ForcesOnDevice& forces);

}  // namespace hornbeam
