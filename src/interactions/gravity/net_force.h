// SPDX-License-Identifier: Apache-2.0
// The change of pulls by which truncated multipoles leave no net force and torque of particles on one another.
#pragma once

#include "physics/rigid.h"
#include "tree/energies.h"

HB_OPEN

/// The motion that, times |a|^2 and taken from the accelerations a, leaves no net force and torque of those that `sums`
/// tell (internal units): the least change in the sum of m |da|^2 / |a|^2, errors of a tree's pulls being relative
/// ones. None where nothing pulls or what is not finite; rotations that move no particle, as about a line that all lie
/// on, are left out.
RigidMotion balancing_motion(const NetSums& sums);

HB_CLOSE
