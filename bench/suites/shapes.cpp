// SPDX-License-Identifier: Apache-2.0
// Shapes for tests and benchmarks, see shapes.h.
#include "bench/suites/shapes.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <random>

#include "hornbeam/error.h"
#include "ics/random.h"
#include "physics/curve.h"

namespace hornbeam::cli {
namespace {

constexpr double plummer_scale = 0.58905;  // 3 pi / 16: the model's own, Hénon units

Particles plummer(std::size_t n, ics::Seed seed) { return ics::make("plummer", n, seed).particles; }

/// At rest and with equal masses that add up to 1.
Particles at(std::vector<Vec3> position) {
  Particles p;
  p.resize(position.size());
  p.mass.assign(position.size(), 1.0 / static_cast<double>(std::max<std::size_t>(position.size(), 1)));
  p.position = std::move(position);
  return p;
}

void move(Particles& particles, const Vec3& by) {
  for (Vec3& x : particles.position) {
    for (int k = 0; k < 3; ++k) x[k] += by[k];
  }
}

Particles two_clusters(std::size_t n, ics::Seed seed) {
  constexpr double half_distance = 1000 * plummer_scale;
  Particles both = plummer(n / 2, seed);
  Particles other = plummer(n - n / 2, {seed.value + 1});
  move(both, {-half_distance, 0, 0});
  move(other, {half_distance, 0, 0});
  both.append(other);
  both.mass.assign(n, 1.0 / static_cast<double>(n));
  std::iota(both.id.begin(), both.id.end(), 0);
  return both;
}

Particles outlier(std::size_t n, ics::Seed seed) {
  Particles p = plummer(n, seed);
  if (n > 0) p.position.back() = {1e6 * plummer_scale, 0, 0};
  return p;
}

/// Clumps of a thousandth of the size of the sphere in which they are at random: most of the volume is empty, and the
/// tree ten levels deeper than a uniform one.
Particles cold_clumps(std::size_t n, ics::Seed seed) {
  constexpr std::size_t clumps = 64;
  constexpr double size = 1e-3;
  const Particles centre = ics::make("uniform-sphere", clumps, seed).particles;
  const Particles offset = plummer(n, {seed.value + 1});
  std::vector<Vec3> position(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (int k = 0; k < 3; ++k) position[i][k] = centre.position[i % clumps][k] + size * offset.position[i][k];
  }
  return at(std::move(position));
}

/// One in ten at one point: 1e5 of a million.
Particles coincident(std::size_t n, ics::Seed seed) {
  Particles p = plummer(n, seed);
  for (std::size_t i = 0; i < n; i += 10) p.position[i] = {0.3, 0.2, -0.1};
  return p;
}

/// Radius 1, a tenth wide, a hundredth thick: nearly two-dimensional, with nothing in the middle.
Particles ring(std::size_t n, ics::Seed seed) {
  ics::Random random(seed, 0);
  std::vector<Vec3> position(n);
  for (Vec3& x : position) {
    const double angle = 2 * std::numbers::pi * random.uniform(), radius = 0.95 + 0.1 * random.uniform();
    x = {radius * std::cos(angle), radius * std::sin(angle), 0.005 * random.normal()};
  }
  return at(std::move(position));
}

bool is_model(const std::string& name) {
  const auto& models = ics::models();
  return std::any_of(models.begin(), models.end(), [&](const auto& model) { return model.name == name; });
}

const Shape* find_shape(const std::string& name) {
  const auto found = std::find_if(shapes().begin(), shapes().end(), [&](const Shape& s) { return s.name == name; });
  return found == shapes().end() ? nullptr : &*found;
}

std::vector<std::size_t> shuffled(std::size_t n) {
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::mt19937_64 engine(20120602);
  for (std::size_t i = n; i > 1; --i) std::swap(order[i - 1], order[engine() % i]);
  return order;
}

std::vector<std::size_t> along_hilbert_curve(const Particles& p) {
  double half = 0;
  for (const Vec3& x : p.position) half = std::max({half, std::abs(x[0]), std::abs(x[1]), std::abs(x[2])});
  const double cells = half > 0 ? (1 << HB_LEVELS) / (2 * half) : 0;
  std::vector<std::pair<std::uint64_t, std::size_t>> entries(p.size());
  for (std::size_t i = 0; i < p.size(); ++i) {
    const auto grid = [&](int k) { return mixed::grid_coordinate(p.position[i][k], -half, cells); };
    entries[i] = {mixed::hilbert_key(grid(0), grid(1), grid(2)), i};
  }
  std::sort(entries.begin(), entries.end());
  std::vector<std::size_t> order(p.size());
  for (std::size_t i = 0; i < p.size(); ++i) order[i] = entries[i].second;
  return order;
}

template <class T>
void permute(std::vector<T>& values, const std::vector<std::size_t>& order) {
  if (values.empty()) return;
  std::vector<T> moved(values.size());
  for (std::size_t i = 0; i < order.size(); ++i) moved[i] = values[order[i]];
  values.swap(moved);
}

}  // namespace

const std::vector<Shape>& shapes() {
  static const std::vector<Shape> all = {
      {"two-clusters", "two Plummer spheres, 2000 scale lengths apart", two_clusters},
      {"outlier", "a Plummer sphere and one particle a million scale lengths away", outlier},
      {"cold-clumps", "64 Plummer spheres of size 0.001 in a sphere of radius 1", cold_clumps},
      {"coincident", "a Plummer sphere, one particle in ten at one point", coincident},
      {"ring", "a ring of radius 1, width 0.1 and thickness 0.01", ring},
  };
  return all;
}

bool is_shape(const std::string& name) { return find_shape(name) != nullptr || is_model(name); }

Particles draw_shape(const std::string& name, std::size_t n, ics::Seed seed) {
  if (const Shape* shape = find_shape(name)) return shape->draw(n, seed);
  if (name == "lattice") {
    auto side = static_cast<std::size_t>(std::cbrt(static_cast<double>(n)));
    while ((side + 1) * (side + 1) * (side + 1) <= n) ++side;
    n = side * side * side;
  }
  return ics::make(name, n, seed).particles;
}

std::string to_string(InputOrder order) {
  return order == InputOrder::as_made ? "as made" : order == InputOrder::shuffled ? "shuffled" : "sorted";
}

void put_in_order(Particles& particles, InputOrder order) {
  if (order == InputOrder::as_made) return;
  const auto place = order == InputOrder::shuffled ? shuffled(particles.size()) : along_hilbert_curve(particles);
  permute(particles.position, place);
  permute(particles.velocity, place);
  permute(particles.mass, place);
  permute(particles.id, place);
  permute(particles.family, place);
  permute(particles.eps, place);
}

}  // namespace hornbeam::cli
