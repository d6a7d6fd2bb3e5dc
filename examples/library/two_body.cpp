// SPDX-License-Identifier: Apache-2.0
// Two bodies of mass 1/2 at distance 1, on a circle about each other: after one period they are back where they began.
#include <cmath>
#include <iostream>
#include <numbers>

#include "hornbeam/error.h"
#include "hornbeam/simulation.h"

int main() {
  hornbeam::Snapshot start;
  start.particles.resize(2);
  start.particles.mass = {0.5, 0.5};
  start.particles.position = {{-0.5, 0, 0}, {0.5, 0, 0}};
  start.particles.velocity = {{0, -0.5, 0}, {0, 0.5, 0}};
  start.particles.id = {0, 1};

  hornbeam::SimulationOptions options;  // G = 1: the period is 2 pi
  constexpr int steps = 1000;
  options.gravity.eps = 0;
  options.dt = 2 * std::numbers::pi / steps;
  try {
    hornbeam::Simulation simulation(start, options);
    for (int step = 0; step < steps; ++step) simulation.step();
    const hornbeam::Vec3 x = simulation.snapshot().particles.position[1];
    std::cout << "t = " << simulation.time() << ": at (" << x[0] << ", " << x[1] << ", " << x[2] << ")\n";
    return std::hypot(x[0] - 0.5, x[1], x[2]) < 1e-4 ? 0 : 1;
  } catch (const hornbeam::Error& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
