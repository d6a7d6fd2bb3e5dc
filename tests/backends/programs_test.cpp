// SPDX-License-Identifier: Apache-2.0
// Compiles the OpenCL kernels that most tests launch, once and before them: on PoCL the compiler takes as long as they
// do, and tests that run side by side would each compile the same ones. Tests of devices run after these suites
// (tests/discover_suites.cmake); a precision is a suite, so that two cores have work. They check that steps move.
#include <gtest/gtest.h>

#include "hornbeam/groups.h"
#include "hornbeam/ics.h"
#include "hornbeam/simulation.h"
#include "interactions/neighbours/search.h"
#include "support/devices.h"
#include "support/forces.h"
#include "support/lattice_models.h"

namespace hornbeam {
namespace {

class Programs : public testing::Test {
 protected:
  void SetUp() override {
    for (const std::string& backend : device_backends()) here_ = here_ || backend == "opencl";
    if (!here_) GTEST_SKIP() << "SKIPPED: no OpenCL device is here";
  }

  static SimulationOptions stepping(Precision precision, Steps steps) {
    SimulationOptions o;
    o.backend = "opencl";
    o.dt = 1.0 / 16;
    o.steps = steps;
    o.gravity.eps = 0.02;
    o.gravity.accuracy = 0;
    o.gravity.precision = precision;
    return o;
  }
  /// Makes `steps` steps; whether time went on.
  static void make_steps(const Snapshot& start, const SimulationOptions& options, int steps = 2) {
    Simulation simulation(start, options);
    for (int k = 0; k < steps; ++k) simulation.step();
    EXPECT_GT(simulation.time(), start.time);
  }

  static void walks(Precision precision) {
    const Particles p = drawn("hernquist", 2000);
    for (const Walk walk : {Walk::group, Walk::stackless, Walk::vote, Walk::direct}) {
      GravityOptions o = stepping(precision, Steps::shared).gravity;
      o.walk = walk;
      EXPECT_EQ(evaluate_on("opencl", p, o).field.size(), p.size());
    }
    if (precision != Precision::mixed) return;
    GravityOptions without_cells = stepping(precision, Steps::shared).gravity;
    without_cells.theta = 0;
    EXPECT_EQ(evaluate_on("opencl", p, without_cells).field.size(), p.size());
    // PoCL compiles launches of 65,535 items and more apart
    const Particles many = drawn("hernquist", 70000);
    EXPECT_EQ(evaluate_on("opencl", many, stepping(precision, Steps::shared).gravity).field.size(), many.size());
  }
  static void galaxies(Precision precision) {
    const Snapshot start = ics::make("hernquist", 300, ics::Seed{11});
    for (const Steps steps : {Steps::shared, Steps::block, Steps::symmetrised}) {
      for (const Mac mac : {Mac::offset, Mac::relative}) {
        SimulationOptions o = stepping(precision, steps);
        o.gravity.mac = mac;
        make_steps(start, o);
      }
    }
  }
  static void gas() {
    const Snapshot start = ics::make("evrard", 400, ics::Seed{1});
    for (const Steps steps : {Steps::shared, Steps::block}) {
      for (const bool more : {false, true}) {
        SimulationOptions o = stepping(Precision::mixed, steps);
        o.gas.eos = EquationOfState::ideal;
        o.gas.reconstruct = more;
        if (more) o.gas.softening = GasSoftening::adaptive, o.gravity.softening = Softening::spline;
        make_steps(start, o);
      }
    }
    Snapshot debris = start;  // that reaches all others, for which devices sum by blocks
    for (std::size_t i = 0; i < 8; ++i) debris.particles.position[50 * i][0] += 20.0 + static_cast<double>(i);
    SimulationOptions o = stepping(Precision::mixed, Steps::shared);
    o.gas.eos = EquationOfState::ideal;
    make_steps(debris, o, 1);
  }
  static void bodies() {
    Snapshot start = ics::make("uniform-cube", 300, ics::Seed{2});
    start.particles.radius.assign(start.particles.size(), 0.05);
    for (const Detection detection : {Detection::overlap, Detection::swept}) {
      SimulationOptions o = stepping(Precision::mixed, Steps::shared);
      o.collisions.law = CollisionLaw::constant;
      o.collisions.detection = detection;
      o.collisions.tangential_restitution = 0.5;
      make_steps(start, o);
    }
  }
  static void searches() {
    const std::vector<Vec3> places = drawn("plummer", 500).position;
    NeighbourOptions o;
    o.backend = "opencl";
    for (const Walk walk : {Walk::group, Walk::stackless}) {
      NeighbourTree tree(places, o, walk);
      EXPECT_EQ(tree.count_within(0.3).size(), places.size());
      EXPECT_EQ(tree.within(0.3).offset.size(), places.size() + 1);
      EXPECT_EQ(tree.nearest(8).offset.size(), places.size() + 1);
    }
    GroupOptions groups;
    groups.backend = "opencl";
    EXPECT_EQ(link_friends(places, 0.2, groups).size(), places.size());
  }

 private:
  bool here_ = false;
};

using ProgramsOfMixed = Programs;
using ProgramsOfDouble = Programs;
using ProgramsOfSingle = Programs;
using ProgramsOfHierarchy = Programs;

TEST_F(ProgramsOfMixed, AreCompiled) {
  walks(Precision::mixed);
  galaxies(Precision::mixed);
  bodies();
  gas();
}

TEST_F(ProgramsOfDouble, AreCompiled) {
  walks(Precision::fp64);
  galaxies(Precision::fp64);
}

TEST_F(ProgramsOfSingle, AreCompiled) {
  walks(Precision::single);
  searches();
}

TEST_F(ProgramsOfHierarchy, AreCompiled) {
  GravityOptions o;
  o.accuracy = 1e-3;
  EXPECT_EQ(evaluate_on("opencl", drawn("hernquist", 2000), o).field.size(), 2000u);
  // in an infinite lattice PoCL takes other sums of units
  const Particles in_box = lattice_models::scattered(1600, {1, 1, 1}, true, 1);
  EXPECT_EQ(evaluate_in("opencl", in_box, o, lattice_models::lattice({1, 1, 1})).field.size(), 1600u);
}

}  // namespace
}  // namespace hornbeam
