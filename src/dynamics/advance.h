// SPDX-License-Identifier: Apache-2.0
// The clock of the time loop: time is summed step by step in fp64, far from 0 more coarsely than near to it.
#pragma once

namespace hornbeam {

/// A time below this fraction of a step is no time to step over: sums of steps carry rounding.
inline constexpr double least_step = 1e-3;

/// Times that were computed and are meant to be one differ by no more.
double rounding_between(double a, double b);

/// Shared steps that choose their lengths end on requested times exactly, which count as reached within this fraction
/// of the longest step, or within rounding.
inline constexpr double same_time_of_chosen_steps = 1e-13;

/// Throws Error where `time` plus `step` is no later time: it would stand while the particles move.
void demand_advance(double time, double step);

}  // namespace hornbeam
