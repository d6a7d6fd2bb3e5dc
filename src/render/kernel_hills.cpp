// SPDX-License-Identifier: Apache-2.0
// Quadrature of kernels, see kernel_hills.h.
#include "render/kernel_hills.h"

#include <cmath>
#include <numbers>

#include "physics/sph_kernel.h"

namespace hornbeam::render {
namespace {

/// w at q^2.
double value_at(SphKernel kernel, double q2) {
  return mixed::kernel_value(static_cast<mixed::i32>(kernel), std::sqrt(q2));
}

/// Simpson's rule over [0, to].
double integral(double to, const auto& of) {
  constexpr int n = 256;
  double sum = of(0.0) + of(to);
  for (int k = 1; k < n; ++k) sum += (k % 2 == 1 ? 4 : 2) * of(to * k / n);
  return sum * to / (3 * n);
}

}  // namespace

Hill projected(SphKernel kernel) {
  return Hill(
      [&](double q2) { return integral(std::sqrt(1 - q2), [&](double z) { return value_at(kernel, q2 + z * z); }); });
}

KernelSections::KernelSections(SphKernel kernel) : share_(steps + 1) {
  for (int k = 0; k < count; ++k) {
    const double height2 = (k + 0.5) / count;
    hills_.emplace_back([&](double s2) { return value_at(kernel, height2 + s2 * (1 - height2)); });
  }
  const double C = mixed::kernel_constant(static_cast<mixed::i32>(kernel));
  for (int k = steps - 1; k >= 0; --k) {  // pi C w over q^2, from each height on
    const double from = static_cast<double>(k) / steps, width = 1.0 / steps;
    const double part = integral(width, [&](double y) { return value_at(kernel, from + y); });
    share_[k] = share_[k + 1] + std::numbers::pi * C * part;
  }
}

double KernelSections::share(double height2) const {
  const double at = height2 * steps;
  const auto k = static_cast<std::size_t>(std::fmin(at, steps - 1));
  return share_[k] + (at - static_cast<double>(k)) * (share_[k + 1] - share_[k]);
}

}  // namespace hornbeam::render
