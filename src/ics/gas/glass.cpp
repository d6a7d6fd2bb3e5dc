// SPDX-License-Identifier: Apache-2.0
// Makes glasses, see glass.h: fast inertial relaxation (Bitzek et al. 2006, "FIRE") under the sums of gas.
#include "ics/gas/glass.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "dynamics/particle_system.h"
#include "hornbeam/error.h"
#include "ics/settings.h"
#include "interactions/sph/gas_module.h"

namespace hornbeam::ics {
namespace {

/// Isothermal gas of sound speed 1 in a periodic cube of edge 1 about the origin, of mass 1.
class GlassGas {
 public:
  explicit GlassGas(std::vector<Vec3> places) : system_(open_system("cpu", 0, 1)) {
    p_.resize(places.size());
    p_.position = std::move(places);
    p_.family.assign(p_.size(), Family::gas);
    p_.mass.assign(p_.size(), 1.0 / static_cast<double>(p_.size()));
    p_.internal_energy.assign(p_.size(), 0.0);
    system_.set_boundary({.kind = BoundaryKind::periodic, .size = {1, 1, 1}}, 0);
    GasOptions gas;
    gas.eos = EquationOfState::isothermal;
    gas.sound_speed = 1;
    system_.set_modules({gas_maker(gas)}, false);
  }

  void evaluate() {
    GravityOptions gravity;
    gravity.eps = 1;  // of no account: nothing attracts
    gravity.precision = Precision::fp64;
    p_.acceleration.clear();
    system_.load(p_, gravity);
    system_.build_tree();
    system_.evaluate();
    system_.domain().save(p_);
    system_.domain().store(p_);
  }
  /// rms |a| H / c^2.
  [[nodiscard]] double unrest() const {
    double sum = 0;
    for (std::size_t i = 0; i < p_.size(); ++i) {
      const Vec3& a = p_.acceleration[i];
      const double H = p_.smoothing_length[i];
      sum += (a[0] * a[0] + a[1] * a[1] + a[2] * a[2]) * H * H;
    }
    return std::sqrt(sum / static_cast<double>(p_.size()));
  }
  Particles& particles() { return p_; }

 private:
  ParticleSystem system_;
  Particles p_;
};

/// Motion of the relaxation, with the constants of Bitzek et al. 2006.
struct Fire {
  std::vector<Vec3> velocity;
  double dt, longest, mixing = 0.1;
  int downhill = 0;

  /// Velocities turn towards the forces while these work, and stop once they no longer do.
  void step(Particles& p) {
    double work = 0, v2 = 0, a2 = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
      for (std::size_t k = 0; k < 3; ++k) {
        const double v = velocity[i][k], a = p.acceleration[i][k];
        work += v * a, v2 += v * v, a2 += a * a;
      }
    }
    if (work > 0) {
      if (++downhill > 5) dt = std::min(dt * 1.1, longest), mixing *= 0.99;
    } else {
      downhill = 0, dt *= 0.5, mixing = 0.1;
    }
    const double keep = work > 0 ? 1 - mixing : 0, turn = work > 0 && a2 > 0 ? mixing * std::sqrt(v2 / a2) : 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
      for (std::size_t k = 0; k < 3; ++k) {
        double& v = velocity[i][k];
        v = keep * v + (turn + dt) * p.acceleration[i][k];
        double& x = p.position[i][k];
        x += dt * v;
        x -= std::floor(x + 0.5);
      }
    }
  }
};

}  // namespace

std::vector<Vec3> glass_tile(std::int64_t n, Seed seed) {
  Random random(seed, 0);
  std::vector<Vec3> places(static_cast<std::size_t>(n));
  for (Vec3& x : places) {
    for (double& along : x) along = random.uniform() - 0.5;
  }
  GlassGas gas(std::move(places));
  const double spacing = std::cbrt(1 / static_cast<double>(n));
  Fire fire{std::vector<Vec3>(static_cast<std::size_t>(n)), 0.1 * spacing, 0.6 * spacing};
  constexpr int most_steps = 20000;
  double unrest = 0;
  for (int step = 0; step < most_steps; ++step) {
    gas.evaluate();
    unrest = gas.unrest();
    if (unrest < glass_at_rest) {
      std::vector<Vec3> tile = gas.particles().position;
      for (Vec3& x : tile) {
        for (double& along : x) along += 0.5;
      }
      return tile;
    }
    fire.step(gas.particles());
  }
  throw Error("glass", "has not converged: rms |a| H / c^2 is " + shown(unrest), "give another seed");
}

double glass_unrest(const std::vector<Vec3>& places) {
  std::vector<Vec3> centred = places;
  for (Vec3& x : centred) {
    for (double& along : x) along -= 0.5;
  }
  GlassGas gas(std::move(centred));
  gas.evaluate();
  return gas.unrest();
}

}  // namespace hornbeam::ics
