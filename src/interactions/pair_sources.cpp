// SPDX-License-Identifier: Apache-2.0
#include "interactions/pair_sources.h"

#include <algorithm>

#include "device/kernels/sizes.h"
#include "hornbeam/error.h"
#include "tree/lent_columns.h"

HB_OPEN
namespace {

/// Particles of windows wider than this part of the key cube search alone: a group would look at all between them.
constexpr int widest_part = 4;

/// Targets that share a walk: what a warp takes, and on the CPU (bench/neighbours) fastest of 16 to 128 for 32
/// neighbours.
constexpr i32 group_size = HB_MAX_GROUP;

}  // namespace

std::vector<pos_t> image_values(const std::vector<SourceImage>& images) {
  if (images.empty() || images[0].shift != Vec3{} || images[0].velocity != Vec3{}) {
    throw UsageError("images", "the first image must be the box itself, without a shift");
  }
  std::vector<pos_t> values;
  for (const SourceImage& image : images) {
    values.insert(values.end(), image.shift.begin(), image.shift.end());
    values.insert(values.end(), image.velocity.begin(), image.velocity.end());
  }
  return values;
}

PairPoints::PairPoints(Device& device, const LentPlaces& places, int leaf_size, bool groups)
    : device_(device), own_(std::make_unique<Own>(device)), points_(&own_->points), tree_(own_->tree.get()) {
  if (places.position.rows == 0) return;
  begin(places.position.rows, leaf_size);
  for (int k = 0; k < 3; ++k) take_axis(device_, places, k, nullptr, count(), points_->x[k]);
  uploaded_ = device_.stamp();
  build(leaf_size, groups);
}

PairPoints::PairPoints(ParticleDomain& domain)
    : device_(domain.device()), points_(&domain.particles()), tree_(&domain.tree()) {
  if (count() > 0 && tree_->cells().size() == 0)
    throw UsageError("walk = direct", "makes no tree, which the search needs", "use walk group");
}

void PairPoints::build(int leaf_size, bool groups) {
  const KeyCube cube = own_->cube = tree_->bound(*points_);
  tree_->make_keys(*points_, cube, HB_CURVE_HILBERT);
  tree_->sort(count());
  tree_->reorder(*points_);
  const GroupPlan plan{.size = groups ? group_size : 0, .widest = cube.edge / widest_part};
  tree_->build(*points_, cube, HB_CURVE_HILBERT, {leaf_size, tree_->box_stride(), plan, false});
  make_boxes(0);
}

void PairPoints::make_boxes(i32 refitted) {
  WalkOptions options{};  // boxes need no multipoles
  options.unit = 1;
  options.theta = 1;
  options.moment_order = tree_->least_moment_order();
  options.moment_stride = tree_->box_stride();
  options.refitted = refitted;
  options.cells = tree_->cells().size();
  options.particles = count();
  tree_->compute_moments(*points_, own_->cube, options);
}

void PairPoints::move(const LentPlaces& places) {
  if (count() == 0) return;
  for (int k = 0; k < 3; ++k) take_axis(device_, places, k, &points_->input, count(), points_->x[k]);
  make_boxes(1);
}

/// Room for n points, which are numbered and weigh nothing: boxes need neither masses nor softenings.
void PairPoints::begin(std::size_t n, int leaf_size) {
  tree_->demand_room(n, leaf_size);
  DeviceParticles& p = *points_;
  p.n = static_cast<i32>(n);
  for (DeviceArray<pos_t>& x : p.x) x.reserve(n * sizeof(pos_t));
  p.input.reserve(n * sizeof(u32));
  device_.launch(kernels::number_items{.n = p.n, .numbers = p.input}, plain_variant, p.n);
  for (DeviceArray<real>* none : {&p.mass, &p.soft2}) {
    none->reserve(n * sizeof(real));
    device_.clear(*none, n * sizeof(real));
  }
}

void PairPoints::put_in_order(DeviceArray<pos_t>& to, const ArrayOnDevice& values, i64 axis) const {
  to.reserve(static_cast<std::size_t>(count()) * sizeof(pos_t));
  take_axis(device_, {.position = values}, axis, &points_->input, count(), to);
}

double PairPoints::largest_edge() const {
  const auto root = [&](const DeviceArray<pos_t>& values) {
    pos_t value = 0;
    device_.download(&value, values, 0, sizeof value);
    return value;
  };
  const Cells& c = tree_->cells();
  return static_cast<double>(
      std::max({root(c.high_x) - root(c.low_x), root(c.high_y) - root(c.low_y), root(c.high_z) - root(c.low_z)}));
}

void PairPoints::reach_of_cells(DeviceArray<pos_t>& to, const DeviceArray<pos_t>& reach) const {
  if (tree_->cells().size() > 0) tree_->largest_in_cells(to, reach, tree_->cells().arrays());
}

PairOptions PairPoints::pairs(const PairPoints& targets, const PairBox& box, std::size_t images) const {
  PairOptions options{};
  options.box = box;
  options.images = static_cast<i32>(images);
  options.starts = count() > 0 ? 1 : 0;
  options.sources = count();
  options.targets = targets.count();
  options.apart = &targets == this ? 0 : 1;
  return options;
}

PairArrays PairPoints::arrays(const PairPoints& targets, const DeviceArray<pos_t>& images,
                              const DeviceArray<i32>* start, const DeviceArray<pos_t>* cell_reach) const {
  return {.x = points_->x[0],
          .y = points_->x[1],
          .z = points_->x[2],
          .input = points_->input,
          .target_x = targets.points_->x[0],
          .target_y = targets.points_->x[1],
          .target_z = targets.points_->x[2],
          .target_input = targets.points_->input,
          .images = images,
          .start = start,
          .cell_reach = cell_reach};
}

HB_CLOSE
