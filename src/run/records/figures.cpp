// SPDX-License-Identifier: Apache-2.0
// Values of evaluations, see figures.h.
#include "run/records/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "interactions/neighbours/search.h"

namespace hornbeam::run {
namespace {

/// Whether positions reach no farther along each axis than the box, wherever its middle lies, but for a drift since the
/// last step.
bool fit_into(const Vec3& size, const std::vector<Vec3>& position) {
  constexpr double drift = 0.1;
  for (std::size_t k = 0; k < 3; ++k) {
    double least = HUGE_VAL, most = -HUGE_VAL;
    for (const Vec3& x : position) least = std::min(least, x[k]), most = std::max(most, x[k]);
    if (size[k] > 0 && most - least > (1 + drift) * size[k]) return false;
  }
  return true;
}

}  // namespace

double eps_in_use(const GravityOptions& options, const Particles& particles) {
  if (options.eps >= 0.0) return options.eps;
  return particles.eps.empty() ? 0.0 : *std::max_element(particles.eps.begin(), particles.eps.end());
}

std::string softening_line(const GravityOptions& options, const Particles& particles, const std::string& source) {
  const double most = eps_in_use(options, particles);
  const bool are_own = options.eps < 0.0 && !particles.eps.empty();
  const double least = are_own ? *std::min_element(particles.eps.begin(), particles.eps.end()) : most;
  const std::string range = least < most ? fmt::format("{:.6g} to {:.6g}", least, most) : fmt::format("{:.6g}", most);
  return fmt::format("softening {}, eps {} ({})", name(options.softening), range,
                     source.empty() ? std::string(eps_source(options, particles)) : source);
}

std::string exactness(const GravityOptions& resolved) {
  return resolved.accuracy > 0 ? fmt::format("accuracy {}", resolved.accuracy)
                               : fmt::format("theta {}", resolved.theta);
}

std::string duration(double seconds) {
  const auto whole = static_cast<std::int64_t>(std::llround(std::min(seconds, 1e9)));
  const auto hours = whole / 3600, minutes = whole / 60 % 60, rest = whole % 60;
  return hours > 0 ? fmt::format("{}:{:02}:{:02}", hours, minutes, rest) : fmt::format("{}:{:02}", minutes, rest);
}

std::string counted(std::size_t number, std::string_view word) {
  return fmt::format("{} {}{}", number, word, number == 1 ? "" : "s");
}

std::string wrapped_note(const std::vector<Vec3>& position, const Vec3& box, std::string_view subject) {
  const std::size_t outside = outside_of_box(position, box);
  if (outside == 0) return "";
  const std::string too_wide =
      fit_into(box, position) ? "" : fmt::format("WARNING: the particles extend beyond {}: ", subject);
  return fmt::format("{}{} outside of the box {} wrapped into it", too_wide, counted(outside, "particle"),
                     outside == 1 ? "is" : "are");
}

Json to_json(const Interactions& interactions, std::size_t n) {
  const auto each = [n](std::uint64_t sum) { return n == 0 ? 0.0 : static_cast<double>(sum) / static_cast<double>(n); };
  return {{"particle", each(interactions.particle)},
          {"cell", each(interactions.cell)},
          {"expansion", each(interactions.expansion)}};
}

Json to_json(const Bytes& bytes) {
  return {{"particles", bytes.particles}, {"tree", bytes.tree}, {"scratch", bytes.scratch}};
}

}  // namespace hornbeam::run
