// SPDX-License-Identifier: Apache-2.0
// Ewald's sums, see pair_potential.h.
#include "interactions/gravity/lattice/pair_potential.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tree/images.h"

namespace hornbeam {
namespace {

using std::numbers::egamma;
using std::numbers::inv_sqrtpi;
using std::numbers::pi;

constexpr double negligible = 6.3;  ///< erfc of it, and exp of minus its square, are below the rounding of fp64

/// erf(x) / x and its derivative divided by x: regular at 0, where they are made of their series.
struct Regular {
  double value, slope;
};
Regular regular_part(double x) {
  const double x2 = x * x;
  if (x < 0.5) {
    double term = 2 * inv_sqrtpi, value = 0, slope = 0;
    for (int n = 0; n < 14; ++n) {
      value += term / (2 * n + 1);
      const double next = -term / (n + 1);
      slope += next * 2 * (n + 1) / (2 * n + 3);
      term = next * x2;
    }
    return {value, slope};
  }
  const double value = std::erf(x) / x;
  return {value, (2 * inv_sqrtpi * std::exp(-x2) - value) / x2};
}

/// Integral of (1 - exp(-u)) / u from 0 to x: ln x + gamma + E1(x), regular at 0.
double entire_integral(double x) {
  if (x > 42) return std::log(x) + egamma;
  double term = 1, harmonic = 0, sum = 0;
  for (int n = 1; n < 200; ++n) {
    term *= x / n;
    harmonic += 1.0 / n;
    sum += harmonic * term;
    if (n > x && harmonic * term < 1e-18 * sum) break;
  }
  return std::exp(-x) * sum;
}

}  // namespace

GaussRule gauss_rule(int n) {
  GaussRule rule;
  for (int i = 0; i < n; ++i) {
    double x = std::cos(pi * (i + 0.75) / (n + 0.5)), slope = 0;
    for (int turn = 0; turn < 100; ++turn) {
      double here = 1, before = 0;
      for (int l = 0; l < n; ++l) {
        const double next = ((2 * l + 1) * x * here - l * before) / (l + 1);
        before = here;
        here = next;
      }
      slope = n * (x * here - before) / (x * x - 1);
      const double change = here / slope;
      x -= change;
      if (std::abs(change) < 1e-15) break;
    }
    rule.node.push_back(x);
    rule.weight.push_back(2 / ((1 - x * x) * slope * slope));
  }
  return rule;
}

PairPotential::PairPotential(const Vec3& periods, double split)
    : periods_(periods), near_(near_images_of(periods).layers) {
  for (const double period : periods) {
    if (!(period > 0)) continue;
    ++dimensions_;
    cell_ *= period;
  }
  alpha_ = split / shortest_period(periods);
  make_nodes(*std::max_element(periods.begin(), periods.end()));
  for (int k = 0; k < 3; ++k) make_axis(k);
}

/// The integral over t from 0 to alpha in ln t; where t is small no wave is left.
void PairPotential::make_nodes(double longest) {
  const double first = std::log(pi / (negligible * longest)), last = std::log(alpha_);
  const int count = static_cast<int>(18 * (last - first)) + 8;
  const GaussRule rule = gauss_rule(count);
  for (int q = 0; q < count; ++q) {
    const double t = std::exp(first + (last - first) * (1 + rule.node[q]) / 2);
    double weight = 2 * inv_sqrtpi * t * rule.weight[q] * (last - first) / 2;
    for (const double period : periods_) weight *= period > 0 ? 1 / (inv_sqrtpi * period * t) : 1.0;
    node_.push_back(t);
    weight_.push_back(weight);
  }
}

void PairPotential::make_axis(int k) {
  if (!(periods_[k] > 0)) return;
  Axis& axis = axes_[k];
  axis.most = static_cast<int>(negligible * alpha_ * periods_[k] / pi) + 1;
  for (const double t : node_) {
    axis.count.push_back(std::min(static_cast<int>(negligible * t * periods_[k] / pi) + 1, axis.most));
    for (int n = 1; n <= axis.most; ++n) {
      const double x = pi * n / (periods_[k] * t);
      axis.strength.push_back(2 * std::exp(-x * x));
    }
  }
}

/// docs/periodic.md eq. 3: erfc of the far images, and of the near ones what is left without their 1 / r.
void PairPotential::add_near_and_real(const Vec3& r, PairField& field) const {
  const double reach = negligible / alpha_;
  std::array<int, 3> first{}, last{};
  for (int k = 0; k < 3; ++k) {
    if (!(periods_[k] > 0)) continue;
    first[k] = std::min(-near_[k], static_cast<int>(std::ceil((-reach - r[k]) / periods_[k])));
    last[k] = std::max(near_[k], static_cast<int>(std::floor((reach - r[k]) / periods_[k])));
  }
  for (int a = first[0]; a <= last[0]; ++a) {
    for (int b = first[1]; b <= last[1]; ++b) {
      for (int c = first[2]; c <= last[2]; ++c) {
        const Vec3 d = {r[0] + a * periods_[0], r[1] + b * periods_[1], r[2] + c * periods_[2]};
        const double d2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2], x = alpha_ * std::sqrt(d2);
        const bool is_near = std::abs(a) <= near_[0] && std::abs(b) <= near_[1] && std::abs(c) <= near_[2];
        if (!is_near && x > negligible) continue;
        double value, slope;
        if (is_near) {
          const Regular part = regular_part(x);
          value = -alpha_ * part.value;
          slope = -alpha_ * alpha_ * alpha_ * part.slope;
        } else {
          value = alpha_ * std::erfc(x) / x;
          slope = -(value + 2 * inv_sqrtpi * alpha_ * std::exp(-x * x)) / d2;
        }
        field.value += value;
        for (int k = 0; k < 3; ++k) field.gradient[k] += slope * d[k];
      }
    }
  }
}

void PairPotential::fill_waves(int k, double x, std::vector<Waves>& waves) const {
  const Axis& axis = axes_[k];
  waves.assign(node_.size(), Waves{});
  if (axis.most == 0) return;
  const double number = 2 * pi / periods_[k];
  std::vector<double> cosine(axis.most), sine(axis.most);
  for (int n = 1; n <= axis.most; ++n) {
    cosine[n - 1] = std::cos(number * n * x);
    sine[n - 1] = -number * n * std::sin(number * n * x);
  }
  for (std::size_t q = 0; q < node_.size(); ++q) {
    const double* const strength = axis.strength.data() + q * static_cast<std::size_t>(axis.most);
    for (int n = axis.count[q] - 1; n >= 0; --n) {
      waves[q].sum += strength[n] * cosine[n];
      waves[q].slope += strength[n] * sine[n];
    }
  }
}

/// docs/periodic.md eq. 4: the waves of all axes at each node of the integral, without the mean.
void PairPotential::add_waves(const Vec3& r, PairField& field) const {
  std::array<std::vector<Waves>, 3> waves;
  double open2 = 0;
  for (int k = 0; k < 3; ++k) {
    fill_waves(k, r[k], waves[k]);
    open2 += periods_[k] > 0 ? 0 : r[k] * r[k];
  }
  for (std::size_t q = 0; q < node_.size(); ++q) {
    const double t2 = node_[q] * node_[q], factor = weight_[q] * std::exp(-open2 * t2);
    const Waves &x = waves[0][q], &y = waves[1][q], &z = waves[2][q];
    // (1 + x) (1 + y) (1 + z) - 1, in which nothing cancels
    const double rest = x.sum + (1 + x.sum) * (y.sum + (1 + y.sum) * z.sum);
    field.value += factor * rest;
    const Vec3 slopes = {x.slope * (1 + y.sum) * (1 + z.sum), y.slope * (1 + x.sum) * (1 + z.sum),
                         z.slope * (1 + x.sum) * (1 + y.sum)};
    for (int k = 0; k < 3; ++k) {
      field.gradient[k] += factor * (periods_[k] > 0 ? slopes[k] : -2 * r[k] * t2 * rest);
    }
  }
}

/// docs/periodic.md eq. 5: the mean over the periodic axes.
void PairPotential::add_mean(const Vec3& r, PairField& field) const {
  if (dimensions_ == 3) {
    field.value -= pi / (alpha_ * alpha_ * cell_);
    return;
  }
  if (dimensions_ == 2) {
    const int k = periods_[0] > 0 ? (periods_[1] > 0 ? 2 : 1) : 0;
    const double x = alpha_ * r[k], per_area = 2 * pi / cell_;
    field.value -= per_area * (r[k] * std::erf(x) + std::exp(-x * x) * inv_sqrtpi / alpha_);
    field.gradient[k] -= per_area * std::erf(x);
    return;
  }
  double rho2 = 0;
  for (int k = 0; k < 3; ++k) rho2 += periods_[k] > 0 ? 0 : r[k] * r[k];
  const double x = alpha_ * alpha_ * rho2;
  field.value -= (entire_integral(x) - egamma - 2 * std::log(alpha_ * cell_)) / cell_;
  const double slope = x > 0 ? -std::expm1(-x) / x : 1.0;
  for (int k = 0; k < 3; ++k) {
    if (!(periods_[k] > 0)) field.gradient[k] -= 2 * alpha_ * alpha_ * slope * r[k] / cell_;
  }
}

PairField PairPotential::far(const Vec3& r) const {
  PairField field;
  add_near_and_real(r, field);
  add_waves(r, field);
  add_mean(r, field);
  return field;
}

PairField PairPotential::nearest(const Vec3& r, bool own) const {
  PairField field;
  for (int a = -near_[0]; a <= near_[0]; ++a) {
    for (int b = -near_[1]; b <= near_[1]; ++b) {
      for (int c = -near_[2]; c <= near_[2]; ++c) {
        if (!own && a == 0 && b == 0 && c == 0) continue;
        const Vec3 d = {r[0] + a * periods_[0], r[1] + b * periods_[1], r[2] + c * periods_[2]};
        const double inverse = 1 / std::hypot(d[0], d[1], d[2]);
        field.value += inverse;
        for (int k = 0; k < 3; ++k) field.gradient[k] -= d[k] * inverse * inverse * inverse;
      }
    }
  }
  return field;
}

PairField PairPotential::all(const Vec3& r) const {
  PairField field = far(r);
  const PairField near = nearest(r, true);
  field.value += near.value;
  for (int k = 0; k < 3; ++k) field.gradient[k] += near.gradient[k];
  return field;
}

double PairPotential::of_own_images() const { return far({}).value + nearest({}, false).value; }

double PairPotential::background() const { return dimensions_ == 3 ? 2 * pi / (3 * cell_) : 0; }

}  // namespace hornbeam
