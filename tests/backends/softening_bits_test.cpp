// SPDX-License-Identifier: Apache-2.0
// The softening that particles share is squared as it was given, not as fp32 holds it.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "support/devices.h"
#include "support/forces.h"

namespace hornbeam {
namespace {

/// Softenings in (1, 1.03) whose fp32 values are all too large by 3.5 to 6 parts in 1e8, if `blurred`, else exact.
std::vector<double> softenings(bool blurred) {
  std::vector<double> found;
  for (int i = 1; found.size() < 24; ++i) {
    const auto exact = static_cast<float>(1 + 1e-3 * i);
    const double below = static_cast<double>(exact) - (blurred ? 0.46 * 0x1p-23 : 0.0);
    EXPECT_EQ(static_cast<float>(below), exact);
    found.push_back(below);
  }
  return found;
}

/// By how much the potential of two particles at one place, 1 / eps, is too large, on average over softenings:
/// roundings of the sums cancel, one of each softening to the same side does not.
double mean_error(ParticleSystem& backend, const std::vector<double>& softenings) {
  Particles p = drawn("plummer", 2);
  p.position[0] = p.position[1] = {};
  p.mass = {1, 1};
  double sum = 0;
  for (const double eps : softenings) {
    GravityOptions o;
    o.eps = eps;
    o.walk = Walk::direct;
    backend.load(p, o);
    backend.build_tree();
    backend.evaluate();
    sum += -forces_of(backend, p)[0][3] * eps - 1;
  }
  return sum / static_cast<double>(softenings.size());
}

TEST(SofteningBits, IsRoundedOnceSquared) {
  for (const std::string& backend : every_backend()) {
    ParticleSystem device = open_system(backend, 0, 0);
    const double bias = mean_error(device, softenings(true)) - mean_error(device, softenings(false));
    EXPECT_NEAR(bias, 0, 2.5e-8) << backend;  // rounded first: -5.3e-8; of 24 roundings of 3e-8 remain 1e-8
  }
}

}  // namespace
}  // namespace hornbeam
