// SPDX-License-Identifier: Apache-2.0
// Rates of growth, see jeans.h.
#include "ics/gas/jeans.h"

#include <cmath>
#include <numbers>

namespace hornbeam::ics {
namespace {

/// 1 - sqrt(pi) b exp(b^2) erfc(b), which falls from 1 to 0.
double response(double b) {
  if (b > 6) {
    double term = 1, sum = 0;
    for (int n = 1; n <= 8; ++n) {  // asymptotic: the least term, b^2 from here, is below 1e-9
      term *= -(2 * n - 1) / (2 * b * b);
      sum -= term;
    }
    return sum;
  }
  return 1 - std::sqrt(std::numbers::pi) * b * std::exp(b * b) * std::erfc(b);
}

}  // namespace

double warm_growth_rate(double k, double dispersion, double attraction) {
  const double spread = k * dispersion, wanted = spread * spread / attraction;
  if (wanted < 1e-8) return std::sqrt(attraction);
  if (!(wanted < 1)) return 0;
  double low = 0, high = 1 / std::sqrt(2 * wanted);  // cold matter grows faster than warm
  for (int turn = 0; turn < 100; ++turn) {
    const double middle = 0.5 * (low + high);
    (response(middle) > wanted ? low : high) = middle;
  }
  return std::numbers::sqrt2 * spread * 0.5 * (low + high);
}

}  // namespace hornbeam::ics
