// SPDX-License-Identifier: Apache-2.0
// Slabs: flows in a plane, in a periodic box of edge 1 that is some layers of cells thick. Models of such begin here.
#pragma once

#include "ics/gas/gas.h"
#include "ics/gas/lattice.h"

namespace hornbeam::ics {

inline Option layers_option() {
  return {"layers", "8", "number of cells through the slab; a glass takes multiples of 8", "INT"};
}

/// A slab of so many cells along its edge.
struct Slab {
  LatticeCell cell;
  std::int64_t layers;

  Slab(const Settings& settings, Seed seed) : cell(lattice_of(settings), seed), layers(whole_of(settings, "layers")) {}

  [[nodiscard]] double thickness(std::int64_t cells) const {
    return static_cast<double>(layers) / static_cast<double>(cells);
  }
  [[nodiscard]] Vec3 size(std::int64_t cells) const { return {1, 1, thickness(cells)}; }
  [[nodiscard]] Block block(std::int64_t cells) const { return {{-0.5, -0.5, -0.5 * thickness(cells)}, size(cells)}; }
};

}  // namespace hornbeam::ics
