// SPDX-License-Identifier: Apache-2.0
// The clock of the stages.
#pragma once

#include <chrono>

namespace hornbeam {

/// Adds the seconds of its life to a stage.
class Timed {
 public:
  explicit Timed(double& seconds) : seconds_(seconds), start_(std::chrono::steady_clock::now()) {}
  ~Timed() { seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }
  Timed(const Timed&) = delete;
  Timed& operator=(const Timed&) = delete;

 private:
  double& seconds_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace hornbeam
