// SPDX-License-Identifier: Apache-2.0
// Looks at a set-up before it runs, see setup_notes.h.
#include "run/setup/setup_notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

#include "analysis/vectors.h"
#include "core/fields.h"
#include "hornbeam/neighbours.h"
#include "run/records/figures.h"
#include "run/setup/galaxy_notes.h"
#include "run/setup/some_of.h"

namespace hornbeam::run {
namespace {

/// Gas as it is looked at: all of it, or of very much every so-manieth.
struct GasSample {
  Particles particles;
  std::size_t all = 0;

  [[nodiscard]] bool is_whole() const { return particles.size() == all; }
};

GasSample gas_of(const Particles& p) {
  constexpr std::size_t most = 200000;
  GasSample gas;
  gas.all = static_cast<std::size_t>(std::count(p.family.begin(), p.family.end(), Family::gas));
  gas.particles = selected(p, some_of(p, most, Family::gas));
  return gas;
}

using analysis::cross, analysis::dot, analysis::minus, analysis::scaled;

/// What is left of a vector across a direction of length 1.
Vec3 across(const Vec3& v, const Vec3& direction) { return minus(v, scaled(direction, dot(v, direction))); }

/// The direction of the longest of position - centre, without what lies along `without`; zero if all vanish.
Vec3 farthest(const std::vector<Vec3>& position, const Vec3& centre, const Vec3& without) {
  Vec3 longest{};
  for (const Vec3& x : position) {
    const Vec3 way = across(minus(x, centre), without);
    if (dot(way, way) > dot(longest, longest)) longest = way;
  }
  const double length = std::sqrt(dot(longest, longest));
  return length > 0 ? scaled(longest, 1 / length) : Vec3{};
}

/// Those that are not the outermost fiftieth: a few far away make no line of what they left.
std::vector<Vec3> without_outliers(std::vector<Vec3> position) {
  Vec3 middle{};
  std::vector<double> values(position.size());
  for (std::size_t k = 0; k < 3; ++k) {
    std::transform(position.begin(), position.end(), values.begin(), [k](const Vec3& x) { return x[k]; });
    const auto half = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), half, values.end());
    middle[k] = *half;
  }
  const auto squared = [&middle](const Vec3& x) { return dot(minus(x, middle), minus(x, middle)); };
  const auto kept = position.begin() + static_cast<std::ptrdiff_t>(position.size() - position.size() / 50 - 1);
  std::nth_element(position.begin(), kept, position.end(),
                   [&](const Vec3& a, const Vec3& b) { return squared(a) < squared(b); });
  position.erase(kept + 1, position.end());
  return position;
}

/// Widths of a homogeneous body with the same second moments: along the way to the outermost particle, along the way to
/// that farthest from this line, and across both. A width along which a periodic box repeats is at least the box: its
/// images are the next layers.
Vec3 widths_of(const std::vector<Vec3>& position, const Boundary& box) {
  Vec3 centre{};
  for (const Vec3& x : position) {
    for (std::size_t k = 0; k < 3; ++k) centre[k] += x[k] / static_cast<double>(position.size());
  }
  const Vec3 out = farthest(position, centre, {}), aside = farthest(position, centre, out);
  const std::array<Vec3, 3> direction = {out, aside, cross(out, aside)};
  Vec3 width{};
  for (std::size_t k = 0; k < 3; ++k) {
    double squares = 0;
    for (const Vec3& x : position) squares += std::pow(dot(minus(x, centre), direction[k]), 2);
    width[k] = std::sqrt(12 * squares / static_cast<double>(position.size()));
  }
  for (std::size_t axis = 0; axis < 3 && box.kind != BoundaryKind::open; ++axis) {
    constexpr double along = 0.99;
    for (std::size_t k = 0; k < 3; ++k) {
      if (std::abs(direction[k][axis]) > along) width[k] = std::max(width[k], box.size[axis]);
    }
  }
  return width;
}

/// Sums over neighbours are in three dimensions: of a sheet the density is a surface density over H, and H shrinks with
/// the number of particles.
std::string flat_gas_note(const GasSample& gas, const Boundary& box) {
  constexpr std::size_t fewest = 64;  // fewer have no shape
  constexpr double flat = 0.1;        // of the separation
  if (gas.all < fewest) return "";
  const Vec3 width = widths_of(without_outliers(gas.particles.position), box);
  const double n = static_cast<double>(gas.all);
  const double in_line = width[0] / n, in_plane = std::sqrt(width[0] * width[1] / n);
  const bool is_line = width[1] < flat * in_line && width[2] < flat * in_line;
  if (!is_line && width[2] >= flat * in_plane) return "";
  return fmt::format(
      "WARNING: the gas lies {}, {:.2g} thick with particles {:.2g} apart. Its densities are per volume "
      "and change with the number of particles (give several layers, or a periodic box as thick as one separation)",
      is_line ? "on a line" : "in a plane", is_line ? width[1] : width[2], is_line ? in_line : in_plane);
}

constexpr int nearest = 12;

/// The gas in classes of mass, which gaps of more than a factor 2 between masses part; of each particle the number.
std::vector<std::uint32_t> classes_of_mass(const std::vector<double>& mass) {
  std::vector<std::size_t> order(mass.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return mass[a] < mass[b]; });
  std::vector<std::uint32_t> number(mass.size(), 0);
  for (std::size_t k = 1; k < order.size(); ++k) {
    const bool is_gap = mass[order[k]] > 2 * mass[order[k - 1]];
    number[order[k]] = number[order[k - 1]] + (is_gap ? 1 : 0);
  }
  return number;
}

/// The density, but for a factor, that the nearest particles of its own class give each; 0 in classes of too few.
std::vector<double> densities_of_classes(const Particles& gas, const std::vector<std::uint32_t>& number) {
  std::vector<double> density(gas.size(), 0);
  const std::uint32_t last = *std::max_element(number.begin(), number.end());
  for (std::uint32_t of = 0; of <= last; ++of) {
    std::vector<std::size_t> which;
    for (std::size_t i = 0; i < gas.size(); ++i) {
      if (number[i] == of) which.push_back(i);
    }
    if (which.size() <= nearest) continue;
    const Particles own = selected(gas, which);
    const NeighbourLists near = nearest_neighbours(own.position, nearest);
    for (std::size_t i = 0; i < which.size(); ++i) {
      density[which[i]] = own.mass[i] / std::pow(near.distance2[near.offset[i + 1] - 1], 1.5);
    }
  }
  return density;
}

/// Whether the particle is among others of a mass that differs by more than the factor: on all sides, or on one side
/// at the same density. At a contact of two fluids the heavier particles are of the denser one.
class UnequalMasses {
 public:
  static constexpr double factor = 4;

  explicit UnequalMasses(const Particles& gas)
      : gas_(gas),
        near_(nearest_neighbours(gas.position, nearest)),
        density_(densities_of_classes(gas, classes_of_mass(gas.mass))) {}

  [[nodiscard]] bool around(std::size_t i) const {
    constexpr double one_sided = 0.4, like = 2;  // of a half-sphere: 0.5
    Vec3 sum{};
    std::size_t unlike = 0, alike = 0;
    for (std::uint64_t k = near_.offset[i]; k < near_.offset[i + 1]; ++k) {
      const std::uint32_t j = near_.index[k];
      if (larger_ratio(gas_.mass[i], gas_.mass[j]) <= factor) continue;
      ++unlike;
      alike += larger_ratio(density_[i], density_[j]) < like ? 1 : 0;
      const Vec3 way = minus(gas_.position[j], gas_.position[i]);
      const double length = std::sqrt(dot(way, way));
      for (std::size_t axis = 0; axis < 3 && length > 0; ++axis) sum[axis] += way[axis] / length;
    }
    if (unlike == 0) return false;
    const bool is_mixed = unlike > 1 && std::sqrt(dot(sum, sum)) < one_sided * static_cast<double>(unlike);
    return is_mixed || 2 * alike > unlike;
  }

 private:
  static double larger_ratio(double a, double b) { return std::max(a / b, b / a); }

  const Particles& gas_;
  NeighbourLists near_;
  std::vector<double> density_;
};

std::string unequal_masses_note(const Particles& gas) {
  if (gas.size() <= nearest) return "";
  const auto [least, largest] = std::minmax_element(gas.mass.begin(), gas.mass.end());
  if (!(*least > 0) || *largest <= UnequalMasses::factor * *least) return "";
  const UnequalMasses masses(gas);
  std::size_t found = 0;
  for (std::size_t i = 0; i < gas.size(); ++i) found += masses.around(i) ? 1 : 0;
  if (found == 0) return "";
  return fmt::format(
      "WARNING: {} of {} gas particles have neighbours of the same density whose masses differ by more than a "
      "factor of {}. Pressures there are wrong, and heavy particles pass through light ones (take particles of one "
      "mass, or change masses in smaller steps)",
      found, gas.size(), UnequalMasses::factor);
}

/// Isothermal gas has the run's sound speed, whatever its file says.
std::string other_temperature_note(const Particles& gas, const Snapshot& start, const GasOptions& options) {
  constexpr double much = 0.1;
  const bool is_isothermal = options.eos == EquationOfState::isothermal || options.eos == EquationOfState::barotropic;
  if (!is_isothermal || gas.internal_energy.empty()) return "";
  double mass = 0, energy = 0;
  for (std::size_t i = 0; i < gas.size(); ++i) {
    mass += gas.mass[i];
    energy += gas.mass[i] * gas.internal_energy[i];
  }
  const double gamma = start.gas && start.gas->gamma > 1 ? start.gas->gamma : options.gamma;
  const double then = mass > 0 ? std::sqrt(std::max(0.0, (gamma - 1) * energy / mass)) : 0;
  if (!(then > 0) || std::abs(then - options.sound_speed) <= much * options.sound_speed) return "";
  return fmt::format(
      "WARNING: the gas has internal energies of a sound speed of {:.4g}, but gas.sound_speed = {:.4g} is used (set "
      "gas.sound_speed = {:.4g} to keep its temperature)",
      then, options.sound_speed, then);
}

std::string finite_images_note(const SimulationOptions& options) {
  const Boundary& box = options.boundary;
  if (box.kind != BoundaryKind::periodic || !options.self_gravity || !box.has_images()) return "";
  return fmt::format(
      "WARNING: gravity in the periodic box is a sum over {} x {} x {} boxes, which collapse as any finite body does: "
      "uniform matter does not stay at rest (docs/dynamics.md)",
      2 * box.images(0) + 1, 2 * box.images(1) + 1, 2 * box.images(2) + 1);
}

}  // namespace

std::vector<std::string> setup_notes(const Snapshot& start, const SimulationOptions& options) {
  std::vector<std::string> notes;
  const auto add = [&notes](std::string note) {
    if (!note.empty()) notes.push_back(std::move(note));
  };
  if (options.gas.flows()) {
    const GasSample gas = gas_of(start.particles);
    add(flat_gas_note(gas, options.boundary));
    if (gas.is_whole()) add(unequal_masses_note(gas.particles));
    add(other_temperature_note(gas.particles, start, options.gas));
  }
  add(finite_images_note(options));
  for (std::string& note : galaxy_notes(start, options)) add(std::move(note));
  return notes;
}

}  // namespace hornbeam::run
