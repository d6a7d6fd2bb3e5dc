// SPDX-License-Identifier: Apache-2.0
// A running sum that keeps what rounding would lose (Neumaier 1974), for sums over all particles on the host.
#pragma once

#include <cmath>

namespace hornbeam {

class CompensatedSum {
 public:
  void add(double x) {
    const double next = sum_ + x;
    lost_ += std::abs(sum_) >= std::abs(x) ? (sum_ - next) + x : (x - next) + sum_;
    sum_ = next;
  }
  [[nodiscard]] double value() const { return sum_ + lost_; }

 private:
  double sum_ = 0.0, lost_ = 0.0;
};

}  // namespace hornbeam
