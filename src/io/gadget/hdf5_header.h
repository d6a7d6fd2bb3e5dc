// SPDX-License-Identifier: Apache-2.0
// What files in Gadget's HDF5 layout say besides their particles: counts, time, box, units and cosmology, by the names
// that Gadget, Arepo, GIZMO, SWIFT, EAGLE and PKDGRAV3 have for these.
#pragma once

#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "io/cosmology.h"
#include "io/hdf5/hdf5.h"

namespace hornbeam::io {

struct FoundHeader {
  std::vector<std::uint64_t> count;  ///< one entry a type, six at most
  std::vector<double> mass;
  double time = 0;
  Vec3 box{};                        ///< edges, 0: none
  std::uint64_t files = 1;           ///< of the whole snapshot
  std::uint64_t total = 0;           ///< particles of the whole snapshot; 0: the header does not say
  bool of_entropies = false;         ///< InternalEnergy holds entropies
  std::vector<std::string> notes{};  ///< what was taken in place of items that are missing

  /// Whether the file holds all particles of its snapshot.
  [[nodiscard]] bool is_whole() const {
    return total > 0 && std::accumulate(count.begin(), count.end(), std::uint64_t{0}) == total;
  }
};

/// Throws Error(file) where no Gadget snapshot is inside.
FoundHeader read_gadget_header(const Hdf5Group& root);

/// The file's factors where any of its marks says that it is cosmological.
std::optional<Cosmology> read_cosmology(const Hdf5Group& root, double time);

/// The units that the file names, if it does. A note is added where something looks like units that are not understood.
std::optional<Units> read_hdf5_units(const Hdf5Group& root, std::vector<std::string>& notes);

}  // namespace hornbeam::io
