// SPDX-License-Identifier: Apache-2.0
// Errors about forces that are non-finite: which particle they name, and that the advice fits the cause.
#include "simulation/finite.h"

#include <gtest/gtest.h>

#include <limits>

#include "hornbeam/analysis.h"
#include "hornbeam/simulation.h"
#include "simulation/check.h"
#include "support/forces.h"

namespace hornbeam {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();

template <class Action>
std::string error_of(Action act) {
  try {
    act();
    return "";
  } catch (const NotFinite& e) {
    return e.what();
  }
}

void expect_all(const std::string& message, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) EXPECT_NE(message.find(part), std::string::npos) << part << " in: " << message;
}

/// Three particles of mass 1, ids from 10, with forces that are finite.
Particles three(double second_x = 1) {
  Particles p = at_rest({{0, 0, 0}, {second_x, 0, 0}, {0, 2, 0}}, {1, 1, 1});
  p.id = {10, 11, 12};
  p.acceleration.assign(3, Vec3{1, 2, 3});
  p.potential.assign(3, -1.0);
  return p;
}

/// Three, of which the first has lost its acceleration.
Particles lost(double second_x = 1) {
  Particles p = three(second_x);
  p.acceleration[0][2] = nan;
  return p;
}

GravityOptions options_with(Precision precision, Walk walk = Walk::group) {
  GravityOptions o;
  o.precision = precision, o.walk = walk;
  return o;
}

std::string error_about(const Particles& p, const GravityOptions& options,
                        const std::vector<ExternalPotential>& potentials = {}) {
  return error_of([&] { demand_finite(options, {"t = 2", p, potentials}); });
}

TEST(NotFiniteForces, FinitePass) { EXPECT_EQ(error_about(three(), {}), ""); }

TEST(NotFiniteForces, NameTheParticleWhereItBeganAndHowManyThereAre) {
  Particles p = three();
  p.potential[0] = inf;
  p.velocity[1] = {0, nan, 0};
  EXPECT_EQ(error_about(p, {}).rfind("t = 2: the velocity of particle 1 (id 11) at (1, 0, 0) is non-finite, as are "
                                     "those of 1 others: ",
                                     0),
            0u);
  p.acceleration[2] = {0, -inf, 0};
  expect_all(error_about(p, {}), {"the acceleration of particle 2 (id 12)", "as are those of 2 others"});
  p.position[1][0] = nan;
  expect_all(error_about(p, {}), {"the position of particle 1 (id 11)", "dt", "softening"});
}

TEST(NotFiniteForces, OfAWalkThatFailsAskForAnother) {
  // three particles at distances of about 1 are nobody's limit
  expect_all(error_about(lost(), options_with(Precision::mixed)),
             {"its size is", "walk group", "precision mixed", "take walk direct, precision double, or other units"});
  expect_all(error_about(lost(), options_with(Precision::mixed, Walk::direct)),
             {"(take precision double, or other units)"});
  expect_all(error_about(lost(), options_with(Precision::fp64, Walk::direct)), {"(take other units)"});
}

TEST(NotFiniteForces, BeyondSinglePrecisionAskForDouble) {
  const Particles p = lost(1e-40);
  for (const Precision precision : {Precision::mixed, Precision::single}) {
    expect_all(error_about(p, options_with(precision)),
               {"1e+80", "particle 1 (id 11)", "1e-40 away", "double", "softening"});
  }
  expect_all(error_about(p, options_with(Precision::fp64)), {"1e+80", "walk direct"});
  GravityOptions softened = options_with(Precision::mixed);
  softened.eps = 0.1;
  EXPECT_EQ(error_about(p, softened).find("1e-40 away"), std::string::npos) << "softened pairs are no danger";
}

TEST(NotFiniteForces, BeyondDoublePrecisionAskForSofteningOrUnits) {
  expect_all(error_about(lost(1e-160), options_with(Precision::fp64)),
             {"particle 1 (id 11)", "1e-160 away", "softening"});
  Particles heavy = lost();
  heavy.mass[1] = 1e308, heavy.mass[2] = 1e308;
  expect_all(error_about(heavy, options_with(Precision::fp64)), {"sum of all masses", "units"});
  heavy.mass[2] = 1;
  GravityOptions strong = options_with(Precision::fp64);
  strong.G = 1e10;
  expect_all(error_about(heavy, strong), {"beyond double precision", "units"});
}

TEST(NotFiniteForces, AtASingularPotentialNameIt) {
  ExternalPotential point;
  point.kind = PotentialKind::point, point.mass = 1, point.centre = {-1e-160, 0, 0};
  expect_all(error_about(lost(), options_with(Precision::fp64), {point}), {"potential point", "scale", "centre"});
  point.centre = {-1e-40, 0, 0};
  expect_all(error_about(lost(), options_with(Precision::mixed), {point}), {"1e+80", "double", "scale"});
}

TEST(NotFiniteForces, OfPositionsBeyondSinglePrecisionSaySo) {
  Particles far = at_rest({{0, 0, 0}, {1e39, 0, 0}}, {1, 1});
  const GravityOptions single = options_with(Precision::single);
  expect_all(error_of([&] { accelerations(far, single); }), {"the position of particle 1", "single", "double"});
  EXPECT_TRUE(far.acceleration.empty());
  EXPECT_EQ(error_of([&] { accelerations(far, options_with(Precision::mixed)); }), "");
}

TEST(NotFiniteForces, LeaveNoEvaluation) {
  Particles heavy = at_rest({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, {1e308, 1e308, 1e308});
  for (const Precision precision : {Precision::mixed, Precision::single, Precision::fp64}) {
    for (const Walk walk : {Walk::group, Walk::stackless, Walk::direct}) {
      expect_all(error_of([&] { accelerations(heavy, options_with(precision, walk)); }), {"particle", "units"});
    }
  }
  EXPECT_TRUE(heavy.acceleration.empty());
  Snapshot snapshot;
  snapshot.particles = heavy;
  expect_all(error_of([&] { analysis::energies(snapshot, 0); }), {"energies: ", "particle", "units"});
}

TEST(NotFiniteForces, FiniteForcesWhoseEnergiesAreNotAskForUnits) {
  Snapshot start;
  start.particles = three();
  start.particles.velocity[1] = {1e200, 0, 0};
  SimulationOptions options;
  options.dt = 1;
  const Simulation simulation(start, options);
  expect_all(error_of([&] { (void)simulation.energies(); }), {"t = 0: ", "sums", "units"});
}

TEST(CheckOfForces, RefusesNumbersThatAreNotFinite) {
  for (const double bad : {nan, inf, -inf}) {
    Particles p = three();
    p.acceleration[1][1] = bad;
    expect_all(error_of([&] { check_forces(p, {}, 3); }), {"check: ", "the acceleration of particle 1 (id 11)"});
    expect_all(error_of([&] { check_forces(p, {}, 1); }), {"particle 1 (id 11)"});  // sampled or not
    p = three();
    p.potential[2] = bad;
    expect_all(error_of([&] { check_forces(p, {}, 3); }), {"the potential of particle 2 (id 12)"});
  }
  Particles heavy = three();
  heavy.mass.assign(3, 1e308);
  GravityOptions strong;
  strong.G = 10;
  expect_all(error_of([&] { check_forces(heavy, strong, 3); }), {"direct sum", "particle 0 (id 10)", "units"});
}

TEST(CheckOfForces, HoldsAtTheEndsOfTheRange) {
  // what scales with the masses leaves every relative error as it is
  for (const double scale : {1e-200, 1e-30, 1.0, 1e30, 1e200}) {
    Particles p = drawn("plummer", 300);
    for (double& m : p.mass) m *= scale;
    GravityOptions o;
    o.eps = 0.01;
    accelerations(p, o);
    const ForceError e = check_forces(p, o, 300);
    EXPECT_GT(e.acc_median, 1e-8) << scale;
    EXPECT_LT(e.acc_max, 1e-2) << scale;  // truncation at theta = 0.6
    EXPECT_GT(e.momentum, 1e-12) << scale;
    EXPECT_LT(e.momentum, 1e-3) << scale;
  }
}

}  // namespace
}  // namespace hornbeam
