// SPDX-License-Identifier: Apache-2.0
// What the CPU and every device offer for neighbour search: a tree of positions and the searches on it, in fp64.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hornbeam/error.h"
#include "hornbeam/gravity.h"
#include "hornbeam/neighbours.h"
#include "interactions/neighbours/kept_neighbours.h"
#include "tree/lent_particles.h"

namespace hornbeam {

class Device;
class Domain;
class NeighbourSearch;

/// How far targets reach: all as far, or each by its index on input, of an array on the host or the device.
struct SearchRadius {
  SearchRadius(double radius) : length(radius) {}  // NOLINT(google-explicit-constructor): most reach equally far
  SearchRadius(const std::vector<double>& radii) : each(column_of(radii)) {}  // NOLINT(google-explicit-constructor)
  explicit SearchRadius(const ArrayOnDevice& radii) : each(radii) {}

  double length = 0;
  std::optional<ArrayOnDevice> each;
};

/// Targets of a search on a device: the particles themselves, points in an array, or those of another search.
struct LentPoints {
  const LentPlaces* places = nullptr;
  const NeighbourSearch* search = nullptr;  ///< of the same kind of device, which has finished its work
};

/// Positions that stay as they are, sorted into a tree, and the searches on it. Every backend and walk gives the same
/// lists. Lists come with their offsets set (only differences count) and room for index and distance2.
class NeighbourSearch {
 public:
  virtual ~NeighbourSearch() = default;

  [[nodiscard]] virtual std::string backend() const = 0;  ///< "cpu", "cuda", "opencl"
  /// Other positions of the same particles, which the tree stays for; only of points of their own.
  virtual void move(const LentPlaces& places) = 0;
  /// The number of neighbours of each target: of the N particles, or of other points, for which a particle at the same
  /// position counts.
  virtual std::vector<std::uint32_t> count_within(const SearchRadius& radius, const KeptTargets& targets = {}) = 0;
  /// Fills the rows, whose lengths are those that count_within() gives; sorted by index.
  virtual void fill_within(const SearchRadius& radius, NeighbourLists& lists, const KeptTargets& targets = {}) = 0;
  /// Fills rows of k; sorted by distance, ties by index. There must be k neighbours.
  virtual void fill_nearest(int k, NeighbourLists& lists, const KeptTargets& targets = {}) = 0;
  /// The same in rows that stay where they are.
  [[nodiscard]] virtual std::unique_ptr<KeptNeighbours> keep_within(const SearchRadius& radius,
                                                                    const KeptTargets& targets = {}) = 0;
  [[nodiscard]] virtual std::unique_ptr<KeptNeighbours> keep_nearest(int k, const KeptTargets& targets = {}) = 0;
  /// The same as fill_...() and count_within(), in memory of the device that is the caller's from now on. Throw
  /// UsageError where the device has none in common with callers. wide: distances are double, else float.
  [[nodiscard]] virtual std::shared_ptr<void> lend_counts(const SearchRadius& radius, const LentPoints& points) = 0;
  [[nodiscard]] virtual LentRows lend_within(const SearchRadius& radius, bool wide, const LentPoints& points) = 0;
  [[nodiscard]] virtual LentRows lend_nearest(int k, bool wide, const LentPoints& points) = 0;
};

/// Edge of the periodic cube; infinite where there is none. Throws UsageError for a box of other edges.
inline double period_of(const NeighbourOptions& options) {
  if (options.box != Vec3{}) {
    throw UsageError("box", "received edges of a box, where only a cube is allowed", "give box_size");
  }
  return options.box_size > 0 ? options.box_size : std::numeric_limits<double>::infinity();
}
/// Edges of the periodic box, 0 of an open axis.
inline Vec3 periods_of(const NeighbourOptions& options) {
  return options.box_size > 0 ? Vec3{options.box_size, options.box_size, options.box_size} : options.box;
}

/// Of points of their own, in fp64; walk: group or stackless. most_entries: neighbours that are at a time on a device
/// with memory of its own; 0: what that holds. Throws UsageError where the device has no fp64, Error where memory is
/// short.
std::unique_ptr<NeighbourSearch> make_search(std::unique_ptr<Device> device, const std::vector<Vec3>& position,
                                             const NeighbourOptions& options, Walk walk,
                                             std::uint64_t most_entries = 0);
/// Of a caller's array on the device, which must outlive the search and have fp64; with group walks.
std::unique_ptr<NeighbourSearch> make_search(Device& device, const LentPlaces& places, const NeighbourOptions& options);
/// Searches the particles of a domain, in its precision and on its tree, while that is of their present positions. box:
/// edge of the periodic cube; infinite without one.
std::unique_ptr<NeighbourSearch> make_search(Domain& domain, double box = std::numeric_limits<double>::infinity());

}  // namespace hornbeam
