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

/// The radius of cells that count as points, in diagonals of a part. Far images then lack the quadrupoles of cells,
/// which changes forces by a tenth of the accuracy at most (docs/periodic.md).
double part_of_diagonal(double accuracy) { return 0.9 * std::sqrt(accuracy); }

/// Cubes along each axis of a part. So many targets save more time than their cube takes.
int cubes_along(const LatticePlan& plan, const FarImages::Task& task) {
  constexpr double targets_a_cube = 128, most = 8;
  if (task.accuracy == 0) return 1;
  const double parts = 1.0 * plan.parts[0] * plan.parts[1] * plan.parts[2];
  return static_cast<int>(std::clamp(std::cbrt(task.count / (targets_a_cube * parts)), 1.0, most));
}

/// Errors of a part's expansions fall as 0.41 * 0.346^order (docs/periodic.md, table). In a smaller cube they fall the
/// faster. A fifth of what the orders of parts are allowed.
int order_of_cubes(double accuracy, int along) {
  int order = 0;
  for (double error = 0.41; error > 0.02 * accuracy; error *= 0.346 / along) ++order;
  return order;
}

i32 coefficients_of(const LatticeBox& box) { return box.parts_x * box.parts_y * box.parts_z * HB_HARMONICS(box.order); }

constexpr i32 least_chunk = 128;    ///< particles of a chunk at least
constexpr i32 box_share = 1 << 14;  ///< particles of each box on a device

}  // namespace

FarImages::FarImages(Device& device)
    : device_(device),
      points_(device),
      transfers_(device),
      sums_(device),
      moments_(device),
      boxes_(device),
      locals_(device),
      offsets_(device),
      cube_locals_(device),
      terms_(device) {}

FarImages::Chunks FarImages::chunks_of(i32 n, i32 values) {
  const i32 most = std::max(most_sums / values, 1), size = std::max(least_chunk, (n - 1) / most + 1);
  return {size, (n - 1) / size + 1};
}

/// Least and largest coordinates.
LatticeExtent FarImages::box_of(const DeviceParticles& p) {
  const bool by_threads = device_.shares_host_memory();  // elsewhere neighbouring items read neighbouring particles
  const auto [size, boxes] =
      by_threads ? chunks_of(p.n, most_sums / 1024) : Chunks{HB_BLOCK, 1 + (p.n - 1) / box_share};
  const auto count = static_cast<std::size_t>(boxes);
  std::vector<pos_t> ends(HB_BOX_VALUES * count);
  boxes_.reserve(ends.size() * sizeof(pos_t));
  if (by_threads) {
    device_.launch(kernels::box_chunks{.chunks = boxes, .chunk = size, .n = p.n, .position = p.x, .boxes = boxes_},
                   plain_variant, boxes);
  } else {
    device_.launch(kernels::bound_blocks{.position = p.x, .n = p.n, .blocks = boxes, .boxes = boxes_}, plain_variant,
                   i64{boxes} * size);
  }
  device_.download(ends.data(), boxes_, 0, ends.size() * sizeof(pos_t));
  LatticeExtent box;
  for (std::size_t k = 0; k < 3; ++k) {
    const auto low = ends.begin() + static_cast<std::ptrdiff_t>(k * count), high = low + 3 * boxes;
    box.low[k] = static_cast<double>(*std::min_element(low, low + boxes));
    box.high[k] = static_cast<double>(*std::max_element(high, high + boxes));
  }
  return box;
}

/// Along open axes; 0 along the others.
LatticeExtent FarImages::extent_of(const Task& task, const Vec3& periods) {
  const LatticeExtent sources = box_of(task.sources), to = &task.sources == &task.to ? sources : box_of(task.to);
  LatticeExtent extent;
  for (std::size_t k = 0; k < 3; ++k) {
    if (periods[k] > 0) continue;
    extent.low[k] = std::min(sources.low[k], to.low[k]);
    extent.high[k] = std::max(sources.high[k], to.high[k]);
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
  offsets_along_ = 0;
}

void FarImages::take_units(const Frame& frame) {
  const double per_length = static_cast<double>(box_.scale) / frame.length;
  box_.potential = static_cast<real>(per_length);
  box_.acceleration = static_cast<real>(per_length * per_length);
  box_.tide = static_cast<real>(per_length * per_length * per_length);
}

/// Moments of the parts, and from them the local expansions.
void FarImages::gather(const MassPoints::Points& p) {
  const i32 coefficients = coefficients_of(box_), values = 2 * coefficients;
  const Chunks chunks = chunks_of(p.n, values);
  const auto count = static_cast<std::size_t>(values),
             bytes = count * static_cast<std::size_t>(chunks.count) * sizeof(sum_t);
  sums_.reserve(bytes);
  moments_.reserve(count * sizeof(sum_t));
  locals_.reserve(count * sizeof(sum_t));
  device_.clear(sums_, bytes);
  const auto sum = [&]<class Launch>(std::type_identity<Launch>, i64 items) {
    device_.launch(Launch{.box = box_,
                          .chunks = chunks.count,
                          .chunk = chunks.size,
                          .n = p.n,
                          .position = p.position,
                          .mass = p.mass,
                          .spread = p.spread,
                          .sums = sums_},
                   plain_variant, items);
  };
  if (device_.shares_host_memory()) {  // threads; PoCL 3.1 compiles the kernel of warps wrongly
    sum(std::type_identity<kernels::lattice_moments>{}, static_cast<i64>(chunks.count) * (box_.order + 1));
  } else {
    sum(std::type_identity<kernels::lattice_chunk_moments>{}, chunks.count);
  }
  device_.launch(
      kernels::sum_lattice_moments{.values = values, .chunks = chunks.count, .sums = sums_, .moments = moments_},
      plain_variant, values);
  device_.launch(
      kernels::lattice_locals{
          .box = box_, .items = coefficients, .moments = moments_, .transfers = transfers_, .locals = locals_},
      plain_variant, coefficients);
}

/// Local expansions of cubes from those of the parts.
void FarImages::expand_cubes(const LatticePlan& plan, double accuracy) {
  cubes_.order = order_of_cubes(accuracy, along_);
  for (i32* parts : {&cubes_.parts_x, &cubes_.parts_y, &cubes_.parts_z}) *parts *= along_;
  for (pos_t* edge : {&cubes_.edge_x, &cubes_.edge_y, &cubes_.edge_z}) *edge /= static_cast<pos_t>(along_);
  if (along_ != offsets_along_) {
    const std::vector<double> offsets = offsets_of_cubes(plan, along_);
    offsets_.reserve(offsets.size() * sizeof(sum_t));
    upload_values<sum_t>(device_, offsets_, offsets.size(), [&](std::size_t i) { return offsets[i]; });
    offsets_along_ = along_;
  }
  const i32 coefficients = coefficients_of(cubes_);
  cube_locals_.reserve(2 * static_cast<std::size_t>(coefficients) * sizeof(sum_t));
  device_.launch(kernels::lattice_cube_locals{.box = box_,
                                              .cubes = cubes_,
                                              .along = along_,
                                              .items = coefficients,
                                              .offsets = offsets_,
                                              .locals = locals_,
                                              .cube_locals = cube_locals_},
                 plain_variant, coefficients);
}

/// Divides the parts into cubes where there are targets enough, and makes the terms that targets take.
void FarImages::divide(const LatticePlan& plan, const Task& task) {
  along_ = cubes_along(plan, task);
  cubes_ = box_;
  if (along_ > 1) expand_cubes(plan, task.accuracy);
  const i32 coefficients = coefficients_of(cubes_);
  terms_.reserve(static_cast<std::size_t>(coefficients) * sizeof(LatticeTerm));
  device_.launch(
      kernels::lattice_terms{.box = cubes_, .items = coefficients, .locals = locals_of_cubes(), .terms = terms_},
      plain_variant, coefficients);
}

/// Local expansions of all parts, and of cubes.
void FarImages::expand(const Task& task, const Frame& frame, const Vec3& periods) {
  const bool is_closed = periods[0] > 0 && periods[1] > 0 && periods[2] > 0;
  const LatticeExtent extent = is_closed ? LatticeExtent{} : extent_of(task, periods);
  const LatticePlan plan = plan_lattice(periods, extent, order_of(task.accuracy));
  take_plan(plan);
  take_units(frame);
  const MassPoints::Cut cut{.edge = static_cast<double>(frame.cube.edge),
                            .widest = part_of_diagonal(task.accuracy) * 2 / plan.scale,
                            .unit = frame.length,
                            .scale = plan.scale,
                            .moment_stride = task.moment_stride};
  gather(points_.of(task.sources, task.cells, cut));
  divide(plan, task);
}

void FarImages::add(const Task& task, const Frame& frame, const Vec3& periods) {
  if (!task.expanded) expand(task, frame, periods);
  device_.launch(kernels::lattice_fields{.box = cubes_,
                                         .targets = task.count,
                                         .adds = task.adds ? 1 : 0,
                                         .picks = task.list,
                                         .position = task.to.x,
                                         .locals = locals_of_cubes(),
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
  return points_.bytes() + transfers_.bytes() + sums_.bytes() + moments_.bytes() + boxes_.bytes() + locals_.bytes() +
         offsets_.bytes() + cube_locals_.bytes() + terms_.bytes();
}

HB_CLOSE
