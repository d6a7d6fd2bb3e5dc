// SPDX-License-Identifier: Apache-2.0
// The kernels of gas as pictures need them: seen through, and cut at a height. By quadrature of physics/sph_kernel.h.
#pragma once

#include "hornbeam/gas.h"
#include "render/surface_density.h"

namespace hornbeam::render {

/// The kernel summed along the line of sight.
Hill projected(SphKernel kernel);

/// The kernel on planes that pass its centre at some part of its support.
class KernelSections {
 public:
  explicit KernelSections(SphKernel kernel);

  /// Of planes at heights whose squares over H^2 are about (k + 1/2) / count.
  [[nodiscard]] const std::vector<Hill>& hills() const { return hills_; }
  [[nodiscard]] static std::uint8_t number(double height2) { return static_cast<std::uint8_t>(height2 * count); }
  /// The kernel summed over such a plane, times H; height2 in [0, 1).
  [[nodiscard]] double share(double height2) const;

 private:
  static constexpr int count = 64, steps = 1024;
  std::vector<Hill> hills_;
  std::vector<double> share_;
};

}  // namespace hornbeam::render
