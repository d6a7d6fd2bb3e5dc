// SPDX-License-Identifier: Apache-2.0
// A look at places in a caller's array on a device, before they are searched: what check_search() of search.h does on
// the host. Compiled with HB_PRECISION = HB_DOUBLE.
#include <string>

#include "device/device.h"
#include "hornbeam/error.h"
#include "interactions/neighbours/search.h"
#include "tree/lent_numbers.h"

namespace hornbeam {

using namespace fp64;

void check_search(Device& device, const LentPlaces& places, const NeighbourOptions& options, const std::string& one) {
  check_search({}, options);
  if (!device.has(Precision::fp64)) {
    throw UsageError("backend = " + device.backend(), "has no double precision, which the search for neighbours needs",
                     "use backend cpu");
  }
  if (places.position.rows > (std::size_t{1} << 30)) {
    throw Error(one + "s", std::to_string(places.position.rows) + " are more than a search can have, 2^30",
                "use fewer");
  }
  constexpr double largest_coordinate = 1e150;
  const Survey found = survey(device, 3, places.position);
  const bool is_far = periods_of(options) == Vec3{} && found.extent() > largest_coordinate;
  if (found.not_finite == 0 && !is_far) return;
  std::vector<Vec3> position = fetched_vectors(device, places.position);
  wrap_into_box(position, periods_of(options));
  check_search(position, options, one);
  throw Error("positions", "the arrays changed during validation", "synchronise the stream that writes them");
}

void check_radii(Device& device, const ArrayOnDevice& radii, std::size_t targets) {
  if (radii.rows == targets) {
    const Survey found = survey_axis(device, radii, 0);
    if (found.not_finite == 0 && !(found.least < 0) && !(found.largest > 1e150)) return;
  }
  check_radii(radii.rows == targets ? fetched(device, radii) : std::vector<double>(radii.rows), targets);
  throw Error("radius", "the array changed during validation", "synchronise the stream that writes it");
}

}  // namespace hornbeam
