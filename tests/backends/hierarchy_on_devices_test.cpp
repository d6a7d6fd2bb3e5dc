// SPDX-License-Identifier: Apache-2.0
// Forces to an accuracy on CUDA and OpenCL devices keep what is promised (docs/hierarchy.md eq. 1).
#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>

#include "hornbeam/simulation.h"
#include "support/devices.h"
#include "support/hierarchy_models.h"

namespace hornbeam {
namespace {

using namespace accuracy_models;

class HierarchyOnDevices : public ::testing::Test {
 protected:
  void SetUp() override {
    if (backends_.empty()) GTEST_SKIP() << "SKIPPED: there is no device but the CPU";
  }
  /// The promise, on every device. direct: empty, or of the same particles, softening and sample.
  void expect_kept_everywhere(const std::string& what, const Particles& p, const GravityOptions& o, std::size_t sample,
                              DirectSums& direct) const {
    if (direct.empty()) direct = summed_by_cpu(p, o, sample);  // PoCL's take longer than what is tested
    for (const std::string& backend : backends_) expect_kept_on(backend, what, p, o, sample, false, direct);
  }
  void expect_kept_everywhere(const std::string& what, const Particles& p, const GravityOptions& o,
                              std::size_t sample) const {
    DirectSums direct;
    expect_kept_everywhere(what, p, o, sample, direct);
  }

  std::vector<std::string> backends_ = device_backends();
  /// Fewer particles are summed directly (few_pairs_of_all in device_direct.cpp; few_pairs_of_processor).
  std::size_t least_walked_ = are_processors(backends_) ? 4000 : 16000;
};
using HierarchyOnDevicesLong = HierarchyOnDevices;

/// The promise for every nth particle, which alone is due; the others keep what they have.
void expect_kept_by_due(const std::string& backend, std::size_t nth, Particles p, const GravityOptions& o) {
  SCOPED_TRACE(backend + ", every " + std::to_string(nth));
  ParticleSystem system = with_tree(backend, p, o, 2);
  system.evaluate();
  const Forces before = forces_of(system, p);
  system.leapfrog().choose_rungs({.longest = 1, .eta = 1, .eta_change = 0, .deepest = 1}, 0, 0);
  system.domain().save(p);
  p.rung.assign(p.size(), 0);
  for (std::size_t i = 0; i < p.size(); i += nth) p.rung[i] = 1;
  system.restore(p);
  system.evaluate_due(1);
  const Forces after = forces_of(system, p);
  EXPECT_GT(system.interactions().expansion, 0u);
  std::vector<std::size_t> which;
  Forces compared;
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (i % nth != 0) {
      ASSERT_EQ(after[i], before[i]) << "was evaluated, too: " << i;
    } else if (i % (nth * 20) == 0) {
      which.push_back(i);
      compared.push_back(after[i]);
    }
  }
  expect_promise(promised_errors(compared, exact_at(which, p, o), mass_of(p)), o.accuracy);
}

TEST_F(HierarchyOnDevices, KeepAccuracy) {
  const std::vector<std::pair<const char*, Particles>> models = {{"plummer", drawn("plummer", least_walked_)},
                                                                 {"uniform", drawn("uniform-cube", least_walked_)},
                                                                 {"two clusters", two_clusters(least_walked_)},
                                                                 {"coincident", coincident(least_walked_)}};
  for (const auto& [what, p] : models) {
    DirectSums direct;
    for (const double accuracy : {1e-2, 1e-3}) expect_kept_everywhere(what, p, options(accuracy), 1000, direct);
  }
}

// The softened field is not harmonic: near cells take all derivatives.
TEST_F(HierarchyOnDevices, KeepAccuracyWithSoftening) {
  for (const double eps : {1e-4, 0.02, 0.5}) {
    expect_kept_everywhere("eps " + std::to_string(eps), drawn("plummer", least_walked_),
                           options(1e-3, Precision::mixed, eps), 1000);
  }
}

TEST_F(HierarchyOnDevices, KeepAccuracyOfUnequalSoftenings) {
  Particles p = drawn("plummer", least_walked_);
  p.eps.resize(p.size());
  for (std::size_t i = 0; i < p.size(); ++i) p.eps[i] = i % 2 == 1 ? 0.2 : 0.02;
  for (const Softening kind : {Softening::plummer, Softening::spline}) {
    GravityOptions o = options(1e-3, Precision::mixed, -1);
    o.softening = kind;
    expect_kept_everywhere(kind == Softening::plummer ? "Plummer's" : "splines", p, o, 500);
  }
}

// They are summed directly. So many that they are not: KeepAccuracy.
TEST_F(HierarchyOnDevices, KeepAccuracyOfFew) {
  for (const std::size_t n : std::initializer_list<std::size_t>{2, 3, 10, 100, 1000, 5000}) {
    expect_kept_everywhere(std::to_string(n), drawn("plummer", n), options(1e-3), std::min(n, std::size_t{1000}));
  }
  for (const std::string& backend : backends_) {
    const Evaluation alone = evaluate_on(backend, at_rest({{1, 2, 3}}, {1.0}), options(1e-3));
    for (const double value : alone.field[0]) EXPECT_EQ(value, 0.0) << backend;
    EXPECT_TRUE(evaluate_on(backend, Particles{}, options(1e-3)).field.empty());
  }
}

TEST_F(HierarchyOnDevices, TakeThoseAtOnePointAndMassesOfZero) {
  for (const std::size_t n : {std::size_t{500}, least_walked_}) {
    const Particles at_one = at_rest(std::vector<Vec3>(n, Vec3{1, 2, 3}), std::vector<double>(n, 1.0));
    const double others = static_cast<double>(n) - 1;
    Particles massless = drawn("plummer", n);
    std::fill(massless.mass.begin(), massless.mass.end(), 0.0);
    for (const std::string& backend : backends_) {
      for (const auto& force : evaluate_on(backend, at_one, options(1e-3, Precision::mixed, 0.5)).field) {
        for (int k = 0; k < 3; ++k) EXPECT_EQ(force[k], 0.0) << backend;
        EXPECT_NEAR(force[3], -others / 0.5, others * 1e-6) << backend;
      }
      for (const auto& force : evaluate_on(backend, massless, options(1e-3)).field) {
        for (const double value : force) EXPECT_EQ(value, 0.0) << backend;
      }
    }
  }
}

TEST_F(HierarchyOnDevices, GiveTheSameBitsEachTime) {
  const Particles p = drawn("hernquist", least_walked_);
  for (const std::string& backend : backends_) {
    const Forces first = evaluate_on(backend, p, options(1e-3)).field;
    EXPECT_EQ(evaluate_on(backend, p, options(1e-3)).field, first) << backend;
  }
}

// Estimates are the CPU's; devices expand nearer cells.
TEST_F(HierarchyOnDevices, AgreeWithTheCpu) {
  const Particles p = drawn("plummer", least_walked_);
  const Evaluation host = evaluate(p, options(1e-3));
  for (const std::string& backend : backends_) {
    const Evaluation device = evaluate_on(backend, p, options(1e-3));
    EXPECT_LE(rms_difference(device.field, host.field), 1e-3) << backend;
    EXPECT_GT(device.interactions.expansion, 0u) << backend;
    EXPECT_LT(device.interactions.particle, 2 * host.interactions.particle) << backend;
  }
}

// Above few_pairs pairs (device_direct.cpp), so that the due particles are walked for and not summed directly.
TEST_F(HierarchyOnDevices, KeepAccuracyWhereStepsEnd) {
  for (const std::string& backend : backends_) expect_kept_by_due(backend, 2, drawn("plummer", 32000), options(1e-3));
}
TEST_F(HierarchyOnDevicesLong, KeepAccuracyWhereFewStepsEnd) {
  for (const std::string& backend : backends_) expect_kept_by_due(backend, 30, drawn("plummer", 130000), options(1e-3));
}

// Above few_pairs pairs (device_direct.cpp), so that the points are walked for and not summed directly.
TEST_F(HierarchyOnDevices, KeepAccuracyAtPoints) {
  const Particles p = drawn("plummer", 24000);
  std::vector<Vec3> points = drawn("hernquist", 21000, 9).position;
  for (std::size_t i = 0; i < 200; ++i) points[40 * i] = p.position[i];  // some are where particles are
  for (std::size_t i = 8000; i < 8400; ++i) points[i][0] += 1e4;
  for (std::size_t i = 12000; i < 12400; ++i) points[i] = points[12000];
  for (const std::string& backend : backends_) {
    expect_kept_at_points(backend, points, p, options(1e-3, Precision::mixed, 0.01), 40);
  }
}

TEST_F(HierarchyOnDevicesLong, KeepAccuracyOfHigherOrders) {
  for (const double accuracy : {1e-4, 3e-5}) {
    expect_kept_everywhere("plummer", drawn("plummer", 20000), options(accuracy), 1000);
    expect_kept_everywhere("shell", shell(20000), options(accuracy), 1000);
    expect_kept_everywhere("lattice", lattice(27), options(accuracy), 1000);
  }
  for (const double accuracy : {1e-2, 1e-3, 3e-5}) {
    expect_kept_everywhere("disc", disc(20000), options(accuracy), 1000);
    expect_kept_everywhere("clumps within clumps", clumps(36000), options(accuracy), 1000);
  }
  expect_kept_everywhere("plummer, single", drawn("plummer", least_walked_, 23), options(1e-3, Precision::single), 500);
  for (const double accuracy : {1e-3, 1e-6, 1e-9}) {
    expect_kept_everywhere("plummer, double", drawn("plummer", least_walked_), options(accuracy, Precision::fp64),
                           1000);
  }
}

// Far beyond, devices lose the outlier's own acceleration, whatever the walk.
TEST_F(HierarchyOnDevicesLong, KeepAccuracyBesideAnOutlier) {
  for (const double far : {1e3, 1e6, 1e11}) {
    Particles p = drawn("plummer", least_walked_, 26);
    p.position[17] = {far, -far / 3, far / 7};
    for (const double accuracy : {1e-2, 3e-5}) expect_kept_everywhere("outlier", p, options(accuracy), least_walked_);
  }
  Particles few = drawn("plummer", 5000, 26);
  few.position[17] = {1e10, -3e9, 1e9};
  expect_kept_everywhere("outlier of few", few, options(1e-3), 5000);
}

}  // namespace
}  // namespace hornbeam
