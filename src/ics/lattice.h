// SPDX-License-Identifier: Apache-2.0
// Where particles of gas at rest stand: lattices and glasses that fill boxes and balls, and the stretching that makes
// other densities of them. Models of gas begin here.
#pragma once

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

/// What repeats. Edges are in units of those of a cubic or body-centred cell; a glass's tile has 8 x 8 x 8 of these.
class LatticeCell {
 public:
  /// seed: of a glass, which is made here.
  LatticeCell(Lattice lattice, Seed seed);

  /// As many as fit blocks of that size best, the edge of a cubic cell being `edge`.
  [[nodiscard]] Cells fitted(const Vec3& size, double edge) const;
  /// Places in so many.
  [[nodiscard]] std::size_t count(const Cells& cells) const;
  /// All of them in a block, strained to fill it. Throws UsageError where that changes their shape by more than a
  /// seventh.
  [[nodiscard]] std::vector<Vec3> fill(const Block& block, const Cells& cells) const;
  /// Of cubic cells of edge 1, per volume.
  [[nodiscard]] double density() const;
  /// Cubic cells along its edge, of which blocks' edges should be multiples: 8 of a glass, else 1.
  [[nodiscard]] std::int64_t step() const { return step_; }

 private:
  void demand_shape(const Block& block, const Cells& cells) const;

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

/// A multiple k of `step` with count(k) = n. Throws UsageError, naming the model and the nearest counts, where there is
/// none. count does not fall with k.
std::int64_t cells_for(const std::string& model, std::size_t n, std::int64_t step,
                       const std::function<std::size_t(std::int64_t)>& count);

/// Moves places along their radii from r to to(r), which must grow with r.
void stretch_radially(std::vector<Vec3>& places, const std::function<double(double)>& to);
/// Moves places along an axis from x to where the mass from `low` on, mass(x) that grows with x up to `high`, is the
/// share of the whole that x has of the way from low to high.
void stretch_along(std::vector<Vec3>& places, std::size_t axis, double low, double high,
                   const std::function<double(double)>& mass);

}  // namespace hornbeam::ics
