// SPDX-License-Identifier: Apache-2.0
// Speeds of gas that fp32 does not hold, see gas_resolution.h.
#include "interactions/sph/gas_resolution.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

#include "core/falling_speed.h"

namespace hornbeam {
namespace {

/// Values that differ by fewer roundings have errors of 1e-3 and more in what their differences give.
constexpr double too_few_roundings = 1000;

/// How fast gas moves as one, and how fast its parts do relative to one another, with the sound in them.
struct GasSpeeds {
  double common = 0, own = 0;
};

/// Single precision, in which accelerations are summed in units of G M / edge^2, ends at 1e-38 of these, and sums over
/// kernels lose digits long before: measured through OpenCL, 1e-2 of forces at 1e-15, all at 1e-16.
constexpr double least_part_of_fall = 1e-13;

GasSpeeds speeds_of(const Particles& p, double sound) {
  Vec3 mean{};
  double n = 0, squares = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (p.family[i] != Family::gas) continue;
    ++n;
    for (int k = 0; k < 3; ++k) mean[k] += (p.velocity[i][k] - mean[k]) / n;
  }
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (p.family[i] != Family::gas) continue;
    for (int k = 0; k < 3; ++k) squares += (p.velocity[i][k] - mean[k]) * (p.velocity[i][k] - mean[k]) / n;
    if (!p.internal_energy.empty()) squares += 2 * std::max(p.internal_energy[i], 0.0) / n;
  }
  return {std::hypot(mean[0], mean[1], mean[2]), std::hypot(std::sqrt(squares), sound)};
}

/// Single precision sums gas in the units that particles have. Beyond this or its inverse, products of what a sum is
/// made of leave fp32's range: measured, 7e-5 of du/dt at u = 1e-24 and all of it at 1e-28.
constexpr double range_of_single = 1e29;

Vec3 edges_of(const std::vector<Vec3>& position) {
  Vec3 edges{};
  for (int k = 0; k < 3; ++k) {
    const auto [low, high] = std::minmax_element(position.begin(), position.end(),
                                                 [k](const Vec3& a, const Vec3& b) { return a[k] < b[k]; });
    edges[k] = (*high)[k] - (*low)[k];
  }
  return edges;
}

/// The first of what sums of gas are made of that is beyond that range, as words; empty if none is.
std::string beyond_single(const Particles& p, double speed) {
  double mass = 0;
  std::vector<Vec3> position;
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (p.family[i] == Family::gas) mass += p.mass[i], position.push_back(p.position[i]);
  }
  const auto n = static_cast<double>(position.size());
  const Vec3 edges = edges_of(position);
  double volume = 1;  // a plane is as thick as its particles are apart
  for (const double edge : edges) volume *= std::max(edge, std::max({edges[0], edges[1], edges[2]}) / std::cbrt(n));
  const double own = mass / n, density = mass / volume, spacing = std::cbrt(volume / n);
  for (const auto& [what, value] :
       {std::pair("masses", own), std::pair("densities", density), std::pair("pressures", density * speed * speed),
        std::pair("changes of energy", std::pow(speed, 3) / spacing)}) {
    if (value > 1 / range_of_single && value < range_of_single) continue;
    std::ostringstream words;
    words.precision(3);
    words << what << " of some " << value;
    return words.str();
  }
  return "";
}

}  // namespace

std::vector<std::string> gas_resolution_notes(const Particles& particles, const GasOptions& gas,
                                              const GravityOptions& gravity, bool pulls) {
  const Precision precision = gravity.precision;
  if (!gas.flows() || precision == Precision::fp64) return {};
  const GasSpeeds speeds = speeds_of(particles, gas.sound_speed);
  if (speeds.own == 0) return {};
  if (const std::string beyond = precision == Precision::single ? beyond_single(particles, speeds.own) : "";
      !beyond.empty()) {
    return {"WARNING: single precision overflows in these units for gas of " + beyond +
            " (take precision mixed, or other units)"};
  }
  std::ostringstream note;
  note.precision(3);
  const double fall = pulls ? falling_speed(particles, gravity.G) : 0;
  if (speeds.own < least_part_of_fall * fall) {
    note << "WARNING: gas with speeds of " << speeds.own
         << " has little pressure compared with gravity, which gives speeds of " << fall
         << ": pressure is lost in the rounding of " << name(precision) << " precision (take precision double)";
    return {note.str()};
  }
  if (too_few_roundings * 0x1p-24 * speeds.common <= speeds.own) return {};
  note << "WARNING: " << name(precision) << " precision is too coarse for gas with speeds of " << speeds.own
       << " (of sound and flow together) that moves at " << speeds.common
       << " as a whole: its forces have errors of 1e-3 and more (take precision double, or a frame in which it is at "
          "rest)";
  return {note.str()};
}

}  // namespace hornbeam
