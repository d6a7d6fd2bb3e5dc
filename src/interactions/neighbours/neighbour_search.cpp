// SPDX-License-Identifier: Apache-2.0
// Neighbour search in the precision of its points.
#include "interactions/neighbours/neighbour_search.h"

#include "device/device.h"
#include "device/precisions.h"
#include "hornbeam/error.h"
#include "tree/domain.h"

namespace hornbeam {

HB_EACH_PRECISION(std::unique_ptr<NeighbourSearch> make_pair_search(Device&, std::unique_ptr<Device>, const LentPlaces&,
                                                                    const NeighbourOptions&, Walk, std::uint64_t))
HB_EACH_PRECISION(std::unique_ptr<NeighbourSearch> make_pair_search_of(Domain&, double))

std::unique_ptr<NeighbourSearch> make_search(std::unique_ptr<Device> device, const std::vector<Vec3>& position,
                                             const NeighbourOptions& options, Walk walk, std::uint64_t most_entries) {
  if (!device->has(Precision::fp64)) {
    throw UsageError("backend = " + options.backend,
                     "the search for neighbours needs double precision, which " + device->description() + " lacks",
                     "use backend cpu");
  }
  Device& there = *device;
  return fp64::make_pair_search(there, std::move(device), places_of(position), options, walk, most_entries);
}

std::unique_ptr<NeighbourSearch> make_search(Device& device, const LentPlaces& places,
                                             const NeighbourOptions& options) {
  return fp64::make_pair_search(device, nullptr, places, options, Walk::group, 0);
}

std::unique_ptr<NeighbourSearch> make_search(Domain& domain, double box) {
  return HB_CALL_IN(domain.precision(), make_pair_search_of, domain, box);
}

}  // namespace hornbeam
