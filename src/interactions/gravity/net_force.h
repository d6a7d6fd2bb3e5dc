// SPDX-License-Identifier: Apache-2.0
// The change of accelerations by which truncated multipoles leave no net force and torque of particles on one another.
#pragma once

#include "physics/rigid.h"
#include "tree/energies.h"

HB_OPEN

/// Returns the motion that, times |a|^2 and subtracted from the accelerations a, leaves no net force and torque of
/// `sums` (internal units). It is the least change in the sum of m |da|^2 / |a|^2, as a tree's errors are relative.
/// None without attraction or for non-finite values. Rotations that move no particle, as about a line through all of
/// them, are left out.
RigidMotion balancing_motion(const NetSums& sums);

HB_CLOSE
