// SPDX-License-Identifier: Apache-2.0
// What a ring's pattern looks like from above: how much light it lets through, and how its wakes trail.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "hornbeam/error.h"
#include "hornbeam/ring.h"
#include "stages/wrap.h"
#include "tree/boundary.h"

namespace hornbeam {
namespace {

constexpr int rays = 1024;                          ///< along each edge
constexpr int least_cells = 64, most_cells = 2048;  ///< of the map along an edge
constexpr double cells_of_lag = 3;                  ///< of the map, in the least lag at which wakes are looked for
constexpr double degree = std::numbers::pi / 180;

/// One body's shadow on the rays, that of its image beyond the wall too.
void shade(std::vector<std::uint8_t>& map, const Boundary& sheet, double drift, double x, double y, double radius) {
  const double step_x = sheet.size[0] / rays, step_y = sheet.size[1] / rays;
  const auto first = static_cast<int>(std::ceil((x - radius) / step_x - 0.5));
  for (int i = first; (i + 0.5) * step_x <= x + radius; ++i) {
    const double dx = (i + 0.5) * step_x - x, half = std::sqrt(std::max(0.0, radius * radius - dx * dx));
    const int box = i < 0 ? -1 : i >= rays ? 1 : 0, column = i - box * rays;
    const double centre = y - box * drift;  // what is in the next box stands here so far back
    const auto begin = static_cast<int>(std::ceil((centre - half) / step_y - 0.5));
    for (int j = begin; (j + 0.5) * step_y <= centre + half; ++j) {
      map[static_cast<std::size_t>(column) * rays + static_cast<std::size_t>(((j % rays) + rays) % rays)] = 1;
    }
  }
}

/// The bodies' cross sections on a map over x and y, over their mean.
class Map {
 public:
  Map(const Particles& p, const Boundary& sheet, double cell) {
    for (std::size_t k = 0; k < 2; ++k) {
      cells_[k] = static_cast<int>(std::clamp<double>(sheet.size[k] / cell, least_cells, most_cells));
      cell_[k] = sheet.size[k] / cells_[k];
    }
    map_.resize(static_cast<std::size_t>(cells_[0]) * static_cast<std::size_t>(cells_[1]));
    double sum = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
      const auto place = [&](std::size_t k) {
        return std::clamp(static_cast<int>((p.position[i][k] / sheet.size[k] + 0.5) * cells_[k]), 0, cells_[k] - 1);
      };
      at(place(0), place(1)) += p.radius[i] * p.radius[i];
      sum += p.radius[i] * p.radius[i];
    }
    for (double& value : map_) value *= static_cast<double>(map_.size()) / sum;
  }

  [[nodiscard]] double cell(std::size_t axis) const { return cell_[axis]; }

  /// The excess of its correlation with itself at (dx, dy) cells, dx >= 0: pairs within the box along x, all along y.
  [[nodiscard]] double excess(int dx, int dy) const {
    double sum = 0;
    if (dx >= cells_[0]) return 0;
    const int shift = ((dy % cells_[1]) + cells_[1]) % cells_[1];
    for (int i = 0; i + dx < cells_[0]; ++i) {
      for (int j = 0; j < cells_[1]; ++j) {
        sum += at(i, j) * at(i + dx, j + shift < cells_[1] ? j + shift : j + shift - cells_[1]);
      }
    }
    return sum / (static_cast<double>(cells_[0] - dx) * cells_[1]) - 1;
  }

 private:
  [[nodiscard]] double& at(int i, int j) {
    return map_[static_cast<std::size_t>(i) * static_cast<std::size_t>(cells_[1]) + static_cast<std::size_t>(j)];
  }
  [[nodiscard]] double at(int i, int j) const {
    return map_[static_cast<std::size_t>(i) * static_cast<std::size_t>(cells_[1]) + static_cast<std::size_t>(j)];
  }

  std::array<int, 2> cells_{};
  std::array<double, 2> cell_{};
  std::vector<double> map_;
};

/// The excess out to `far` along x and y, linear between cells.
class Correlation {
 public:
  Correlation(const Map& map, double far)
      : cell_{map.cell(0), map.cell(1)}, half_(static_cast<int>(far / cell_[1]) + 2), width_(2 * half_ + 1) {
    const int last = static_cast<int>(far / cell_[0]) + 1;
    for (int dx = 0; dx <= last; ++dx) {
      for (int dy = -half_; dy <= half_; ++dy) excess_.push_back(map.excess(dx, dy));
    }
  }

  /// The same at a lag and at its opposite.
  [[nodiscard]] double at(double x, double y) const {
    if (x < 0) return at(-x, -y);
    const double dx = x / cell_[0], dy = y / cell_[1];
    const auto i = static_cast<int>(dx), j = static_cast<int>(std::floor(dy));
    const double u = dx - i, v = dy - j;
    return (1 - u) * ((1 - v) * value(i, j) + v * value(i, j + 1)) +
           u * ((1 - v) * value(i + 1, j) + v * value(i + 1, j + 1));
  }

 private:
  [[nodiscard]] double value(int i, int j) const {
    return excess_[static_cast<std::size_t>(i) * static_cast<std::size_t>(width_) +
                   static_cast<std::size_t>(j + half_)];
  }

  std::array<double, 2> cell_;
  int half_, width_;
  std::vector<double> excess_;
};

/// The scale of wakes: the critical wavelength, or a sixth of the box where there is no gravity.
double scale_of_wakes(const Particles& p, const Boundary& sheet, double G) {
  double mass = 0;
  for (const double one : p.mass) mass += one;
  const double critical =
      4 * std::numbers::pi * std::numbers::pi * G * mass / (sheet.size[0] * sheet.size[1] * sheet.omega * sheet.omega);
  return critical > 0 ? critical : std::min(sheet.size[0], sheet.size[1]) / 6;
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

WakePitch wake_pitch(const Particles& p, const Boundary& sheet, double G) {
  check_ring(p, sheet);
  if (std::none_of(p.radius.begin(), p.radius.end(), [](double r) { return r > 0; })) return {};
  const double scale = scale_of_wakes(p, sheet, G), shorter = std::min(sheet.size[0], sheet.size[1]);
  const double far = std::min(1.5 * scale, 0.45 * shorter), near = std::min(0.25 * scale, 0.25 * far);
  const Correlation correlation(Map(p, sheet, near / cells_of_lag), far);
  WakePitch best{0, -1};
  constexpr int samples = 24;
  for (int angle = -90; angle < 90; ++angle) {
    double sum = 0;
    for (int k = 0; k < samples; ++k) {
      const double r = near + (far - near) * k / (samples - 1);
      // a trailing wake lies further out where it is further back
      sum += correlation.at(r * std::sin(angle * degree), -r * std::cos(angle * degree));
    }
    if (sum / samples > best.contrast) best = {static_cast<double>(angle), sum / samples};
  }
  return best;
}

}  // namespace hornbeam
