// SPDX-License-Identifier: Apache-2.0
// Sums over wave numbers of Bessel functions, see disc_field.h.
#include "ics/galaxies/disc_field.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace hornbeam::ics {
namespace {

constexpr int heights = MeridionalTable::heights;
constexpr int radii = MeridionalTable::radii;

/// Fine steps of the vertical integrals, 0.04 z_d: short waves, whose exponentials they resolve least, carry least.
constexpr int fine_per_step = 4, fine = heights * fine_per_step;

/// The vertical profile sech^2(z / z_d) / (2 z_d) at fine steps from -top to top, times the step.
std::vector<double> fine_profile(double top, double height) {
  std::vector<double> values;
  for (int i = -fine; i <= fine; ++i) {
    const double sech = 1.0 / std::cosh(top * i / fine / height);
    values.push_back(sech * sech / (2.0 * height) * top / fine);
  }
  return values;
}

/// One wave number: the integral of exp(-k w) over the profile at each height of the table, w^2 = (z - z')^2 + eps^2,
/// and that of (z - z') / w exp(-k w).
struct VerticalTransform {
  double even[heights + 1], odd[heights + 1];
};

/// w and (z - z') / w at fine steps of z - z' from 0 to 2 top.
struct Separations {
  Separations(double top, double eps) {
    for (int i = 0; i <= 2 * fine; ++i) {
      const double t = top * i / fine;
      w[i] = std::hypot(t, eps);
      slope[i] = w[i] > 0.0 ? t / w[i] : 0.0;
    }
  }
  double w[2 * fine + 1], slope[2 * fine + 1];
};

VerticalTransform transform_vertically(double k, const std::vector<double>& profile, const Separations& separations) {
  double even[3 * fine + 1], odd[3 * fine + 1];  // at z - z' from -top to 2 top
  for (int i = 0; i <= 2 * fine; ++i) {
    even[fine + i] = std::exp(-k * separations.w[i]);
    odd[fine + i] = separations.slope[i] * even[fine + i];
  }
  for (int i = 1; i <= fine; ++i) {
    even[fine - i] = even[fine + i];
    odd[fine - i] = -odd[fine + i];
  }
  VerticalTransform result;
  for (int j = 0; j <= heights; ++j) {
    double even_sum = 0.0, odd_sum = 0.0;
    const int first = j * fine_per_step;  // the profile is even: z + z' does for z - z'
#pragma omp simd reduction(+ : even_sum, odd_sum)
    for (int i = 0; i <= 2 * fine; ++i) {
      even_sum += profile[i] * even[first + i];
      odd_sum += profile[i] * odd[first + i];
    }
    result.even[j] = even_sum;
    result.odd[j] = odd_sum;
  }
  return result;
}

/// What each wave number gives to the two accelerations before the Bessel function of the radius is multiplied in.
struct Waves {
  std::vector<double> k;
  std::vector<double> inward, down;  ///< (k, heights + 1)
};

Waves waves(const Disc& disc, double top, double eps) {
  const DiscShape& shape = disc.shape();
  const double last = 40.0 / shape.scale + 8.0 / shape.height;  // beyond, terms fall as k^-4
  // of steps: waves from edge to edge stay resolved, to 6e-6 of the largest values (the tables' interpolation: 4e-4)
  const double widest = 0.8 / (2.0 * disc.edge());
  const auto steps = 2 * static_cast<std::int64_t>(std::ceil(0.5 * last / widest));
  const double step = last / static_cast<double>(steps);
  const std::vector<double> profile = fine_profile(top, shape.height);
  const Separations separations(top, eps);
  Waves all;
  all.k.resize(steps + 1);
  all.inward.resize((steps + 1) * (heights + 1));
  all.down.resize(all.inward.size());
#pragma omp parallel for schedule(dynamic, 64)
  for (std::int64_t n = 0; n <= steps; ++n) {
    const double k = all.k[n] = step * static_cast<double>(n);
    const double simpson = step / 3.0 * (n == 0 || n == steps ? 1.0 : n % 2 == 1 ? 4.0 : 2.0);
    const double factor = 2.0 * std::numbers::pi * simpson * k * disc.transform(k);
    const VerticalTransform vertical = transform_vertically(k, profile, separations);
    for (int j = 0; j <= heights; ++j) {
      all.inward[n * (heights + 1) + j] = factor * vertical.even[j];
      all.down[n * (heights + 1) + j] = factor * vertical.odd[j];
    }
  }
  return all;
}

}  // namespace

double MeridionalTable::operator()(double R, double z) const {
  const double x = std::min(std::sqrt(std::max(R, 0.0) / edge_) * radii, radii * (1.0 - 1e-12));
  const double y = std::min(std::abs(z) / top_ * heights, heights * (1.0 - 1e-12));
  const int i = static_cast<int>(x), j = static_cast<int>(y);
  const double fx = x - i, fy = y - j;
  return (1.0 - fx) * ((1.0 - fy) * at(i, j) + fy * at(i, j + 1)) +
         fx * ((1.0 - fy) * at(i + 1, j) + fy * at(i + 1, j + 1));
}

DiscField::DiscField(const Disc& disc, double eps)
    : inward(disc.edge(), 10.0 * disc.shape().height), down(disc.edge(), 10.0 * disc.shape().height) {
  if (disc.shape().mass == 0.0) return;
  const Waves all = waves(disc, inward.top(), eps);
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i <= radii; ++i) {
    for (std::size_t n = 0; n < all.k.size(); ++n) {
      const double j0 = ::j0(all.k[n] * inward.radius(i)), j1 = ::j1(all.k[n] * inward.radius(i));
      const double *in = &all.inward[n * (heights + 1)], *below = &all.down[n * (heights + 1)];
      for (int j = 0; j <= heights; ++j) {
        inward.at(i, j) += j1 * in[j];
        down.at(i, j) += j0 * below[j];
      }
    }
  }
}

void DiscField::add(const DiscField& other, double edge) {
  for (int i = 0; i <= radii; ++i) {
    const double R = inward.radius(i), beyond = R > edge ? edge / R : 1.0;
    for (int j = 0; j <= heights; ++j) {
      inward.at(i, j) += other.inward(R, inward.height(j)) * beyond * beyond;
      down.at(i, j) += other.down(R, down.height(j)) * beyond * beyond * beyond;
    }
  }
}

}  // namespace hornbeam::ics
