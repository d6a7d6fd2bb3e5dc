// SPDX-License-Identifier: Apache-2.0
// Net force and torque of particles on one another: none where gravity.conserve is set, on any backend.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "support/devices.h"
#include "support/forces.h"

namespace hornbeam {
namespace {

/// |sum m a| and |sum m (r - origin) x a|, over the sums of the sizes of their terms.
struct Net {
  double force, torque;
};

Net net_of(const Particles& p, const Forces& field, const Vec3& origin) {
  Vec3 force{}, torque{};
  double forces = 0, torques = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    Vec3 r = p.position[i], f = {field[i][0], field[i][1], field[i][2]};
    for (int k = 0; k < 3; ++k) r[k] -= origin[k], f[k] *= p.mass[i], force[k] += f[k];
    for (int k = 0; k < 3; ++k) torque[k] += r[(k + 1) % 3] * f[(k + 2) % 3] - r[(k + 2) % 3] * f[(k + 1) % 3];
    const double size = std::hypot(f[0], f[1], f[2]);
    forces += size;
    torques += size * std::hypot(r[0], r[1], r[2]);
  }
  return {std::hypot(force[0], force[1], force[2]) / forces, std::hypot(torque[0], torque[1], torque[2]) / torques};
}

Particles moved(Particles p, const Vec3& by) {
  for (Vec3& x : p.position) {
    for (int k = 0; k < 3; ++k) x[k] += by[k];
  }
  return p;
}

GravityOptions conserving(bool conserve, Precision precision = Precision::mixed, Walk walk = Walk::group) {
  GravityOptions o;
  o.theta = 0.8;
  o.eps = 0.01;
  o.precision = precision;
  o.walk = walk;
  o.conserve = conserve;
  return o;
}

/// Of 5,000 particles off the origin and one far away: forces of 32 bits are rounded by 2^-24 each, whose sum is that
/// over sqrt(N); devices sum in single precision, too.
TEST(Conserve, LeavesNoNetForceAndTorque) {
  const Vec3 away = {30, -4, 7};
  Particles p = moved(drawn("plummer", 5000), away);
  p.position[17] = {130, 96, 7};
  for (Vec3& x : p.position) {
    for (double& k : x) k = static_cast<float>(k);  // the same places in single precision
  }
  for (const std::string& backend : every_backend()) {
    for (const Walk walk : {Walk::group, Walk::stackless, Walk::vote}) {
      if (walk == Walk::vote && backend == "cpu") continue;  // not built for it
      for (const Precision precision : {Precision::mixed, Precision::single, Precision::fp64}) {
        const auto net = [&](bool conserve) {
          return net_of(p, evaluate_on(backend, p, conserving(conserve, precision, walk)).field, away);
        };
        const std::string name =
            backend + " " + std::string(hornbeam::name(walk)) + " " + std::string(hornbeam::name(precision));
        const Net before = net(false), after = net(true);
        const double rounding = precision == Precision::fp64 ? 1e-12 : precision == Precision::mixed ? 1e-8 : 1e-6;
        EXPECT_GT(before.force, 3e-6) << name << ": else there is nothing to take out";
        EXPECT_GT(before.torque, 3e-6) << name;
        EXPECT_LT(after.force, rounding) << name;
        EXPECT_LT(after.torque, rounding) << name;
      }
    }
  }
}

TEST(Conserve, ChangesForcesByLessThanTheirError) {
  const Particles p = drawn("plummer", 5000);
  const Forces expected = exact(p, conserving(false));
  for (const std::string& backend : every_backend()) {
    const Forces without = evaluate_on(backend, p, conserving(false)).field,
                 with = evaluate_on(backend, p, conserving(true)).field;
    EXPECT_LE(rms_difference(with, expected), rms_difference(without, expected)) << backend;
    EXPECT_LT(rms_difference(with, without), 0.3 * rms_difference(without, expected)) << backend;
    for (std::size_t i = 0; i < p.size(); ++i) ASSERT_EQ(with[i][3], without[i][3]) << backend << ": potentials stay";
  }
}

TEST(Conserve, LeavesParticlesWithoutMassAlone) {
  Particles p = drawn("plummer", 3000);
  for (std::size_t i = 0; i < p.size(); i += 3) p.mass[i] = 0;
  for (const std::string& backend : every_backend()) {
    const Forces without = evaluate_on(backend, p, conserving(false)).field,
                 with = evaluate_on(backend, p, conserving(true)).field;
    for (std::size_t i = 0; i < p.size(); ++i) {
      const bool same = with[i] == without[i];
      ASSERT_EQ(same, p.mass[i] == 0) << backend << ", particle " << i;
    }
    EXPECT_LT(net_of(p, with, {}).force, 1e-8) << backend;
    EXPECT_LT(net_of(p, with, {}).torque, 1e-8) << backend;
    Particles none = p;
    for (double& mass : none.mass) mass = 0;
    EXPECT_EQ(evaluate_on(backend, none, conserving(true)).field, evaluate_on(backend, none, conserving(false)).field);
  }
}

/// Where no rotation, or none about one axis, moves any particle.
TEST(Conserve, OnePointOneLineAndOnePlane) {
  for (const std::string& backend : every_backend()) {
    for (const int dimensions : {0, 1, 2}) {
      Particles p = moved(drawn("plummer", 2000), {5, 6, 7});
      for (Vec3& x : p.position) {
        for (int k = dimensions; k < 3; ++k) x[k] = 1;
      }
      GravityOptions o = conserving(false);
      o.eps = 0.1;
      const Forces without = evaluate_on(backend, p, o).field;
      o.conserve = true;
      const Forces with = evaluate_on(backend, p, o).field;
      const std::string name = backend + ", dimensions " + std::to_string(dimensions);
      ASSERT_TRUE(std::isfinite(worst_difference(with, with))) << name;
      if (dimensions == 0) {
        EXPECT_EQ(with, without) << name;
        continue;
      }
      EXPECT_LT(rms_difference(with, without), 2e-4) << name;  // of the error at theta = 0.8
      EXPECT_LT(net_of(p, with, {5, 6, 7}).force, 1e-7) << name;
      EXPECT_LT(net_of(p, with, {5, 6, 7}).torque, 1e-7) << name;
    }
  }
}

}  // namespace
}  // namespace hornbeam
