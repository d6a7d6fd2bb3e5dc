// SPDX-License-Identifier: Apache-2.0
// A device that is requested forces again and again: what one evaluation leaves must not reach the next.
#include "hornbeam/forces.h"

#include <gtest/gtest.h>

#include <cmath>

#include "hornbeam/ics.h"
#include "run/config/config_json.h"
#include "simulation/check.h"

namespace hornbeam {
namespace {

constexpr double truncation = 2e-3;  // rms at theta = 0.5, not rounding

/// rms over particles of |a - b| over the rms of |b|.
double difference_from(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double squares = 0, scale = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      squares += (a[i][k] - b[i][k]) * (a[i][k] - b[i][k]);
      scale += b[i][k] * b[i][k];
    }
  }
  return std::sqrt(squares / scale);
}

TEST(Forces, OneDeviceTakesWalksAndSizesInAnyOrder) {
  ForceEvaluator forces;
  for (const std::size_t n : {500, 2000, 100}) {
    for (const Walk walk : {Walk::group, Walk::stackless, Walk::direct, Walk::group}) {
      Particles particles = ics::make("plummer", n, ics::Seed{n}).particles;
      GravityOptions options;
      options.theta = 0.5;
      options.walk = walk;
      Particles alone = particles;
      forces.evaluate(particles, options);
      accelerations(alone, options);
      EXPECT_EQ(particles.acceleration, alone.acceleration) << n << ' ' << name(walk);
      EXPECT_EQ(particles.velocity.size(), n);
    }
  }
}

TEST(Forces, TargetPointsGetWhatMasslessParticlesGet) {
  ForceEvaluator forces;
  constexpr std::size_t sources = 3000, all = 3050;
  Particles each = ics::make("plummer", all, ics::Seed{2}).particles, some = each;
  for (std::size_t i = sources; i < all; ++i) each.mass[i] = 0;
  const std::vector<Vec3> points(each.position.begin() + sources, each.position.end());
  some.resize(sources);
  for (const Walk walk : {Walk::group, Walk::stackless, Walk::direct, Walk::group}) {
    GravityOptions options;
    options.theta = 0.5;
    options.walk = walk;
    options.eps = 0.05;
    const ForceField field = forces.evaluate_at(some, points, {}, options);
    ForceTree tree(some, {}, "cpu");
    EXPECT_EQ(field.acceleration, tree.evaluate_at(points, {}, options).acceleration) << name(walk);
    Particles exact = each;
    options.walk = Walk::direct;
    forces.evaluate(exact, options);
    const std::vector<Vec3> right(exact.acceleration.begin() + sources, exact.acceleration.end());
    EXPECT_LT(difference_from(field.acceleration, right), walk == Walk::direct ? 1e-6 : truncation) << name(walk);
  }
}

TEST(ConfigJson, SaysWhatWasAsked) {
  const std::string toml =
      "[ic]\nmodel = \"plummer\"\nn = 9\n[time]\ndt = 0.1\nend = 1\nsteps = \"block\"\neta = 0.3\n"
      "[gravity]\nmac = \"bh\"\neps = 0.1\ntheta = 0.4\n[device]\nprecision = \"double\"\n"
      "[boundary]\nkind = \"periodic\"\nsize = [9, 9, 9]\nn_ghost_x = 1\n[gas]\neos = \"isothermal\"\nsound_speed = 2\n"
      "[[potential]]\nkind = \"nfw\"\nmass = 1\nscale = 2\n[[potential]]\nkind = \"point\"\nmass = 3\n";
  Json told = to_json(run::parse_config(toml, {}, "text"));
  Json again = to_json(run::config_from(told, "checkpoint"));
  for (const char* section : {"gravity", "time", "device", "boundary", "gas", "collisions", "potential"}) {
    EXPECT_EQ(again[section].dump(), told[section].dump()) << section;
  }
  EXPECT_THROW(run::config_from({{"gravity", {{"theta", "wide"}}}}, "checkpoint"), Error);
}

}  // namespace
}  // namespace hornbeam
