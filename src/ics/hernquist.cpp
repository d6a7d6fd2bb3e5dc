// SPDX-License-Identifier: Apache-2.0
// Hernquist's (1990) sphere with isotropic velocities from its exact distribution function.
#include <array>
#include <cmath>

#include "ics/model.h"

namespace hornbeam::ics {
namespace {

constexpr double cut_radius = 100.0;  // in scale lengths
constexpr double hernquist_kept = (cut_radius / (1.0 + cut_radius)) * (cut_radius / (1.0 + cut_radius));

// The distribution function (his eq. 17, without its constant) at binding energy 1 - depth, G = M = a = 1. Written in
// `depth` because the function diverges where it vanishes, at the bottom of the potential.
double distribution(double depth) {
  const double q2 = 1.0 - depth;
  const double q = std::sqrt(q2);
  const double root = std::sqrt(depth);
  const double bracket = 3.0 * std::asin(q) + q * root * (1.0 - 2.0 * q2) * (8.0 * q2 * q2 - 8.0 * q2 - 3.0);
  return bracket / (depth * depth * root);
}

// At a place where the potential is -(1 - depth): density of speeds, v^2 f.
double speed_density(double depth, double v) { return v * v * distribution(depth + 0.5 * v * v); }

double escape_speed(double depth) { return std::sqrt(2.0 * (1.0 - depth)); }

// Bounds of the density of speeds for rejection. The maximum over v falls with depth (f falls with it at every v), so
// the value at a node bounds all places between that node and the next deeper one.
class SpeedBound {
 public:
  SpeedBound() {
    for (int node = 0; node < node_count; ++node) {
      const double depth = depth_of(node);
      double largest = 0.0;
      // The maximum lies near v^2 ~ depth at the bottom: logarithmic steps of 0.5 % resolve it to better than 1e-4.
      for (double v = escape_speed(depth) * (1.0 - 1e-9); v > 1e-3 * std::sqrt(depth); v *= 0.995) {
        largest = std::max(largest, speed_density(depth, v));
      }
      bound_[node] = 1.001 * largest;
    }
  }

  double operator()(double depth) const {
    const int node = static_cast<int>(std::floor((std::log2(depth) + first_octave) * nodes_per_octave));
    return bound_[std::clamp(node, 0, node_count - 1)];
  }

 private:
  static constexpr int first_octave = 30;  // depth 2^-30: one particle in 10^18 lies deeper
  static constexpr int nodes_per_octave = 16;
  static constexpr int node_count = first_octave * nodes_per_octave;
  static double depth_of(int node) { return std::exp2(static_cast<double>(node) / nodes_per_octave - first_octave); }

  std::array<double, node_count> bound_{};
};

double draw_speed(double depth, const SpeedBound& bound, Random& random) {
  const double largest = bound(depth);
  while (true) {
    const double v = escape_speed(depth) * random.uniform();
    if (random.uniform() * largest < speed_density(depth, v)) return v;
  }
}

Snapshot draw_hernquist(const Request& request) {
  const double scale = request.settings.positive("scale");
  const double mass = request.settings.positive("mass");
  // The infinite model of which the drawn mass is the kept part sets the potential, and so the velocities.
  const double speed_unit = std::sqrt(mass / hernquist_kept / scale);
  static const SpeedBound bound;  // 0.03 s
  return draw_particles(request, mass, [&](std::int64_t, Random& random) {
    // M(r) = (r / (r + 1))^2, and the potential -1 / (r + 1) has the depth r / (r + 1).
    const double depth = std::sqrt(hernquist_kept * (1.0 - random.uniform()));  // never 0
    PhasePoint point;
    point.position = random.direction(scale * depth / (1.0 - depth));
    point.velocity = random.direction(speed_unit * draw_speed(depth, bound, random));
    return point;
  });
}

}  // namespace

Entry hernquist() {
  return {{"hernquist",
           "Hernquist sphere in equilibrium (a = 1, G = M = 1), cut at 100 scale lengths",
           {measured(a_length, {"scale", "1", "scale length"}), measured(a_mass, {"mass", "1", "total mass"}),
            eps_option()}},
          draw_hernquist,
          [](const Settings& s, std::size_t n) { return eps_of_cusp(s.positive("scale"), n); }};
}

}  // namespace hornbeam::ics
