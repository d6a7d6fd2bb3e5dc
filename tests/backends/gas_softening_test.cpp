// SPDX-License-Identifier: Apache-2.0
// Gravity of gas that is softened by its H, on every backend: against all pairs, against the slope of its own energy,
// which stands and falls with the zeta terms, and closed forms.
#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>
#include <random>

#include "hornbeam/error.h"
#include "interactions/gravity/host/oracle.h"
#include "physics/kernel_potential.h"
#include "physics/softening.h"
#include "support/devices.h"
#include "support/gas.h"

namespace hornbeam {
namespace {

/// A cold clump: nothing but gravity acts on it. Every seventh particle is a star if there are any.
Particles cold_clump(std::size_t n, bool stars) {
  std::mt19937_64 random(17);
  std::uniform_real_distribution<double> uniform(0, 1);
  Particles p;
  p.resize(n);
  p.family.assign(n, Family::gas);
  p.internal_energy.assign(n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    for (int k = 0; k < 3; ++k) p.position[i][k] = std::pow(uniform(random), 1.7) - 0.3;
    p.mass[i] = (0.7 + 0.6 * uniform(random)) / static_cast<double>(n);
    if (stars && i % 7 == 0) p.family[i] = Family::star;
  }
  return p;
}

GasOptions adaptive(SphKernel kernel) {
  GasOptions o;
  o.eos = EquationOfState::ideal;
  o.viscosity = Viscosity::fixed;
  o.softening = GasSoftening::adaptive;
  o.kernel = kernel;
  o.neighbours = kernel == SphKernel::wendland_c2 ? 0 : 80;
  o.tolerance = 1e-9;
  return o;
}

/// theta 0: walks sum over all particles, to rounding. accuracy: above 0 in its place.
Particles evaluated(const std::string& backend, Particles p, const GasOptions& gas, double eps, Precision precision,
                    const Boundary& boundary = {}, double theta = 0, double accuracy = 0) {
  ParticleSystem system = open_system(backend, 0, 0);
  system.set_boundary(boundary, 0);
  system.set_modules({gas_maker(gas)});
  GravityOptions gravity;
  gravity.eps = eps;
  if (accuracy == 0) gravity.theta = theta;
  gravity.accuracy = accuracy;
  gravity.softening = Softening::spline;
  gravity.precision = precision;
  system.load(p, gravity);
  system.build_tree();
  system.evaluate();
  system.domain().save(p);
  system.domain().store(p);
  return p;
}

/// The potential at distance r of a unit mass softened within `reach`.
double well(int kernel, double r, double reach) {
  const double q = r / reach;
  return -(mixed::kernel_widening(kernel, q) + q * q * mixed::kernel_pull(kernel, q)) / reach;
}

/// Between two particles, and its derivative by r over r.
struct Pair {
  double potential, pull;
};

Pair pair_of(const Particles& p, const PlainGas& g, const GasOptions& o, double eps, std::size_t i, std::size_t j,
             double r) {
  const int kernel = static_cast<int>(o.kernel);
  if (p.family[i] == Family::gas && p.family[j] == Family::gas) {
    const double a = std::max(g.smooth[i], 2.8 * eps), b = std::max(g.smooth[j], 2.8 * eps);
    return {
        (well(kernel, r, a) + well(kernel, r, b)) / 2,
        (mixed::kernel_pull(kernel, r / a) / std::pow(a, 3) + mixed::kernel_pull(kernel, r / b) / std::pow(b, 3)) / 2};
  }
  const auto field = mixed::pull_spline(r, 0.0, 0.0, 1.0, eps * eps, mixed::Field<double>{});
  return {field.w, field.x / r};
}

/// Accelerations and potentials of all pairs (docs/gas.md eq. 21 to 25), zeta included or not.
Particles all_pairs(Particles p, const GasOptions& o, double eps, bool with_zeta = true) {
  const PlainGas g = plain_gas(p, o, {});
  const int kernel = static_cast<int>(o.kernel);
  const double C = mixed::kernel_constant(kernel);
  const std::size_t n = p.size();
  p.acceleration.assign(n, {});
  p.potential.assign(n, 0);
  std::vector<double> zeta(n, 0);
  const auto distance = [&](std::size_t i, std::size_t j) {
    return std::hypot(p.position[j][0] - p.position[i][0], p.position[j][1] - p.position[i][1],
                      p.position[j][2] - p.position[i][2]);
  };
  for (std::size_t i = 0; i < n; ++i) {
    if (!with_zeta || p.family[i] != Family::gas || g.smooth[i] < 2.8 * eps) continue;
    for (std::size_t j = 0; j < n; ++j) {
      if (j == i || p.family[j] != Family::gas) continue;
      zeta[i] += p.mass[j] * mixed::kernel_widening(kernel, distance(i, j) / g.smooth[i]);
    }
    zeta[i] /= 3 * g.smooth[i] * g.omega[i] * g.density[i];
  }
  const auto slope = [&](std::size_t i, double r) {  // of W over r
    return C / std::pow(g.smooth[i], 5) * mixed::kernel_slope(kernel, r / g.smooth[i]);
  };
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      if (j == i) continue;
      const double r = distance(i, j);
      const Pair pair = pair_of(p, g, o, eps, i, j, r);
      double pull = pair.pull;
      if (zeta[i] > 0) pull -= zeta[i] * slope(i, r) / 2 * (p.family[j] == Family::gas);
      if (zeta[j] > 0) pull -= zeta[j] * slope(j, r) / 2 * (p.family[i] == Family::gas);
      for (int k = 0; k < 3; ++k) p.acceleration[i][k] += p.mass[j] * pull * (p.position[j][k] - p.position[i][k]);
      p.potential[i] += p.mass[j] * pair.potential;
    }
  }
  return p;
}

double energy_of(const Particles& p) {
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i) sum += p.mass[i] * p.potential[i] / 2;
  return sum;
}

void expect_same(const Particles& found, const Particles& plain, double tolerance, const std::string& what) {
  double pull = 0, well = 0;
  for (std::size_t i = 0; i < plain.size(); ++i) {
    pull = std::max(pull, std::hypot(plain.acceleration[i][0], plain.acceleration[i][1], plain.acceleration[i][2]));
    well = std::max(well, -plain.potential[i]);
  }
  for (std::size_t i = 0; i < plain.size(); ++i) {
    ASSERT_NEAR(found.potential[i], plain.potential[i], tolerance * well) << what << " " << i;
    for (int k = 0; k < 3; ++k) {
      ASSERT_NEAR(found.acceleration[i][k], plain.acceleration[i][k], tolerance * pull) << what << " " << i;
    }
  }
}

/// Of both kinds of particles, and where the fixed softening is the wider one of some.
TEST(GasSoftening, PullsAreThoseOfAllPairs) {
  for (const SphKernel kernel :
       {SphKernel::wendland_c2, SphKernel::wendland_c4, SphKernel::wendland_c6, SphKernel::cubic}) {
    for (const double eps : {1e-3, 0.08}) {
      if (eps > 0.01 && kernel != SphKernel::wendland_c2) continue;
      const GasOptions o = adaptive(kernel);
      const Particles p = cold_clump(500, true), plain = all_pairs(p, o, eps);
      for (const std::string& backend : every_backend()) {
        const std::string what = backend + " " + std::string(name(kernel)) + " " + std::to_string(eps);
        for (const Precision precision : precisions_of_gas(backend)) {
          // sums of 500 in fp32: 2e-6 on CPUs, 2.2e-6 with the reciprocal roots of NVIDIA's cards
          expect_same(evaluated(backend, p, o, eps, precision), plain, precision == Precision::fp64 ? 2e-8 : 4e-6,
                      what + " " + std::string(hornbeam::name(precision)));
        }
      }
    }
  }
}

/// Debris that reaches most of all gas, for which devices sum by blocks.
TEST(GasSoftening, DebrisThatReachesMostOfIt) {
  Particles p = cold_clump(6000, false);
  for (std::size_t i = 0; i < 4; ++i) p.position[600 * i] = {20.0 + 5.0 * static_cast<double>(i), 3, -4};
  const GasOptions o = adaptive(SphKernel::wendland_c2);
  const Particles plain = evaluated("cpu", p, o, 1e-3, Precision::fp64);
  for (const std::string& backend : every_backend()) {
    if (backend == "cpu") continue;
    // mixed: fp32 in units of a box 40 times as wide as the clump, of which the worst is 3.2e-5 off
    expect_same(evaluated(backend, p, o, 1e-3, finest_of_gas(backend)), plain, by_precision(backend, 2e-8, 1e-4),
                backend);
  }
}

/// By central differences of the energy, with H found again: what is kept is the energy itself. The control leaves the
/// zeta terms out.
TEST(GasSoftening, IsTheSlopeOfItsEnergy) {
  const GasOptions o = adaptive(SphKernel::wendland_c2);
  const Particles p = cold_clump(200, false), found = evaluated("cpu", p, o, 1e-3, Precision::fp64);
  const Particles without = all_pairs(p, o, 1e-3, false);
  constexpr double d = 1e-4;
  double worst = 0, largest = 0;
  for (const std::size_t i : {3u, 77u, 150u}) {
    for (int k = 0; k < 3; ++k) {
      Particles ahead = p, behind = p;
      ahead.position[i][k] += d;
      behind.position[i][k] -= d;
      const double slope = (energy_of(all_pairs(ahead, o, 1e-3)) - energy_of(all_pairs(behind, o, 1e-3))) / (2 * d);
      const double a = -slope / p.mass[i];
      EXPECT_NEAR(found.acceleration[i][k], a, 2e-5) << i << " " << k;  // |a| is of the order of 1
      worst = std::max(worst, std::abs(without.acceleration[i][k] - a));
      largest = std::max(largest, std::abs(a));
    }
  }
  EXPECT_GT(worst, 3e-3 * largest);
}

/// An H that is held at a bound does not follow the density, and so has no zeta, while that of others has.
TEST(GasSoftening, IsTheSlopeOfItsEnergyWhereHIsHeld) {
  GasOptions o = adaptive(SphKernel::wendland_c2);
  const Particles p = cold_clump(200, false);
  std::vector<double> all = evaluated("cpu", p, o, 1e-3, Precision::fp64).smoothing_length;
  std::sort(all.begin(), all.end());
  std::size_t widest = 80;  // no particle is to become free or held on the way
  for (std::size_t i = 80; i < 120; ++i) widest = all[i + 1] - all[i] > all[widest + 1] - all[widest] ? i : widest;
  o.max_smoothing_length = (all[widest] + all[widest + 1]) / 2;
  for (const std::string& backend : every_backend()) {
    const auto at = [&](const Particles& moved) { return evaluated(backend, moved, o, 1e-3, finest_of_gas(backend)); };
    const Particles found = at(p);
    if (finest_of_gas(backend) != Precision::fp64) {  // whose energies have too few digits for differences
      // 1e-4: zeta terms in fp32, of which the worst is 2.2e-5 off
      expect_same(found, evaluated("cpu", p, o, 1e-3, Precision::fp64), 1e-4, backend);
      continue;
    }
    constexpr double d = 1e-4;
    for (const std::size_t i : {3u, 77u, 150u}) {
      for (int k = 0; k < 3; ++k) {
        Particles ahead = p, behind = p;
        ahead.position[i][k] += d;
        behind.position[i][k] -= d;
        const double slope = (energy_of(at(ahead)) - energy_of(at(behind))) / (2 * d);
        EXPECT_NEAR(found.acceleration[i][k], -slope / p.mass[i], 2e-5) << backend << " " << i << " " << k;
      }
    }
  }
}

/// Every pair is found from both sides with the same numbers; what walks lose with multipoles is theirs.
TEST(GasSoftening, KeepsMomentum) {
  const Particles p = cold_clump(3000, true);
  for (const std::string& backend : every_backend()) {
    for (const Precision precision : precisions_of_gas(backend)) {
      const Particles found = evaluated(backend, p, adaptive(SphKernel::wendland_c2), 1e-3, precision);
      Vec3 momentum{};
      double pulls = 0;
      for (std::size_t i = 0; i < p.size(); ++i) {
        for (int k = 0; k < 3; ++k) momentum[k] += p.mass[i] * found.acceleration[i][k];
        pulls += p.mass[i] * std::hypot(found.acceleration[i][0], found.acceleration[i][1], found.acceleration[i][2]);
      }
      const double most = precision == Precision::fp64 ? 1e-13 : 2e-7;
      EXPECT_LT(std::hypot(momentum[0], momentum[1], momentum[2]), most * pulls) << backend;
    }
  }
}

/// With multipoles: no farther from all pairs than walks are with fixed softening.
TEST(GasSoftening, IsAsNearAsWalksAre) {
  const Particles p = cold_clump(3000, false);
  const GasOptions o = adaptive(SphKernel::wendland_c2);
  GasOptions fixed = o;
  fixed.softening = GasSoftening::fixed;
  const auto error = [&](const GasOptions& gas) {
    const Particles near = evaluated("cpu", p, gas, 0.03, Precision::mixed, {}, 0.6);
    const Particles plain = evaluated("cpu", p, gas, 0.03, Precision::fp64);
    double squares = 0, sizes = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
      for (int k = 0; k < 3; ++k) {
        squares += std::pow(near.acceleration[i][k] - plain.acceleration[i][k], 2);
        sizes += std::pow(plain.acceleration[i][k], 2);
      }
    }
    return std::sqrt(squares / sizes);
  };
  EXPECT_LT(error(o), 1.1 * error(fixed));
}

/// A homogeneous ball: inside |a| = G M r / R^3, whatever the softening.
TEST(GasSoftening, BallsPullAsTheyShould) {
  Particles p;
  const int half = 9;
  std::vector<Vec3> places;
  for (int x = -half; x <= half; ++x) {
    for (int y = -half; y <= half; ++y) {
      for (int z = -half; z <= half; ++z) {
        if (x * x + y * y + z * z <= half * half) places.push_back({x + 0.0, y + 0.0, z + 0.0});
      }
    }
  }
  p.resize(places.size());
  p.position = places;
  p.family.assign(p.size(), Family::gas);
  p.internal_energy.assign(p.size(), 0);
  p.mass.assign(p.size(), 1);
  const Particles found = evaluated("cpu", p, adaptive(SphKernel::wendland_c2), 0.1, Precision::mixed, {}, 0.4);
  const double density = 1;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const double r = std::hypot(places[i][0], places[i][1], places[i][2]);
    if (r == 0 || r > half - 4) continue;
    const double a = (found.acceleration[i][0] * places[i][0] + found.acceleration[i][1] * places[i][1] +
                      found.acceleration[i][2] * places[i][2]) /
                     r;
    EXPECT_NEAR(a, -4 * std::numbers::pi / 3 * density * r, 0.02 * 4 * std::numbers::pi / 3 * half) << r;
  }
}

/// In a box gas must not meet images that do not attract. Where these do, softening adds the same in the middle and
/// across the boundary, though walks, which see so many images and no more, do not find the same there.
TEST(GasSoftening, NeedsTheImagesThatGasMeets) {
  Boundary box;
  box.kind = BoundaryKind::periodic;
  box.size = {2.6, 2.6, 2.6};
  GasOptions o = adaptive(SphKernel::wendland_c2);
  const Particles p = cold_clump(400, false);
  box.n_ghost = {0, 0, 0};
  EXPECT_THROW(evaluated("cpu", p, o, 1e-2, Precision::fp64, box), UsageError);
  box.n_ghost = {1, 1, 1};
  Particles moved = p;
  for (Vec3& x : moved.position) x[0] += x[0] + 1.1 > 1.3 ? -1.5 : 1.1;
  std::vector<std::vector<Vec3>> added;
  for (const Particles& all : {p, moved}) {
    o.softening = GasSoftening::adaptive;
    added.push_back(evaluated("cpu", all, o, 1e-2, Precision::fp64, box).acceleration);
    o.softening = GasSoftening::fixed;
    const std::vector<Vec3> fixed = evaluated("cpu", all, o, 1e-2, Precision::fp64, box).acceleration;
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (int k = 0; k < 3; ++k) added.back()[i][k] -= fixed[i][k];
    }
  }
  for (std::size_t i = 0; i < p.size(); ++i) {
    for (int k = 0; k < 3; ++k) ASSERT_NEAR(added[0][i][k], added[1][i][k], 1e-8) << i;  // of the order of 1
  }
}

/// What the walk gives of a pair that is much closer than H is taken back: that costs digits, but few.
TEST(GasSoftening, ClosePairsLoseLittle) {
  Particles p = cold_clump(300, false);
  for (std::size_t i = 1; i < p.size(); i += 2) {
    p.position[i] = p.position[i - 1];
    p.position[i][i % 3] += 1e-3;
  }
  const GasOptions o = adaptive(SphKernel::wendland_c2);
  const Particles plain = all_pairs(p, o, 1e-2);
  for (const std::string& backend : every_backend()) {
    for (const Precision precision : precisions_of_gas(backend)) {
      expect_same(evaluated(backend, p, o, 1e-2, precision), plain, precision == Precision::fp64 ? 1e-9 : 2e-5,
                  backend + " " + std::string(name(precision)));
    }
  }
}

/// Places that none should take: finite, and on all backends the same.
TEST(GasSoftening, HardCasesAreDefined) {
  std::vector<std::pair<const char*, Particles>> cases = {{"one", cold_clump(1, false)}, {"two", cold_clump(2, false)}};
  cases.emplace_back("plane", cold_clump(300, false));
  for (Vec3& x : cases.back().second.position) x[2] = 0.25;
  cases.emplace_back("pairs at one place", cold_clump(300, false));
  for (std::size_t i = 1; i < 300; i += 2) cases.back().second.position[i] = cases.back().second.position[i - 1];
  cases.emplace_back("pairs almost at one place", cases.back().second);
  for (std::size_t i = 1; i < 300; i += 2) cases.back().second.position[i][0] += 1e-12;
  cases.emplace_back("one place", cold_clump(300, false));
  for (Vec3& x : cases.back().second.position) x = {0.1, 0.2, 0.3};
  GasOptions o = adaptive(SphKernel::wendland_c2);
  o.tolerance = 1e-4;
  for (const std::string& backend : every_backend()) {
    for (const auto& [what, p] : cases) {
      const Particles found = evaluated(backend, p, o, 1e-3, Precision::mixed);
      double momentum = 0, pulls = 0;
      for (std::size_t i = 0; i < p.size(); ++i) {
        ASSERT_TRUE(std::isfinite(found.acceleration[i][0]) && std::isfinite(found.potential[i])) << what;
        momentum += p.mass[i] * found.acceleration[i][0];
        pulls += p.mass[i] * std::abs(found.acceleration[i][0]);
      }
      EXPECT_LE(std::abs(momentum), 1e-5 * pulls + 1e-30) << backend << ": " << what;
    }
  }
}

// What a walk has made of pairs within H is replaced, whether their cells were opened or not.
TEST(GasSoftening, KeepsAnAccuracy) {
  const GasOptions gas = adaptive(SphKernel::cubic);
  const Particles p = cold_clump(4000, true);
  const Particles expected = evaluated("cpu", p, gas, 0.01, Precision::fp64);
  for (const double accuracy : {1e-2, 1e-3, 1e-4}) {
    const Particles found = evaluated("cpu", p, gas, 0.01, Precision::mixed, {}, 0, accuracy);
    double squares = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
      const Vec3 &a = found.acceleration[i], &b = expected.acceleration[i];
      const double size = fp64::demanded_pull_of({b[0], b[1], b[2], expected.potential[i]}, 1.0);
      squares += std::pow(std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]) / size, 2);
    }
    EXPECT_LT(std::sqrt(squares / static_cast<double>(p.size())), accuracy);
  }
}

}  // namespace
}  // namespace hornbeam
