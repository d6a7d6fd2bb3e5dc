// SPDX-License-Identifier: Apache-2.0
// The account of device memory: see memory_plan.h.
#include "interactions/gravity/memory_plan.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "device/driver_failure.h"
#include "interactions/gravity/device_walk.h"
#include "interactions/gravity/lattice/far_images.h"
#include "memory/room.h"
#include "tree/device/device_tree.h"
#include "tree/store_fields.h"

HB_OPEN
namespace {

/// From the quickest (larger than the CPU's: pairs are cheap compared with the making and the testing of cells) to
/// those that save memory.
constexpr int leaf_sizes[] = {24, 32, 48, 64, 96, 128};
constexpr double kept_free = kept_free_on_device, kept_free_per_particle = 0.5;
static_assert(4 * FarImages::most_bytes <= kept_free_on_device, "those of a lattice are within what is kept free");

std::string explain(std::uint64_t n, const MemoryNeed& need, std::uint64_t free, const std::string& device) {
  const double each = need.total() + kept_free_per_particle;
  char by_purpose[200];
  std::snprintf(
      by_purpose, sizeof by_purpose,
      "%.0f bytes each (particles %.0f, steps %.0f, sort %.0f, then either its records %.0f or cells %.0f and "
      "walk %.0f)",
      each, need.particles, need.steps, need.order, need.records, need.cells, need.walk);
  return std::to_string(n) + " particles need about " + memory::shown_bytes(each * static_cast<double>(n) + kept_free) +
         ", " + by_purpose + " and " + memory::shown_bytes(kept_free) + " for any number, and " +
         memory::shown_bytes(static_cast<double>(free)) + " are free on " + device;
}

/// In block steps, the particles that are due laid out again (DueTargets: mark, place, whether a group begins, its
/// number; position, mass, softening, |a|).
constexpr double due_bytes = 2 * sizeof(u32) + sizeof(u8) + sizeof(i32) + 3 * sizeof(pos_t) + 3 * sizeof(real);

}  // namespace

MemoryNeed memory_need(const GravityOptions& o, const WalkOptions& w, const Holding& holding) {
  MemoryNeed need{};
  need.particles = evaluation_bytes(o, holding);
  const double of_blocks = holding.rungs ? rung_bytes() : 0;
  need.steps = of_blocks + (holding.rungs ? due_bytes : 0) + (holding.copy ? need.particles + of_blocks : 0);
  need.order = DeviceTree::order_bytes + (o.curve == Curve::none ? sizeof(u32) : 0);
  need.records = DeviceTree::record_bytes;
  const double cells = DeviceTree::cells_per_particle(o.leaf_size);
  // targets as an image sees them; to an accuracy one walk goes through all images
  const double of_images = o.accuracy > 0 ? MassPoints::bytes_per_particle(cells) : 3 * sizeof(pos_t);
  const double shifted = holding.images ? of_images : 0;
  if (o.walk == Walk::direct) {
    need.particles += 4 * sizeof(real) + shifted;  // the sums of each share
    return need;
  }
  need.cells =
      DeviceTree::cells_per_particle(o.leaf_size) * static_cast<double>(DeviceTree::cell_bytes(w.moment_stride));
  need.walk = DeviceWalk::bytes_per_particle(o.walk, w, o.group_size) + shifted;
  if (o.accuracy > 0) {
    need.walk +=
        DeviceHierarchy::bytes_per_particle(w.expansion, DeviceTree::cells_per_particle(o.leaf_size)) + sizeof(real);
  }
  return need;
}

int fitting_leaf_size(std::uint64_t n, GravityOptions options, const WalkOptions& w, const Holding& holding,
                      std::uint64_t free, const std::string& device) {
  const double room = (static_cast<double>(free) - kept_free) / static_cast<double>(std::max<std::uint64_t>(n, 1)) -
                      kept_free_per_particle;
  const bool chosen = options.leaf_size > 0;
  MemoryNeed need{};
  for (const int leaf_size : leaf_sizes) {
    if (!chosen) options.leaf_size = leaf_size;
    need = memory_need(options, w, holding);
    if (need.total() <= room) return options.leaf_size;
  }
  const double most = std::floor((static_cast<double>(free) - kept_free) / (need.total() + kept_free_per_particle));
  const std::string fewer =
      most < 1 ? "" : "use at most " + std::to_string(static_cast<std::uint64_t>(most)) + " particles, or ";
  throw DeviceFull("device memory", explain(n, need, free, device),
                   fewer + (chosen && most >= 1 ? "a larger leaf_size, or " : "") +
                       "another device or the CPU, or end other programs that use this device");
}

HB_CLOSE
