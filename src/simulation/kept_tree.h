// SPDX-License-Identifier: Apache-2.0
// What trees that stay have in common, whether their particles are the host's or a caller's on a device: whom they
// serve, and what is asked of targets. Before walks at places of their own.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "hornbeam/force_tree.h"

namespace hornbeam {

/// Whether the tree of one serves the other.
bool share_a_tree(const GravityOptions& a, const GravityOptions& b);
/// Whether what it was asked last answers the other, too.
bool same_accuracy(const GravityOptions& a, const GravityOptions& b);
/// Whether numbers in single precision, in units chosen for one size, serve another one.
bool are_alike(double size, double other);

/// Throw UsageError for targets that these options do not allow, and for eps that they have or lack where the particles
/// have their own, or one for all.
void demand_targets(const GravityOptions& options, std::size_t targets, std::optional<std::size_t> eps);
void demand_target_eps(bool given, bool own, bool one_for_all);
/// Throws Error for a place that is not finite.
void demand_place(const Vec3& place, std::size_t i);
/// Throws NotFinite: what targets are pulled with by a tree is no particle's, so that nobody else has looked at it.
void demand_finite_at(const std::vector<Vec3>& places, const ForceField& field);

}  // namespace hornbeam
