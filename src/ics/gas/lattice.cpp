// SPDX-License-Identifier: Apache-2.0
// Lattices and what is made of them, see lattice.h.
#include "ics/gas/lattice.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "hornbeam/error.h"
#include "ics/gas/gas.h"
#include "ics/gas/glass.h"

namespace hornbeam::ics {
namespace {

constexpr std::array<std::string_view, 4> lattice_names = {"cubic", "bcc", "hcp", "glass"};  // as the enumerators

double length2(const Vec3& x) { return x[0] * x[0] + x[1] * x[1] + x[2] * x[2]; }

}  // namespace

Option lattice_option(const char* otherwise) {
  return {"lattice", otherwise, "how particles begin; glass: disordered, but at rest", "{cubic,bcc,hcp,glass}"};
}

Lattice lattice_of(const Settings& settings) {
  const std::string asked = settings.text("lattice");
  const auto found = std::find(lattice_names.begin(), lattice_names.end(), asked);
  if (found != lattice_names.end()) return static_cast<Lattice>(found - lattice_names.begin());
  throw UsageError(settings.subject("lattice"), "received " + asked, "there are cubic, bcc, hcp, glass");
}

LatticeCell::LatticeCell(Lattice lattice, Seed seed) {
  if (lattice == Lattice::cubic) parts_ = {{0.5, 0.5, 0.5}};
  if (lattice == Lattice::bcc) parts_ = {{0.25, 0.25, 0.25}, {0.75, 0.75, 0.75}};
  if (lattice == Lattice::hcp) {  // two layers, as many places per volume as bcc
    const double a = std::pow(2.0, -1.0 / 6);
    edges_ = {a, a * std::sqrt(3.0), a * std::sqrt(8.0 / 3)};
    parts_ = {{0.25, 1.0 / 6, 0.25}, {0.75, 2.0 / 3, 0.25}, {0.75, 1.0 / 3, 0.75}, {0.25, 5.0 / 6, 0.75}};
  }
  if (lattice == Lattice::glass) {
    step_ = tile_cells;
    const auto edge = static_cast<double>(tile_cells);
    edges_ = {edge, edge, edge};
    parts_ = glass_tile(tile_particles, seed);
  }
}

double LatticeCell::density() const { return static_cast<double>(parts_.size()) / (edges_[0] * edges_[1] * edges_[2]); }

Cells LatticeCell::fitted(const Vec3& size, double edge) const {
  Cells cells{};
  for (std::size_t k = 0; k < 3; ++k) {
    cells[k] = std::max<std::int64_t>(1, std::llround(size[k] / (edge * edges_[k])));
  }
  return cells;
}

double LatticeCell::strain(const FilledBlock& filled) const {
  Vec3 edges{};
  for (std::size_t k = 0; k < 3; ++k) {
    edges[k] = filled.block.size[k] / (static_cast<double>(filled.cells[k]) * edges_[k]);
  }
  const auto [least, most] = std::minmax_element(edges.begin(), edges.end());
  return *most / *least;
}

FilledBlock LatticeCell::whole_block(double edge) const {
  FilledBlock filled;
  for (std::size_t k = 0; k < 3; ++k) {
    filled.cells[k] = static_cast<std::int64_t>(std::ceil(edge / edges_[k]));
    filled.block.size[k] = static_cast<double>(filled.cells[k]) * edges_[k];
    filled.block.low[k] = -0.5 * filled.block.size[k];
  }
  return filled;
}

std::size_t LatticeCell::count(const Cells& cells) const {
  return parts_.size() * static_cast<std::size_t>(cells[0] * cells[1] * cells[2]);
}

std::vector<Vec3> LatticeCell::fill(const Block& block, const Cells& cells) const {
  const FilledBlock filled = {block, cells};
  if (fits(filled)) return places(filled);
  throw UsageError("lattice", "would be stretched by a factor of " + shown(strain(filled)) + " along an edge",
                   "give more particles or layers");
}

std::vector<Vec3> LatticeCell::places(const FilledBlock& filled) const {
  const Block& block = filled.block;
  const Cells& cells = filled.cells;
  std::vector<Vec3> places(count(cells));
  const std::int64_t columns = cells[0] * cells[1];
#pragma omp parallel for schedule(static)
  for (std::int64_t column = 0; column < columns; ++column) {
    auto at = static_cast<std::size_t>(column * cells[2]) * parts_.size();
    for (std::int64_t k = 0; k < cells[2]; ++k) {
      const Cells cell = {column / cells[1], column % cells[1], k};
      for (const Vec3& part : parts_) {
        for (std::size_t a = 0; a < 3; ++a) {
          places[at][a] = block.low[a] + 0.5 * block.size[a] + lattice_place(cell[a], cells[a], block.size[a], part[a]);
        }
        ++at;
      }
    }
  }
  return places;
}

LatticeBall lattice_ball(const LatticeCell& cell, std::size_t n) {
  LatticeBall ball;
  ball.radius = std::cbrt(3.0 * static_cast<double>(n) / (4 * std::acos(-1.0) * cell.density()));
  const double reach = ball.radius + 1.5;
  const auto step = static_cast<double>(cell.step());
  const double edge = 2 * step * std::ceil(reach / step);
  for (const Vec3& x : cell.places(cell.whole_block(edge))) {
    if (length2(x) <= reach * reach) ball.places.push_back(x);
  }
  std::stable_sort(ball.places.begin(), ball.places.end(),
                   [](const Vec3& a, const Vec3& b) { return length2(a) < length2(b); });
  ball.places.resize(n);
  return ball;
}

namespace {

/// The nearest steps that fit, from `low` downwards and from `high` upwards, as counts in words.
std::string nearest_that_fit(std::int64_t low, std::int64_t high, std::int64_t step,
                             const std::function<std::size_t(std::int64_t)>& count,
                             const std::function<bool(std::int64_t)>& fits) {
  const std::int64_t furthest = 2 * high + 64;
  while (low > 0 && !fits(low * step)) --low;
  std::vector<std::size_t> counts;
  if (low > 0) counts.push_back(count(low * step));
  for (std::int64_t k = high; k <= furthest && counts.size() < 2; ++k) {
    if (fits(k * step)) counts.push_back(count(k * step));
  }
  if (counts.empty()) return "no n does; give another lattice, or more layers or cells across";
  return counts.size() < 2 ? "the nearest is " + std::to_string(counts[0])
                           : "the nearest are " + std::to_string(counts[0]) + " and " + std::to_string(counts[1]);
}

}  // namespace

std::int64_t cells_for(const std::string& model, std::size_t n, std::int64_t step,
                       const std::function<std::size_t(std::int64_t)>& count,
                       const std::function<bool(std::int64_t)>& fits) {
  std::int64_t low = 0, high = 1;  // in steps: count(low) < n <= count(high)
  while (count(high * step) < n) low = high, high *= 2;
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (count(middle * step) < n ? low : high) = middle;
  }
  if (count(high * step) == n && fits(high * step)) return high * step;
  throw UsageError(model, "n = " + std::to_string(n) + " does not fill its lattice without stretching it",
                   nearest_that_fit(low, high, step, count, fits));
}

void stretch_radially(std::vector<Vec3>& places, const std::function<double(double)>& to) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < places.size(); ++i) {
    const double r = std::sqrt(length2(places[i]));
    if (!(r > 0)) continue;
    const double factor = to(r) / r;
    for (double& x : places[i]) x *= factor;
  }
}

void stretch_along(std::vector<Vec3>& places, std::size_t axis, double low, double high,
                   const std::function<double(double)>& mass) {
  const double whole = mass(high) - mass(low);
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < places.size(); ++i) {
    const double wanted = mass(low) + whole * (places[i][axis] - low) / (high - low);
    double a = low, b = high;
    for (int turn = 0; turn < 60; ++turn) {
      const double middle = 0.5 * (a + b);
      (mass(middle) < wanted ? a : b) = middle;
    }
    places[i][axis] = 0.5 * (a + b);
  }
}

}  // namespace hornbeam::ics
