// SPDX-License-Identifier: Apache-2.0
// Options of a force evaluation: names both ways, limits and what refusals say.
#include "hornbeam/gravity.h"

#include <gtest/gtest.h>

#include <limits>

#include "hornbeam/error.h"

namespace hornbeam {
namespace {

std::string refusal(const GravityOptions& o) {
  try {
    o.validate();
    return "";
  } catch (const UsageError& e) {
    return e.what();
  }
}

template <class Enum>
void expect_names(std::initializer_list<std::string_view> names) {
  int value = 0;
  for (const std::string_view text : names) {
    EXPECT_EQ(name(static_cast<Enum>(value)), text);
    EXPECT_EQ(parse<Enum>("option", text), static_cast<Enum>(value));
    ++value;
  }
  try {
    (void)parse<Enum>("gravity.option", "nonsense");
    FAIL() << "accepted";
  } catch (const UsageError& e) {
    const std::string said = e.what();
    EXPECT_EQ(said.find("gravity.option = nonsense"), 0U) << said;
    for (const std::string_view text : names) EXPECT_NE(said.find(text), std::string::npos) << said;
  }
}

TEST(GravityOptions, NamesGoBothWays) {
  expect_names<Walk>({"group", "stackless", "vote", "direct"});
  expect_names<Mac>({"bh", "offset", "offset-box", "min-distance", "relative"});
  expect_names<Softening>({"plummer", "spline"});
  expect_names<Curve>({"hilbert", "morton", "none"});
  expect_names<Precision>({"mixed", "single", "double"});
}

TEST(GravityOptions, DefaultsAreTheDesigns) {
  const GravityOptions o;
  EXPECT_EQ(refusal(o), "");
  EXPECT_EQ(o.theta, 0.6);
  EXPECT_EQ(o.effective_theta_c(), 0.6);
  EXPECT_EQ(o.order, 2);
  EXPECT_EQ(o.expansion, 4);
  EXPECT_EQ(o.mac, Mac::offset);
  EXPECT_EQ(o.softening, Softening::plummer);
  EXPECT_EQ(o.walk, Walk::group);
  EXPECT_EQ(o.curve, Curve::hilbert);
  EXPECT_EQ(o.precision, Precision::mixed);
}

TEST(GravityOptions, ThetaCFollowsThetaUpToOne) {
  GravityOptions o;
  o.theta = 1.5;
  EXPECT_EQ(o.effective_theta_c(), 1.0);
  o.theta_c = 0.3;
  EXPECT_EQ(o.effective_theta_c(), 0.3);
  o.theta_c = 0;
  EXPECT_EQ(o.effective_theta_c(), 0.0);
}

TEST(GravityOptions, LimitsAreInclusive) {
  GravityOptions o;
  for (const double theta : {0.0, 2.0}) {
    o.theta = theta;
    EXPECT_EQ(refusal(o), "") << theta;
  }
  o = {};
  for (const int expansion : {0, 6}) {
    o.expansion = expansion;
    EXPECT_EQ(refusal(o), "") << expansion;
  }
}

TEST(GravityOptions, RefusalsNameOptionValueAndRange) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  const auto expect = [](auto change, const std::string& start, const std::string& allowed) {
    GravityOptions o;
    change(o);
    const std::string said = refusal(o);
    EXPECT_EQ(said.find(start), 0U) << said;
    EXPECT_NE(said.find(allowed), std::string::npos) << said;
  };
  expect([](auto& o) { o.theta = -1; }, "theta = -1", "[0, 2]");
  expect([](auto& o) { o.theta = 2.001; }, "theta = 2.001", "[0, 2]");
  expect([=](auto& o) { o.theta = nan; }, "theta = ", "[0, 2]");
  expect([](auto& o) { o.theta_c = 1.5; }, "theta_c = 1.5", "[0, 1]");
  expect([=](auto& o) { o.theta_c = nan; }, "theta_c = ", "[0, 1]");
  expect([](auto& o) { o.order = 1; }, "order = 1", "0 (monopole) or 2");
  expect([](auto& o) { o.expansion = 7; }, "expansion = 7", "0 (none) to 6");
  expect([](auto& o) { o.expansion = -1; }, "expansion = -1", "0 (none) to 6");
  expect([=](auto& o) { o.eps = inf; }, "eps = inf", "finite");
  expect([=](auto& o) { o.eps = nan; }, "eps = ", "finite");
  expect([](auto& o) { o.leaf_size = -1; }, "leaf_size = -1", "1 to 1024");
  expect([](auto& o) { o.group_size = 5000; }, "group_size = 5000", "1 to 1024");
  expect([](auto& o) { o.G = 0; }, "G = 0", "positive");
  expect([=](auto& o) { o.G = inf; }, "G = inf", "finite");
  expect([](auto& o) { o.curve = Curve::none; }, "curve = none", "group");
}

/// What becomes of a negative accuracy after `change`.
template <class Change>
double accuracy_with(Change change, const AccuracyContext& context = {}) {
  GravityOptions o;
  change(o);
  return resolved(o, context).accuracy;
}
const auto nothing = [](GravityOptions&) {};

TEST(UsualAccuracy, AppliesToDefaults) {
  EXPECT_LT(GravityOptions{}.accuracy, 0);
  EXPECT_EQ(usual_accuracy, 7e-4);
  EXPECT_EQ(accuracy_with(nothing), usual_accuracy);
  for (const Precision precision : {Precision::mixed, Precision::single, Precision::fp64}) {
    EXPECT_EQ(accuracy_with([&](auto& o) { o.precision = precision; }), usual_accuracy);
    EXPECT_LE(least_accuracy(precision), usual_accuracy);
  }
  EXPECT_EQ(accuracy_with([](auto& o) { o.eps = 0.1, o.leaf_size = 8, o.conserve = true; }), usual_accuracy);
}

TEST(UsualAccuracy, GivesWayToOptions) {
  EXPECT_EQ(accuracy_with([](auto& o) { o.names_opening = true; }), 0);  // theta = 0.6, as given
  EXPECT_EQ(accuracy_with([](auto& o) { o.theta = 0.5; }), 0);
  EXPECT_EQ(accuracy_with([](auto& o) { o.theta_c = 0.6; }), 0);
  EXPECT_EQ(accuracy_with([](auto& o) { o.order = 0; }), 0);
  EXPECT_EQ(accuracy_with([](auto& o) { o.expansion = 3; }), 0);
  EXPECT_EQ(accuracy_with([](auto& o) { o.mac = Mac::bh; }), 0);
  for (const Walk walk : {Walk::stackless, Walk::vote, Walk::direct}) {
    EXPECT_EQ(accuracy_with([&](auto& o) { o.walk = walk; }), 0);
  }
  EXPECT_EQ(accuracy_with([](auto& o) { o.softening = Softening::spline; }), 0);
  EXPECT_EQ(accuracy_with([](auto& o) { o.curve = Curve::none; }), 0);
}

TEST(UsualAccuracy, GivesWayToWhereItIsUsed) {
  EXPECT_EQ(accuracy_with(nothing, {.attracts = false}), 0);
  EXPECT_EQ(accuracy_with(nothing, {.own_eps = true}), 0);
  EXPECT_EQ(accuracy_with(nothing, {.finite_images = true}), 0);
  EXPECT_EQ(accuracy_with(nothing, {.tides = true}), 0);
  EXPECT_EQ(accuracy_with(nothing, {.refused = true}), 0);
}

TEST(UsualAccuracy, LeavesWhatIsGiven) {
  for (const double accuracy : {0.0, 1e-3}) {
    const auto give = [&](auto& o) { o.accuracy = accuracy; };
    EXPECT_EQ(accuracy_with(give), accuracy);
    EXPECT_EQ(accuracy_with(give, {.own_eps = true, .finite_images = true, .tides = true}), accuracy);
  }
}

TEST(UsualAccuracy, IsNoAccuracyThatIsRefused) {
  GravityOptions o;
  o.walk = Walk::direct, o.theta = 0.3;
  EXPECT_EQ(refusal(o), "");
  o.accuracy = 0;
  EXPECT_EQ(refusal(o), "");
  o.accuracy = 1e-3;
  EXPECT_NE(refusal(o), "");
  o = {};
  o.accuracy = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(refusal(o), "");
}

TEST(GravityOptions, EpsSourceIsOptionThenFileThenDefault) {
  Particles p;
  p.resize(2);
  GravityOptions o;
  EXPECT_EQ(eps_source(o, p), "default");
  p.eps = {0.1, 0.1};
  EXPECT_EQ(eps_source(o, p), "file");
  o.eps = 0;  // zero is a choice, too
  EXPECT_EQ(eps_source(o, p), "option");
}

}  // namespace
}  // namespace hornbeam
