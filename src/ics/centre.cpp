// SPDX-License-Identifier: Apache-2.0
// Centring on the centre of mass, see centre.h.
#include "ics/centre.h"

#include <array>
#include <cmath>
#include <optional>

#include "analysis/compensated_sum.h"

namespace hornbeam::ics {
namespace {

void subtract_mean(std::vector<Vec3>& vectors, const std::vector<double>& mass, double total_mass, std::size_t begin,
                   std::size_t end) {
  std::array<CompensatedSum, 3> sum;
  for (std::size_t i = begin; i < end; ++i) {
    for (int k = 0; k < 3; ++k) sum[k].add(mass[i] * vectors[i][k]);
  }
  for (std::size_t i = begin; i < end; ++i) {
    for (int k = 0; k < 3; ++k) vectors[i][k] -= sum[k].value() / total_mass;
  }
}

/// Vectors whose directions lean by -tilt: each as long as before, along (its direction - tilt).
struct Tilt {
  double x = 0.0, y = 0.0;
  [[nodiscard]] double size() const { return std::hypot(x, y); }
};

struct Leant {
  double length, x, y, shrunk;  ///< its direction, and the length of (its old direction - tilt)
};

Leant leant(const Vec3& v, const Tilt& tilt) {
  const double length = std::hypot(v[0], v[1]);
  if (length == 0.0) return {0.0, 0.0, 0.0, 1.0};
  const double x = v[0] / length - tilt.x, y = v[1] / length - tilt.y;
  const double shrunk = std::hypot(x, y);
  return {length, x / shrunk, y / shrunk, shrunk};
}

/// The sum of leaning vectors, of their lengths, and the matrix that a change of the tilt takes from the sum.
struct LeaningSum {
  double x = 0, y = 0, lengths = 0, xx = 0, xy = 0, yy = 0;
  LeaningSum(const std::vector<Vec3>& vectors, std::size_t begin, std::size_t end, const Tilt& tilt) {
    for (std::size_t i = begin; i < end; ++i) {
      const Leant v = leant(vectors[i], tilt);
      const double weight = v.length / v.shrunk;
      x += v.length * v.x;
      y += v.length * v.y;
      lengths += v.length;
      xx += weight * v.y * v.y;
      xy -= weight * v.x * v.y;
      yy += weight * v.x * v.x;
    }
  }
};

/// The tilt that makes the sum 0, by Newton's method.
std::optional<Tilt> balancing_tilt(const std::vector<Vec3>& vectors, std::size_t begin, std::size_t end) {
  constexpr int most_steps = 20;
  constexpr double rounding = 1e-14, largest = 0.5;
  Tilt tilt;
  for (int step = 0; step < most_steps && tilt.size() < largest; ++step) {
    const LeaningSum sum(vectors, begin, end, tilt);
    if (std::hypot(sum.x, sum.y) <= rounding * sum.lengths) return tilt;
    const double determinant = sum.xx * sum.yy - sum.xy * sum.xy;
    if (!(determinant > 0.0)) return std::nullopt;
    tilt.x += (sum.yy * sum.x - sum.xy * sum.y) / determinant;
    tilt.y += (sum.xx * sum.y - sum.xy * sum.x) / determinant;
  }
  return std::nullopt;
}

}  // namespace

void balance_in_plane(std::vector<Vec3>& vectors, std::size_t begin, std::size_t end) {
  const std::optional<Tilt> tilt = balancing_tilt(vectors, begin, end);
  if (!tilt) return;
  for (std::size_t i = begin; i < end; ++i) {
    const Leant v = leant(vectors[i], *tilt);
    vectors[i][0] = v.length * v.x;
    vectors[i][1] = v.length * v.y;
  }
}

double total_mass(const Particles& particles, std::size_t begin, std::size_t end) {
  CompensatedSum mass;
  for (std::size_t i = begin; i < end; ++i) mass.add(particles.mass[i]);
  return mass.value();
}

double centre(Particles& particles, std::size_t begin, std::size_t end) {
  const double mass = total_mass(particles, begin, end);
  if (mass > 0.0) {
    subtract_mean(particles.position, particles.mass, mass, begin, end);
    subtract_mean(particles.velocity, particles.mass, mass, begin, end);
  }
  return mass;
}

double centre(Particles& particles) { return centre(particles, 0, particles.size()); }

}  // namespace hornbeam::ics
