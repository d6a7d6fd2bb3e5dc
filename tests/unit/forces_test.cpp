// SPDX-License-Identifier: Apache-2.0
// A device that is asked for forces again and again: what one evaluation leaves must not reach the next.
#include "hornbeam/forces.h"

#include <gtest/gtest.h>

#include <cmath>

#include "hornbeam/ics.h"
#include "run/config_json.h"
#include "simulation/check.h"

namespace hornbeam {
namespace {

constexpr double truncation = 2e-3;  // rms at theta = 0.5, not rounding

/// rms over particles of |a - b| over the rms of |b|, from `first` on.
double difference_from(std::size_t first, const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double squares = 0, scale = 0;
  for (std::size_t i = first; i < a.size(); ++i) {
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

TEST(Forces, TargetsAloneGetWhatAllGet) {
  ForceEvaluator forces;
  constexpr std::size_t sources = 3000, all = 3050;
  Particles particles = ics::make("plummer", all, ics::Seed{2}).particles;
  for (std::size_t i = sources; i < all; ++i) particles.mass[i] = 0;
  for (const Walk walk : {Walk::group, Walk::stackless, Walk::direct, Walk::group}) {
    GravityOptions options;
    options.theta = 0.5;
    options.walk = walk;
    options.eps = 0.05;
    Particles some = particles, each = particles;
    forces.evaluate_from(sources, some, options);
    const Interactions few = forces.interactions();
    forces.evaluate(each, options);
    // groups of a block open cells together, and other groups make other blocks
    const double most = walk == Walk::group ? truncation / 20 : 0;
    EXPECT_LE(difference_from(sources, some.acceleration, each.acceleration), most) << name(walk);
    EXPECT_EQ(some.acceleration[0], Vec3{});
    EXPECT_TRUE(some.rung.empty());
    EXPECT_LT(few.particle, forces.interactions().particle) << name(walk);
    Particles exact = particles;
    options.walk = Walk::direct;
    forces.evaluate(exact, options);
    EXPECT_LT(difference_from(sources, some.acceleration, exact.acceleration), truncation) << name(walk);
  }
}

TEST(ConfigJson, SaysWhatWasAsked) {
  const std::string toml =
      "[ic]\nmodel = \"plummer\"\nn = 9\n[time]\ndt = 0.1\nend = 1\nsteps = \"block\"\neta = 0.3\n"
      "[gravity]\nmac = \"bh\"\neps = 0.1\ntheta = 0.4\n[device]\nprecision = \"double\"\n"
      "[boundary]\nkind = \"periodic\"\nsize = [9, 9, 9]\nn_ghost_x = 1\n[gas]\neos = \"isothermal\"\nsound_speed = 2\n"
      "[[potential]]\nkind = \"nfw\"\nmass = 1\nscale = 2\n[[potential]]\nkind = \"point\"\nmass = 3\n";
  run::Json told = to_json(run::parse_config(toml, {}, "text"));
  run::Json again = to_json(run::config_from(told, "checkpoint"));
  for (const char* section : {"gravity", "time", "device", "boundary", "gas", "collisions", "potential"}) {
    EXPECT_EQ(again[section].dump(), told[section].dump()) << section;
  }
  EXPECT_THROW(run::config_from({{"gravity", {{"theta", "wide"}}}}, "checkpoint"), Error);
}

}  // namespace
}  // namespace hornbeam
