// SPDX-License-Identifier: Apache-2.0
// Neighbour search from a backend's name to lists: counts first, which say where rows begin and how much memory they
// take, then the rows.
#include "interactions/neighbours/search.h"

#include <new>
#include <stdexcept>

#include "device/devices.h"
#include "hornbeam/error.h"
#include "memory/need.h"

namespace hornbeam {
namespace {

/// Memory for the rows that lists.offset requires.
void reserve(NeighbourLists& lists) {
  const std::uint64_t rows = lists.offset.back();
  const double bytes = (sizeof(std::uint32_t) + sizeof(double)) * static_cast<double>(rows);
  memory::demand(lists.offset.size() - 1, {{std::to_string(rows) + " neighbours", 0, bytes}}, 0,
                 "only count them, or use a smaller radius or k");
  try {
    lists.index.resize(rows);
    lists.distance2.resize(rows);
  } catch (const std::exception&) {  // bad_alloc or length_error
    throw Error("memory", std::to_string(rows) + " neighbours do not fit into memory",
                "only count them, or use a smaller radius or k");
  }
}

std::unique_ptr<NeighbourSearch> open_search(const std::vector<Vec3>& position, const NeighbourOptions& options,
                                             Walk walk) {
  return make_search(open_device(options.backend, options.device, options.threads), position, options, walk);
}

}  // namespace

NeighbourTree::NeighbourTree(const std::vector<Vec3>& position, const NeighbourOptions& options, Walk walk)
    : NeighbourTree(open_search(position, options, walk), position.size()) {}

std::vector<std::uint32_t> NeighbourTree::count_within(const SearchRadius& radius, const KeptTargets& targets) {
  return search_->count_within(radius, targets);
}

NeighbourLists NeighbourTree::within(const SearchRadius& radius, const KeptTargets& targets) {
  NeighbourLists lists;
  const std::vector<std::uint32_t> found = count_within(radius, targets);
  lists.offset = row_offsets(found);
  reserve(lists);
  if (!lists.index.empty()) search_->fill_within(radius, lists, targets);
  return lists;
}

NeighbourLists NeighbourTree::nearest(int k, const KeptTargets& targets) {
  NeighbourLists lists;
  lists.offset.resize((targets.points != nullptr ? targets.points->size() : count_) + 1);
  for (std::size_t i = 0; i < lists.offset.size(); ++i) lists.offset[i] = i * static_cast<std::uint64_t>(k);
  reserve(lists);
  if (!lists.index.empty()) search_->fill_nearest(k, lists, targets);
  return lists;
}

}  // namespace hornbeam
