// SPDX-License-Identifier: Apache-2.0
// Damped shifts towards balance, see settle.h. A particle moves by w each turn, w <- (1 - f) w + dt^2 a, with dt =
// 0.3 (H / 2) / c of itself: as with a clock for each, all parts of a body take as many turns, whatever their density
// (Phantom's relaxation of stars, Price et al. 2018 sect. 3, has no momentum and takes the square of these turns).
#include "ics/gas/settle.h"

#include <cmath>
#include <string>
#include <vector>

#include "core/short_numbers.h"
#include "dynamics/particle_system.h"
#include "hornbeam/error.h"
#include "ics/centre.h"
#include "interactions/sph/gas_module.h"

namespace hornbeam::ics {
namespace {

constexpr double lost = 0.1, courant = 0.3;
constexpr std::size_t few = 20000;  // threads would wait for one another

class Shifts {
 public:
  Shifts(Particles& particles, const Settling& settling)
      : p_(particles),
        settling_(settling),
        system_(open_system("cpu", 0, particles.size() < few ? 1 : 0)),
        shift_(particles.size()) {
    GasOptions gas = settling.gas;
    gas.viscosity = Viscosity::fixed;
    gas.alpha = gas.beta = 0;
    system_.set_modules({gas_maker(gas)}, true, settling.units);
    gravity_.G = settling.G;
    gravity_.accuracy = 0;  // what is drawn keeps its bits
    p_.velocity.assign(p_.size(), Vec3{});
  }

  void evaluate() {
    p_.forget_steps();
    system_.load(p_, gravity_);
    system_.build_tree();
    system_.evaluate();
    system_.domain().save(p_);
    system_.domain().store(p_);
    for (std::size_t i = 0; settling_.energy && i < p_.size(); ++i) {
      p_.internal_energy[i] = settling_.energy(i, p_.density[i]);
    }
  }

  /// Returns K / |W| of the shift.
  double shift() {
    const double spin2 = settling_.spin * settling_.spin;
    double kinetic = 0, potential = 0;
    for (std::size_t i = 0; i < p_.size(); ++i) {
      const double dt = step_of(i);
      double moved2 = 0;
      for (std::size_t k = 0; k < 3; ++k) {
        double& w = shift_[i][k];
        const double outwards = k < 2 ? spin2 * p_.position[i][k] : 0;
        w = (1 - lost) * w + dt * dt * (p_.acceleration[i][k] + outwards);
        p_.position[i][k] += w;
        moved2 += w * w;
      }
      kinetic += 0.5 * p_.mass[i] * moved2 / (dt * dt);
      potential += 0.5 * p_.mass[i] * std::abs(p_.potential[i]);
    }
    centre(p_);
    return potential > 0 ? kinetic / potential : 0;
  }

 private:
  [[nodiscard]] double step_of(std::size_t i) const {
    // at rest the signal speed to neighbours is that of sound
    return courant * 0.5 * p_.smoothing_length[i] / p_.signal_speed[i];
  }

  Particles& p_;
  const Settling& settling_;
  ParticleSystem system_;
  GravityOptions gravity_;
  std::vector<Vec3> shift_;
};

/// What moves as fast as its gravity would let it go does not come back.
void refuse_flight(const Settled& now, const Settling& settling) {
  if (now.kinetic_over_potential < 1) return;
  throw Error(
      "settle", "the body flies apart: K / |W| = " + shortest(now.kinetic_over_potential),
      settling.spin == 0 ? "give more particles, or leave settle out" : "give a slower spin, or more particles");
}

}  // namespace

Settled settle(Particles& particles, const Settling& settling) {
  Settled done;
  if (settling.turns <= 0 || particles.size() == 0) return done;
  const double fewest = settling.gas.effective_neighbours() / 3;  // with a third of a kernel a body holds together
  if (static_cast<double>(particles.size()) < fewest) {
    throw UsageError("settle",
                     "a body of " + std::to_string(particles.size()) +
                         " particles cannot be relaxed; it needs a third of the kernel's neighbours, " +
                         std::to_string(static_cast<int>(std::ceil(fewest))),
                     "give more particles, or leave settle out");
  }
  Shifts shifts(particles, settling);
  while (done.turns < settling.turns) {
    shifts.evaluate();
    done.kinetic_over_potential = shifts.shift();
    ++done.turns;
    refuse_flight(done, settling);
    // the first turns build the motion up
    if (done.turns > 10 && done.kinetic_over_potential < settling.still) break;
  }
  shifts.evaluate();
  particles.forget_forces();
  particles.forget_steps();
  return done;
}

}  // namespace hornbeam::ics
