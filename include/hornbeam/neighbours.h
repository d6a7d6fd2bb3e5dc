// SPDX-License-Identifier: Apache-2.0
// Neighbour search on the gravity tree: the second visitor of the walk.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hornbeam/device_arrays.h"
#include "hornbeam/particles.h"

namespace hornbeam {

/// Neighbour lists of N particles in compressed rows. Row i is index[offset[i] .. offset[i + 1]): indices on input
/// without i itself, sorted by index (within a radius) or by distance, ties by index (k nearest).
struct NeighbourLists {
  std::vector<std::uint64_t> offset;  ///< (N + 1)
  std::vector<std::uint32_t> index;
  std::vector<double> distance2;  ///< squared distances, next to index
};

struct NeighbourOptions {
  double box_size = 0.0;  ///< > 0: periodic cube [0, box_size)^3, minimum image
  Vec3 box{};             ///< edges of a periodic box from 0 on instead; an axis of edge 0 is open. For neighbours only
  int leaf_size = 16;
  int threads = 0;              ///< of the CPU; 0: all cores
  std::string backend = "cpu";  ///< or "cuda", "opencl", "auto" (cuda where there is a device, else cpu)
  Devices device = 0;           ///< which of the backend's devices
};

// Every backend gives the same lists, bit for bit (docs/neighbours.md: but for squares that vanish). Calls throw
// UsageError for options out of range, NoDevice for a backend that is not here, and Error where memory, the machine's
// or the device's, is short.

/// All pairs with distance <= radius. In a periodic box a pair counts once, by the nearest image, however large the
/// radius. Throws UsageError for a radius that is not positive and finite.
NeighbourLists neighbours_within(const std::vector<Vec3>& position, double radius,
                                 const NeighbourOptions& options = {});
/// Only how many neighbours each particle has within the radius: (N).
std::vector<std::uint32_t> count_within(const std::vector<Vec3>& position, double radius,
                                        const NeighbourOptions& options = {});
/// The k nearest other particles of each. Throws UsageError unless 1 <= k < N.
NeighbourLists nearest_neighbours(const std::vector<Vec3>& position, int k, const NeighbourOptions& options = {});

/// The same with a radius for each particle, 0 or above: who is within it. Lists need not be mutual. Throws UsageError
/// unless there are N.
NeighbourLists neighbours_within(const std::vector<Vec3>& position, const std::vector<double>& radius,
                                 const NeighbourOptions& options = {});
std::vector<std::uint32_t> count_within(const std::vector<Vec3>& position, const std::vector<double>& radius,
                                        const NeighbourOptions& options = {});

/// The same for other points: a row for each point, of the particles that are near it. A particle at the same position
/// counts, and k may be N. Points lie in the box of a periodic search, too.
NeighbourLists neighbours_of_points(const std::vector<Vec3>& position, const std::vector<Vec3>& points, double radius,
                                    const NeighbourOptions& options = {});
std::vector<std::uint32_t> count_of_points(const std::vector<Vec3>& position, const std::vector<Vec3>& points,
                                           double radius, const NeighbourOptions& options = {});
/// With a radius for each point.
NeighbourLists neighbours_of_points(const std::vector<Vec3>& position, const std::vector<Vec3>& points,
                                    const std::vector<double>& radius, const NeighbourOptions& options = {});
std::vector<std::uint32_t> count_of_points(const std::vector<Vec3>& position, const std::vector<Vec3>& points,
                                           const std::vector<double>& radius, const NeighbourOptions& options = {});
NeighbourLists nearest_of_points(const std::vector<Vec3>& position, const std::vector<Vec3>& points, int k,
                                 const NeighbourOptions& options = {});

}  // namespace hornbeam
