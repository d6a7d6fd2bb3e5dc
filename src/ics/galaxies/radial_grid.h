// SPDX-License-Identifier: Apache-2.0
// Radii in equal steps of their logarithm: what the tables of a galaxy's spherical parts are kept on.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace hornbeam::ics {

/// A place between two entries of a table: `fraction` of the way from entry `index` to the next.
struct Place {
  std::size_t index = 0;
  double fraction = 0.0;

  /// Linear interpolation.
  [[nodiscard]] double operator()(const std::vector<double>& table) const {
    return table[index] + fraction * (table[index + 1] - table[index]);
  }
};

/// Where `value` is in an ascending table of at least two entries; beyond its ends: at them.
inline Place place_in(const std::vector<double>& table, double value) {
  const auto above = std::upper_bound(table.begin() + 1, table.end() - 1, value);
  const auto index = static_cast<std::size_t>(above - table.begin()) - 1;
  const double width = table[index + 1] - table[index];
  return {index, width > 0.0 ? std::clamp((value - table[index]) / width, 0.0, 1.0) : 0.0};
}

class RadialGrid {
 public:
  /// Radii from `first` > 0 to at least `last` > first.
  RadialGrid(double first, double last) : log_first_(std::log(first)) {
    const auto steps = static_cast<std::size_t>(std::ceil((std::log(last) - log_first_) / step));
    for (std::size_t i = 0; i <= steps; ++i) radius_.push_back(first * std::exp(step * static_cast<double>(i)));
  }

  /// Between two radii, d ln r: power laws of slope s are off by (step s)^2 / 8 half way when interpolated linearly.
  static constexpr double step = 0.01;

  [[nodiscard]] std::size_t size() const { return radius_.size(); }
  [[nodiscard]] double operator[](std::size_t i) const { return radius_[i]; }
  [[nodiscard]] const std::vector<double>& radii() const { return radius_; }
  /// In steps of ln r; beyond the ends: at them.
  [[nodiscard]] Place place(double r) const {
    const double steps = std::clamp((std::log(r) - log_first_) / step, 0.0, static_cast<double>(size() - 1));
    const std::size_t index = std::min(static_cast<std::size_t>(steps), size() - 2);
    return {index, steps - static_cast<double>(index)};
  }

 private:
  double log_first_;
  std::vector<double> radius_;
};

}  // namespace hornbeam::ics
