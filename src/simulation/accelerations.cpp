// SPDX-License-Identifier: Apache-2.0
// One evaluation of accelerations on the CPU.
#include "dynamics/particle_system.h"
#include "hornbeam/gravity.h"
#include "simulation/finite.h"

namespace hornbeam {

void accelerations(Particles& particles, const GravityOptions& options, int threads) {
  particles.validate("particles");
  ParticleSystem system = open_system("cpu", 0, threads);
  system.load(particles, with_common_eps(options, particles));
  system.build_tree();
  system.evaluate();
  demand_finite(system, {"particles", particles});
  system.domain().store(particles);
}

}  // namespace hornbeam
