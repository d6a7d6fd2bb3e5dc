// SPDX-License-Identifier: Apache-2.0
// Starts in periodic cubes: glasses of any number, warm particles, plane waves and turbulence.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <string>
#include <vector>

#include "hornbeam/error.h"
#include "hornbeam/ics.h"
#include "ics/gas/glass.h"

namespace hornbeam {
namespace {

using ics::make;
using ics::Seed;
using std::numbers::pi;

std::string refusal(const std::string& model, std::size_t n, const std::map<std::string, std::string>& options) {
  try {
    make(model, n, Seed{1}, options);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

Vec3 moments_along(const std::vector<Vec3>& v, std::size_t k) {
  const auto n = static_cast<double>(v.size());
  Vec3 m{};
  for (const Vec3& x : v) m = {m[0] + x[k] / n, m[1] + x[k] * x[k] / n, m[2] + x[k] * x[k] * x[k] * x[k] / n};
  return m;
}

TEST(Cubes, GlassOfAnyNumberIsAtRest) {
  const Snapshot s = make("glass", 300, Seed{2}, {{"edge", "3"}, {"mass", "2"}});
  ASSERT_EQ(s.particles.size(), 300u);
  EXPECT_EQ(s.boundary.size, (Vec3{3, 3, 3}));
  EXPECT_NEAR(std::accumulate(s.particles.mass.begin(), s.particles.mass.end(), 0.0), 2, 1e-12);
  std::vector<Vec3> places = s.particles.position;
  for (Vec3& x : places) {
    for (double& along : x) {
      EXPECT_LE(std::abs(along), 1.5);
      along = along / 3 + 0.5;
    }
  }
  EXPECT_LT(ics::glass_unrest(places), ics::glass_at_rest);
  EXPECT_NE(refusal("glass", 100, {}).find("give at least 128"), std::string::npos);
}

TEST(Cubes, WarmParticlesAreMaxwellian) {
  const Particles p =
      make("plane-wave", 2000, Seed{3},
           {{"matter", "particles"}, {"sound-speed", "0.7"}, {"amplitude", "0"}, {"motion", "standing"}})
          .particles;
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3 m = moments_along(p.velocity, k);
    EXPECT_NEAR(m[0], 0, 1e-12);
    EXPECT_NEAR(m[1], 0.49, 0.01);              // quiet: random numbers would be off by 0.02
    EXPECT_NEAR(m[2] / (m[1] * m[1]), 3, 0.2);  // a normal distribution's
  }
}

TEST(Cubes, PlaneWavesHaveTheirDensity) {
  for (const std::string matter : {"gas", "particles"}) {
    for (const std::string lattice : {"cubic", "glass"}) {
      const std::size_t n = lattice == "glass" ? 300 : 4096;
      const Particles p =
          make("plane-wave", n, Seed{1},
               {{"matter", matter}, {"lattice", lattice}, {"amplitude", "0.05"}, {"edge", "2"}, {"sound-speed", "0.1"}})
              .particles;
      double sine = 0, cosine = 0, speed = 0;
      for (std::size_t i = 0; i < n; ++i) {
        sine += 2 * std::sin(pi * p.position[i][0]) / static_cast<double>(n);
        cosine += 2 * std::cos(pi * p.position[i][0]) / static_cast<double>(n);
        speed += 2 * p.velocity[i][0] * std::cos(pi * p.position[i][0]) / static_cast<double>(n);
      }
      EXPECT_NEAR(sine, 0.05, lattice == "glass" ? 8e-3 : 1e-3) << matter << lattice;  // discrete particles of a glass
      EXPECT_NEAR(cosine, 0, lattice == "glass" ? 8e-3 : 1e-3) << matter << lattice;
      // A gamma / k, with gamma^2 = 4 pi / 8 less c^2 k^2 (of particles three times that, to first order)
      const double c2k2 = 0.01 * pi * pi, rate = std::sqrt(pi / 2 - (matter == "gas" ? 1 : 3) * c2k2);
      EXPECT_NEAR(speed, 0.05 * rate / pi, lattice == "glass" ? 0.01 : 2e-3) << matter << lattice;
    }
  }
}

TEST(Cubes, WavesThatThereAreNotAreRefused) {
  EXPECT_NE(refusal("plane-wave", 2000, {{"sound-speed", "1"}}).find("give a sound-speed below 0.5641"),
            std::string::npos);
  EXPECT_NE(refusal("plane-wave", 2000, {{"motion", "running"}}).find("does not run"), std::string::npos);
  EXPECT_NE(refusal("plane-wave", 2000, {{"motion", "running"}, {"matter", "particles"}}).find("no such wave"),
            std::string::npos);
  EXPECT_NE(refusal("plane-wave", 2000, {{"motion", "round"}}).find("there are growing, standing, running"),
            std::string::npos);
  EXPECT_NE(refusal("plane-wave", 2000, {{"sound-speed", "0"}}).find("gas needs more than 0"), std::string::npos);
  EXPECT_NE(refusal("plane-wave", 2000, {{"amplitude", "1"}}).find("less than 1"), std::string::npos);
  EXPECT_NE(refusal("plane-wave", 2001, {}).find("the nearest are 2000 and"), std::string::npos);
}

/// Of a field at places on a lattice of `side`, the power in waves k along x, across and along k.
struct Power {
  double along, across;
};
Power power_of(const Particles& p, int k) {
  double sums[3][2] = {};
  for (std::size_t i = 0; i < p.size(); ++i) {
    const double phase = 2 * pi * k * p.position[i][0];
    for (std::size_t d = 0; d < 3; ++d) {
      sums[d][0] += p.velocity[i][d] * std::cos(phase) / static_cast<double>(p.size());
      sums[d][1] += p.velocity[i][d] * std::sin(phase) / static_cast<double>(p.size());
    }
  }
  const auto size2 = [&](int d) { return sums[d][0] * sums[d][0] + sums[d][1] * sums[d][1]; };
  return {size2(0), size2(1) + size2(2)};
}

TEST(Cubes, TurbulenceHasItsMachNumberAndSpectrum) {
  Power sum[5] = {};
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Particles p = make("turbulence", 512, Seed{seed},
                             {{"lattice", "cubic"}, {"mach", "3"}, {"sound-speed", "0.5"}, {"k-max", "3"}})
                            .particles;
    double squares = 0;
    for (const Vec3& v : p.velocity) squares += (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / 512;
    EXPECT_NEAR(std::sqrt(squares), 1.5, 1e-12);
    EXPECT_NEAR(p.internal_energy[0], 0.25 / (2.0 / 3), 1e-12);
    for (int k = 1; k <= 4; ++k) {
      sum[k].along += power_of(p, k).along;
      sum[k].across += power_of(p, k).across;
    }
  }
  // 1 / k^4 and two thirds across: 60 draws have a mean to a sixth or so
  EXPECT_NEAR(std::log2((sum[1].along + sum[1].across) / (sum[2].along + sum[2].across)), 4, 0.6);
  EXPECT_NEAR(sum[1].across / (sum[1].along + sum[1].across), 2.0 / 3, 0.1);
  EXPECT_NEAR(sum[4].along + sum[4].across, 0, 1e-20);  // beyond k-max
}

TEST(Cubes, TurbulenceWithoutDivergence) {
  const Particles p =
      make("turbulence", 512, Seed{1}, {{"lattice", "cubic"}, {"solenoidal", "1"}, {"k-max", "3"}}).particles;
  EXPECT_NEAR(power_of(p, 1).along, 0, 1e-20);
  EXPECT_GT(power_of(p, 1).across, 1e-4);
  EXPECT_NE(refusal("turbulence", 512, {{"solenoidal", "2"}}).find("give 0 to 1"), std::string::npos);
  EXPECT_NE(refusal("turbulence", 512, {{"k-max", "65"}}).find("to 64"), std::string::npos);
}

}  // namespace
}  // namespace hornbeam
