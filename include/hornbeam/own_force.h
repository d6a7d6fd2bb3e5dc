// SPDX-License-Identifier: Apache-2.0
// Forces of one's own: functions that a simulation calls at each kick (docs/python.md, "Forces of your own").
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "hornbeam/vec3.h"

namespace hornbeam {

/// The particles for which a function is called, in the order of the input, in the units of the simulation.
struct ForceTargets {
  double time = 0;
  std::vector<Vec3> position, velocity;
  std::vector<std::uint64_t> id;
};

/// A force that is added to all others. Each function returns one value for each target. Shared and symmetrised steps
/// call it for all particles; block steps call it only for the active ones.
///
/// Velocities belong to the time of the positions, to second order in the step. In a shearing sheet they are those
/// before the kick, and a force that depends on velocity is then of first order.
struct OwnForce {
  std::string name;  ///< in messages and checkpoints
  /// The accelerations. None: the force of a resumed run, which Simulation::add_force() has yet to bring back.
  std::function<std::vector<Vec3>(const ForceTargets&)> acceleration;
  /// Optional: potentials per unit mass. Energies count them; without them they do not count this force.
  std::function<std::vector<double>(const ForceTargets&)> potential;
  /// Optional: the longest steps allowed, above 0; infinite for any.
  std::function<std::vector<double>(const ForceTargets&)> step;
};

}  // namespace hornbeam
