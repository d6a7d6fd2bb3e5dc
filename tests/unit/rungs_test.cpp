// SPDX-License-Identifier: Apache-2.0
// Rungs: how deep a particle goes, and what keeps the energy when its step changes.
#define HB_PRECISION HB_DOUBLE
#include "stages/rungs.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/deepest_rung.h"
#include "stages/kick_drift.h"

HB_OPEN
namespace {

static_assert(deepest_rung == HB_DEEPEST_RUNG);

constexpr pos_t longest = 0.125;
constexpr RungRule rule = {
    .by_softening = 1, .by_change = 0, .half_longest = longest / 2, .deepest = 8, .longest = longest, .gas_adapts = 0};

/// Accelerations along x: now, at the beginning of the last step, and a step before.
Accelerations along_x(pos_t now, pos_t before, pos_t earlier = 0) { return {now, 0, 0, before, 0, 0, earlier, 0, 0}; }

/// Gas that is softened by its H asks by that alone; other particles of the same run by their eps.
TEST(ChosenRung, OfGasSoftenedByItsHIsNotThatOfItsEps) {
  RungRule adapts = rule;
  adapts.gas_adapts = 1;
  const Accelerations a = along_x(1, 1);
  const pos_t tiny = 1e-8f, asked = 2 / longest;
  EXPECT_GT(choose_rung(rule, 0, 0, 0, a, tiny, asked).rung, 4);
  EXPECT_EQ(choose_rung(adapts, 0, 0, 0, a, tiny, asked).rung, 1);
  EXPECT_EQ(choose_rung(adapts, 0, 0, 0, a, tiny, -1).rung, choose_rung(rule, 0, 0, 0, a, tiny, -1).rung);
}

TEST(HeldRungs, AreBothThere) {
  const u32 held = held_rungs(30, 7);
  EXPECT_EQ(rung_of(held), 30);
  EXPECT_EQ(rung_before(held), 7);
}

TEST(FirstRung, HasStepsEnough) {
  EXPECT_EQ(first_rung_of(0, 8), 0);
  EXPECT_EQ(first_rung_of(1, 8), 0);
  EXPECT_EQ(first_rung_of(1.01, 8), 1);
  EXPECT_EQ(first_rung_of(4, 8), 1);
  EXPECT_EQ(first_rung_of(4.01, 8), 2);
  EXPECT_EQ(first_rung_of(1e9, 8), 9);
  EXPECT_EQ(first_rung_of(std::numeric_limits<pos_t>::quiet_NaN(), 8), 9);
}

TEST(ChosenRung, IsAsDeepAsAskedForAndHigherOnlyByAMargin) {
  constexpr pos_t soft2 = 0.5;  // eps = 1, so that |a| is the squared number of steps
  const auto chosen = [&](i32 from, pos_t a, i32 least = 0) {
    return choose_rung(rule, from, least, 1, along_x(a, a), soft2, -1).rung;
  };
  EXPECT_EQ(chosen(1, 4.1), 2);
  EXPECT_EQ(chosen(2, 3.9), 2);  // would do on rung 1
  EXPECT_EQ(chosen(2, 1.9), 1);
  EXPECT_EQ(chosen(3, 1.9), 1);
  EXPECT_EQ(chosen(3, 1.9, 2), 2);
  EXPECT_EQ(chosen(1, 3.9), 1);
  EXPECT_EQ(choose_rung(rule, 0, 0, 0, along_x(3.9, 0), soft2, -1).rung,
            1);  // at the start there is no rung to stay on
}

/// Gas asks by itself, softened or not, at the start, too.
TEST(ChosenRung, IsThatOfGas) {
  const auto chosen = [&](pos_t step, pos_t soft2, i32 known = 1) {
    return choose_rung(rule, 0, 0, known, along_x(1e-3, 1e-3), soft2, 1 / step).rung;
  };
  for (const i32 known : {0, 1}) {
    EXPECT_EQ(chosen(longest, 0, known), 0);
    EXPECT_EQ(chosen(longest / 3.9, 0, known), 2);
    EXPECT_EQ(chosen(longest / 4.1, 0.5, known), 3);
  }
  EXPECT_EQ(chosen(longest / 300, 0), 8);
}

/// A body on a spring of strength 1: what leapfrog of steps h keeps of it, E + h^2 G with da/dt = -v.
struct Oscillator {
  pos_t x = 1, v = 0.8;
  [[nodiscard]] pos_t kept(pos_t h) const { return (v * v + x * x) / 2 + h * h * (v * v / 12 - x * x / 24); }
  void step(pos_t h) {
    v = kicked(v, -x, h / 2);
    x = drifted(x, v, h);
    v = kicked(v, -x, h / 2);
  }
};

TEST(SpeedFactor, KeepsWhatLeapfrogKeepsThroughAChangeOfStep) {
  for (const i32 first : {0, 1}) {
    const i32 second = 1 - first;
    for (const int steps : {3, 14, 20}) {  // places of the orbit, none of them where it turns
      Oscillator body;
      const pos_t old_step = std::ldexp(longest, -first), new_step = std::ldexp(longest, -second);
      const pos_t start = body.kept(old_step);
      pos_t earlier = 0;
      for (int i = 0; i < steps; ++i) earlier = -body.x, body.step(old_step);
      const pos_t before = -body.x;
      body.step(new_step);
      const pos_t without = std::abs(body.kept(new_step) / start - 1);
      body.v *= speed_factor(old_step, new_step, body.v, 0, 0, along_x(-body.x, before, earlier));
      const pos_t with = std::abs(body.kept(new_step) / start - 1);
      EXPECT_GT(without, 1e-4) << first << " " << steps;  // h^2 (1 - 1/4) |G|
      EXPECT_LT(with, 1e-5) << first << " " << steps;     // 1e-6 to 4e-6: terms of h^4
    }
  }
}

TEST(SpeedFactor, IsOneWhereNothingChangesOrNothingIsKnown) {
  const pos_t one = 2 * half_step(rule, 0), half = one / 2;
  EXPECT_EQ(speed_factor(half, half, 1, 0, 0, along_x(3, 2, 1)), 1);
  EXPECT_EQ(speed_factor(one, half, 0, 0, 0, along_x(3, 2, 1)), 1);     // at rest
  EXPECT_EQ(speed_factor(one, half, 1e-9, 0, 0, along_x(3, 2, 1)), 1);  // slower than the correction
  EXPECT_EQ(speed_factor(one, half, 1, 0, 0, along_x(std::numeric_limits<pos_t>::quiet_NaN(), 2, 1)), 1);
}

/// One particle as take_rung() sees it: what the array of that name holds of it.
struct Held {
  real acc[3] = {3, -1, 2}, before[3] = {2, -1, 1}, earlier[3] = {1, 0, 0}, soft2 = 0.5;
  pos_t v[3] = {0.3, 0.2, -0.1};
  u32 rungs = held_rungs(2, 3);
  // of gas
  pos_t asked = 1, span = longest / 8;
  real fall[3] = {2.5, 0.5, 1};
  u32 begun = 8;

  [[nodiscard]] RungsView view() {
    return {acc,         acc + 1, acc + 2, &soft2, nullptr, before,  before + 1, before + 2, earlier, earlier + 1,
            earlier + 2, v,       v + 1,   v + 2,  &rungs,  nullptr, nullptr,    nullptr,    nullptr, nullptr};
  }
  [[nodiscard]] RungsView view_of_gas() {
    RungsView all = view();
    all.asked = &asked;
    all.fall_x = fall;
    all.fall_y = fall + 1;
    all.fall_z = fall + 2;
    all.begun = &begun;
    all.span = &span;
    return all;
  }
  [[nodiscard]] Accelerations accelerations() const {
    return {acc[0], acc[1], acc[2], before[0], before[1], before[2], earlier[0], earlier[1], earlier[2]};
  }
};

TEST(TakenRung, LeavesAParticleWhoseStepGoesOn) {
  Held p;
  const RungChoice choice = take_rung(0, rule, 3, 1, 16, p.view());
  EXPECT_EQ(choice.rung, 2);
  EXPECT_EQ(p.rungs, held_rungs(2, 3));
  EXPECT_EQ(p.v[0], 0.3);
  EXPECT_EQ(p.before[0], 2);
  EXPECT_EQ(p.earlier[0], 1);
}

TEST(TakenRung, ScalesChoosesAndMovesAccelerationsOn) {
  const Held old;
  Held p;
  const RungChoice choice = take_rung(0, rule, 1, 1, 16, p.view());
  const Accelerations a = old.accelerations();
  EXPECT_EQ(choice.rung, choose_rung(rule, 2, 1, 1, a, old.soft2, -1).rung);
  EXPECT_EQ(p.rungs, held_rungs(choice.rung, 2));
  const pos_t factor = speed_factor(2 * half_step(rule, 3), 2 * half_step(rule, 2), old.v[0], old.v[1], old.v[2], a);
  EXPECT_NE(factor, 1);
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(p.v[k], old.v[k] * factor) << k;
    EXPECT_EQ(p.before[k], old.acc[k]) << k;
    EXPECT_EQ(p.earlier[k], old.before[k]) << k;
  }
}

/// By what pulls it without its own forces, and by how long its steps have been, which may have been cut short; what it
/// asks for goes by all forces.
TEST(TakenRung, OfGasGoesByPullsAndLengths) {
  const Held old;
  Held p;
  const i32 tick = 8 + 3 * (1 << (rule.deepest - 4));  // three steps of rung 4 long
  const RungChoice choice = take_rung(0, rule, 2, 1, tick, p.view_of_gas());
  Accelerations a = old.accelerations();
  a.x = old.fall[0];
  a.y = old.fall[1];
  a.z = old.fall[2];
  const pos_t unit = 2 * rule.half_longest / rule.longest, length = 3 * longest / 16;
  const pos_t factor = speed_factor(old.span * unit, length * unit, old.v[0], old.v[1], old.v[2], a);
  EXPECT_NE(factor, 1);
  EXPECT_EQ(p.span, length);
  EXPECT_EQ(choice.rung, choose_rung(rule, 2, 2, 1, old.accelerations(), old.soft2, old.asked).rung);
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(p.v[k], old.v[k] * factor) << k;
    EXPECT_EQ(p.before[k], old.fall[k]) << k;
    EXPECT_EQ(p.earlier[k], old.before[k]) << k;
  }
  Held first;
  const RungChoice begun = take_rung(0, rule, 0, 0, 0, first.view_of_gas());
  EXPECT_EQ(first.span, std::ldexp(longest, -begun.rung));  // no change of length at the end of it
}

TEST(HeldRungs, KeepWhetherAStepHasBeenCutShort) {
  const u32 held = held_rungs(30, 29) | HB_WOKEN;
  EXPECT_TRUE(is_woken(held));
  EXPECT_FALSE(is_woken(held_rungs(30, 29)));
  EXPECT_EQ(rung_of(held), 30);
  EXPECT_EQ(rung_before(held), 29);
}

TEST(TakenRung, BeginsWithoutAnyBefore) {
  const Held old;
  Held p;
  const RungChoice choice = take_rung(0, rule, 0, 0, 0, p.view());
  EXPECT_EQ(p.rungs, held_rungs(choice.rung, choice.rung));
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(p.v[k], old.v[k]) << k;
    EXPECT_EQ(p.before[k], old.acc[k]) << k;
    EXPECT_EQ(p.earlier[k], old.acc[k]) << k;
  }
}

TEST(PullInEps, IsNoneWithoutSoftening) {
  EXPECT_EQ(pull_in_eps(2, 3, 6, 0), 0);
  EXPECT_DOUBLE_EQ(pull_in_eps(2, 3, 6, 0.5), 7);  // |a| = 7, eps = 1
}

}  // namespace
HB_CLOSE
