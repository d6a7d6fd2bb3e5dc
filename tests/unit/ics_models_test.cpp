// SPDX-License-Identifier: Apache-2.0
// The models against their closed forms: radial distribution, velocity dispersion, virial ratio, bits by seed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <string>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "hornbeam/error.h"
#include "hornbeam/ics.h"
#include "hornbeam/units.h"

namespace hornbeam {
namespace {

double length(const Vec3& x) { return std::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]); }

std::vector<double> sorted_radii(const Particles& particles) {
  std::vector<double> radii;
  for (const Vec3& x : particles.position) radii.push_back(length(x));
  std::sort(radii.begin(), radii.end());
  return radii;
}

// Kolmogorov and Smirnov's distance between the radii and a cumulative distribution.
double ks_distance(const Particles& particles, const std::function<double(double)>& cdf) {
  const std::vector<double> radii = sorted_radii(particles);
  const auto n = static_cast<double>(radii.size());
  double distance = 0.0;
  for (std::size_t i = 0; i < radii.size(); ++i) {
    const double expected = cdf(radii[i]);
    distance = std::max({distance, std::abs(expected - i / n), std::abs(expected - (i + 1) / n)});
  }
  return distance;
}

// 99.9 % of samples of the true distribution stay below this (asymptotic Kolmogorov distribution).
double ks_limit(std::size_t n) { return 1.95 / std::sqrt(static_cast<double>(n)); }

double kinetic(const Particles& p) {
  double sum = 0.0;
  for (std::size_t i = 0; i < p.size(); ++i) sum += 0.5 * p.mass[i] * std::pow(length(p.velocity[i]), 2);
  return sum;
}

double potential(const Particles& p) {
  double sum = 0.0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const Vec3 &a = p.position[i], &b = p.position[j];
      sum -= p.mass[i] * p.mass[j] / length({a[0] - b[0], a[1] - b[1], a[2] - b[2]});
    }
  }
  return sum;
}

// Mean square speed of the particles between two radii.
double mean_square_speed(const Particles& p, double inner, double outer) {
  double sum = 0.0;
  int count = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const double r = length(p.position[i]);
    if (r < inner || r > outer) continue;
    sum += std::pow(length(p.velocity[i]), 2);
    ++count;
  }
  return sum / count;
}

Vec3 mean(const std::vector<Vec3>& vectors) {
  Vec3 sum{};
  for (const Vec3& v : vectors) {
    for (int k = 0; k < 3; ++k) sum[k] += v[k] / static_cast<double>(vectors.size());
  }
  return sum;
}

bool same_bytes(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Vec3)) == 0;
}

std::string refusal(const std::function<void()>& act) {
  try {
    act();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "nothing was thrown";
}

constexpr double plummer_scale = 0.5890486225480862;
constexpr double plummer_kept = 0.999;
constexpr double hernquist_kept = (100.0 / 101.0) * (100.0 / 101.0);

TEST(Plummer, RadiiFollowTheCutClosedForm) {
  const Particles p = ics::make("plummer", 50000, ics::Seed{3}).particles;
  const double distance = ks_distance(p, [](double r) {
    const double x = r / plummer_scale;
    return std::pow(x * x / (1.0 + x * x), 1.5) / plummer_kept;
  });
  EXPECT_LT(distance, ks_limit(p.size()));
  // Enclosed fraction 0.999 of the infinite model lies within 38.7 scale lengths; centring moves that by < 1 %.
  EXPECT_LT(sorted_radii(p).back(), 1.01 * 38.71 * plummer_scale);
}

TEST(Plummer, IsInEquilibriumInHenonUnits) {
  const Particles p = ics::make("plummer", 20000, ics::Seed{4}).particles;
  const double k = kinetic(p), w = potential(p);
  EXPECT_NEAR(2.0 * k / -w, 1.0, 0.02);  // scatter of K and W over seeds at this N is 0.4 % and 0.5 %
  EXPECT_NEAR(k + w, -0.25, 0.005);      // the same scatter, and 0.2 % from the cut
}

TEST(Plummer, DispersionFallsAsTheJeansEquationSays) {
  const Particles p = ics::make("plummer", 100000, ics::Seed{5}).particles;
  for (const double r : {0.3, 0.8, 2.0}) {
    const double expected = 0.5 / plummer_scale / std::sqrt(1.0 + std::pow(r / plummer_scale, 2)) / plummer_kept;
    // Thousands of particles in each shell: 1 % scatter; the shell's width adds less than 0.5 %.
    EXPECT_NEAR(mean_square_speed(p, 0.95 * r, 1.05 * r) / expected, 1.0, 0.05) << "at radius " << r;
  }
}

TEST(Hernquist, RadiiFollowTheCutClosedForm) {
  const Particles p = ics::make("hernquist", 50000, ics::Seed{6}).particles;
  const double distance = ks_distance(p, [](double r) { return std::pow(r / (1.0 + r), 2) / hernquist_kept; });
  // Centring moves the cusp, where half of the bound's worth of particles lie within the shift: allow twice.
  EXPECT_LT(distance, 2.0 * ks_limit(p.size()));
}

TEST(Hernquist, IsInEquilibrium) {
  const Particles p = ics::make("hernquist", 20000, ics::Seed{7}).particles;
  const double k = kinetic(p), w = potential(p);
  EXPECT_NEAR(2.0 * k / -w, 1.0, 0.04);  // the cusp doubles the scatter of the Plummer sphere
  EXPECT_NEAR(w, -1.0 / 6.0 / (hernquist_kept * hernquist_kept), 0.005);
}

TEST(Hernquist, DispersionFollowsHisEquation10) {
  const Particles p = ics::make("hernquist", 400000, ics::Seed{8}).particles;
  for (const double r : {0.3, 1.0, 10.0}) {
    const double x = 1.0 + r;
    const double radial =
        (12.0 * r * x * x * x * std::log(x / r) - r / x * (25.0 + 52.0 * r + 42.0 * r * r + 12.0 * r * r * r)) / 12.0;
    // Thousands of particles in each shell: 1 to 2 % scatter.
    EXPECT_NEAR(mean_square_speed(p, 0.95 * r, 1.05 * r) / (3.0 * radial / hernquist_kept), 1.0, 0.06)
        << "at radius " << r;
  }
}

TEST(UniformSphere, FillsItsRadiusAndTakesItsVirialRatio) {
  const Particles cold = ics::make("uniform-sphere", 20000, ics::Seed{9}, {{"radius", "2"}}).particles;
  EXPECT_LT(ks_distance(cold, [](double r) { return std::min(1.0, std::pow(r / 2.0, 3)); }),
            2.0 * ks_limit(cold.size()));  // centring shifts the sharp edge
  EXPECT_EQ(kinetic(cold), 0.0);
  const Particles warm = ics::make("uniform-sphere", 10000, ics::Seed{9}, {{"virial", "0.5"}, {"mass", "3"}}).particles;
  EXPECT_NEAR(2.0 * kinetic(warm) / -potential(warm), 0.5, 0.02);  // 1 % scatter at this N
}

TEST(UniformCube, FillsTheCubeAtRest) {
  const Particles p = ics::make("uniform-cube", 20000, ics::Seed{10}, {{"edge", "4"}}).particles;
  EXPECT_EQ(kinetic(p), 0.0);
  double square = 0.0;
  for (const Vec3& x : p.position) {
    for (const double component : x) {
      EXPECT_LT(std::abs(component), 2.0 + 0.05);  // the mean, 4 / sqrt(12 N) = 0.008, was subtracted
      square += component * component;
    }
  }
  EXPECT_NEAR(square / (3.0 * p.size()), 16.0 / 12.0, 0.02);  // variance of a uniform number; scatter 0.005
}

TEST(Lattice, IsExactAndRefusesWhatIsNoCube) {
  const Particles p = ics::make("lattice", 27, ics::Seed{1}, {{"edge", "3"}}).particles;
  EXPECT_EQ(p.position.front(), (Vec3{-1.0, -1.0, -1.0}));
  EXPECT_EQ(p.position[13], (Vec3{0.0, 0.0, 0.0}));
  EXPECT_EQ(p.position.back(), (Vec3{1.0, 1.0, 1.0}));
  EXPECT_EQ(refusal([] { ics::make("lattice", 1001, ics::Seed{1}); }),
            "lattice: n = 1001 is not a cube (the nearest are 1000 and 1331)");
}

TEST(EveryModel, IsReproducibleCentredAndEqualInMass) {
  for (const std::string model : {"plummer", "hernquist", "uniform-sphere", "uniform-cube", "lattice"}) {
    SCOPED_TRACE(model);
    const std::size_t n = 27 * 27 * 27;
    const Snapshot one = ics::make(model, n, ics::Seed{11});
    const Snapshot again = ics::make(model, n, ics::Seed{11});
    EXPECT_TRUE(same_bytes(one.particles.position, again.particles.position));
    EXPECT_TRUE(same_bytes(one.particles.velocity, again.particles.velocity));
    if (model != "lattice") {
      EXPECT_FALSE(same_bytes(one.particles.position, ics::make(model, n, ics::Seed{12}).particles.position));
    }
    // Rounding of sums over 2e4 positions up to 100.
    EXPECT_LT(length(mean(one.particles.position)), 1e-13);
    EXPECT_LT(length(mean(one.particles.velocity)), 1e-14);
    for (std::size_t i = 0; i < n; ++i) {
      ASSERT_EQ(one.particles.mass[i], 1.0 / n);
      ASSERT_EQ(one.particles.id[i], i);
    }
    EXPECT_EQ(one.time, 0.0);
    EXPECT_FALSE(one.units.physical);
  }
}

TEST(EveryModel, HasItsNoughtOneAndTwo) {
  for (const std::string model : {"plummer", "hernquist", "uniform-sphere", "uniform-cube", "lattice"}) {
    SCOPED_TRACE(model);
    EXPECT_EQ(ics::make(model, 0, ics::Seed{1}).particles.size(), 0u);
    const Particles one = ics::make(model, 1, ics::Seed{1}).particles;
    ASSERT_EQ(one.size(), 1u);
    EXPECT_EQ(one.position[0], (Vec3{0.0, 0.0, 0.0}));
    EXPECT_EQ(one.velocity[0], (Vec3{0.0, 0.0, 0.0}));
    EXPECT_EQ(one.mass[0], 1.0);
    if (model == "lattice") continue;  // 2 is not a cube
    const Particles two = ics::make(model, 2, ics::Seed{1}).particles;
    ASSERT_EQ(two.size(), 2u);
    EXPECT_NEAR(two.position[0][0], -two.position[1][0], 1e-15);  // rounding of the mean
    EXPECT_NE(two.position[0], two.position[1]);
  }
}

#ifdef _OPENMP
TEST(EveryModel, DoesNotDependOnTheNumberOfThreads) {
  const int before = omp_get_max_threads();
  omp_set_num_threads(1);
  const Particles serial = ics::make("hernquist", 50000, ics::Seed{13}).particles;
  omp_set_num_threads(3);
  const Particles parallel = ics::make("hernquist", 50000, ics::Seed{13}).particles;
  omp_set_num_threads(before);
  EXPECT_TRUE(same_bytes(serial.position, parallel.position));
  EXPECT_TRUE(same_bytes(serial.velocity, parallel.velocity));
}
#endif

TEST(Options, ScaleTheModel) {
  const Particles unit = ics::make("plummer", 1000, ics::Seed{14}, {{"scale", "1"}}).particles;
  const Particles large = ics::make("plummer", 1000, ics::Seed{14}, {{"scale", "4"}, {"mass", "9"}}).particles;
  EXPECT_NEAR(length(large.position[5]) / length(unit.position[5]), 4.0, 1e-12);  // rounding
  EXPECT_NEAR(length(large.velocity[5]) / length(unit.velocity[5]), 1.5, 1e-12);  // sqrt(9 / 4)
  EXPECT_NEAR(large.mass[5] / unit.mass[5], 9.0, 1e-12);
}

TEST(Options, RefuseWhatMakesNoSense) {
  const auto with = [](const std::string& option, const std::string& value) {
    return refusal([=] { ics::make("plummer", 10, ics::Seed{1}, {{option, value}}); });
  };
  EXPECT_EQ(with("sclae", "1"), "plummer.sclae: is no option of this model (it has scale, mass, eps)");
  for (const std::string value : {"-1", "0", "nan", "inf", "1x", "1e999"}) {
    EXPECT_EQ(with("scale", value), "plummer.scale: received " + value + " (must be a finite number above 0)");
  }
  EXPECT_EQ(with("mass", ""), "plummer.mass: is missing (it has no default)");
  EXPECT_EQ(refusal([] {
              ics::make("uniform-sphere", 10, ics::Seed{1}, {{"virial", "-0.1"}});
            }),
            "uniform-sphere.virial: received -0.1 (must be a finite number, 0 or above)");
}

/// Masses of a family, lightest first: each part of a galaxy has particles of one mass.
double mass_of(const Particles& p, Family family) {
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i) sum += p.family[i] == family ? p.mass[i] : 0;
  return sum;
}

/// In physical units none means a bulge of half a unit of mass next to a disc of their own.
TEST(Defaults, AreInProportionToWhatWasGiven) {
  const Units galactic = units_from("galactic", "");
  const std::map<std::string, std::string> given = {{"disc-mass", "4"}, {"disc-scale", "3"}, {"halo-scale", "20"}};
  const Snapshot drawn = ics::make("galaxy", 400, ics::Seed{1}, given, {}, galactic);
  EXPECT_NEAR(mass_of(drawn.particles, Family::disc), 4, 1e-12);
  EXPECT_NEAR(mass_of(drawn.particles, Family::bulge), 2, 1e-12);
  EXPECT_NEAR(mass_of(drawn.particles, Family::halo), 24, 1e-12);
  EXPECT_EQ(
      drawn.notes.front(),
      "defaults that scale with the given values: disc height = 0.3 kpc, bulge mass = 2 x 1e10 Msun, bulge scale = "
      "0.6 kpc, bulge truncation = 6 kpc, halo mass = 24 x 1e10 Msun, halo truncation = 200 kpc");
  // the same galaxy, said in full
  auto full = given;
  full.insert({{"disc-height", "0.3"}, {"bulge-mass", "2"}, {"bulge-scale", "0.6"}, {"bulge-truncation", "6"}});
  full.insert({{"halo-mass", "24"}, {"halo-truncation", "200"}});
  const Snapshot same = ics::make("galaxy", 400, ics::Seed{1}, full, {}, galactic);
  for (std::size_t i = 0; i < 400; ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(drawn.particles.position[i][k], same.particles.position[i][k], 1e-9);
    }
  }
}

TEST(Defaults, StayWithoutPhysicalUnitsAndWhereNothingIsGiven) {
  const Snapshot plain = ics::make("galaxy", 400, ics::Seed{1}, {{"disc-mass", "4"}});
  EXPECT_NEAR(mass_of(plain.particles, Family::bulge), 0.5, 1e-12);
  EXPECT_TRUE(plain.notes.empty());
  const Snapshot cloud = ics::make("plummer", 10, ics::Seed{1}, {}, {}, units_from("galactic", ""));
  EXPECT_EQ(cloud.notes.front(),
            "defaults that do not scale with the given values: scale = 0.589049 kpc, mass = 1 x 1e10 Msun");
}

/// Of dimensions that only several options together have.
TEST(Defaults, FollowPowersOfWhatWasGiven) {
  const Units galactic = units_from("galactic", "");
  const Snapshot blast =
      ics::make("sedov", 64, ics::Seed{1}, {{"edge", "2"}, {"density", "3"}, {"background", "4e-6"}}, {}, galactic);
  double energy = 0;
  for (std::size_t i = 0; i < 64; ++i) {
    energy += blast.particles.mass[i] * (blast.particles.internal_energy[i] - 4e-6);
  }
  EXPECT_NEAR(energy, 3 * 8 * 4, 1e-9);  // density edge^3 background
}

/// Defaults that are values of SI units, or of Earth's, are converted.
TEST(Defaults, OfPhysicalModelsAreConverted) {
  const Snapshot metres =
      ics::make("ring", 0, ics::Seed{1}, {{"size-x", "60"}, {"size-y", "60"}}, {}, units_from("si", ""));
  const Snapshot km =
      ics::make("ring", 0, ics::Seed{1}, {{"size-x", "0.06"}, {"size-y", "0.06"}}, {}, units_from("km, kg, m/s", ""));
  ASSERT_EQ(metres.particles.size(), km.particles.size());
  EXPECT_NEAR(km.particles.radius[0], 1e-3 * metres.particles.radius[0], 1e-12);
  EXPECT_NEAR(km.boundary.omega, 1e3 * metres.boundary.omega, 1e-12);
  const Snapshot earth = ics::make("planet", 100, ics::Seed{1}, {}, {}, units_from("si", ""));
  EXPECT_NEAR(earth.particles.mass[0] * 100, 5.972e24, 1e22);
}

TEST(Registry, NamesItsModels) {
  EXPECT_EQ(refusal([] { ics::make("plumer", 10, ics::Seed{1}); }),
            "plumer: no such model (there are plummer, hernquist, uniform-sphere, uniform-cube, lattice, galaxy, "
            "merger, ring, sod, sedov, evrard, noh, gresho, kelvin-helmholtz, sound-wave, plane-wave, glass, "
            "turbulence, square, blob, polytrope, collapse, planet, impact)");
  ASSERT_EQ(ics::models().size(), 24u);
  for (const ics::Model& model : ics::models()) {
    EXPECT_FALSE(model.summary.empty());
    for (const ics::Option& option : model.options) EXPECT_FALSE(option.help.empty()) << model.name << option.name;
  }
}

}  // namespace
}  // namespace hornbeam
