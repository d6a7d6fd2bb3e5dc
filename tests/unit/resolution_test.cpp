// SPDX-License-Identifier: Apache-2.0
// Positions that a precision cannot hold are reported, with the remedy, and those that it holds are not.
#include "simulation/resolution.h"
#include "interactions/sph/gas_resolution.h"

#include <gtest/gtest.h>

#include "hornbeam/ics.h"

namespace hornbeam {
namespace {

Particles plummer_at(double distance) {
  Particles p = ics::make("plummer", 2000, ics::Seed{5}).particles;
  p.eps.clear();
  for (Vec3& x : p.position) x[0] += distance;
  return p;
}

std::vector<std::string> notes(const Particles& particles, Precision precision, double eps = 0) {
  GravityOptions o;
  o.precision = precision, o.eps = eps;
  return resolution_notes(particles, o);
}

TEST(Resolution, IsSaidWhereNeighboursAreLost) {
  EXPECT_TRUE(notes(plummer_at(0), Precision::single).empty());
  EXPECT_TRUE(notes(plummer_at(1e8), Precision::mixed).empty());
  EXPECT_TRUE(notes(plummer_at(1e8), Precision::fp64).empty());
  for (const double distance : {1e4, 1e8, 1e30}) {
    const auto said = notes(plummer_at(distance), Precision::single);
    ASSERT_EQ(said.size(), 1U) << distance;
    EXPECT_NE(said[0].find("take precision mixed"), std::string::npos) << said[0];
  }
  for (const Precision precision : {Precision::mixed, Precision::fp64}) {
    EXPECT_NE(notes(plummer_at(1e13), precision).at(0).find("origin near the particles"), std::string::npos);
  }
}

TEST(Resolution, ClosePairsCountAndSoftenedOnesDoNot) {
  Particles p = plummer_at(0);
  p.position[7] = {1, 1, 1}, p.position[1700] = {1, 1 + 1e-6, 1};
  EXPECT_NE(notes(p, Precision::single).at(0).find("2 of 2000 particles"), std::string::npos);
  EXPECT_TRUE(notes(p, Precision::single, 0.01).empty());
  p.position[1700] = p.position[7];  // at one place, which every precision holds
  EXPECT_TRUE(notes(p, Precision::single, 0.01).empty());
  EXPECT_TRUE(notes(Particles{}, Precision::single).empty());
}

TEST(Resolution, UnsoftenedPairsAtOnePlaceAreSaid) {
  Particles p = plummer_at(0);
  EXPECT_TRUE(notes(p, Precision::mixed).empty());
  p.position[1700] = p.position[7];
  p.position[20] = {0.0, 1.0, 0.0}, p.position[21] = {-0.0, 1.0, 0.0}, p.position[1999] = {0.0, 1.0, -0.0};
  for (const Precision precision : {Precision::mixed, Precision::single, Precision::fp64}) {
    const auto said = notes(p, precision);
    ASSERT_EQ(said.size(), 1U);
    EXPECT_EQ(said[0],
              "5 of 2000 unsoftened particles have exactly the position of another one: these do not attract one "
              "another (give "
              "eps, or remove duplicates)");
  }
  EXPECT_TRUE(notes(p, Precision::mixed, 1e-6).empty());
  p.eps.assign(2000, 0.1);
  p.eps[7] = p.eps[1700] = p.eps[20] = 0;
  EXPECT_NE(notes(p, Precision::mixed, -1).at(0).find("2 of 3 unsoftened"), std::string::npos);
  p.mass[7] = p.mass[1700] = 0;  // two that attract nothing
  EXPECT_TRUE(notes(p, Precision::mixed, -1).empty());
}

TEST(Resolution, UnsoftenedPairsAreFoundAmongVeryMany) {
  Particles p;
  const std::size_t n = (std::size_t{1} << 22) + 2048;
  p.resize(n);
  p.mass.assign(n, 1.0);
  for (std::size_t i = 0; i < n; ++i)
    p.position[i] = {static_cast<double>(i % (n / 2)), 1.0, 0.0};  // all of them twins
  const std::string said = notes(p, Precision::mixed).at(0);
  const std::size_t found = std::stoul(said), looked_at = std::stoul(said.substr(said.find("of ") + 3));
  EXPECT_EQ(found, looked_at);
  EXPECT_NEAR(static_cast<double>(found) / static_cast<double>(n), 0.5, 0.01);  // one place in two
}

TEST(Resolution, PullsOnOutliersLeaveTheRange) {
  Particles p = plummer_at(0);
  for (const std::size_t outlier : {0UL, 1000UL, 1999UL}) {
    const Vec3 before = p.position[outlier];
    p.position[outlier] = {1e8, 2, 1};
    EXPECT_TRUE(notes(p, Precision::mixed).empty()) << outlier;
    p.position[outlier] = {1e13, 2, 1};
    EXPECT_TRUE(notes(p, Precision::fp64).empty()) << outlier;
    const auto said = notes(p, Precision::mixed);
    ASSERT_EQ(said.size(), 1U) << outlier;
    EXPECT_NE(said[0].find("cannot represent the acceleration of 1 of 2000 particles"), std::string::npos) << said[0];
    EXPECT_NE(said[0].find("take precision double"), std::string::npos) << said[0];
    p.position[outlier] = before;
  }
  p.resize(16);
  p.position[3] = {1e13, 2, 1};
  EXPECT_TRUE(notes(p, Precision::mixed).empty());
}

TEST(Resolution, SofteningThatIsNothingIsToldOfWhereParticlesShareAPlace) {
  Particles p = plummer_at(0);
  GravityOptions o;
  o.eps = 1e-16;
  EXPECT_TRUE(resolution_notes(p, o).empty());
  p.position[1] = p.position[0];
  const auto said = resolution_notes(p, o);
  ASSERT_EQ(said.size(), 1U);
  EXPECT_EQ(said[0].find("WARNING: a softening of 1e-16 is below the resolution of mixed precision"), 0U) << said[0];
  o.precision = Precision::fp64;
  EXPECT_TRUE(resolution_notes(p, o).empty());
}

TEST(Resolution, DistancesFromPotentialsCountAsWell) {
  Particles star;
  star.resize(1);
  star.position = {{1e6 + 1, 0, 0}};
  const std::vector<ExternalPotential> point = {{.kind = PotentialKind::point, .mass = 1, .centre = {1e6, 0, 0}}};
  GravityOptions o;
  EXPECT_TRUE(resolution_notes(star, o, point).empty());
  o.precision = Precision::single;
  EXPECT_NE(resolution_notes(star, o, point).at(0).find("from the potential point"), std::string::npos);
}

/// Ideal gas of the cloud's places, and the precisions that are asked about.
struct GasCloud {
  GasOptions gas;
  GravityOptions mixed, fp64;
  Particles p = plummer_at(0);

  GasCloud() {
    gas.eos = EquationOfState::ideal;
    mixed.precision = Precision::mixed, fp64.precision = Precision::fp64;
    p.family.assign(p.size(), Family::gas);
  }
};

/// Measured of 60 particles of speeds near 1: forces in mixed are wrong by 5e-2 where all move at 1e6.
TEST(Resolution, GasThatMovesAsAWholeIsKnownToSpeedsOfItsOwn) {
  auto [gas, mixed, fp64, p] = GasCloud();
  p.internal_energy.assign(p.size(), 0.5);
  EXPECT_TRUE(gas_resolution_notes(p, gas, mixed).empty());
  for (Vec3& v : p.velocity) v[1] += 1e3;
  EXPECT_TRUE(gas_resolution_notes(p, gas, mixed).empty());
  for (Vec3& v : p.velocity) v[1] += 1e6;
  const auto said = gas_resolution_notes(p, gas, mixed);
  ASSERT_EQ(said.size(), 1U);
  EXPECT_NE(said[0].find("mixed precision is too coarse for gas"), std::string::npos) << said[0];
  EXPECT_TRUE(gas_resolution_notes(p, gas, fp64).empty());
  EXPECT_TRUE(gas_resolution_notes(p, GasOptions{}, mixed).empty());
  p.family.assign(p.size(), Family::star);
  EXPECT_TRUE(gas_resolution_notes(p, gas, mixed).empty());
}

/// Whose sums are made in the particles' own units. Measured through OpenCL: of masses of 5e-37 a thousandth of the
/// pressure is left.
TEST(Resolution, GasBeyondTheRangeOfSinglePrecisionIsToldOf) {
  auto [gas, mixed, fp64, p] = GasCloud();
  p.internal_energy.assign(p.size(), 0.5);
  GravityOptions single;
  single.precision = Precision::single;
  EXPECT_TRUE(gas_resolution_notes(p, gas, single).empty());
  const auto expect_told = [&](const std::string& what) {
    const auto said = gas_resolution_notes(p, gas, single);
    ASSERT_EQ(said.size(), 1U) << what;
    EXPECT_NE(said[0].find("overflows in these units for gas of " + what), std::string::npos) << said[0];
    EXPECT_TRUE(gas_resolution_notes(p, gas, mixed).empty());
  };
  const std::vector<double> masses = p.mass;
  p.mass.assign(p.size(), 5e-37);
  expect_told("masses of some 5e-37");
  p.mass = masses;
  for (Vec3& v : p.velocity) v = {};
  p.internal_energy.assign(p.size(), 1e20);
  expect_told("changes of energy");
}

/// Through OpenCL, which may take what is below 1e-38 for 0, such gas stands still; at 1e-30 forces lose 1e-2.
TEST(Resolution, GasThatPushesNextToNothingIsToldOf) {
  auto [gas, mixed, fp64, p] = GasCloud();
  p.velocity.assign(p.size(), {});
  p.internal_energy.assign(p.size(), 1e-38);
  const auto said = gas_resolution_notes(p, gas, mixed);
  ASSERT_EQ(said.size(), 1U);
  EXPECT_NE(said[0].find("has little pressure"), std::string::npos) << said[0];
  EXPECT_TRUE(gas_resolution_notes(p, gas, fp64).empty());
  p.internal_energy.assign(p.size(), 1e-24);
  EXPECT_TRUE(gas_resolution_notes(p, gas, mixed).empty());
}

}  // namespace
}  // namespace hornbeam
