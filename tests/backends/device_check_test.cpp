// SPDX-License-Identifier: Apache-2.0
// What devices say of their own forces: samples, direct sums in fp64, momentum error.
#include <gtest/gtest.h>

#include "../support/devices.h"
#include "../support/forces.h"
#include "simulation/check.h"
#include "tree/boundary.h"
#include "tree/images.h"

namespace hornbeam {
namespace {

constexpr std::size_t checked = 3000;

/// A walk with its options, and the particles with what it found.
struct Walked {
  ParticleSystem backend;
  Particles particles;
};

Walked walk_on(const std::string& name, const Particles& particles, const GravityOptions& options) {
  Walked w{open_system(name, 0, 0), particles};
  w.backend.load(particles, options);
  w.backend.build_tree();
  w.backend.evaluate();
  w.backend.domain().store(w.particles);
  return w;
}

Particles with_own_eps() {
  Particles p = drawn("plummer", checked);
  p.eps.resize(checked);
  for (std::size_t i = 0; i < checked; ++i) p.eps[i] = 0.01 * static_cast<double>(1 + i % 5);
  return p;
}

std::vector<std::size_t> every_seventh() {
  std::vector<std::size_t> which;
  for (std::size_t i = 3; i < checked; i += 7) which.push_back(i);
  return which;
}

TEST(Motions, AreThoseOfTheParticlesAskedFor) {
  const std::vector<std::size_t> which = every_seventh();
  for (const std::string& name : every_backend()) {
    Walked w = walk_on(name, with_own_eps(), {});
    const std::vector<Motion> motions = w.backend.domain().motions(which);
    ASSERT_EQ(motions.size(), which.size());
    for (std::size_t i = 0; i < which.size(); ++i) {
      EXPECT_EQ(motions[i].position, w.particles.position[which[i]]);
      EXPECT_EQ(motions[i].velocity, w.particles.velocity[which[i]]);
    }
    EXPECT_TRUE(w.backend.domain().motions({}).empty());
  }
}

TEST(ForceSample, HoldsWhatTheWalkFound) {
  const std::vector<std::size_t> which = every_seventh();
  for (const std::string& name : every_backend()) {
    Walked w = walk_on(name, with_own_eps(), {});
    const ForceSample sample = w.backend.gravity().sample(which, false);
    ASSERT_EQ(sample.walked.size(), which.size());
    EXPECT_TRUE(sample.direct.empty()) << "is made where it is not requested";
    Vec3 sum{};
    double size = 0;
    for (std::size_t i = 0; i < checked; ++i) {
      for (int k = 0; k < 3; ++k) sum[k] += w.particles.mass[i] * w.particles.acceleration[i][k];
      size += w.particles.mass[i] * std::hypot(w.particles.acceleration[i][0], w.particles.acceleration[i][1],
                                               w.particles.acceleration[i][2]);
    }
    for (std::size_t s = 0; s < which.size(); ++s) {
      for (int k = 0; k < 3; ++k) EXPECT_EQ(sample.walked[s][k], w.particles.acceleration[which[s]][k]) << name;
      EXPECT_EQ(sample.walked[s][3], w.particles.potential[which[s]]) << name;
    }
    // sums of 3,000 fp32 numbers in another order in fp64: they agree to rounding
    EXPECT_NEAR(sample.momentum, std::hypot(sum[0], sum[1], sum[2]) / size, 1e-7) << name;
  }
}

TEST(ForceSample, DirectSumsOfDevicesAreTheOracles) {
  if (device_backends().empty()) GTEST_SKIP() << no_device;
  const Particles p = with_own_eps();
  const std::vector<std::size_t> which = every_seventh();
  for (const std::string& name : device_backends()) {
    for (const Precision precision : {Precision::mixed, Precision::fp64}) {
      for (const Softening softening : {Softening::plummer, Softening::spline}) {
        GravityOptions o;
        o.precision = precision, o.softening = softening, o.G = 3;
        const Forces direct = walk_on(name, p, o).backend.gravity().sample(which, true).direct, oracle = exact(p, o);
        ASSERT_EQ(direct.size(), which.size()) << name;
        // mixed holds masses and softenings in fp32; else only the order of the sums differs
        const double tolerance = precision == Precision::mixed ? 2e-7 : 1e-12;
        for (std::size_t s = 0; s < which.size(); ++s) {
          EXPECT_LT(relative_difference(direct[s], oracle[which[s]]), tolerance) << name << " particle " << which[s];
          EXPECT_NEAR(direct[s][3] / oracle[which[s]][3], 1, tolerance) << name << " particle " << which[s];
        }
      }
    }
  }
}

TEST(ForceSample, DirectSumsOfImagesAreTheOracles) {
  if (device_backends().empty()) GTEST_SKIP() << no_device;
  const Particles p = drawn("uniform-cube", 500);
  const Boundary boundary = {.kind = BoundaryKind::periodic, .size = {1.1, 1.2, 0}, .n_ghost = {1, 2, 0}};
  const std::vector<std::size_t> which = {0, 7, 123, 499};
  GravityOptions o;
  o.eps = 0.01;
  Forces oracle;
  fp64::sum_directly(detect_instruction_set(), 1, p, which, o, oracle, images_of(boundary, 0));
  for (const std::string& name : device_backends()) {
    ParticleSystem system = with_tree(name, p, o, 0, boundary);
    system.evaluate();
    const Forces direct = system.gravity().sample(which, true).direct;
    ASSERT_EQ(direct.size(), which.size()) << name;
    for (std::size_t s = 0; s < which.size(); ++s) {
      EXPECT_LT(relative_difference(direct[s], oracle[s]), 1e-6) << name << " " << which[s];  // masses in fp32
      EXPECT_NEAR(direct[s][3] / oracle[s][3], 1, 1e-6) << name << " " << which[s];
    }
  }
}

TEST(ForceSample, OfSinglePrecisionLeavesDirectSumsToTheCpu) {
  const Particles p = drawn("plummer", checked);
  GravityOptions o = by_angles();
  o.precision = Precision::single, o.eps = 0.01;
  for (const std::string& name : every_backend()) {
    Walked w = walk_on(name, p, o);
    EXPECT_TRUE(w.backend.gravity().sample(every_seventh(), true).direct.empty()) << name;
    const ForceError e = check_forces(w.backend, p, 500);
    EXPECT_EQ(e.sampled, 500u);
    EXPECT_LT(e.acc_mean, 1e-3) << name;  // truncation at theta = 0.6
    EXPECT_GT(e.acc_mean, 1e-6) << name;
  }
}

TEST(ForceSample, OfNoneOneAndAllParticles) {
  for (const std::string& name : every_backend()) {
    for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{3}}) {
      const Particles p = at_rest(std::vector<Vec3>(count, Vec3{1, 2, 3}), std::vector<double>(count, 1.0));
      Walked w = walk_on(name, p, {});
      const ForceError e = check_forces(w.backend, p, 10);
      EXPECT_EQ(e.sampled, count) << name;
      EXPECT_EQ(e.acc_max, 0) << name;
      EXPECT_EQ(e.momentum, 0) << name;
    }
  }
}

}  // namespace
}  // namespace hornbeam
