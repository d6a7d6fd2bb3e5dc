// SPDX-License-Identifier: Apache-2.0
// What tests of bodies that meet share: options, simulations of bodies alone, and whether two crowds are the same.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "hornbeam/simulation.h"
#include "support/bodies.h"

namespace hornbeam {

inline CollisionOptions rough(double restitution, double tangential) {
  CollisionOptions o = constant(restitution);
  o.tangential_restitution = tangential;
  return o;
}

inline CollisionOptions merging() {
  CollisionOptions o;
  o.law = CollisionLaw::merge;
  return o;
}

inline void expect_same(const Particles& a, const Particles& b, const std::string& what) {
  EXPECT_EQ(a.id, b.id) << what;
  EXPECT_TRUE(a.position == b.position) << what;
  EXPECT_TRUE(a.velocity == b.velocity) << what;
  EXPECT_TRUE(a.spin == b.spin) << what;
  EXPECT_TRUE(a.mass == b.mass) << what;
  EXPECT_TRUE(a.radius == b.radius) << what;
}

inline Simulation of_bodies(const std::string& backend, const Particles& p, const SimulationOptions& options) {
  SimulationOptions o = options;
  o.backend = backend;
  o.gravity.G = 1e-30;
  Snapshot start;
  start.particles = p;
  return Simulation(start, o);
}

}  // namespace hornbeam
