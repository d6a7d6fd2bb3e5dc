// SPDX-License-Identifier: Apache-2.0
// Neighbours that rounding of positions brings too close, or that share a place, see resolution.h.
#include "simulation/resolution.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <sstream>

namespace hornbeam {
namespace {

constexpr std::size_t most_looked_at = std::size_t{1} << 22;

/// A neighbour nearer than so many roundings of a coordinate is attracted with an error of 1e-3 and more.
constexpr double too_few_roundings = 1000;

double rounding_of(Precision precision) { return precision == Precision::single ? 0x1p-24 : 0x1p-53; }

double largest_coordinate(const Vec3& x) { return std::max({std::abs(x[0]), std::abs(x[1]), std::abs(x[2])}); }

struct Box {
  double edge = 0, farthest = 0;  ///< longest edge, and largest coordinate
};

Box box_of(const Vec3* position, std::size_t n) {
  constexpr std::size_t many = 1 << 17;  // fewer are read faster than threads start
  double low[3] = {position[0][0], position[0][1], position[0][2]}, high[3] = {low[0], low[1], low[2]};
#pragma omp parallel for schedule(static) reduction(min : low) reduction(max : high) if (n > many)
  for (std::size_t i = 1; i < n; ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], position[i][k]);
      high[k] = std::max(high[k], position[i][k]);
    }
  }
  Box box;
  for (std::size_t k = 0; k < 3; ++k) {
    box.edge = std::max(box.edge, high[k] - low[k]);
    box.farthest = std::max({box.farthest, std::abs(low[k]), std::abs(high[k])});
  }
  return box;
}

/// Whether roundings of positions are so small next to the mean separation that neighbours need no look.
bool surely_resolved(const Box& box, std::size_t n, Precision precision) {
  constexpr double densest = 100;  // where particles are this many times closer than on average
  const double spacing = box.edge / std::cbrt(static_cast<double>(n));
  return densest * too_few_roundings * rounding_of(precision) * box.farthest < spacing;
}

/// Particles with a neighbour, apart from them, within their too_few_roundings.
class CloseNeighbours {
 public:
  CloseNeighbours(const Particles& particles, const GravityOptions& options)
      : p_(particles), options_(options), unit_(too_few_roundings * rounding_of(options.precision)) {
    const std::size_t stride = (p_.size() + most_looked_at - 1) / most_looked_at;
    for (std::size_t i = 0; i < p_.size(); i += stride) order_.push_back(i);
    std::sort(order_.begin(), order_.end(),
              [this](std::size_t a, std::size_t b) { return p_.position[a] < p_.position[b]; });
    for (const std::size_t i : order_) sorted_.push_back(p_.position[i]);
  }

  [[nodiscard]] std::size_t looked_at() const { return order_.size(); }
  /// Those whose forces suffer: of softened ones, whose close neighbours attract little, if they are more than a few.
  [[nodiscard]] std::size_t count() const {
    std::vector<std::uint8_t> close(order_.size(), 0);
    for (std::size_t a = 0; a < order_.size(); ++a) {
      const double reach = unit_ * largest_coordinate(sorted_[a]);
      // in a plane x = const all are neighbours along x: those next in y show enough
      const std::size_t end = std::min(order_.size(), a + most_along_x);
      for (std::size_t b = a + 1; b < end; ++b) {
        const Vec3 &x = sorted_[a], &y = sorted_[b];
        if (y[0] - x[0] > reach) break;
        const double d = std::max({y[0] - x[0], std::abs(y[1] - x[1]), std::abs(y[2] - x[2])});
        if (d > 0 && d < reach) close[a] = close[b] = 1;
      }
    }
    std::size_t bare = 0, softened = 0;
    for (std::size_t a = 0; a < order_.size(); ++a) {
      if (close[a] != 0) ++(eps_of(order_[a]) > unit_ * largest_coordinate(sorted_[a]) ? softened : bare);
    }
    return bare + (100 * softened > order_.size() ? softened : 0);
  }

 private:
  static constexpr std::size_t most_along_x = 128;

  [[nodiscard]] double eps_of(std::size_t i) const {
    return options_.eps >= 0 ? options_.eps : (p_.eps.empty() ? 0.0 : p_.eps[i]);
  }

  const Particles& p_;
  const GravityOptions& options_;
  double unit_;
  std::vector<std::size_t> order_;  ///< along x, then y, then z
  std::vector<Vec3> sorted_;
};

std::string remedy(Precision precision) {
  return precision == Precision::single ? "(take precision mixed or double, or an origin near the particles)"
                                        : "(take an origin near the particles)";
}

std::vector<std::string> note_on_neighbours(const Particles& particles, const GravityOptions& options) {
  const std::size_t n = particles.size();
  if (n < 2) return {};
  // what is stored in double precision is summed as it is stored: only a system very far from the origin has lost
  // digits
  const Box box = box_of(particles.position.data(), n);
  if (options.precision != Precision::single && surely_resolved(box, n, options.precision)) return {};
  const double rounding = rounding_of(options.precision) * box.farthest;
  const CloseNeighbours close(particles, options);
  const std::size_t found = close.count();
  if (found == 0) return {};
  std::ostringstream note;
  note.precision(2);
  note << "WARNING: " << name(options.precision) << " precision resolves positions to " << rounding
       << ", too coarse for the neighbours of " << found << " of " << close.looked_at()
       << " particles: their forces have errors of 1e-3 and more " << remedy(options.precision);
  return {note.str()};
}

/// Edge of the box that holds all but the outermost 0.1 % along each axis, as far as it is more than nothing.
double inner_edge(const Particles& particles) {
  const std::size_t n = particles.size(), outside = (n + 1999) / 2000;
  double edge = 0;
  std::vector<double> x(n);
  for (int k = 0; k < 3; ++k) {
    for (std::size_t i = 0; i < n; ++i) x[i] = particles.position[i][k];
    std::nth_element(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(outside), x.end());
    const double low = x[outside];
    std::nth_element(x.begin(), x.end() - static_cast<std::ptrdiff_t>(outside + 1), x.end());
    edge = std::max(edge, x[n - 1 - outside] - low);
  }
  return edge;
}

/// The longest way along an axis between two particles.
double along_axis(const Vec3& x, const Vec3& y) {
  return std::max({std::abs(x[0] - y[0]), std::abs(x[1] - y[1]), std::abs(x[2] - y[2])});
}

/// How far some particles lie from one in their midst, along an axis: three quarters of them are no farther.
double some_width(const Vec3* position, std::size_t n) {
  const std::size_t stride = std::max<std::size_t>(n / 64, 1);
  double least = std::numeric_limits<double>::infinity();
  for (const std::size_t centre : {std::size_t{0}, n / 3, n - 1}) {  // one of them may be an outlier
    std::vector<double> ways;
    for (std::size_t i = 0; i < n; i += stride) ways.push_back(along_axis(position[i], position[centre]));
    const auto quarter = ways.begin() + static_cast<std::ptrdiff_t>(ways.size() * 3 / 4);
    std::nth_element(ways.begin(), quarter, ways.end());
    least = std::min(least, *quarter);
  }
  return least;
}

/// How many times as far away as the others are apart 1 / r^3, by which a particle is attracted, leaves the range of
/// fp32. The inner particles' edge is at most 2^9 in internal units, and their mass 1: direct sums take each by itself.
double reach_of(std::size_t n, const GravityOptions& options) {
  const double pairs = options.walk == Walk::direct ? static_cast<double>(n) : 1.0;
  return std::cbrt(0x1p126 / pairs) / 0x1p9;
}

/// Whether some may be that far away, without a look at all. whole: the longest edge of the box of all.
bool may_have_outliers(const Vec3* position, std::size_t n, double whole, const GravityOptions& options) {
  constexpr std::size_t fewest = 32;  // among fewer, the internal unit takes all into account
  if (n < fewest || options.precision == Precision::fp64) return false;
  return whole > reach_of(n, options) * some_width(position, n);
}

std::vector<std::string> note_on_outliers(const Particles& particles, double whole, const GravityOptions& options) {
  const std::size_t n = particles.size();
  if (!may_have_outliers(particles.position.data(), n, whole, options)) return {};
  const double reach = reach_of(n, options);
  const double edge = inner_edge(particles);
  if (!(edge > 0) || whole <= reach * edge) return {};
  std::size_t far = 0;
  const std::vector<Vec3>& x = particles.position;
  for (std::size_t i = 0; i < n; ++i) far += along_axis(x[i], x[n / 2]) > reach * edge ? 1 : 0;
  if (2 * far > n) far = n - far;  // the one that ways were taken from is itself far away
  std::ostringstream note;
  note.precision(2);
  note << "WARNING: " << name(options.precision) << " precision cannot represent the acceleration of " << far << " of "
       << n << " particles, more than " << reach
       << " times as far away as the others are apart (take precision double)";
  return {note.str()};
}

/// Bits of a place, the same for both zeros, mixed (splitmix64).
std::uint64_t hash_of(const Vec3& x) {
  std::uint64_t hash = 0;
  for (const double component : x) {
    hash = (hash ^ std::bit_cast<std::uint64_t>(component + 0.0)) + 0x9e3779b97f4a7c15U;
    hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9U;
    hash = (hash ^ (hash >> 27)) * 0x94d049bb133111ebU;
    hash ^= hash >> 31;
  }
  return hash;
}

/// Softening below this part of the particles' box counts as none in fp32: HB_LEAST_EPS of stages/units.h.
constexpr double least_part_of_edge = 1e-12 / 256;

/// Of unsoftened particles those at the place of another one, where one of them has mass. Of very many, places are
/// looked at that their bits choose, with all particles there. whole: the longest edge of the box of all.
std::vector<std::string> note_on_coincidence(const Particles& p, double whole, const GravityOptions& options) {
  const double least = options.precision == Precision::fp64 ? 0 : least_part_of_edge * whole;
  if (options.eps > least) return {};
  const std::uint64_t one_in = p.size() / most_looked_at + 1;
  std::vector<std::size_t> bare;
  double lost = std::max(options.eps, 0.0);
  for (std::size_t i = 0; i < p.size(); ++i) {
    const double own = options.eps < 0 && !p.eps.empty() ? p.eps[i] : 0;
    const bool is_softened = own > least;
    if (!is_softened) lost = std::max(lost, own);
    if (!is_softened && (one_in == 1 || hash_of(p.position[i]) % one_in == 0)) bare.push_back(i);
  }
  std::sort(bare.begin(), bare.end(), [&p](std::size_t a, std::size_t b) { return p.position[a] < p.position[b]; });
  std::size_t found = 0;
  for (std::size_t begin = 0, end = 0; begin < bare.size(); begin = end) {
    bool has_mass = false;
    for (; end < bare.size() && p.position[bare[end]] == p.position[bare[begin]]; ++end) {
      has_mass = has_mass || p.mass[bare[end]] > 0;
    }
    if (has_mass && end - begin > 1) found += end - begin;
  }
  if (found == 0) return {};
  std::ostringstream note;
  if (lost > 0) {
    note << "WARNING: a softening of " << lost << " is below the resolution of " << name(options.precision)
         << " precision in a box of " << whole << " (take precision double): ";
  }
  note
      << found << " of " << bare.size() << " unsoftened particles" << (one_in > 1 ? " checked" : "")
      << " have exactly the position of another one: these do not attract one another (give eps, or remove duplicates)";
  return {note.str()};
}

/// Particles whose distance from the potential is but a few roundings of their coordinates.
std::size_t count_near(const ExternalPotential& potential, const Particles& particles, double rounding) {
  std::size_t near = 0;
  for (const Vec3& x : particles.position) {
    const Vec3& c = potential.centre;
    const double distance = std::hypot(x[0] - c[0], x[1] - c[1], x[2] - c[2]);
    const double coarse = too_few_roundings * rounding * std::max(largest_coordinate(x), largest_coordinate(c));
    near += distance > 0 && distance + potential.scale < coarse ? 1 : 0;
  }
  return near;
}

}  // namespace

std::vector<std::string> resolution_notes(const Particles& particles, const GravityOptions& options,
                                          const std::vector<ExternalPotential>& potentials, bool pulls) {
  std::vector<std::string> notes = note_on_neighbours(particles, options);
  const double whole = particles.size() > 0 ? box_of(particles.position.data(), particles.size()).edge : 0;
  const auto add = [&notes](const std::vector<std::string>& more) {
    notes.insert(notes.end(), more.begin(), more.end());
  };
  if (pulls) add(note_on_outliers(particles, whole, options));
  if (pulls) add(note_on_coincidence(particles, whole, options));
  for (const ExternalPotential& potential : potentials) {
    const std::size_t near = count_near(potential, particles, rounding_of(options.precision));
    if (near == 0) continue;
    std::ostringstream note;
    note << "WARNING: " << name(options.precision) << " precision is too coarse for the distance of " << near << " of "
         << particles.size() << " particles from the potential " << name(potential.kind)
         << ": its attraction has errors of 1e-3 or more " << remedy(options.precision);
    notes.push_back(note.str());
  }
  return notes;
}

}  // namespace hornbeam
