// SPDX-License-Identifier: Apache-2.0
// The rules, see softening.h.
#include "ics/softening.h"

#include <algorithm>
#include <cmath>

namespace hornbeam::ics {
namespace {

/// factor scale n^-power; 0 for a particle alone, which attracts nothing.
double power_law(double factor, double scale, std::size_t n, double power) {
  return n < 2 ? 0.0 : factor * scale * std::pow(static_cast<double>(n), -power);
}

}  // namespace

// Least mean square error of accelerations, for Plummer's kernel. Athanassoula et al. (2000) give 0.98 N^-0.26 for
// Plummer's sphere, and Dehnen (2001) how the optimum falls faster the denser a centre is; with `hornbeam force` over
// 300 to 100,000 particles it comes to 1.05 N^-0.28.
double eps_of_core(double scale, std::size_t n) { return power_law(0.98, scale, n, 0.26); }

double eps_of_cusp(double scale, std::size_t n) { return power_law(0.70, scale, n, 0.33); }

double eps_of_uniform(double radius, std::size_t n) { return power_law(0.76, radius, n, 0.27); }

/// Grains as of a sheet, and no more than a fraction of the height, which softening must not thicken.
double eps_of_disc(double scale, double height, std::size_t n) {
  constexpr double of_height = 0.5;
  return std::min(of_height * height, power_law(0.98, scale, n, 0.26));
}

Option eps_option() {
  Option option{
      "eps", "",
      "softening length of the particles; not given: near the optimum for the model and n (docs/models.md); 0: none"};
  option.dimension = {.length = 1};
  option.fits = false;
  return option;
}

double eps_asked(const Settings& settings, double rule) {
  if (!settings.has("eps")) return 0.0;
  return settings.text("eps") == near_optimum ? rule : settings.non_negative("eps");
}

}  // namespace hornbeam::ics
