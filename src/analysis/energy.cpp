// SPDX-License-Identifier: Apache-2.0
// Energies and momenta of a snapshot, from one accurate evaluation on the CPU.
#include <cmath>

#include "backend/backend.h"
#include "gravity/finite.h"
#include "hornbeam/analysis.h"

namespace hornbeam::analysis {

Energies energies(const Snapshot& snapshot, double eps, int threads, const std::vector<ExternalPotential>& potentials) {
  constexpr std::size_t largest_direct = 100'000;  // 1e10 pairs: some ten seconds
  GravityOptions options;
  options.precision = Precision::fp64;
  options.walk = snapshot.particles.size() <= largest_direct ? Walk::direct : Walk::group;
  options.theta = 0.3;
  options.eps = eps;
  options.G = snapshot.units.G;
  options.validate();
  snapshot.particles.validate("energies");

  const auto device = open_backend("cpu", 0, threads);
  if (!potentials.empty()) device->set_external(potentials, snapshot.time);
  device->load(snapshot.particles, options);
  device->build_tree();
  device->walk();
  const Evaluated what{"energies", snapshot.particles, potentials, snapshot.time};
  demand_finite(*device, what);
  return finite_energies(*device, what);
}

double virial_ratio(const Energies& e) { return e.potential == 0.0 ? 0.0 : 2.0 * e.kinetic / std::abs(e.potential); }

}  // namespace hornbeam::analysis
