// SPDX-License-Identifier: Apache-2.0
// Forces to an accuracy keep what is promised (docs/hierarchy.md eq. 1) against fp64 direct sums, whatever the model.
#include <gtest/gtest.h>

#include "hornbeam/error.h"
#include "hornbeam/force_tree.h"
#include "support/environment.h"
#include "support/hierarchy_models.h"

namespace hornbeam {
namespace {

using namespace accuracy_models;

void expect_kept(const std::string& what, const Particles& p, const GravityOptions& o, std::size_t sample,
                 bool large = false) {
  expect_kept_on("cpu", what, p, o, sample, large);
}

/// The same of several accuracies, whose direct sums are made once.
void expect_each_kept(const std::string& what, const Particles& p, const std::vector<double>& accuracies,
                      GravityOptions o, std::size_t sample = 1000) {
  DirectSums direct;
  for (const double accuracy : accuracies) {
    o.accuracy = accuracy;
    expect_kept_on("cpu", what, p, o, sample, false, direct);
  }
}

TEST(Hierarchy, KeepsAccuracyOfSpheres) {
  for (const std::string model : {"plummer", "hernquist", "uniform-cube"}) {
    expect_each_kept(model, drawn(model, 20000), {1e-2, 1e-3, 1e-4, 3e-5}, options(0));
  }
}

TEST(Hierarchy, KeepsAccuracyWhereverParticlesLie) {
  const std::vector<std::pair<const char*, Particles>> models = {{"disc", disc(20000)},
                                                                 {"shell", shell(20000)},
                                                                 {"lattice", lattice(27)},
                                                                 {"clumps within clumps", clumps(36000)},
                                                                 {"two clusters", two_clusters(20000)},
                                                                 {"coincident", coincident(3000)}};
  for (const auto& [what, p] : models) expect_each_kept(what, p, {1e-2, 1e-3, 3e-5}, options(0));
}

// Attractions by neighbours nearly cancel, and units are far wider than they are apart.
TEST(Hierarchy, KeepsAccuracyAlongALine) {
  const Particles p = placed(4000, [](auto& e, std::size_t i) {
    return Vec3{(static_cast<double>(i) + 0.01 * uniform(e)) / 4000, 0, 0};
  });
  for (const double accuracy : {5e-3, 5e-4, 1e-4}) expect_kept("line", p, options(accuracy), 4000);
}

// Up to 1,024 are summed directly.
TEST(Hierarchy, KeepsAccuracyOfFew) {
  for (const std::size_t n : {2, 3, 10, 100, 1000, 1024, 1025}) {
    for (const double accuracy : {1e-2, 1e-3, 3e-5}) {
      expect_kept(std::to_string(n), drawn("plummer", n), options(accuracy), n);
    }
  }
  Particles one = at_rest({{1, 2, 3}}, {1.0});
  const Evaluation alone = evaluate(one, options(1e-3));
  for (const double value : alone.field[0]) EXPECT_EQ(value, 0.0);
}

TEST(Hierarchy, KeepsAccuracyInDouble) {
  expect_each_kept("plummer", drawn("plummer", 5000), {1e-3, 1e-6, 1e-9}, options(0, Precision::fp64));
  expect_each_kept("clumps", clumps(7200), {1e-3, 1e-6, 1e-9}, options(0, Precision::fp64));
}

// About here an expansion of order 6 is low for what is requested, and errors were largest.
TEST(HierarchyLong, KeepsAccuracyInDoubleBelowWhatOrdersAreMadeFor) {
  for (const double accuracy : {1e-5, 1e-6}) {
    expect_kept("hernquist", drawn("hernquist", 30000, 31), options(accuracy, Precision::fp64), 500);
  }
}

// The softened field is not harmonic: near cells take all derivatives.
TEST(Hierarchy, KeepsAccuracyWithSoftening) {
  for (const double eps : {1e-4, 0.02, 0.5}) {
    expect_each_kept("eps " + std::to_string(eps), drawn("plummer", 10000), {1e-3, 3e-5},
                     options(0, Precision::mixed, eps));
  }
}

TEST(Hierarchy, TakesAccuracyWhereSpeedIs) {
  expect_kept("plummer", drawn("plummer", 100000), options(1e-3), 500, true);
}

TEST(Hierarchy, GivesTheSameBitsForAnyNumberOfThreads) {
  const Particles p = drawn("hernquist", 30000);
  for (const Precision precision : {Precision::mixed, Precision::single, Precision::fp64}) {
    const Forces one = evaluate(p, options(1e-3, precision), 1).field;
    for (const int threads : {2, 16}) EXPECT_EQ(evaluate(p, options(1e-3, precision), threads).field, one) << threads;
  }
}

class HierarchySets : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    try {
      const AskedInstructionSet asked(GetParam());
      (void)detect_instruction_set();
    } catch (const NoDevice& e) {
      GTEST_SKIP() << "SKIPPED: " << e.what();
    }
  }
};
INSTANTIATE_TEST_SUITE_P(All, HierarchySets, ::testing::Values("generic", "avx2", "avx512"),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(HierarchySets, KeepAccuracy) {
  const AskedInstructionSet asked(GetParam());
  for (const double accuracy : {1e-2, 3e-5}) {
    expect_kept("plummer", drawn("plummer", 10000, 21), options(accuracy), 500);
    expect_kept("clumps within clumps", clumps(7200), options(accuracy), 500);
  }
  expect_kept("plummer, double", drawn("plummer", 3000, 22), options(1e-9, Precision::fp64), 500);
  expect_kept("plummer, single", drawn("plummer", 3000, 23), options(1e-3, Precision::single), 500);
}

TEST(Hierarchy, KeepsAccuracyOfParticlesThatMove) {
  Particles p = drawn("plummer", 20000, 24);
  const GravityOptions o = options(1e-3);
  ParticleSystem system = with_tree("cpu", p, o, 2);
  system.evaluate();
  std::mt19937_64 engine(25);
  for (Vec3& x : p.position) {
    for (double& c : x) c += 0.01 * normal(engine);
  }
  system.move(p.position);
  system.evaluate();
  std::vector<std::array<double, 4>> direct;
  const ForceError e = sample_errors(system, p, 1000, 2, direct).summary;
  expect_promise(e, 1e-3);
}

// An outlier sees all the others as a point, and they have it in the root's box.
TEST(Hierarchy, KeepsAccuracyBesideAnOutlier) {
  for (const double far : {1e3, 1e6, 1e12}) {
    Particles p = drawn("plummer", 5000, 26);
    p.position[17] = {far, -far / 3, far / 7};
    expect_each_kept("outlier", p, {1e-2, 3e-5}, options(0), 5000);
  }
}

TEST(Hierarchy, TakesMassesOfZero) {
  Particles p = drawn("plummer", 4000, 27);
  for (std::size_t i = 0; i < 2000; ++i) p.mass[i] = 0;  // tracers
  expect_each_kept("tracers", p, {1e-2, 3e-5}, options(0), 4000);
  std::fill(p.mass.begin(), p.mass.end(), 0.0);
  for (const auto& force : evaluate(p, options(1e-3)).field) {
    for (const double value : force) EXPECT_EQ(value, 0.0);
  }
}

TEST(Hierarchy, TakesNoneAndThoseAtOnePoint) {
  EXPECT_TRUE(evaluate(Particles{}, options(1e-3)).field.empty());
  const Particles p = at_rest(std::vector<Vec3>(2000, Vec3{1, 2, 3}), std::vector<double>(2000, 1.0));
  for (const auto& force : evaluate(p, options(1e-3, Precision::mixed, 0.5)).field) {
    for (int k = 0; k < 3; ++k) EXPECT_EQ(force[k], 0.0);
    EXPECT_NEAR(force[3], -1999 / 0.5, 1999 * 1e-6);
  }
}

/// The message of what `act` throws.
template <class Act>
std::string message(const Act& act) {
  try {
    act();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Hierarchy, RefusesWhatItReplacesAndWhatIsNotBuilt) {
  const auto says = [](GravityOptions o, const std::string& what) {
    const std::string text = message([&] { o.validate(); });
    EXPECT_NE(text.find("accuracy"), std::string::npos) << text;
    EXPECT_NE(text.find(what), std::string::npos) << text;
  };
  GravityOptions o = options(1e-3);
  o.theta = 0.5;
  says(o, "theta");
  o = options(1e-3);
  o.names_opening = true;
  says(o, "leave those out");
  o = options(1e-3);
  o.walk = Walk::stackless;
  says(o, "stackless");
  says(options(1e-7), "3e-05");
  says(options(0.5), "0.05");
  says(options(NAN), "0.05");

  ForceTree tree(drawn("plummer", 100), {}, "cpu");
  EXPECT_NE(message([&] { tree.evaluate(options(1e-3), true); }).find("tidal tensors"), std::string::npos);
  EXPECT_NE(message([&] {
              tree.evaluate_at({{1, 2, 3}}, {}, options(1e-3), true);
            }).find("tidal tensors"),
            std::string::npos);
}

TEST(HierarchyLong, KeepsAccuracyOfAMillion) {
  for (const double accuracy : {1e-2, 1e-3, 1e-4, 3e-5}) {
    expect_kept("plummer", drawn("plummer", 1000000), options(accuracy), 1000, accuracy < 1e-2);
    expect_kept("disc", disc(1000000), options(accuracy), 1000);
  }
}

}  // namespace
}  // namespace hornbeam
