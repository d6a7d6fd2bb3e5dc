// SPDX-License-Identifier: Apache-2.0
// Moments, transfers and fields of the far images, see far_images.h. Compiled once a precision (HB_PRECISION).
#include "interactions/gravity/lattice/far_images.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "device/kernels/sizes.h"
#include "device/transfer.h"
#include "interactions/gravity/kernels/launches.h"

HB_OPEN
namespace {

/// Errors of a pair's acceleration in a cube, in G m / L^2: rms 4e-6, at most 5e-5 (opposite corners); in fp64 3e-11
/// and 5e-10 (tests/unit/lattice_test.cpp).
constexpr int order_of_precision = this_precision == Precision::fp64 ? 22 : 10;
/// Orders whose errors of such a pair, in rms, are some fifth of the accuracies from which on they are taken, times the
/// least acceleration that these count against, 0.6 G m / L^2 (docs/periodic.md). Highest for less.
struct {
  int order;
  double from;
} constexpr orders_of_accuracy[] = {{6, 3e-3}, {8, 7e-4}, {10, 2e-5}, {14, 1e-6}, {18, 3e-8}, {22, 4e-10}};
constexpr int highest_order = 26;
static_assert(highest_order + 2 <= HB_WARP, "a lane has one sum of each (kernels/lattice_warp.h)");

int order_of(double accuracy) {
  if (accuracy == 0) return order_of_precision;
  for (const auto& [order, from] : orders_of_accuracy) {
    if (accuracy >= from) return order;
  }
  return highest_order;
}

constexpr i32 least_chunk = 128;  ///< particles of a chunk at least

}  // namespace

FarImages::FarImages(Device& device)
    : device_(device),
      transfers_(device),
      sums_(device),
      moments_(device),
      boxes_(device),
      locals_(device),
      terms_(device) {}

FarImages::Chunks FarImages::chunks_of(i32 n, i32 values) {
  const i32 most = std::max(most_sums / values, 1), size = std::max(least_chunk, (n - 1) / most + 1);
  return {size, (n - 1) / size + 1};
}

/// Along open axes; 0 along the others.
LatticeExtent FarImages::extent_of(const Task& task, const Vec3& periods) {
  LatticeExtent extent;
  bool first = true;
  for (const DeviceParticles* p : {&task.sources, &task.to}) {
    const auto [size, count] = chunks_of(p->n, most_sums / 1024);
    std::vector<pos_t> boxes(HB_LATTICE_EXTENTS * static_cast<std::size_t>(count));
    boxes_.reserve(boxes.size() * sizeof(pos_t));
    device_.launch(kernels::box_chunks{.chunks = count, .chunk = size, .n = p->n, .position = p->x, .boxes = boxes_},
                   plain_variant, count);
    device_.download(boxes.data(), boxes_, 0, boxes.size() * sizeof(pos_t));
    for (std::size_t c = 0; c < boxes.size(); c += HB_LATTICE_EXTENTS) {
      for (std::size_t k = 0; k < 3; ++k) {
        const auto low = static_cast<double>(boxes[c + k]), high = static_cast<double>(boxes[c + 3 + k]);
        if (periods[k] > 0) continue;
        extent.low[k] = first ? low : std::min(extent.low[k], low);
        extent.high[k] = first ? high : std::max(extent.high[k], high);
      }
      first = false;
    }
    if (&task.sources == &task.to) break;
  }
  return extent;
}

void FarImages::take_plan(const LatticePlan& plan) {
  box_.low_x = static_cast<pos_t>(plan.low[0]);
  box_.low_y = static_cast<pos_t>(plan.low[1]);
  box_.low_z = static_cast<pos_t>(plan.low[2]);
  if (plan.periods == periods_ && plan.parts == parts_ && plan.order == box_.order) return;
  const std::vector<double> transfers = made_.of(plan);
  box_.edge_x = static_cast<pos_t>(plan.edge[0]);
  box_.edge_y = static_cast<pos_t>(plan.edge[1]);
  box_.edge_z = static_cast<pos_t>(plan.edge[2]);
  box_.scale = static_cast<pos_t>(plan.scale);
  box_.background = static_cast<pos_t>(made_.background());
  box_.parts_x = plan.parts[0];
  box_.parts_y = plan.parts[1];
  box_.parts_z = plan.parts[2];
  box_.order = plan.order;
  transfers_.reserve(transfers.size() * sizeof(sum_t));
  upload_values<sum_t>(device_, transfers_, transfers.size(), [&](std::size_t i) { return transfers[i]; });
  periods_ = plan.periods;
  parts_ = plan.parts;
}

void FarImages::take_units(const Frame& frame) {
  const double per_length = static_cast<double>(box_.scale) / frame.length;
  box_.potential = static_cast<real>(per_length);
  box_.acceleration = static_cast<real>(per_length * per_length);
  box_.tide = static_cast<real>(per_length * per_length * per_length);
}

/// Moments of the parts, and from them the local expansions.
void FarImages::gather(const DeviceParticles& p) {
  const i32 coefficients = box_.parts_x * box_.parts_y * box_.parts_z * HB_HARMONICS(box_.order),
            values = 2 * coefficients;
  const auto [size, chunks] = chunks_of(p.n, values);
  const auto count = static_cast<std::size_t>(values), bytes = count * static_cast<std::size_t>(chunks) * sizeof(sum_t);
  sums_.reserve(bytes);
  moments_.reserve(count * sizeof(sum_t));
  locals_.reserve(count * sizeof(real));
  terms_.reserve(static_cast<std::size_t>(coefficients) * sizeof(LatticeTerm));
  device_.clear(sums_, bytes);
  const auto sum = [&]<class Launch>(std::type_identity<Launch>, i64 items) {
    device_.launch(
        Launch{.box = box_, .chunks = chunks, .chunk = size, .n = p.n, .position = p.x, .mass = p.mass, .sums = sums_},
        plain_variant, items);
  };
  if (device_.shares_host_memory()) {  // threads; PoCL 3.1 compiles the kernel of warps wrongly
    sum(std::type_identity<kernels::lattice_moments>{}, static_cast<i64>(chunks) * (box_.order + 1));
  } else {
    sum(std::type_identity<kernels::lattice_chunk_moments>{}, chunks);
  }
  device_.launch(kernels::sum_lattice_moments{.values = values, .chunks = chunks, .sums = sums_, .moments = moments_},
                 plain_variant, values);
  device_.launch(
      kernels::lattice_locals{
          .box = box_, .items = coefficients, .moments = moments_, .transfers = transfers_, .locals = locals_},
      plain_variant, coefficients);
  device_.launch(kernels::lattice_terms{.box = box_, .items = coefficients, .locals = locals_, .terms = terms_},
                 plain_variant, coefficients);
}

/// Local expansions of all parts.
void FarImages::expand(const Task& task, const Frame& frame, const Vec3& periods) {
  const bool is_closed = periods[0] > 0 && periods[1] > 0 && periods[2] > 0;
  const LatticeExtent extent = is_closed ? LatticeExtent{} : extent_of(task, periods);
  take_plan(plan_lattice(periods, extent, order_of(task.accuracy)));
  take_units(frame);
  gather(task.sources);
}

void FarImages::add(const Task& task, const Frame& frame, const Vec3& periods) {
  if (!task.expanded) expand(task, frame, periods);
  device_.launch(kernels::lattice_fields{.box = box_,
                                         .targets = task.count,
                                         .adds = task.adds ? 1 : 0,
                                         .picks = task.list,
                                         .position = task.to.x,
                                         .locals = locals_,
                                         .terms = terms_,
                                         .acc = task.to.acc},
                 plain_variant, (static_cast<i64>(task.count) + device_.lanes() - 1) / device_.lanes());
}

void FarImages::add_tides(const Task& task, const Frame& frame, const Vec3& periods, DeviceArray<real>& tide) {
  expand(task, frame, periods);
  device_.launch(
      kernels::lattice_tides{
          .box = box_, .targets = task.count, .position = task.to.x, .locals = locals_, .tide = tide},
      plain_variant, (static_cast<i64>(task.count) + device_.lanes() - 1) / device_.lanes());
}

std::uint64_t FarImages::bytes() const {
  return transfers_.bytes() + sums_.bytes() + moments_.bytes() + boxes_.bytes() + locals_.bytes() + terms_.bytes();
}

HB_CLOSE
