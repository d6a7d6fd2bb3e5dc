// SPDX-License-Identifier: Apache-2.0
// Energies and momenta of a snapshot, from one accurate evaluation on the CPU.
#include <cmath>

#include "dynamics/particle_system.h"
#include "hornbeam/analysis.h"
#include "interactions/external/external_module.h"
#include "interactions/sph/gas_module.h"
#include "interactions/sph/gas_state.h"
#include "simulation/finite.h"

namespace hornbeam::analysis {
namespace {

/// Gas for its gravity alone: of an equation of state that needs nothing of the particles.
GasOptions softened(const GasOptions& asked) {
  GasOptions gas = asked;
  if (gas.softening != GasSoftening::adaptive) return {};
  gas.eos = EquationOfState::isothermal;
  gas.sound_speed = 1;
  gas.tolerance = 1e-9;
  return gas;
}

}  // namespace

Energies energies(const Snapshot& snapshot, double eps, int threads, const std::vector<ExternalPotential>& potentials,
                  Softening kernel, bool self_gravity, const GasOptions& gas) {
  constexpr std::size_t largest_direct = 100'000;  // 1e10 pairs: some ten seconds
  GravityOptions options;
  options.precision = Precision::fp64;
  const GasOptions pulls = softened(gas);
  options.walk = snapshot.particles.size() <= largest_direct && !pulls.adapts() ? Walk::direct : Walk::group;
  options.theta = 0.3;
  options.eps = eps;
  options.softening = kernel;
  options.G = snapshot.units.G;
  options.validate();
  snapshot.particles.validate("energies");

  ParticleSystem system = open_system("cpu", 0, threads);
  system.set_modules({external_maker(potentials), gas_maker(pulls)}, self_gravity);
  system.at(snapshot.time);
  system.load(snapshot.particles, options);
  system.build_tree();
  system.evaluate();
  const Evaluated what{"energies", snapshot.particles, potentials, snapshot.time};
  demand_finite(system, what);
  Energies found = finite_energies(system, what);
  const Particles& p = snapshot.particles;
  found.thermal = 0;  // by the snapshot's own energies, whatever softened() took for an equation of state
  const bool free = has_free_energy(gas) && p.density.size() == p.size();
  for (std::size_t i = 0; i < p.internal_energy.size(); ++i) {
    if (p.family[i] != Family::gas) continue;
    const double more = free && p.density[i] > 0 ? free_energy_beyond(gas, p.density[i]) : 0;
    found.thermal += p.mass[i] * (p.internal_energy[i] + more);
  }
  return found;
}

double virial_ratio(const Energies& e) { return e.potential == 0.0 ? 0.0 : 2.0 * e.kinetic / std::abs(e.potential); }

}  // namespace hornbeam::analysis
