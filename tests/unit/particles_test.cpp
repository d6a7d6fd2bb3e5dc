// SPDX-License-Identifier: Apache-2.0
// Particles on the host: growing, joining, and the refusal of what no force can be computed for.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "hornbeam/error.h"
#include "hornbeam/particles.h"

namespace hornbeam {
namespace {

Particles some(std::size_t n) {
  Particles particles;
  particles.resize(n);
  for (std::size_t i = 0; i < n; ++i) particles.mass[i] = 1;
  return particles;
}

std::string refusal(const Particles& particles) {
  try {
    particles.validate("galaxy.hdf5");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Particles, ResizeSetsMandatoryArraysAndNumbersNewParticles) {
  Particles particles;
  particles.resize(3);
  EXPECT_EQ(particles.id, (std::vector<std::uint64_t>{0, 1, 2}));
  EXPECT_EQ(particles.family, std::vector<Family>(3, Family::halo));
  EXPECT_TRUE(particles.eps.empty());
  particles.eps.assign(3, 0.5);
  particles.id[0] = 77;
  particles.resize(5);
  EXPECT_EQ(particles.id, (std::vector<std::uint64_t>{77, 1, 2, 3, 4}));
  EXPECT_EQ(particles.eps, (std::vector<double>{0.5, 0.5, 0.5, 0, 0}));
  particles.resize(1);
  EXPECT_EQ(particles.size(), 1u);
  EXPECT_EQ(particles.eps.size(), 1u);
  EXPECT_EQ(refusal(particles), "");
}

TEST(Particles, AppendKeepsOptionalArraysThatBothSidesHave) {
  Particles a = some(2);
  Particles b = some(1);
  a.eps = {1, 2};
  a.potential = {-1, -2};
  b.potential = {-3};
  a.acceleration = {{1, 2, 3}, {4, 5, 6}};
  b.family[0] = Family::star;
  b.id[0] = 9;
  a.append(b);
  EXPECT_EQ(a.size(), 3u);
  EXPECT_EQ(a.eps, (std::vector<double>{1, 2, 0}));
  EXPECT_EQ(a.potential, (std::vector<double>{-1, -2, -3}));
  EXPECT_TRUE(a.acceleration.empty());
  EXPECT_EQ(a.family[2], Family::star);
  EXPECT_EQ(a.id[2], 9u);
}

TEST(Particles, AppendCountsTheMissingSofteningOfTheFirstSideAsZero) {
  Particles a = some(2);
  Particles b = some(1);
  b.eps = {3};
  a.append(b);
  EXPECT_EQ(a.eps, (std::vector<double>{0, 0, 3}));
}

TEST(Particles, AppendKeepsWhatGasHasBesideOtherFamilies) {
  Particles gas = some(2), stars = some(1);
  gas.family.assign(2, Family::gas);
  gas.internal_energy = {1, 2};
  gas.smoothing_length = {3, 4};
  stars.family[0] = Family::star;
  Particles first = gas, last = stars;
  first.append(stars);
  EXPECT_EQ(first.internal_energy, (std::vector<double>{1, 2, 0}));
  EXPECT_EQ(first.smoothing_length, (std::vector<double>{3, 4, 0}));
  last.append(gas);
  EXPECT_EQ(last.internal_energy, (std::vector<double>{0, 1, 2}));
  stars.family[0] = Family::gas;  // of unknown energy
  first = gas, last = stars;
  first.append(stars);
  last.append(gas);
  EXPECT_TRUE(first.internal_energy.empty());
  EXPECT_TRUE(last.internal_energy.empty());
}

TEST(Particles, AppendToNothingIsACopyAndToItselfADouble) {
  Particles a;
  Particles b = some(2);
  b.acceleration = {{1, 2, 3}, {4, 5, 6}};
  a.append(b);
  EXPECT_EQ(a.acceleration, b.acceleration);
  a.append(a);
  EXPECT_EQ(a.size(), 4u);
  EXPECT_EQ(a.acceleration[3], (Vec3{4, 5, 6}));
}

TEST(Particles, ValidateNamesTheFirstParticleThatIsNotFinite) {
  Particles particles = some(4);
  particles.id[2] = 42;
  particles.position[2][1] = std::numeric_limits<double>::quiet_NaN();
  particles.position[3][0] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(refusal(particles), "galaxy.hdf5: particle 2 (id 42): position y = nan: must be finite");
  particles.position[2][1] = 0;
  EXPECT_EQ(refusal(particles), "galaxy.hdf5: particle 3 (id 3): position x = inf: must be finite");
  particles = some(1);
  particles.velocity[0][2] = -std::numeric_limits<double>::infinity();
  EXPECT_EQ(refusal(particles), "galaxy.hdf5: particle 0 (id 0): velocity z = -inf: must be finite");
}

TEST(Particles, ValidateLooksAtEveryField) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  using Scalars = std::vector<double> Particles::*;
  using Vectors = std::vector<Vec3> Particles::*;
  for (const auto& [field, name] :
       std::vector<std::pair<Scalars, std::string>>{{&Particles::eps, "eps"},
                                                    {&Particles::internal_energy, "internal energy"},
                                                    {&Particles::density, "density"},
                                                    {&Particles::smoothing_length, "smoothing length"},
                                                    {&Particles::potential, "potential"}}) {
    Particles particles = some(2);
    particles.*field = {1, nan};
    EXPECT_EQ(refusal(particles), "galaxy.hdf5: particle 1 (id 1): " + name + " = nan: must be finite");
  }
  for (const auto& [field, name] : std::vector<std::pair<Vectors, std::string>>{
           {&Particles::acceleration, "acceleration"}, {&Particles::acceleration_before, "earlier acceleration"}}) {
    Particles particles = some(2);
    particles.*field = {Vec3{}, Vec3{0, 0, nan}};
    EXPECT_EQ(refusal(particles), "galaxy.hdf5: particle 1 (id 1): " + name + " z = nan: must be finite");
  }
  Particles particles = some(2);
  particles.rung_before = {30, 31};
  EXPECT_EQ(refusal(particles), "galaxy.hdf5: particle 1 (id 1): rung = 31: must be 0 to 30");
}

TEST(Particles, ValidateAcceptsTracersAndRefusesNegativeMassesAndSoftenings) {
  Particles particles = some(2);
  particles.mass[1] = 0;
  EXPECT_EQ(refusal(particles), "");
  particles.mass[1] = -0.5;
  EXPECT_EQ(refusal(particles), "galaxy.hdf5: particle 1 (id 1): mass = -0.5: must be 0 or more");
  particles.mass[1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refusal(particles), "galaxy.hdf5: particle 1 (id 1): mass = nan: must be finite");
  particles.mass[1] = 1;
  particles.eps = {0, -1};
  EXPECT_EQ(refusal(particles), "galaxy.hdf5: particle 1 (id 1): eps = -1: must be 0 or more");
}

TEST(Particles, ValidateRefusesArraysOfDifferentLengthAndUnknownFamilies) {
  Particles particles = some(3);
  particles.velocity.pop_back();
  EXPECT_EQ(refusal(particles), "galaxy.hdf5: velocity has 2 entries for 3 particles");
  particles = some(3);
  particles.potential.resize(1);
  EXPECT_EQ(refusal(particles), "galaxy.hdf5: potential has 1 entries for 3 particles");
  particles = some(3);
  particles.family[1] = static_cast<Family>(6);
  EXPECT_EQ(refusal(particles), "galaxy.hdf5: particle 1 (id 1): family = 6: must be 0 to 5");
}

TEST(Units, GalacticUnitsHaveTheFieldsGravitationalConstant) {
  const Units units = Units::galactic();
  EXPECT_TRUE(units.physical);
  // 4.30091e-6 kpc (km/s)^2 / Msun, as tabulated to six digits.
  EXPECT_NEAR(units.G, 43009.1, 0.1);
  EXPECT_NEAR(units.mass_g, 1.98841e43, 1e38);
}

}  // namespace
}  // namespace hornbeam
