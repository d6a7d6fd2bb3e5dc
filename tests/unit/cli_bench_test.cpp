// SPDX-License-Identifier: Apache-2.0
// Shapes of the benchmarks, their order on input, and what a report keeps.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bench/suites/report.h"
#include "bench/suites/runner.h"
#include "bench/suites/shapes.h"
#include "hornbeam/error.h"
#include "support/forces.h"

namespace hornbeam::cli {
namespace {

std::vector<std::string> all_shapes() {
  std::vector<std::string> names = {"plummer", "hernquist", "uniform-cube", "lattice"};
  for (const Shape& shape : shapes()) names.push_back(shape.name);
  return names;
}

TEST(BenchShapes, AreParticlesOfMassOne) {
  for (const std::string& name : all_shapes()) {
    for (const std::size_t n : {0UL, 1UL, 2UL, 1000UL}) {
      SCOPED_TRACE(name + " " + std::to_string(n));
      ASSERT_TRUE(is_shape(name));
      const Particles p = draw_shape(name, n);
      EXPECT_EQ(p.size(), name == "lattice" && n == 2 ? 1 : n);  // the largest cube below
      p.validate(name);
      const double mass = std::accumulate(p.mass.begin(), p.mass.end(), 0.0);
      EXPECT_NEAR(mass, n == 0 ? 0 : 1, 1e-12);  // rounding of 1000 terms
      auto ids = p.id;
      std::sort(ids.begin(), ids.end());
      EXPECT_EQ(std::adjacent_find(ids.begin(), ids.end()), ids.end()) << "ids repeat";
    }
  }
  EXPECT_FALSE(is_shape("teapot"));
  EXPECT_THROW((void)draw_shape("teapot", 10), UsageError);
}

TEST(BenchShapes, AreWhatTheirNamesSay) {
  const Particles clusters = draw_shape("two-clusters", 1000);
  const auto left = std::count_if(clusters.position.begin(), clusters.position.end(), [](auto& x) { return x[0] < 0; });
  EXPECT_EQ(left, 500);
  const Particles lump = draw_shape("coincident", 1000);
  EXPECT_EQ(std::count(lump.position.begin(), lump.position.end(), lump.position[0]), 100);
  const Particles outlier = draw_shape("outlier", 1000);
  EXPECT_GT(outlier.position.back()[0], 5e5);
  for (const Vec3& x : draw_shape("ring", 1000).position) {
    const double radius = std::hypot(x[0], x[1]);
    EXPECT_TRUE(radius > 0.94 && radius < 1.06 && std::abs(x[2]) < 0.05) << radius << " " << x[2];
  }
}

TEST(BenchShapes, AnyOrderHoldsTheSameParticles) {
  const Particles made = draw_shape("lattice", 1000);
  const Particles shuffled = [&] {
    Particles p = made;
    put_in_order(p, InputOrder::shuffled);
    return p;
  }();
  Particles sorted = shuffled;
  put_in_order(sorted, InputOrder::sorted);
  double steps_shuffled = 0, steps_sorted = 0;
  for (std::size_t i = 0; i < 1000; ++i) {
    EXPECT_EQ(shuffled.position[i], made.position[shuffled.id[i]]) << "ids travel with their particles";
    EXPECT_EQ(sorted.position[i], made.position[sorted.id[i]]);
    if (i == 0) continue;
    const auto step = [i](const Particles& p) {
      const Vec3 &a = p.position[i - 1], &b = p.position[i];
      return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
    };
    steps_shuffled += step(shuffled), steps_sorted += step(sorted);
  }
  EXPECT_LT(5 * steps_sorted, steps_shuffled);  // a tenth of the edge a step against 0.66 on average
}

/// The cost of a particle in interactions, on every shape, next to a Plummer sphere: the tree and the criterion alone,
/// without a clock. `hornbeam-bench scaling` measures the time.
TEST(BenchShapes, NoneCostsThreeTimesAPlummerSphere) {
  const auto cost = [](const std::string& name) {
    GravityOptions options;
    options.eps = 1e-4;
    const Evaluation e = evaluate(draw_shape(name, 8192), options);
    return static_cast<double>(e.interactions.particle + e.interactions.cell) / static_cast<double>(e.field.size());
  };
  const double plummer = cost("plummer");
  for (const std::string& name : all_shapes()) EXPECT_LT(cost(name), 3 * plummer) << name;
}

TEST(BenchReport, KeepsRowsByPartAndWhatWasLeftOut) {
  Report report({{"suite", "test"}}, true);
  report.begin("a", "A table", {{"N", "/n"}});
  report.add({{"n", 1}});
  report.begin("b", "Another", {{"N", "/n"}});
  report.add({{"n", 2}});
  report.leave_out("N = 3", "too many");
  report.measured_on("cpu", "a machine");
  ASSERT_EQ(report.rows("b").size(), 1);
  EXPECT_EQ(report.rows("b")[0], Json({{"part", "b"}, {"n", 2}}));
  const Json json = report.json();
  EXPECT_EQ(json["rows"].size(), 2);
  EXPECT_EQ(json["left_out"], Json::array({{{"part", "b"}, {"what", "N = 3"}, {"why", "too many"}}}));
  EXPECT_EQ(json["devices"]["cpu"], "a machine");
}

TEST(BenchRunner, FailsWhereForcesAreNotFinite) {
  BenchSettings settings;
  settings.backend = "cpu", settings.repeat = 1, settings.sample = 10;
  Report report(Json::object(), true);
  Runner runner(settings, report);
  Case c{.model = "plummer", .n = 100};
  EXPECT_TRUE(runner.measure(c));
  c.gravity.G = 1e308;
  try {
    (void)runner.measure(c);
    FAIL() << "left out as if the device lacked something";
  } catch (const NotFinite& e) {
    EXPECT_EQ(std::string(e.what()).rfind("plummer N = 100, group, theta 0.6: the acceleration of particle ", 0), 0u)
        << e.what();
  }
}

}  // namespace
}  // namespace hornbeam::cli
