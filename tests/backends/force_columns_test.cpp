// SPDX-License-Identifier: Apache-2.0
// Forces on columns of the host are those on particles, bit for bit: where a device reads them or copies of them, and
// where it takes them through the host, as those that share no memory with callers do.
#include <gtest/gtest.h>

#include "dynamics/particle_system.h"
#include "hornbeam/force_tree.h"
#include "hornbeam/forces.h"
#include "hornbeam/ics.h"
#include "simulation/columns.h"
#include "simulation/lent_check.h"
#include "support/devices.h"

namespace hornbeam {
namespace {

template <class Act>
void on_every_backend(const Act& act) {
  std::vector<std::string> backends = device_backends();
  backends.insert(backends.begin(), "cpu");
  for (const std::string& backend : backends) act(backend);
}

void expect_same(const ForceField& found, const Particles& expected, const std::string& what) {
  EXPECT_EQ(found.acceleration, expected.acceleration) << what;
  EXPECT_EQ(found.potential, expected.potential) << what;
}

Particles with_own_eps() {
  Particles p = ics::make("plummer", 3000, ics::Seed{5}).particles;
  p.eps.clear();
  for (std::size_t i = 0; i < p.size(); ++i) p.eps.push_back(0.01 + 0.001 * static_cast<double>(i % 7));
  return p;
}

TEST(ForceColumns, AreAdopted) {
  Particles p = with_own_eps();
  on_every_backend([&](const std::string& backend) {
    const GravityOptions options;
    ForceEvaluator evaluator(backend);
    evaluator.evaluate(p, options);
    ForceField found = forces_of(p.size());
    evaluator.evaluate(columns_of(p), options, columns_of(found));
    expect_same(found, p, backend);
    ForceTree tree(p, {}, backend);
    expect_same(tree.evaluate(options), p, backend + ", a tree");
  });
}

TEST(ForceColumns, AreTakenThroughTheHost) {
  Particles p = with_own_eps();
  on_every_backend([&](const std::string& backend) {
    for (const Precision precision : {Precision::mixed, Precision::single}) {
      GravityOptions options;
      options.precision = precision;
      ForceEvaluator(backend).evaluate(p, options);
      ParticleSystem system(open_device(backend, 0));
      const LentParticles sources = looked_at(system.hardware(), columns_of(p), options);
      system.load(sources, options);
      system.build_tree();
      system.evaluate();
      ForceField found = forces_of(p.size());
      system.domain().give(columns_of(found));
      expect_same(found, p, backend + ", " + std::string(name(precision)));
    }
  });
}

TEST(ForceColumns, OfTargetsFarAndNear) {
  const Particles p = with_own_eps();
  const std::vector<Vec3> points = {{0.1, 0.2, 0.3}, {5, 0, 0}, {0, 1e30, 0}};
  const std::vector<double> eps = {0.01, 0.02, 0.03};
  const GravityOptions options;
  const ForceField expected = ForceEvaluator("cpu").evaluate_at(p, points, eps, options);
  on_every_backend([&](const std::string& backend) {
    const ForceField found = ForceTree(p, {}, backend).evaluate_at(points, eps, options);
    for (std::size_t i = 0; i < points.size(); ++i) {
      EXPECT_NEAR(found.potential[i] / expected.potential[i], 1, 2e-3) << backend;  // truncation at theta = 0.5
    }
  });
}

}  // namespace
}  // namespace hornbeam
