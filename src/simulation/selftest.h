// SPDX-License-Identifier: Apache-2.0
// A small force sum with every device, walk and precision, compared with direct summation in double precision: for the
// user's machine, where our tests do not run.
#pragma once

#include <string>
#include <vector>

#include "hornbeam/particles.h"

namespace hornbeam {

struct SelftestEvaluation {
  std::string backend;
  std::string label;  ///< "cpu group mixed"
  double tolerance;   ///< of the rms difference to the first of all
  std::vector<Vec3> acceleration;
  double difference = 0.0;  ///< to it

  /// Also where the difference is not a number.
  [[nodiscard]] bool good() const { return difference <= tolerance; }
};

struct Selftest {
  std::vector<SelftestEvaluation> all;  ///< the first: direct summation in double precision
  std::vector<std::string> not_built;   ///< labels
  [[nodiscard]] std::size_t failures() const;
};

inline constexpr std::size_t selftest_particles = 4096;
/// Of a Plummer sphere. Throws Error where no device offers any walk.
Selftest selftest();

/// rms over particles of |a - b| over the rms of |b|.
double rms_difference(const std::vector<Vec3>& a, const std::vector<Vec3>& b);

}  // namespace hornbeam
