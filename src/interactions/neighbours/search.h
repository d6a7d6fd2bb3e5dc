// SPDX-License-Identifier: Apache-2.0
// Neighbour search with the walk named: what hornbeam/neighbours.h offers after its arguments are checked.
#pragma once

#include <memory>
#include <string>

#include "interactions/neighbours/neighbour_search.h"

namespace hornbeam {

/// Neighbours within a radius and the k nearest on one tree. Every walk gives the same lists.
class NeighbourTree {
 public:
  /// walk: group or stackless. Positions must be as hornbeam/neighbours.h asks and stay as they are.
  NeighbourTree(const std::vector<Vec3>& position, const NeighbourOptions& options, Walk walk = Walk::group);
  /// On a search of `count` particles that is open already.
  NeighbourTree(std::unique_ptr<NeighbourSearch> search, std::size_t count)
      : search_(std::move(search)), count_(count) {}

  [[nodiscard]] std::string backend() const { return search_->backend(); }  ///< what "auto" chose
  /// Other positions of the same particles: order and cells stay, boxes are made again.
  void move(const std::vector<Vec3>& position) { search_->move(places_of(position)); }
  /// targets: other points, and images of the particles; a particle's own images are no neighbours of it.
  [[nodiscard]] std::vector<std::uint32_t> count_within(const SearchRadius& radius, const KeptTargets& targets = {});
  [[nodiscard]] NeighbourLists within(const SearchRadius& radius, const KeptTargets& targets = {});
  [[nodiscard]] NeighbourLists nearest(int k, const KeptTargets& targets = {});

 private:
  std::unique_ptr<NeighbourSearch> search_;
  std::size_t count_;
};

/// Into [0, box) along each axis, where a periodic box of these edges has the same particles; 0: an open axis.
void wrap_into_box(std::vector<Vec3>& position, const Vec3& box);
inline void wrap_into_box(std::vector<Vec3>& position, double box) { wrap_into_box(position, Vec3{box, box, box}); }
/// How many particles stand outside of a box of these edges (0: of an open axis), which begins at 0 or stands about the
/// origin, whichever fits more of them: files of both kinds are in use.
std::size_t outside_of_box(const std::vector<Vec3>& position, const Vec3& edges);

/// Throw as hornbeam/neighbours.h says. one: what each position is called.
void check_search(const std::vector<Vec3>& position, const NeighbourOptions& options,
                  const std::string& one = "particle");
/// The same of places on a device, in a box or out of it.
void check_search(Device& device, const LentPlaces& places, const NeighbourOptions& options,
                  const std::string& one = "particle");
void check_radius(double radius, const std::string& option = "radius");
/// The same of `targets` radii, of which some may be 0.
void check_radii(const std::vector<double>& radii, std::size_t targets);
/// The same of radii in a caller's array on a device.
void check_radii(Device& device, const ArrayOnDevice& radii, std::size_t targets);
/// others: whether a particle is no neighbour of itself.
void check_nearest(std::int64_t k, std::size_t n, bool others = true);

}  // namespace hornbeam
