// SPDX-License-Identifier: Apache-2.0
// Sums of gas on every backend against all pairs, what they conserve, and particles that stand where none should.
#include "support/gas.h"

#include <gtest/gtest.h>

#include <random>

#include "hornbeam/error.h"
#include "support/devices.h"

namespace hornbeam {
namespace {

/// Disordered: denser towards one corner, moving, hot and cold, of unequal masses.
Particles cloud(std::size_t n, double edge, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::normal_distribution<double> normal;
  Particles p;
  p.resize(n);
  p.family.assign(n, Family::gas);
  p.internal_energy.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (int k = 0; k < 3; ++k) {
      p.position[i][k] = edge * (std::pow(uniform(random), 1.3) - 0.5);
      p.velocity[i][k] = normal(random);
    }
    p.mass[i] = (0.7 + 0.6 * uniform(random)) / static_cast<double>(n);
    p.internal_energy[i] = 0.2 + uniform(random);
  }
  return p;
}

GasOptions plain_options() {
  GasOptions o;
  o.eos = EquationOfState::ideal;
  o.viscosity = Viscosity::fixed;
  o.tolerance = 1e-9;
  return o;
}

double largest(const std::vector<Vec3>& values) {
  double most = 0;
  for (const Vec3& v : values) most = std::max(most, std::hypot(v[0], v[1], v[2]));
  return most;
}

void expect_same_gas(const Particles& found, const PlainGas& plain, double tolerance, const std::string& what) {
  const double pull = largest(plain.acceleration);
  double rate = 0;
  for (const double r : plain.rate) rate = std::max(rate, std::abs(r));
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found.family[i] != Family::gas) continue;
    ASSERT_NEAR(found.smoothing_length[i] / plain.smooth[i], 1, 1e-6 + tolerance) << what << " " << i;
    ASSERT_NEAR(found.density[i] / plain.density[i], 1, 1e-8 + tolerance) << what << " " << i;
    ASSERT_NEAR(found.internal_energy_rate[i], plain.rate[i], tolerance * rate) << what << " " << i;
    for (int k = 0; k < 3; ++k) {
      ASSERT_NEAR(found.acceleration[i][k], plain.acceleration[i][k], tolerance * pull) << what << " " << i;
    }
  }
}

/// What a backend makes of p in each of its precisions, compared with `plain` within a tolerance for fp64 or mixed.
void expect_plain_gas(const std::string& backend, const Particles& p, const GasOptions& o, const Vec3& box,
                      const PlainGas& plain, double in_fp64, double in_mixed) {
  for (const Precision precision : precisions_of_gas(backend)) {
    expect_same_gas(gas_evaluated(backend, p, o, box, precision), plain,
                    precision == Precision::fp64 ? in_fp64 : in_mixed, backend + " " + std::string(name(precision)));
  }
}

/// 1e-8: H is known to 1e-9 from the iteration; mixed: masses and accelerations are single.
TEST(Gas, IsThatOfAllPairsInOpenSpaceAndBoxes) {
  for (const SphKernel kernel :
       {SphKernel::wendland_c2, SphKernel::wendland_c4, SphKernel::wendland_c6, SphKernel::cubic}) {
    GasOptions o = plain_options();
    o.kernel = kernel;
    o.neighbours = kernel == SphKernel::wendland_c2 ? 0 : 80;
    const bool first = kernel == SphKernel::wendland_c2;
    for (const Vec3 box : {Vec3{}, Vec3{1, 1, 1}, Vec3{1, 1.2, 0}}) {
      if (!first && box != Vec3{}) continue;
      const Particles p = cloud(400, 1, 7);
      const PlainGas plain = plain_gas(p, o, box);
      for (const std::string& backend : every_backend()) {
        const std::string what = backend + " " + std::string(name(kernel)) + " " + std::to_string(box[1]);
        SCOPED_TRACE(what);
        if (first) {
          expect_plain_gas(backend, p, o, box, plain, 2e-8, 1e-6);
        } else {
          expect_same_gas(gas_evaluated(backend, p, o, box), plain, by_precision(backend, 2e-8, 2e-6), what);
        }
      }
    }
  }
}

/// What flows, and next to it a cloud that is drawn together: there reconstruction leaves little to viscosity. 1e-7,
/// mixed 3e-6: rates of strain are quotients of sums, of fp32 there.
TEST(Gas, ReconstructedIsThatOfAllPairs) {
  GasOptions o = plain_options();
  o.reconstruct = true;
  Particles drawn = cloud(400, 1, 17);
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    for (int k = 0; k < 3; ++k) drawn.velocity[i][k] = 0.1 * drawn.velocity[i][k] - 5 * drawn.position[i][k];
  }
  for (const Particles& p : {cloud(400, 1, 7), drawn}) {
    for (const Vec3 box : {Vec3{}, Vec3{1, 1.2, 0}}) {
      const PlainGas plain = plain_gas(p, o, box);
      for (const std::string& backend : every_backend()) {
        expect_plain_gas(backend, p, o, box, plain, 1e-7, 3e-6);
      }
    }
  }
}

/// mixed: H is found to 2e-6 at best.
TEST(Gas, CorrectedDensitiesAreThoseOfAllPairs) {
  for (const SphKernel kernel : {SphKernel::wendland_c2, SphKernel::wendland_c4, SphKernel::wendland_c6}) {
    GasOptions o = plain_options();
    o.kernel = kernel;
    o.neighbours = 80;
    o.bias_correction = true;
    const Particles p = cloud(400, 1, 7);
    const PlainGas plain = plain_gas(p, o, {});
    for (const std::string& backend : every_backend()) {
      expect_plain_gas(backend, p, o, {}, plain, 2e-8, 2e-6);
    }
  }
}

/// In a box of so few particles that each meets its own images.
TEST(Gas, MeetsItsOwnImages) {
  const GasOptions o = plain_options();
  const Particles p = cloud(30, 0.9, 11);
  const PlainGas plain = plain_gas(p, o, {1, 1, 1});
  EXPECT_GT(*std::max_element(plain.smooth.begin(), plain.smooth.end()), 1);
  for (const std::string& backend : every_backend()) {
    expect_same_gas(gas_evaluated(backend, p, o, {1, 1, 1}), plain, by_precision(backend, 2e-8, 1e-6), backend);
  }
}

/// An H that grows beyond an edge of the box while its particle's sums are made meets images that none on trial did.
TEST(Gas, MeetsImagesThatItsGrowingHReaches) {
  const GasOptions o = plain_options();
  Particles p = cloud(24, 1, 5);
  std::mt19937_64 random(5);
  for (std::size_t i = 0; i < p.size(); ++i) {
    for (double& x : p.position[i]) x = std::uniform_real_distribution<double>(-0.5, 0.5)(random);
    p.mass[i] = 1;
  }
  // a first H of 0.998 edges; those across the box stand 1.0002 of them away, once more than through its wall
  p.position[0] = {0.49999, 0.1, 0.1};
  for (std::size_t i = 1; i < 7; ++i) {
    const double angle = static_cast<double>(i);
    p.position[i] = {-0.49999, 0.1 + 0.02 * std::cos(angle), 0.1 + 0.02 * std::sin(angle)};
  }
  int within = 0;
  for (p.mass[0] = 1.5; p.mass[0] < 2.3; p.mass[0] *= 1.005) {
    const PlainGas plain = plain_gas(p, o, {1, 1, 1});
    if (plain.smooth[0] < 1.014 || plain.smooth[0] > 1.0175) continue;
    ++within;
    expect_same_gas(gas_evaluated("cpu", p, o, {1, 1, 1}), plain, 2e-8, std::to_string(p.mass[0]));
  }
  EXPECT_GT(within, 0);
}

/// Far-off debris reaches most of all gas: devices sum for it by blocks. mixed: H hangs on the fourth root of
/// what all of these, seen near the edge of the kernel, weigh in fp32.
TEST(Gas, DebrisThatReachesMostOfIt) {
  const GasOptions o = plain_options();
  Particles p = cloud(4500, 1, 12);
  for (std::size_t i = 0; i < 8; ++i) p.position[500 * i] = {10.0 + 5.0 * static_cast<double>(i), 3, -4};
  const PlainGas plain = plain_gas(p, o, {});
  for (const std::string& backend : every_backend()) {
    expect_plain_gas(backend, p, o, {}, plain, 2e-8, 2e-6);
  }
}

/// Momentum and energy of the rates are 0 to rounding: every pair is found from both sides with the same numbers.
void expect_conserved(bool reconstruct) {
  const Particles p = cloud(4096, 1, 3);
  for (const std::string& backend : every_backend()) {
    for (const Precision precision : precisions_of_gas(backend)) {
      GasOptions o = plain_options();
      o.tolerance = 1e-3;  // conservation does not hang on how well H is known
      o.viscosity = Viscosity::cullen_dehnen;
      o.reconstruct = reconstruct;
      const Particles found = gas_evaluated(backend, p, o, {1.05, 1.05, 1.05}, precision);
      Vec3 momentum{};
      double pulls = 0, work = 0, heat = 0, heats = 0;
      for (std::size_t i = 0; i < p.size(); ++i) {
        const Vec3 &a = found.acceleration[i], &v = p.velocity[i];
        for (int k = 0; k < 3; ++k) momentum[k] += p.mass[i] * a[k];
        pulls += p.mass[i] * std::hypot(a[0], a[1], a[2]);
        work += p.mass[i] * (a[0] * v[0] + a[1] * v[1] + a[2] * v[2]);
        heat += p.mass[i] * found.internal_energy_rate[i];
        heats += p.mass[i] * std::abs(found.internal_energy_rate[i]);
      }
      const double most = precision == Precision::fp64 ? 1e-13 : 2e-7;  // sums of antisymmetric pairs: rounding alone
      EXPECT_LT(std::hypot(momentum[0], momentum[1], momentum[2]), most * pulls) << backend;
      EXPECT_LT(std::abs(work + heat), most * heats) << backend;
    }
  }
}

TEST(Gas, RatesConserveMomentumAndEnergy) { expect_conserved(false); }
TEST(Gas, ReconstructedRatesConserveMomentumAndEnergy) { expect_conserved(true); }

TEST(Gas, BitsDoNotHangOnThreads) {
  const Particles p = cloud(3000, 1, 4);
  GasOptions o;
  o.eos = EquationOfState::ideal;
  const Particles one = gas_evaluated("cpu", p, o, {1, 1, 1}, Precision::mixed, 1);
  const Particles two = gas_evaluated("cpu", p, o, {1, 1, 1}, Precision::mixed, 2);
  EXPECT_EQ(one.acceleration, two.acceleration);
  EXPECT_EQ(one.internal_energy_rate, two.internal_energy_rate);
  EXPECT_EQ(one.smoothing_length, two.smoothing_length);
  EXPECT_EQ(one.viscosity, two.viscosity);
}

/// Stars among the gas are no neighbours, and feel none of it.
TEST(Gas, OtherFamiliesAreNoNeighbours) {
  const GasOptions o = plain_options();
  Particles p = cloud(600, 1, 8);
  for (std::size_t i = 0; i < p.size(); i += 3) p.family[i] = Family::star;
  const PlainGas plain = plain_gas(p, o, {});
  for (const std::string& backend : every_backend()) {
    const Particles found = gas_evaluated(backend, p, o, {});
    expect_same_gas(found, plain, by_precision(backend, 2e-8, 1e-6), backend);
    EXPECT_EQ(found.acceleration[0], Vec3{});
    EXPECT_EQ(found.smoothing_length[0], 0);
    EXPECT_EQ(found.internal_energy[3], 0);
  }
}

/// One particle, two, a few, a plane, a line, many at one place, far-off debris, cold gas: finite and as it should be.
void expect_defined(bool reconstruct) {
  GasOptions o;
  o.eos = EquationOfState::ideal;
  o.reconstruct = reconstruct;
  const auto shaped = [](std::size_t n, auto change) {
    Particles p = cloud(n, 1, 21);
    for (std::size_t i = 0; i < n; ++i) change(p, i);
    return p;
  };
  const std::vector<std::pair<const char*, Particles>> cases = {
      {"one", cloud(1, 1, 1)},
      {"two", cloud(2, 1, 1)},
      {"five", cloud(5, 1, 1)},
      {"plane", shaped(500, [](Particles& p, std::size_t i) { p.position[i][2] = 0.25; })},
      {"line", shaped(300, [](Particles& p, std::size_t i) { p.position[i][1] = p.position[i][2] = 0; })},
      {"one place", shaped(300,
                           [](Particles& p, std::size_t i) {
                             p.position[i] = {0.1, 0.2, 0.3};
                           })},
      {"pairs at one place", shaped(300, [](Particles& p, std::size_t i) { p.position[i] = p.position[i - i % 2]; })},
      {"debris", shaped(500,
                        [](Particles& p, std::size_t i) {
                          if (i % 100 == 0) p.position[i][0] += 1e3 * (i + 1.0);
                        })},
      {"cold", shaped(500, [](Particles& p, std::size_t i) { p.internal_energy[i] = 0; })},
  };
  for (const std::string& backend : every_backend()) {
    for (const auto& [what, p] : cases) {
      // a density of all gas at one place, and rates that go with it, exceed fp32: a run reports the overflow
      if (what == std::string("one place") && finest_of_gas(backend) != Precision::fp64) continue;
      const Particles found = gas_evaluated(backend, p, o, {});
      for (std::size_t i = 0; i < p.size(); ++i) {
        ASSERT_TRUE(std::isfinite(found.density[i]) && found.density[i] > 0) << backend << ": " << what;
        ASSERT_GT(found.smoothing_length[i], 0) << backend << ": " << what;
        ASSERT_TRUE(std::isfinite(found.internal_energy_rate[i]) && std::isfinite(found.acceleration[i][0]) &&
                    std::isfinite(found.viscosity[i]) && std::isfinite(found.signal_speed[i]))
            << backend << ": " << what;
      }
    }
  }
}
TEST(Gas, HardCasesAreDefined) { expect_defined(false); }
TEST(Gas, ReconstructedHardCasesAreDefined) { expect_defined(true); }

/// H at its bounds, which fp32 may round to either side: whatever the size, a few particles and heaps find one.
TEST(Gas, BoundsOfHHoldInEverySize) {
  GasOptions o;
  o.eos = EquationOfState::ideal;
  for (const std::string& backend : every_backend()) {
    for (int k = 1; k < 5; ++k) {
      const double size = std::exp(0.37 * k);  // no powers of two
      for (const std::size_t n : {std::size_t{2}, std::size_t{3}, std::size_t{60}}) {
        Particles p = cloud(n, size, 17 + static_cast<unsigned>(k));
        for (std::size_t i = 0; n > 3 && i < 20; ++i) p.position[i] = p.position[0];
        const Particles found = gas_evaluated(backend, p, o, {}, Precision::mixed);
        for (std::size_t i = 0; i < n; ++i) ASSERT_GT(found.density[i], 0) << backend << " " << n << " " << k;
      }
    }
  }
}

/// In a box, too, where units are those of the box.
TEST(Gas, HeapsInABoxHaveFiniteRates) {
  GasOptions o;
  o.eos = EquationOfState::ideal;
  for (const std::string& backend : every_backend()) {
    for (const double edge : {0.0, 1e-12, 1e-6}) {
      const Particles found = gas_evaluated(backend, cloud(50, edge, 3), o, {1, 1, 1}, Precision::mixed);
      for (std::size_t i = 0; i < found.size(); ++i) {
        ASSERT_GT(found.density[i], 0) << backend << " " << edge;
        ASSERT_TRUE(std::isfinite(found.internal_energy_rate[i]) && std::isfinite(found.acceleration[i][0]))
            << backend << " " << edge;
      }
    }
  }
}

/// A few in a corner of a box, or one alone, have the density of all their images.
TEST(Gas, AFewInABoxMeetTheirImages) {
  GasOptions o;
  o.eos = EquationOfState::ideal;
  for (const std::string& backend : every_backend()) {
    for (const std::size_t n : {std::size_t{1}, std::size_t{3}}) {
      const Particles found = gas_evaluated(backend, cloud(n, 1e-3, 5), o, {1, 1, 1}, Precision::mixed);
      for (std::size_t i = 0; i < n; ++i) {
        // 100 particles within H, of n in each box of volume 1: about 2.9 and 2 boxes
        const double H = found.smoothing_length[i];
        EXPECT_NEAR(4.0 / 3.0 * std::acos(-1.0) * H * H * H * found.density[i] / found.mass[i], 100, 1e-2)
            << backend << " " << n;
        EXPECT_TRUE(std::isfinite(found.internal_energy_rate[i]) && std::isfinite(found.acceleration[i][0]));
      }
    }
  }
}

TEST(Gas, RefusesWhatCannotFlow) {
  GasOptions o;
  o.eos = EquationOfState::ideal;
  Particles p = cloud(10, 1, 1);
  p.mass[3] = 0;
  EXPECT_THROW(gas_evaluated("cpu", p, o, {}), UsageError);
  p = cloud(10, 1, 1);
  p.internal_energy[2] = -1;
  EXPECT_THROW(gas_evaluated("cpu", p, o, {}), UsageError);
  p.internal_energy.clear();
  EXPECT_THROW(gas_evaluated("cpu", p, o, {}), UsageError);
  o.eos = EquationOfState::isothermal;
  o.sound_speed = 1;
  EXPECT_NO_THROW(gas_evaluated("cpu", p, o, {}));
}

}  // namespace
}  // namespace hornbeam
