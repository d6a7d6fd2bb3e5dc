// SPDX-License-Identifier: Apache-2.0
// What pairs of a ring's bodies do: how their gravity carries momentum outwards, and how deep they overlap.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "analysis/rings/ring_cells.h"
#include "hornbeam/ring.h"

namespace hornbeam {
namespace {

using analysis::RingCells;

constexpr double wavelengths = 3;    ///< critical ones, across which pairs are counted
constexpr double most_around = 2e4;  ///< bodies that a target looks at one by one
constexpr double lumps = 48;         ///< along the reach, where there are more
constexpr double near_lumps = 6;     ///< further away bodies are looked at in lumps
constexpr double most_pairs = 3e6;
constexpr std::size_t least_targets = 512;

/// Where a pair counts: not at all within `least`, wholly from `begin` to half of `end`, no more at `end`.
struct Band {
  double least, begin, end;
};

/// 1 to half of the way to the end, 0 beyond.
double faded(double share) {
  const double t = std::min(1.0, std::max(0.0, 2 - 2 * share));
  return t * t * (3 - 2 * t);
}

/// m dx dy / d^3 of the target with all that are in a run. Those that overlap attract as if they touched.
double sum_of_run(const RingCells& cells, const RingCells::Run& run, const Vec3& at, double own, const Band& band) {
  const double *x = cells.x.data(), *y = cells.y.data(), *z = cells.z.data(), *m = cells.mass.data(),
               *radius = cells.radius.data();
  const double at_x = at[0] - run.x, at_y = at[1] - run.y, at_z = at[2];
  const double outer = 1 / band.end, inner = 1 / band.begin;
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::size_t j = run.first; j < run.last; ++j) {
    const double dx = x[j] - at_x, dy = y[j] - at_y, dz = z[j] - at_z, touching = std::max(radius[j] + own, band.least);
    const double plane2 = dx * dx + dy * dy, d2 = std::max(plane2 + dz * dz, touching * touching);
    const double plane = std::sqrt(plane2), weight = faded(plane * outer) - faded(plane * inner);
    sum += m[j] * dx * dy / (d2 * std::sqrt(d2)) * weight;
  }
  return sum;
}

/// The bodies of square lumps with their mass at its centre.
Particles lumped(const RingCells& cells, const Boundary& sheet, double size) {
  const auto along = [&](std::size_t k) { return static_cast<std::size_t>(std::max(1.0, sheet.size[k] / size)); };
  const std::size_t columns = along(0), rows = along(1);
  Particles all;
  all.resize(columns * rows);
  all.mass.assign(all.size(), 0);
  all.radius.assign(all.size(), 0);
  const auto place = [](double share, std::size_t count) {
    return static_cast<std::size_t>(std::clamp(share + 0.5, 0.0, 1.0 - 1e-15) * static_cast<double>(count));
  };
  for (std::size_t i = 0; i < cells.mass.size(); ++i) {
    const std::size_t lump =
        place(cells.x[i] / sheet.size[0], columns) * rows + place(cells.y[i] / sheet.size[1], rows);
    const double m = cells.mass[i];
    all.mass[lump] += m;
    all.position[lump][0] += m * cells.x[i];
    all.position[lump][1] += m * cells.y[i];
    all.position[lump][2] += m * cells.z[i];
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (double& x : all.position[i]) x = all.mass[i] > 0 ? x / all.mass[i] : 0;
  }
  return all;
}

/// Sums about targets, far pairs in lumps where there are too many.
class PairSums {
 public:
  PairSums(const Particles& p, const Boundary& sheet, double time, double reach)
      : bodies_(p, sheet, time), near_(reach), reach_(reach) {
    const double dense = static_cast<double>(p.size()) / (sheet.size[0] * sheet.size[1]) * std::numbers::pi;
    around_ = dense * reach * reach;
    if (around_ <= most_around) return;
    const double size = reach / lumps;
    lumps_.emplace(lumped(bodies_, sheet, size), sheet, time);
    near_ = near_lumps * size;
    around_ = dense * near_ * near_ + std::numbers::pi * lumps * lumps;
  }

  /// The mean by mass: of all bodies, or of those that hold the middles of equal parts of the mass.
  [[nodiscard]] double mean(double mass) const {
    const std::size_t n = bodies_.mass.size();
    const std::size_t targets = std::max(least_targets, static_cast<std::size_t>(most_pairs / std::max(1.0, around_)));
    if (targets >= n) {
      double sum = 0;
      for (std::size_t i = 0; i < n; ++i) sum += bodies_.mass[i] * about(i);
      return sum / mass;
    }
    const auto parts = static_cast<double>(targets);
    double sum = 0, before = 0, taken = 0;
    for (std::size_t i = 0; i < n; ++i) {
      before += bodies_.mass[i] / mass;
      const double now = std::clamp(std::floor(before * parts + 0.5), taken, parts);
      if (now > taken) sum += (now - taken) * about(i);
      taken = now;
    }
    return sum / parts;
  }

 private:
  [[nodiscard]] double about(std::size_t i) const {
    const Vec3 at = {bodies_.x[i], bodies_.y[i], bodies_.z[i]};
    constexpr double nowhere = 1e-100;  // whose cube is a number
    double sum = 0;
    bodies_.around(at[0], at[1], near_, [&](const RingCells::Run& run) {
      sum += sum_of_run(bodies_, run, at, bodies_.radius[i], {nowhere, nowhere, near_});
    });
    if (!lumps_) return sum;
    lumps_->around(at[0], at[1], reach_, [&](const RingCells::Run& run) {
      sum += sum_of_run(*lumps_, run, at, 0, {0.5 * near_, near_, reach_});
    });
    return sum;
  }

  RingCells bodies_;
  std::optional<RingCells> lumps_;
  double near_, reach_, around_ = 0;
};

}  // namespace

double gravitational_viscosity(const Particles& p, const Boundary& sheet, double G, double time) {
  check_ring(p, sheet);
  double mass = 0;
  for (const double one : p.mass) mass += one;
  if (!(mass > 0) || !(G > 0)) return 0;
  const double area = sheet.size[0] * sheet.size[1], pi = std::numbers::pi;
  const double critical = 4 * pi * pi * G * mass / area / (sheet.omega * sheet.omega);
  const double boxes = 0.5 + std::min(sheet.images(0), sheet.images(1));
  const double reach = std::min(wavelengths * critical, boxes * std::min(sheet.size[0], sheet.size[1]));
  return -G / (3 * sheet.omega) * PairSums(p, sheet, time, reach).mean(mass);
}

RingOverlap ring_overlap(const Particles& p, const Boundary& sheet, double time) {
  check_ring(p, sheet);
  const RingCells cells(p, sheet, time);
  RingOverlap found;
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const double own = cells.radius[i];
    cells.around(cells.x[i], cells.y[i], 2 * own, [&](const RingCells::Run& run) {
      for (std::size_t j = run.first; j < run.last; ++j) {
        // each pair once: from its larger body, of equal ones from the later
        if (j == i || cells.radius[j] > own || (cells.radius[j] == own && cells.place[j] > cells.place[i])) continue;
        if (!(cells.radius[j] > 0)) continue;  // no depth in units of its radius
        const double d =
            std::hypot(cells.x[j] + run.x - cells.x[i], cells.y[j] + run.y - cells.y[i], cells.z[j] - cells.z[i]);
        const double depth = (own + cells.radius[j] - d) / cells.radius[j];
        if (!(depth > 0)) continue;
        ++found.pairs;
        sum += depth;
        found.largest = std::max(found.largest, depth);
      }
    });
  }
  if (found.pairs > 0) found.mean = sum / static_cast<double>(found.pairs);
  return found;
}

}  // namespace hornbeam
