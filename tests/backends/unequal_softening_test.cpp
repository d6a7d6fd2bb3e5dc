// SPDX-License-Identifier: Apache-2.0
// Particles of unequal softening in the walk by groups, whose expansions take one softening for all targets of a group.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/devices.h"
#include "support/forces.h"

namespace hornbeam {
namespace {

struct Errors {
  double median, p99;
};

Errors errors_of(const std::string& backend, const Particles& p, double theta, const Forces& exact_forces) {
  GravityOptions o;
  o.eps = -1;  // of each particle its own
  o.theta = theta;
  o.theta_c = theta;
  const Forces found = evaluate_on(backend, p, o).field;
  std::vector<double> errors(p.size());
  for (std::size_t i = 0; i < p.size(); ++i) errors[i] = relative_difference(found[i], exact_forces[i]);
  std::sort(errors.begin(), errors.end());
  return {errors[errors.size() / 2], errors[errors.size() * 99 / 100]};
}

/// A halo and a disc, say: softenings that differ by ten, mixed in every group.
Particles mixed_softenings(std::size_t n) {
  Particles p = drawn("plummer", n);
  p.eps.resize(n);
  for (std::size_t i = 0; i < n; ++i) p.eps[i] = i % 2 == 0 ? 0.02 : 0.2;
  return p;
}

/// As large as where all are softened alike (by 0.1: 99 % 4.3e-4 at 0.6, 1.6e-4 at 0.4). With expansions from three
/// times the largest softening on, these were 2.4e-3 and 1.7e-3 (20,000 particles: 5.2e-3 and 4.2e-3).
TEST(UnequalSoftening, ErrorsAreThoseOfTheta) {
  const Particles p = mixed_softenings(6000);
  GravityOptions o;
  o.eps = -1;
  const Forces expected = exact(p, o);
  for (const std::string& backend : every_backend()) {
    const Errors usual = errors_of(backend, p, 0.6, expected), fine = errors_of(backend, p, 0.4, expected);
    EXPECT_LT(usual.median, 6e-5) << backend;
    EXPECT_LT(usual.p99, 5e-4) << backend;
    EXPECT_LT(fine.median, 3.5e-5) << backend;
    EXPECT_LT(fine.p99, 2.5e-4) << backend;
  }
}

}  // namespace
}  // namespace hornbeam
