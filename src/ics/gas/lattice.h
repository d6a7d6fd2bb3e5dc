// SPDX-License-Identifier: Apache-2.0
// Where particles of gas at rest stand: lattices and glasses that fill boxes and balls, and the stretching that makes
// other densities of them. Models of gas begin here.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "ics/settings.h"

namespace hornbeam::ics {

/// cubic; body-centred; hexagonal close-packed; glass: disordered, of a tile that has come to rest under its pressure.
enum class Lattice { cubic, bcc, hcp, glass };

/// The option `lattice`.
Option lattice_option(const char* otherwise);
Lattice lattice_of(const Settings& settings);

using Cells = std::array<std::int64_t, 3>;

/// A box between low and low + size.
struct Block {
  Vec3 low{}, size{};
  [[nodiscard]] double volume() const { return size[0] * size[1] * size[2]; }
};

/// A block and the cells that fill it.
struct FilledBlock {
  Block block;
  Cells cells{};
};

/// Cubic cells along the edge of a tile of glass, and its particles: as many as body-centred cells have.
inline constexpr std::int64_t tile_cells = 8, tile_particles = 2 * tile_cells * tile_cells * tile_cells;

/// What repeats. Edges are in units of those of a cubic or body-centred cell; a glass's tile has 8 x 8 x 8 of these.
class LatticeCell {
 public:
  /// seed: of a glass, which is made here.
  LatticeCell(Lattice lattice, Seed seed);

  /// As many as fit blocks of that size best, the edge of a cubic cell being `edge`.
  [[nodiscard]] Cells fitted(const Vec3& size, double edge) const;
  /// Places in so many.
  [[nodiscard]] std::size_t count(const Cells& cells) const;
  /// Whether they fill the block without changing their shape by more than a seventh.
  [[nodiscard]] bool fits(const FilledBlock& filled) const { return strain(filled) <= most_strain; }
  /// All of them in the block, strained to fill it, however much.
  [[nodiscard]] std::vector<Vec3> places(const FilledBlock& filled) const;
  /// The same; throws UsageError where they do not fit.
  [[nodiscard]] std::vector<Vec3> fill(const Block& block, const Cells& cells) const;
  /// The least block about the origin of whole cells, unstrained, whose edges are `edge` at least.
  [[nodiscard]] FilledBlock whole_block(double edge) const;
  /// Of cubic cells of edge 1, per volume.
  [[nodiscard]] double density() const;
  /// Cubic cells along its edge, of which blocks' edges should be multiples: 8 of a glass, else 1.
  [[nodiscard]] std::int64_t step() const { return step_; }

 private:
  static constexpr double most_strain = 1 + 1.0 / 7;
  /// The longest of a strained cell's edges in the shortest, of those that it has unstrained.
  [[nodiscard]] double strain(const FilledBlock& filled) const;

  Vec3 edges_{1, 1, 1};
  std::vector<Vec3> parts_;  ///< in units of its edges
  std::int64_t step_ = 1;
};

/// The n places nearest to the origin of cells of edge 1, by distance, ties by place in the lattice.
struct LatticeBall {
  std::vector<Vec3> places;
  double radius = 0;  ///< of the ball that has their volume
};
LatticeBall lattice_ball(const LatticeCell& cell, std::size_t n);

/// A multiple k of `step` with count(k) = n that fits. Throws UsageError, naming the model and the nearest counts that
/// do, where there is none. count does not fall with k.
std::int64_t cells_for(const std::string& model, std::size_t n, std::int64_t step,
                       const std::function<std::size_t(std::int64_t)>& count,
                       const std::function<bool(std::int64_t)>& fits);
/// The same where blocks(k), several FilledBlock, are filled as a whole.
template <class Blocks>
std::int64_t cells_for(const std::string& model, std::size_t n, std::int64_t step, const LatticeCell& cell,
                       const Blocks& blocks) {
  const auto count = [&](std::int64_t k) {
    std::size_t sum = 0;
    for (const FilledBlock& filled : blocks(k)) sum += cell.count(filled.cells);
    return sum;
  };
  const auto fits = [&](std::int64_t k) {
    const auto all = blocks(k);
    return std::all_of(all.begin(), all.end(), [&](const FilledBlock& filled) { return cell.fits(filled); });
  };
  return cells_for(model, n, step, count, fits);
}

/// Moves places along their radii from r to to(r), which must grow with r.
void stretch_radially(std::vector<Vec3>& places, const std::function<double(double)>& to);
/// Moves positions along an axis from x to where the mass from `low` on, mass(x), is the same fraction of the whole as
/// x is of the interval from `low` to `high`.
void stretch_along(std::vector<Vec3>& places, std::size_t axis, double low, double high,
                   const std::function<double(double)>& mass);

}  // namespace hornbeam::ics
