// SPDX-License-Identifier: Apache-2.0
// Pressures and temperatures of gas for snapshots, see gas_state.h.
#include "interactions/sph/gas_state.h"

#include <algorithm>
#include <cmath>

#include "physics/equation_of_state.h"

namespace hornbeam {

void add_gas_state(Particles& p, const Materials& materials, const Units& units) {
  if (p.density.size() != p.size() || p.internal_energy.size() != p.size()) return;
  const bool several = materials.all().size() > 1;
  p.pressure.assign(p.size(), 0);
  p.temperature.assign(units.physical ? p.size() : 0, 0);
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (p.family[i] != Family::gas || !(p.density[i] > 0)) continue;
    const std::size_t place = several ? materials.place_of(static_cast<int>(p.material[i])) : 0;
    const MaterialState state = materials.all()[place].state(p.density[i], std::max(0.0, p.internal_energy[i]));
    p.pressure[i] = state.pressure;
    if (!p.temperature.empty()) p.temperature[i] = state.temperature;
  }
}

void predict_gas(Particles& p, const Particles& saved, const std::vector<double>& since, double step) {
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (p.family[i] != Family::gas) continue;
    const double change = saved.internal_energy_rate[i] * since[i];
    double& u = p.internal_energy[i];
    u = change < 0 && u > 0 ? u * (u / (u - change)) : u + change;
    const double grown = std::exp(saved.velocity_divergence[i] * step / 3);
    p.smoothing_length[i] *= grown;
    p.density[i] /= grown * grown * grown;
  }
}

bool has_free_energy(const GasOptions& options) {
  return options.eos == EquationOfState::isothermal || options.eos == EquationOfState::barotropic;
}

double free_energy_beyond(const GasOptions& o, double density) {
  const mixed::GasLaw law = {static_cast<int>(o.eos), o.gamma, o.sound_speed * o.sound_speed, o.constant,
                             o.critical_density};
  const double u = mixed::internal_energy(law, density, 0);
  return mixed::kept_energy(law, density, u) - u;
}

GasParameters parameters_of(const GasOptions& o) {
  return {.kernel = std::string(name(o.kernel)),
          .equation_of_state = std::string(name(o.eos)),
          .viscosity = std::string(name(o.viscosity)),
          .neighbours = o.effective_neighbours(),
          .gamma = o.gamma,
          .alpha = o.alpha,
          .beta = o.beta,
          .courant = o.courant,
          .mean_weight = o.mean_weight};
}

}  // namespace hornbeam
