// SPDX-License-Identifier: Apache-2.0
// Forces to an accuracy on some of the particles, whose steps end, and at points that are none, against fp64 direct
// sums.
#include <gtest/gtest.h>

#include <algorithm>

#include "hornbeam/error.h"
#include "hornbeam/force_tree.h"
#include "interactions/external/external_module.h"
#include "support/hierarchy_models.h"
#include "tree/boundary.h"

namespace hornbeam {
namespace {

using namespace accuracy_models;

/// Whether particle i is among the active ones.
using IsActive = std::function<bool(std::size_t i, const Vec3& x)>;

/// Evaluates p, moves all particles by about `far` without a new tree, and evaluates the active ones; p and `before`
/// become their positions and all forces before that.
ParticleSystem evaluated_at(const IsActive& is_active, Particles& p, const GravityOptions& o, Forces& before,
                            double far = 0.003, int threads = 2) {
  ParticleSystem system = with_tree("cpu", p, o, threads);
  system.evaluate();
  std::mt19937_64 engine(31);
  for (Vec3& x : p.position) {
    for (double& c : x) c += far * normal(engine);
  }
  system.move(p.position);
  Particles saved = p;
  before = forces_of(system, saved);
  system.leapfrog().choose_rungs({.longest = 1, .eta = 1, .eta_change = 0, .deepest = 1}, 0, 0);
  system.domain().save(saved);
  saved.rung.assign(p.size(), 0);
  for (std::size_t i = 0; i < p.size(); ++i) saved.rung[i] = is_active(i, p.position[i]) ? 1 : 0;
  system.restore(saved);
  system.evaluate_due(1);
  return system;
}

/// Every `few`-th of the active ones is compared.
void expect_kept_by(const std::string& what, const IsActive& is_active, Particles p, const GravityOptions& o,
                    std::size_t few = 1, double far = 0.003) {
  SCOPED_TRACE(what + ", accuracy " + std::to_string(o.accuracy));
  Forces before, compared;
  ParticleSystem system = evaluated_at(is_active, p, o, before, far);
  Particles now = p;
  const Forces field = forces_of(system, now);
  std::vector<std::size_t> which;
  std::size_t active = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (!is_active(i, p.position[i])) {
      ASSERT_EQ(field[i], before[i]) << "was evaluated, too: " << i;
    } else if (active++ % few == 0) {
      which.push_back(i);
      compared.push_back(field[i]);
    }
  }
  ASSERT_FALSE(which.empty());
  SCOPED_TRACE(std::to_string(active) + " are active");
  const ForceError e = promised_errors(compared, exact_at(which, p, o), mass_of(p));
  if (which.size() >= 50) return expect_promise(e, o.accuracy);
  EXPECT_LE(e.promised_max, 5 * o.accuracy);  // 99 % of all are below that; so few have no rms of their own
}

IsActive every(std::size_t nth) {
  return [nth](std::size_t i, const Vec3& /*x*/) { return i % nth == nth / 2; };
}
IsActive within(double radius) {
  return [radius](std::size_t /*i*/, const Vec3& x) { return std::hypot(x[0], x[1], x[2]) < radius; };
}

TEST(HierarchyTargets, KeepAccuracyWhereStepsEnd) {
  for (const double accuracy : {1e-2, 1e-3, 1e-4}) {
    for (const std::size_t nth : {2, 30, 1000, 9000}) {
      const std::size_t few = nth < 30 ? 10 : 1;
      expect_kept_by("plummer", every(nth), drawn("plummer", 10000), options(accuracy), few);
      expect_kept_by("disc", every(nth), disc(10000), options(accuracy), few);
    }
    expect_kept_by("centre", within(0.05), drawn("hernquist", 20000), options(accuracy));
  }
}

TEST(HierarchyTargets, KeepAccuracyInClumps) {
  for (const double accuracy : {1e-2, 3e-5}) {
    expect_kept_by("clumps", every(37), clumps(18000), options(accuracy), 1, 1e-6);
    expect_kept_by("two clusters", every(37), two_clusters(20000), options(accuracy));
    expect_kept_by("coincident", every(7), coincident(3000), options(accuracy, Precision::mixed, 1e-3), 1, 0);
  }
}

TEST(HierarchyTargets, KeepAccuracyInDouble) {
  expect_kept_by("plummer", every(10), drawn("plummer", 5000), options(1e-6, Precision::fp64));
  expect_kept_by("clumps", every(10), clumps(7200), options(1e-6, Precision::fp64), 1, 1e-6);
}

TEST(HierarchyTargets, GiveTheSameBitsForAnyNumberOfThreads) {
  for (const std::size_t nth : {2, 30}) {  // all cells are prepared, or those that are met
    Forces one;
    for (const int threads : {1, 2, 16}) {
      Particles p = drawn("hernquist", 20000);
      Forces before;
      ParticleSystem system = evaluated_at(every(nth), p, options(1e-3), before, 0.003, threads);
      const Forces field = forces_of(system, p);
      if (one.empty()) one = field;
      EXPECT_EQ(field, one) << threads;
    }
  }
}

// External fields add to what the walk has written, and to nothing else.
TEST(HierarchyTargets, LeaveOthersAsTheyAreInExternalFields) {
  const GravityOptions o = options(1e-3);
  Particles p = drawn("plummer", 5000);
  ParticleSystem system = open_system("cpu", 0, 2);
  system.set_modules({external_maker({{.kind = PotentialKind::plummer, .mass = 10, .scale = 2}})});
  system.load(p, o);
  system.build_tree();
  system.evaluate();
  system.leapfrog().choose_rungs({.longest = 1, .eta = 1, .eta_change = 0, .deepest = 1}, 0, 0);
  Particles saved = p;
  const Forces before = forces_of(system, saved);
  system.domain().save(saved);
  for (std::size_t i = 0; i < p.size(); ++i) saved.rung[i] = i % 20 == 0 ? 1 : 0;
  system.restore(saved);
  system.evaluate_due(1);
  const Forces after = forces_of(system, p);
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (i % 20 != 0) {
      ASSERT_EQ(after[i], before[i]) << i;
    }
    EXPECT_LT(relative_difference(after[i], before[i]), 5e-3) << i;
  }
}

// An evaluation for some that comes first has no |a| to go by.
TEST(HierarchyTargets, KeepAccuracyWithoutAnEvaluationBefore) {
  Particles p = drawn("plummer", 10000);
  const GravityOptions o = options(1e-3);
  Forces before;
  ParticleSystem system = evaluated_at(every(5), p, o, before);
  system.gravity().forget_accelerations();
  system.evaluate_due(1);
  Particles now = p;
  const Forces field = forces_of(system, now);
  std::vector<std::size_t> which;
  Forces compared;
  for (std::size_t i = 2; i < p.size(); i += 5) {
    which.push_back(i);
    compared.push_back(field[i]);
  }
  expect_promise(promised_errors(compared, exact_at(which, p, o), mass_of(p)), o.accuracy);
}

// Work follows the number of active particles: a thousandth of these takes a small part of the interactions of all.
TEST(HierarchyTargets, CostFollowsTheirNumber) {
  Particles p = drawn("plummer", 30000);
  Forces before;
  const auto work = [](const Interactions& i) { return static_cast<double>(i.particle + 10 * i.expansion + i.cell); };
  ParticleSystem few = evaluated_at(every(1000), p, options(1e-3), before);
  const double of_few = work(few.interactions());
  few.evaluate();
  EXPECT_LT(of_few, 0.02 * work(few.interactions()));
}

void expect_kept_at(const std::string& what, const std::vector<Vec3>& points, const Particles& p,
                    const GravityOptions& o) {
  SCOPED_TRACE(what + ", accuracy " + std::to_string(o.accuracy));
  expect_kept_at_points("cpu", points, p, o);
}

TEST(HierarchyPoints, KeepAccuracyWhereverTheyLie) {
  const Particles plummer = drawn("plummer", 20000), spiral = disc(20000), lumps = clumps(36000);
  const std::vector<Vec3> others = drawn("plummer", 2000, 9).position;
  std::vector<Vec3> far = others;
  for (Vec3& x : far) x[0] += 1e4;
  for (const double accuracy : {1e-2, 1e-3, 1e-4}) {
    expect_kept_at("plummer", others, plummer, options(accuracy));
    expect_kept_at("at particles", {plummer.position.begin(), plummer.position.begin() + 500}, plummer,
                   options(accuracy, Precision::mixed, 0.01));
    expect_kept_at("disc", disc(1000).position, spiral, options(accuracy));
    expect_kept_at("clumps", {lumps.position.begin(), lumps.position.begin() + 500}, clumps(7200),
                   options(accuracy, Precision::mixed, 1e-6));
    expect_kept_at("far away", far, plummer, options(accuracy));
    expect_kept_at("one", {others[0]}, plummer, options(accuracy));
    expect_kept_at("many at one", std::vector<Vec3>(3000, others[0]), plummer, options(accuracy));
  }
  expect_kept_at("double", others, plummer, options(1e-6, Precision::fp64));
}

TEST(HierarchyPoints, AreTakenWithoutSourcesOrPoints) {
  EXPECT_TRUE(ForceTree(drawn("plummer", 10), {}, "cpu").evaluate_at({}, {}, options(1e-3)).potential.empty());
  const ForceField none = ForceTree(Particles{}, {}, "cpu").evaluate_at({{1, 2, 3}}, {}, options(1e-3));
  EXPECT_EQ(none.potential, std::vector<double>{0});
}

}  // namespace
}  // namespace hornbeam
