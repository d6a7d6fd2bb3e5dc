// SPDX-License-Identifier: Apache-2.0
// Softening near the optimum: that of models, the estimate for particles without, and one length for all as one.
#include "ics/softening.h"

#include <gtest/gtest.h>

#include <cmath>

#include "hornbeam/error.h"
#include "hornbeam/gravity.h"
#include "hornbeam/simulation.h"
#include "run/setup/softening.h"

namespace hornbeam {
namespace {

/// Mean square of what the accelerations of a drawn Plummer sphere differ by from its field.
double square_error(const Particles& start, double eps) {
  Particles p = start;
  accelerations(p, {.theta = 0.4, .eps = eps}, 1);
  const double a = 3 * M_PI / 16;
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const Vec3& x = p.position[i];
    const double r2 = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
    const double f = -1 / 0.999 / std::pow(r2 + a * a, 1.5);
    for (int k = 0; k < 3; ++k) sum += (p.acceleration[i][k] - f * x[k]) * (p.acceleration[i][k] - f * x[k]);
  }
  return sum / static_cast<double>(p.size());
}

TEST(SofteningOfModels, IsNearTheOptimum) {
  const double eps = ics::eps_of_core(3 * M_PI / 16, 1000);
  double at = 0, below = 0, above = 0;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const Particles p = ics::make("plummer", 1000, ics::Seed{seed}).particles;
    at += square_error(p, eps);
    below += square_error(p, eps / 4);
    above += square_error(p, 4 * eps);
  }
  EXPECT_LT(at, 0.5 * below);  // 0.18 and 0.022 to 0.27: the minimum is shallow, its sides are not
  EXPECT_LT(at, 0.5 * above);
}

TEST(SofteningOfModels, IsWrittenWhereItIsAskedFor) {
  const auto drawn = [](const char* model, const char* eps) {
    return ics::make(model, 300, ics::Seed{1}, {{"eps", eps}}).particles;
  };
  for (const char* model : {"plummer", "hernquist", "uniform-sphere", "uniform-cube", "galaxy"}) {
    EXPECT_TRUE(ics::make(model, 300, ics::Seed{1}).particles.eps.empty()) << model;
    EXPECT_EQ(drawn(model, "0.25").eps, std::vector<double>(300, 0.25)) << model;
    EXPECT_EQ(drawn(model, "0").eps, std::vector<double>(300, 0.0)) << model;
    const Particles p = drawn(model, ics::near_optimum);
    ASSERT_EQ(p.eps.size(), 300u);
    EXPECT_GT(p.eps[0], 0.0);
    EXPECT_THROW(drawn(model, "-1"), UsageError);
  }
}

TEST(SofteningOfStarts, FollowsNumberAndSizeAndSparesFewBodies) {
  Particles p = ics::make("plummer", 5000, ics::Seed{1}).particles;
  const double eps = run::estimated_eps(p);
  EXPECT_GT(eps, 0.3 * ics::eps_of_core(3 * M_PI / 16, 5000));
  EXPECT_LT(eps, 1.5 * ics::eps_of_core(3 * M_PI / 16, 5000));
  for (Vec3& x : p.position) x = {3 * x[0], 3 * x[1], 3 * x[2]};
  EXPECT_NEAR(run::estimated_eps(p), 3 * eps, 1e-12);
  p.mass[7] = 1000;  // a sun: what moves about it is not to be softened
  EXPECT_EQ(run::estimated_eps(p), 0.0);
  EXPECT_EQ(run::estimated_eps(ics::make("plummer", 9, ics::Seed{1}).particles), 0.0);
  EXPECT_EQ(run::estimated_eps(Particles{}), 0.0);
}

TEST(OneSofteningForAll, IsThatOfTheOption) {
  Snapshot start = ics::make("plummer", 500, ics::Seed{1}, {{"eps", "0.1"}});
  SimulationOptions options;
  options.dt = 0.01;
  options.threads = 1;
  Simulation by_file(start, options);
  EXPECT_EQ(by_file.options().gravity.eps, 0.1);
  options.gravity.eps = 0.1;
  Simulation by_option(start, options);
  by_file.step();
  by_option.step();
  EXPECT_EQ(by_file.snapshot().particles.position, by_option.snapshot().particles.position);
  start.particles.eps[3] = 0.2;
  options.gravity.eps = -1;
  EXPECT_LT(Simulation(start, options).options().gravity.eps, 0.0);
}

}  // namespace
}  // namespace hornbeam
