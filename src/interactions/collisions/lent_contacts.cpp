// SPDX-License-Identifier: Apache-2.0
// Contacts in a caller's arrays, see lent_contacts.h: a look at the numbers, the search, the pairs sorted, and what is
// told of each. Only where something is wrong do arrays come to the host, for the words of it. Compiled with
// HB_PRECISION = HB_DOUBLE.
#include "interactions/collisions/lent_contacts.h"

#include <string>

#include "device/devices.h"
#include "hornbeam/contacts.h"
#include "hornbeam/error.h"
#include "interactions/collisions/contact_search.h"
#include "interactions/collisions/kernels/launches.h"
#include "interactions/collisions/touching_search.h"
#include "interactions/neighbours/row_offsets.h"
#include "interactions/neighbours/search.h"
#include "tree/lent_numbers.h"

namespace hornbeam {

using namespace fp64;

namespace {

void demand_as_many(const char* name, std::size_t count, std::size_t n) {
  if (count == n) return;
  throw UsageError(name, std::to_string(count) + " values for " + std::to_string(n) + " positions", "give one each");
}

/// Throws with the words of the host.
[[noreturn]] void refuse_spheres(Device& device, const LentSpheres& spheres, NeighbourOptions options) {
  std::vector<Vec3> places = fetched_vectors(device, spheres.position);
  const std::vector<double> radii = fetched(device, spheres.radius);
  if (options.box_size > 0) wrap_into_box(places, options.box_size);
  options.backend = "cpu";
  options.device = 0;
  if (spheres.velocity) {
    static_cast<void>(
        find_contacts(places, radii, SphereMotion{fetched_vectors(device, *spheres.velocity), spheres.time}, options));
  } else {
    static_cast<void>(find_contacts(places, radii, options));
  }
  throw Error("spheres", "the arrays changed during validation", "synchronise the stream that writes them");
}

/// Throws as find_contacts() does; the mean motion, where there is one.
MeanMotion looked_at(Device& device, const LentSpheres& spheres, const NeighbourOptions& options) {
  const std::size_t n = spheres.position.rows;
  demand_as_many("radius", spheres.radius.rows, n);
  if (spheres.velocity) demand_as_many("velocity", spheres.velocity->rows, n);
  check_search({}, options);
  check_search(device, {spheres.position, periods_of(options)}, options);
  const Survey radii = survey(device, 1, spheres.radius);
  bool wrong = radii.not_finite > 0 || radii.least < 0 || radii.extent() > largest_length;
  if (!(spheres.time >= 0 && spheres.time <= largest_length)) wrong = true;
  MeanMotion mean{};
  if (spheres.velocity) {
    const Survey along[] = {survey_axis(device, *spheres.velocity, 0), survey_axis(device, *spheres.velocity, 1),
                            survey_axis(device, *spheres.velocity, 2)};
    for (const Survey& one : along) wrong = wrong || one.not_finite > 0 || one.extent() > largest_length;
    const auto count = static_cast<double>(n);
    mean = {along[0].sum / count, along[1].sum / count, along[2].sum / count};
  }
  if (wrong) refuse_spheres(device, spheres, options);
  demand_wide_box(options.box_size, n == 0 ? 0 : radii.largest);
  return mean;
}

/// Pairs as keys, in any order.
struct PairKeys {
  explicit PairKeys(Device& device) : keys(device) {}
  DeviceArray<u64> keys;
  i32 count = 0;
};

void demand_few(std::uint64_t pairs) {
  if (pairs <= std::uint64_t{1} << 30) return;
  throw Error("collisions", std::to_string(pairs) + " pairs touch, more than 2^30", "take smaller radii");
}

void find_touching(Device& device, const LentSpheres& spheres, const NeighbourOptions& options, PairKeys& found) {
  TouchingSearch search(device, PairPoints(device, {spheres.position, periods_of(options)}, options.leaf_size, true),
                        one_image, period_of(options), true);
  search.points().put_in_order(search.radius(), spheres.radius);
  RowOffsets offsets(device, search.points().count(), 0);
  search.count(offsets.counts());
  offsets.sum();
  const std::uint64_t pairs = offsets.entries();
  demand_few(pairs);
  found.count = static_cast<i32>(pairs);
  if (pairs == 0) return;
  DeviceArray<u32> partner(device);
  DeviceArray<i32> image(device);
  partner.reserve(pairs * sizeof(u32));
  image.reserve(pairs * sizeof(i32));
  search.fill(offsets.begins(), partner, image);
  found.keys.reserve(pairs * sizeof(u64));
  device.launch(
      kernels::row_keys{.offset = offsets.begins(), .partner = partner, .n = offsets.rows(), .keys = found.keys},
      plain_variant, offsets.rows());
}

void find_meeting(Device& device, const LentSpheres& spheres, const MeanMotion& mean, const NeighbourOptions& options,
                  PairKeys& found) {
  ContactSearch search(device, spheres, mean, options);
  ArrayOnDevice extents;
  extents.data = search.extents().handle();
  extents.rows = spheres.position.rows;
  extents.row_stride = 1;
  const Survey reach = survey(device, 1, extents);
  demand_wide_box(options.box_size, reach.not_finite > 0 ? HUGE_VAL : reach.largest);
  found.count = static_cast<i32>(search.find());
  if (found.count == 0) return;
  found.keys.reserve(static_cast<std::size_t>(found.count) * sizeof(u64));
  device.launch(
      kernels::pair_keys{.first = search.first(), .second = search.second(), .n = found.count, .keys = found.keys},
      plain_variant, found.count);
}

void sort_keys(Device& device, PairKeys& found) {
  const auto n = static_cast<std::size_t>(found.count);
  DeviceArray<u64> spare(device);
  DeviceArray<u32> values(device), spare_values(device);
  spare.reserve(n * sizeof(u64));
  values.reserve(n * sizeof(u32));
  spare_values.reserve(n * sizeof(u32));
  device.launch(kernels::number_items{.n = found.count, .numbers = values}, plain_variant, found.count);
  constexpr int bits = 62;  // of an index below 2^30 before one of 32 bits
  device.sort_pairs(found.keys, spare, values, spare_values, found.count, 0, bits);
}

}  // namespace

LentContacts find_contacts(Device& device, const LentSpheres& spheres, const NeighbourOptions& options, bool wide) {
  Lending& lending = lending_of(device);
  const MeanMotion mean = looked_at(device, spheres, options);
  PairKeys found(device);
  if (spheres.position.rows > 0 && spheres.velocity) find_meeting(device, spheres, mean, options, found);
  if (spheres.position.rows > 0 && !spheres.velocity) find_touching(device, spheres, options, found);
  const auto n = static_cast<std::size_t>(found.count);
  const std::size_t bytes = n * (wide ? sizeof(double) : sizeof(float)), least = 1;
  LentContacts contacts{lending.lend(std::max(least, 2 * n * sizeof(u32))), lending.lend(std::max(least, bytes)),
                        lending.lend(std::max(least, bytes)), n};
  if (n > 0) {
    sort_keys(device, found);
    const ArrayOnDevice velocity = spheres.velocity.value_or(ArrayOnDevice{});
    device.launch(
        kernels::give_contacts{.keys = found.keys,
                               .n = found.count,
                               .positions = memory_of(spheres.position),
                               .position = vectors_of(spheres.position),
                               .radii = memory_of(spheres.radius),
                               .radius = column_of(spheres.radius, 0),
                               .velocities = memory_of(velocity),
                               .velocity = vectors_of(velocity),
                               .space = ContactSpace{options.box_size, spheres.time, spheres.velocity ? 1 : 0},
                               .wide = wide ? 1 : 0,
                               .pairs = ArrayArgument<u32>::lent(contacts.pairs.get()),
                               .overlaps = ArrayArgument<u8>::lent(contacts.overlap.get()),
                               .times = ArrayArgument<u8>::lent(contacts.time.get())},
        plain_variant, found.count);
  }
  lending.finish();
  return contacts;
}

}  // namespace hornbeam
