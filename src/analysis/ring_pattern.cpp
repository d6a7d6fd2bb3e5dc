// SPDX-License-Identifier: Apache-2.0
// What a ring's pattern looks like from above: how much light it lets through, and how its wakes trail.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "dynamics/boundary.h"
#include "hornbeam/error.h"
#include "hornbeam/ring.h"
#include "stages/wrap.h"

namespace hornbeam {
namespace {

constexpr int rays = 1024;  ///< along each edge
constexpr int cells = 64;   ///< of the map along each edge
constexpr double degree = std::numbers::pi / 180;

/// One body's shadow on the rays, that of its image beyond the wall too.
void shade(std::vector<std::uint8_t>& map, const Boundary& sheet, double drift, double x, double y, double radius) {
  const double step_x = sheet.size[0] / rays, step_y = sheet.size[1] / rays;
  const auto first = static_cast<int>(std::ceil((x - radius) / step_x - 0.5));
  for (int i = first; (i + 0.5) * step_x <= x + radius; ++i) {
    const double dx = (i + 0.5) * step_x - x, half = std::sqrt(std::max(0.0, radius * radius - dx * dx));
    const int box = i < 0 ? -1 : i >= rays ? 1 : 0, column = i - box * rays;
    const double centre = y - box * drift;  // what stands in the next box stands here so far back
    const auto begin = static_cast<int>(std::ceil((centre - half) / step_y - 0.5));
    for (int j = begin; (j + 0.5) * step_y <= centre + half; ++j) {
      map[static_cast<std::size_t>(column) * rays + static_cast<std::size_t>(((j % rays) + rays) % rays)] = 1;
    }
  }
}

/// The bodies' cross sections on a map over x and y.
std::vector<double> map_of(const Particles& p, const Boundary& sheet) {
  std::vector<double> map(static_cast<std::size_t>(cells) * cells);
  for (std::size_t i = 0; i < p.size(); ++i) {
    const auto place = [&](int k) {
      const double share = p.position[i][k] / sheet.size[k] + 0.5;
      return std::clamp(static_cast<int>(share * cells), 0, cells - 1);
    };
    map[static_cast<std::size_t>(place(0) * cells + place(1))] += p.radius[i] * p.radius[i];
  }
  return map;
}

/// The map's correlation with itself at (dx, dy) cells, dx >= 0: pairs within the box along x, all along y.
double correlation(const std::vector<double>& map, int dx, int dy) {
  double sum = 0;
  for (int i = 0; i + dx < cells; ++i) {
    for (int j = 0; j < cells; ++j) {
      const int other = ((j + dy) % cells + cells) % cells;
      sum += map[static_cast<std::size_t>(i * cells + j)] * map[static_cast<std::size_t>((i + dx) * cells + other)];
    }
  }
  return sum / (cells - dx);
}

}  // namespace

double photometric_depth(const Particles& p, const Boundary& sheet, double time) {
  check_ring(p, sheet);
  const double drift = periodic_box(sheet, time).drift;
  std::vector<std::uint8_t> map(static_cast<std::size_t>(rays) * rays);
  for (std::size_t i = 0; i < p.size(); ++i) {
    const double x = mixed::wrapped(p.position[i][0], sheet.size[0]),
                 y = mixed::wrapped(p.position[i][1], sheet.size[1]);
    shade(map, sheet, drift, x + sheet.size[0] / 2, y + sheet.size[1] / 2, std::min(p.radius[i], sheet.size[0] / 4));
  }
  const auto lit = static_cast<double>(std::count(map.begin(), map.end(), 0));
  return lit > 0 ? -std::log(lit / static_cast<double>(map.size())) : HUGE_VAL;
}

WakePitch wake_pitch(const Particles& p, const Boundary& sheet) {
  check_ring(p, sheet);
  constexpr int far = cells / 4;
  const std::vector<double> map = map_of(p, sheet);
  double mean = 0;
  for (const double value : map) mean += value / static_cast<double>(map.size());
  if (!(mean > 0)) return {};
  std::vector<double> excess(static_cast<std::size_t>(far + 2) * cells);
  for (int dx = 0; dx <= far + 1; ++dx) {
    for (int dy = 0; dy < cells; ++dy) {
      excess[static_cast<std::size_t>(dx * cells + dy)] = correlation(map, dx, dy) / (mean * mean * cells) - 1;
    }
  }
  const auto at = [&](double dx, double dy) {  // linear between cells
    const auto i = static_cast<int>(dx), j = static_cast<int>(std::floor(dy));
    const double u = dx - i, v = dy - j;
    const auto value = [&](int a, int b) {
      return excess[static_cast<std::size_t>(a * cells + ((b % cells) + cells) % cells)];
    };
    return (1 - u) * ((1 - v) * value(i, j) + v * value(i, j + 1)) +
           u * ((1 - v) * value(i + 1, j) + v * value(i + 1, j + 1));
  };
  WakePitch best{0, -1};
  const double ratio = sheet.size[0] / sheet.size[1];  // of the cells' edges
  for (int angle = -90; angle < 90; ++angle) {
    double sum = 0;
    int samples = 0;
    for (double r = 2; r <= far; r += 0.5, ++samples) {
      // a trailing wake lies further out where it is further back
      const double outward = r * std::sin(angle * degree) / ratio, ahead = -r * std::cos(angle * degree);
      sum += outward >= 0 ? at(outward, ahead) : at(-outward, -ahead);
    }
    if (sum / samples > best.contrast) best = {static_cast<double>(angle), sum / samples};
  }
  return best;
}

}  // namespace hornbeam
