// SPDX-License-Identifier: Apache-2.0
// Spheres that touch, from positions and radii to pairs, on the CPU or a device: counts first, which say where rows
// begin, then the rows. Compiled with HB_PRECISION = HB_DOUBLE.
#include <algorithm>
#include <cmath>
#include <limits>

#include "device/devices.h"
#include "hornbeam/error.h"
#include "interactions/collisions/touching_search.h"

namespace hornbeam {

using namespace fp64;

namespace {

struct Spheres {
  const std::vector<Vec3>& position;
  const std::vector<double>& radius;
  const std::vector<SourceImage>& images;
  const NeighbourOptions& options;
  bool groups;
  [[nodiscard]] double box() const { return period_of(options); }
};

/// Whom each touches.
struct Rows {
  std::vector<std::uint64_t> offset;
  std::vector<std::uint32_t> partner;
  std::vector<std::int32_t> image;

  explicit Rows(const std::vector<std::uint32_t>& found) : offset(row_offsets(found)) {
    partner.resize(offset.back());
    image.resize(offset.back());
  }
};

Rows find(Device& device, const Spheres& spheres) {
  if (!device.has(Precision::fp64)) {
    throw UsageError("backend = " + spheres.options.backend,
                     "has no double precision, which the search for contacts needs", "use backend cpu");
  }
  TouchingSearch search(device,
                        PairPoints(device, places_of(spheres.position), spheres.options.leaf_size, spheres.groups),
                        spheres.images, spheres.box(), spheres.groups);
  search.points().put_in_order(search.radius(), column_of(spheres.radius));
  std::vector<u32> counts(spheres.position.size());
  DeviceArray<u32> found(device), partner(device);
  DeviceArray<i32> image(device);
  DeviceArray<u64> offset(device);
  found.reserve(counts.size() * sizeof(u32));
  search.count(found);
  download_all(device, counts, found);
  Rows rows(counts);
  if (rows.partner.empty()) return rows;
  upload_all(device, offset, rows.offset);
  partner.reserve(rows.partner.size() * sizeof(u32));
  image.reserve(rows.image.size() * sizeof(i32));
  search.fill(offset, partner, image);
  download_all(device, rows.partner, partner);
  download_all(device, rows.image, image);
  return rows;
}

/// Whether each shift has its opposite.
bool are_symmetric(const std::vector<SourceImage>& images) {
  return std::all_of(images.begin(), images.end(), [&](const SourceImage& one) {
    return std::any_of(images.begin(), images.end(), [&](const SourceImage& other) {
      return other.shift == Vec3{-one.shift[0], -one.shift[1], -one.shift[2]};
    });
  });
}

void check(const Spheres& spheres) {
  if (spheres.radius.size() != spheres.position.size()) {
    throw UsageError(
        "radius",
        std::to_string(spheres.radius.size()) + " values for " + std::to_string(spheres.position.size()) + " particles",
        "give one each");
  }
  double largest = 0;
  for (std::size_t i = 0; i < spheres.radius.size(); ++i) {
    const double radius = spheres.radius[i];
    if (!(radius >= 0 && radius <= 1e150)) {
      throw Error("particle " + std::to_string(i), "has radius " + std::to_string(radius), "radii must be 0 or more");
    }
    largest = std::max(largest, radius);
  }
  if (!are_symmetric(spheres.images)) {
    throw UsageError("images", "one shift has no opposite", "give the opposite of each shift, too");
  }
  if (spheres.images.size() > 1 && spheres.options.box_size > 0) {
    throw UsageError("images", "received a list of images together with a box of nearest images",
                     "give one or the other");
  }
  if (spheres.box() < 4 * largest) {
    throw UsageError("box_size = " + std::to_string(spheres.options.box_size),
                     "must be at least four times the largest radius, " + std::to_string(largest));
  }
}

}  // namespace

std::vector<TouchingPair> touching_spheres(const std::vector<Vec3>& position, const std::vector<double>& radius,
                                           const std::vector<SourceImage>& images, const NeighbourOptions& options,
                                           bool by_groups) {
  const Spheres spheres{position, radius, images, options, by_groups};
  check(spheres);
  if (position.empty()) return {};
  const std::unique_ptr<Device> device = open_device(options.backend, options.device, options.threads);
  const Rows rows = find(*device, spheres);
  std::vector<TouchingPair> pairs(rows.partner.size());
  for (std::size_t i = 0; i < position.size(); ++i) {
    for (std::uint64_t k = rows.offset[i]; k < rows.offset[i + 1]; ++k) {
      pairs[k] = {static_cast<std::uint32_t>(i), rows.partner[k], rows.image[k]};
    }
    std::sort(pairs.begin() + static_cast<std::ptrdiff_t>(rows.offset[i]),
              pairs.begin() + static_cast<std::ptrdiff_t>(rows.offset[i + 1]));
  }
  return pairs;
}

}  // namespace hornbeam
