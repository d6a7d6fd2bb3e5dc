// SPDX-License-Identifier: Apache-2.0
// What has become of vortices, waves, sliding gases, squares and clouds, see exact.h.
#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "hornbeam/error.h"
#include "hornbeam/exact.h"

namespace hornbeam::analysis {
namespace {

/// look(i) of all gas. Throws Error where there is none, or none of whose density and energy is known.
template <class Look>
void for_all_gas(const Snapshot& s, const Look& look) {
  const Particles& p = s.particles;
  std::size_t count = 0;
  const bool known = p.density.size() == p.size() && p.internal_energy.size() == p.size();
  for (std::size_t i = 0; known && i < p.size(); ++i) {
    if (p.family[i] != Family::gas || !(p.density[i] > 0)) continue;
    ++count;
    look(i);
  }
  if (count == 0)
    throw Error("exact", "needs gas with densities and internal energies", "take it from a run with [gas]");
}

/// Means of a value in rings or shells.
struct Bins {
  double width;
  std::vector<double> sum, radius;
  std::vector<std::size_t> count;

  Bins(double width_of_one, double most)
      : width(width_of_one),
        sum(static_cast<std::size_t>(std::ceil(most / width_of_one))),
        radius(sum.size()),
        count(sum.size()) {}
  void add(double r, double value) {
    const auto k = static_cast<std::size_t>(r / width);
    if (k >= sum.size()) return;
    sum[k] += value, radius[k] += r, ++count[k];
  }
  [[nodiscard]] double mean(std::size_t k) const { return sum[k] / static_cast<double>(count[k]); }
  [[nodiscard]] double mean_radius(std::size_t k) const { return radius[k] / static_cast<double>(count[k]); }
};

}  // namespace

namespace {

/// A mean over some particles; NaN over none.
struct Mean {
  double sum = 0, count = 0;
  void add(double value) { sum += value, ++count; }
  [[nodiscard]] double over(double exact) const { return sum / count / exact; }
};

/// Where the density of slices of a tube passes `level` between two places, from the right; H is that of a particle
/// there. NaN: nowhere.
double passing_place(const Bins& slices, double from, double level) {
  for (std::size_t k = slices.sum.size(); k-- > 1;) {
    if (slices.count[k] == 0 || slices.count[k - 1] == 0) continue;
    const double right = slices.mean(k), left = slices.mean(k - 1);
    if (!(right < level && left >= level)) continue;
    const double a = slices.mean_radius(k), b = slices.mean_radius(k - 1);
    return from + a + (level - right) / (left - right) * (b - a);
  }
  return NAN;
}

}  // namespace

TubeState tube_state(const Snapshot& s, const ShockTube& tube, double gamma) {
  const Particles& p = s.particles;
  const double t = s.time, tail = tube.left_tail() * t, contact = tube.velocity() * t, shock = tube.right_speed() * t;
  constexpr double in = 0.03;
  const GasPoint ahead = tube.at(1.01 * tube.right_speed());
  const double hot = tube.pressure() / ((gamma - 1) * tube.right_density());
  Mean left, right, velocity, pressure, across, smooth;
  double hottest = 0;
  const double from = contact + in;
  Bins slices(0.004, shock + 0.15 - from);
  for_all_gas(s, [&](std::size_t i) {
    const double x = p.position[i][0], rho = p.density[i], u = p.internal_energy[i];
    const Vec3& v = p.velocity[i];
    if (std::abs(x) < 0.5) across.add(0.5 * (v[1] * v[1] + v[2] * v[2]));
    const bool is_left = x > tail + in && x<contact - in, is_right = x> contact + in && x < shock - in;
    if (is_left) left.add(rho);
    if (is_right) right.add(rho);
    if (is_left || is_right) velocity.add(v[0]), pressure.add((gamma - 1) * rho * u);
    if (x > 0 && x < shock) hottest = std::max(hottest, u);
    if (x > from) slices.add(x - from, rho);
    if (std::abs(x - shock) < 0.02 && p.smoothing_length.size() == p.size()) smooth.add(p.smoothing_length[i]);
  });
  const double place = passing_place(slices, from, 0.5 * (tube.right_density() + ahead.density));
  const double reach = smooth.over(1);
  return {left.over(tube.left_density()),
          right.over(tube.right_density()),
          velocity.over(tube.velocity()),
          pressure.over(tube.pressure()),
          (place - shock) / reach,
          std::sqrt(across.over(1)),
          hottest / hot - 1};
}

ShellDensities shell_densities(const Snapshot& s, double thickness, double most) {
  Bins bins(thickness, most), reaches(thickness, most);
  const bool known = s.particles.smoothing_length.size() == s.particles.size();
  for_all_gas(s, [&](std::size_t i) {
    const Vec3& x = s.particles.position[i];
    const double r = std::hypot(x[0], x[1], x[2]);
    bins.add(r, s.particles.density[i]);
    reaches.add(r, known ? s.particles.smoothing_length[i] : 0);
  });
  ShellDensities found;
  for (std::size_t k = 0; k < bins.sum.size(); ++k) {
    found.radius.push_back((static_cast<double>(k) + 0.5) * thickness);
    found.density.push_back(bins.count[k] > 0 ? bins.mean(k) : 0);
    found.smoothing.push_back(bins.count[k] > 0 ? reaches.mean(k) : 0);
  }
  return found;
}

VortexState vortex_state(const Snapshot& s, const GreshoVortex& vortex) {
  const Particles& p = s.particles;
  Bins rings(0.02, 0.5);
  VortexState state;
  double count = 0, mass = 0, kinetic = 0, spin = 0;
  for_all_gas(s, [&](std::size_t i) {
    const Vec3 &x = p.position[i], &v = p.velocity[i];
    const double r = std::hypot(x[0], x[1]), turning = x[0] * v[1] - x[1] * v[0], around = r > 0 ? turning / r : 0;
    state.velocity_error += std::abs(around - vortex.at(r).velocity);
    rings.add(r, around);
    ++count;
    mass += p.mass[i];
    kinetic += 0.5 * p.mass[i] * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    spin += p.mass[i] * turning;
  });
  state.velocity_error /= count;
  double compared = 0;
  for (std::size_t k = 0; k < rings.sum.size(); ++k) {
    if (rings.count[k] == 0) continue;
    const double mean = rings.mean(k);
    state.binned_error += std::abs(mean - vortex.at(rings.mean_radius(k)).velocity);
    state.peak = std::max(state.peak, mean);
    ++compared;
  }
  state.binned_error /= compared;
  const double thickness = mass / vortex.at(0).density;  // of a box of edge 1
  state.kinetic = kinetic / (vortex.kinetic() * thickness);
  state.angular_momentum = spin / (vortex.angular_momentum() * thickness);
  return state;
}

WaveState wave_state(const Snapshot& s, double speed_amplitude, double sound_speed) {
  const Particles& p = s.particles;
  constexpr double turn = 2 * std::numbers::pi;
  std::complex<double> sum = 0;
  double weights = 0, difference = 0, count = 0;
  for_all_gas(s, [&](std::size_t i) {
    const double volume = p.mass[i] / p.density[i], x = p.position[i][0], v = p.velocity[i][0];
    sum += volume * v * std::polar(1.0, -turn * (x - sound_speed * s.time));
    weights += volume;
    difference += std::abs(v - speed_amplitude * std::sin(turn * (x - sound_speed * s.time)));
    ++count;
  });
  // v = A sin(turn (x - c t) + phase) has the sum A exp(i phase) / 2i
  const std::complex<double> found = sum * std::complex<double>(0, 2) / weights;
  return {std::abs(found) / speed_amplitude, std::arg(found), difference / (count * speed_amplitude)};
}

MixingState mixing_state(const Snapshot& s, int waves) {
  const Particles& p = s.particles;
  const double wave = 2 * std::numbers::pi * waves;
  MixingState state;
  double sine = 0, cosine = 0, weights = 0;
  for_all_gas(s, [&](std::size_t i) {
    const Vec3 &x = p.position[i], &v = p.velocity[i];
    const double weight = p.mass[i] / p.density[i] * std::exp(-wave * std::abs(std::abs(x[1]) - 0.25));
    sine += weight * v[1] * std::sin(wave * x[0]);
    cosine += weight * v[1] * std::cos(wave * x[0]);
    weights += weight;
    state.largest_kinetic = std::max(state.largest_kinetic, 0.5 * p.density[i] * v[1] * v[1]);
  });
  state.amplitude = 2 * std::hypot(sine, cosine) / weights;
  return state;
}

SquareState square_state(const Snapshot& s, double energy_between, double half_edge, double sound_speed) {
  const Particles& p = s.particles;
  double reach[4] = {0, 0, 0, 0}, squares = 0, mass = 0;
  for_all_gas(s, [&](std::size_t i) {
    const Vec3 &x = p.position[i], &v = p.velocity[i];
    squares += p.mass[i] * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    mass += p.mass[i];
    if (p.internal_energy[i] > energy_between) return;
    double& corner = reach[(x[0] > 0 ? 1 : 0) + (x[1] > 0 ? 2 : 0)];
    corner = std::max(corner, std::abs(x[0]) + std::abs(x[1]));
  });
  return {(reach[0] + reach[1] + reach[2] + reach[3]) / (8 * half_edge), std::sqrt(squares / mass) / sound_speed};
}

double cloud_share(const Snapshot& s, double cloud_mass, double cloud_density, double energy_outside) {
  const Particles& p = s.particles;
  double left = 0;
  for_all_gas(s, [&](std::size_t i) {
    if (p.density[i] > 0.64 * cloud_density && p.internal_energy[i] < 0.9 * energy_outside) left += p.mass[i];
  });
  return left / cloud_mass;
}

}  // namespace hornbeam::analysis
