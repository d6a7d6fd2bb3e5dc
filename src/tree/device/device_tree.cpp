// SPDX-License-Identifier: Apache-2.0
// bound, key, sort, reorder, build, groups and moments on a device. The host sees a few counts.
#include "tree/device/device_tree.h"

#include <algorithm>
#include <bit>
#include <type_traits>
#include <utility>

#include "device/kernels/sizes.h"
#include "stages/moments.h"
#include "stages/reorder.h"
#include "tree/device/device_sums.h"

HB_OPEN
namespace {

static_assert(largest_leaf_size == HB_LARGEST_LEAF);
constexpr int key_bits = 3 * HB_LEVELS;
/// Bits of a pass of the devices' sorts.
constexpr int pass_bits = 8;
/// Keys share no bits beyond so many more than log2 n, but in runs of a few, where the densest part of a Plummer or a
/// Hernquist sphere is; in cold clumps they may.
constexpr int spare_bits = 16;
constexpr i32 all_levels = HB_LEVELS + 1;
/// One in so many cells more are given room than there are, so that a tree that grows a little stays where it is.
constexpr std::size_t spare_cells = 16;
/// Rows of counts: cells by level, then groups.
constexpr i32 count_rows = all_levels + 1;
/// Particles whose cube one block finds alone: a launch less.
constexpr i32 most_in_one_bound = 1 << 12;

/// Warps that look for the nodes among the cells of a level, most of which are leaves: four times as many as an H200
/// holds.
constexpr i32 enough_warps = 1 << 13;

std::size_t bytes_for(i32 n, std::size_t element) { return static_cast<std::size_t>(n) * element; }

}  // namespace

DeviceTree::DeviceTree(Device& device)
    : Tree(device),
      keys_(device),
      spare_keys_(device),
      place_(device),
      spare_place_(device),
      records_(device),
      disordered_(device),
      steps_(device),
      bound_(device),
      counts_(device),
      totals_(device) {}

void DeviceTree::find_box(const DeviceParticles& p, i32 blocks, BoundReport& found) {
  if (p.n <= most_in_one_bound) {
    device_.launch(kernels::bound_few{.position = p.x, .n = p.n, .found = bound_}, plain_variant, HB_BLOCK);
  } else {
    counts_.reserve(static_cast<std::size_t>(blocks) * HB_BOX_VALUES * sizeof(pos_t));
    const auto boxes = counts_.as<pos_t>();
    const i64 items = static_cast<i64>(blocks) * HB_BLOCK;
    device_.launch(kernels::bound_blocks{.position = p.x, .n = p.n, .blocks = blocks, .boxes = boxes}, plain_variant,
                   items);
    device_.launch(kernels::bound_all{.blocks = blocks, .boxes = boxes, .found = bound_}, plain_variant, HB_BLOCK);
    device_.launch(kernels::count_bins{.position = p.x, .n = p.n, .blocks = blocks, .found = bound_}, plain_variant,
                   items);
  }
  device_.download(&found, bound_, 0, sizeof found);
}

void DeviceTree::count_again(const DeviceParticles& p, i32 blocks, const Interval (&inner)[3], const bool (&again)[3],
                             BoundReport& found) {
  found = {};
  for (int k = 0; k < 3; ++k) {
    if (!again[k]) continue;
    found.axes.low[k] = inner[k].low;
    found.axes.scale[k] = bin_scale(inner[k].low, inner[k].high);
  }
  device_.upload(bound_, 0, &found, sizeof found);
  device_.launch(kernels::count_bins{.position = p.x, .n = p.n, .blocks = blocks, .found = bound_}, plain_variant,
                 static_cast<i64>(blocks) * HB_BLOCK);
  device_.download(&found, bound_, 0, sizeof found);
}

KeyCube DeviceTree::bound(const DeviceParticles& p) {
  const i32 blocks = sum_blocks(p.n);
  bound_.reserve(sizeof(BoundReport));
  BoundReport found;
  find_box(p, blocks, found);
  Interval whole[3], box[3], inner[3];
  bool clamps[3], again[3];
  for (int k = 0; k < 3; ++k) {
    box[k] = whole[k] = inner[k] = {found.box[k], found.box[3 + k]};
    clamps[k] = again[k] = p.n >= least_bound_count && box[k].high > box[k].low;
  }
  for (int round = 0; round < most_bound_rounds && (again[0] || again[1] || again[2]); ++round) {
    if (round > 0) count_again(p, blocks, inner, again, found);
    for (int k = 0; k < 3; ++k) {
      if (!again[k]) continue;
      again[k] = narrow(inner[k], found.bins + k * HB_BOUND_BINS, outliers_of(p.n)) && inner[k].high > inner[k].low;
    }
  }
  for (int k = 0; k < 3; ++k) {
    if (clamps[k]) box[k] = without_outliers(box[k], inner[k]);
  }
  return cube_around(box, whole);
}

void DeviceTree::make_keys(const DeviceParticles& p, const KeyCube& cube, i32 curve) {
  for (DeviceArray<u64>* b : {&keys_, &spare_keys_}) b->reserve(bytes_for(p.n, sizeof(u64)));
  for (DeviceArray<u32>* b : {&place_, &spare_place_}) b->reserve(bytes_for(p.n, sizeof(u32)));
  records_.reserve(bytes_for(p.n, sizeof(ParticleRecord)));
  disordered_.reserve(sizeof(u32));
  if (curve != curve_) {
    const auto steps = curve_steps(curve);
    steps_.reserve(steps.size());
    device_.upload(steps_, 0, steps.data(), steps.size());
    curve_ = curve;
  }
  device_.launch(kernels::make_keys{.position = p.x,
                                    .mass = p.mass,
                                    .input = p.input,
                                    .n = p.n,
                                    .cube = cube,
                                    .steps_of_curve = steps_,
                                    .keys = keys_,
                                    .place = place_,
                                    .records = records_,
                                    .disordered = disordered_},
                 plain_variant, p.n);
}

template <class Launch, class T>
void DeviceTree::gather(DeviceArray<T>& values, i32 n) {
  Buffer& spare = sizeof(T) == sizeof(u64) ? static_cast<Buffer&>(spare_keys_) : spare_place_;
  device_.launch(Launch{.from = values, .place = place_, .n = n, .to = spare.as<T>()}, plain_variant, n);
  values.swap(spare);
}

void DeviceTree::sort(i32 n) {
  const int likely = needs_all_bits_ ? key_bits : std::bit_width(static_cast<u32>(n)) + spare_bits;
  const int begin = std::max(0, key_bits - (likely + pass_bits - 1) / pass_bits * pass_bits);
  const int sorted_from = device_.sort_pairs(keys_, spare_keys_, place_, spare_place_, n, begin, key_bits);
  if (sorted_from > 0) {
    device_.launch(
        kernels::order_runs{.n = n, .begin = sorted_from, .keys = keys_, .place = place_, .disordered = disordered_},
        plain_variant, n);
  }
}

void DeviceTree::reorder(DeviceParticles& p) {
  device_.launch(kernels::gather_records{.records = records_,
                                         .keys = keys_,
                                         .place = place_,
                                         .n = p.n,
                                         .position = p.x,
                                         .mass = p.mass,
                                         .input = p.input,
                                         .disordered = disordered_},
                 plain_variant, p.n);
}

void DeviceTree::sort_again(u32 why, DeviceParticles& p, const KeyCube& cube, i32 curve) {
  if ((why & HB_LONG_RUNS) != 0) needs_all_bits_ = true;
  device_.launch(
      kernels::keys_in_input_order{
          .records = records_, .n = p.n, .cube = cube, .curve = curve, .keys = keys_, .place = place_},
      plain_variant, p.n);
  device_.sort_pairs(keys_, spare_keys_, place_, spare_place_, p.n, 0, key_bits);
  reorder(p);
}

void DeviceTree::settle_order(DeviceParticles& p, const KeyCube& cube, i32 curve) {
  u32 disordered = 0;
  device_.download(&disordered, disordered_, 0, sizeof disordered);
  if (disordered != 0) sort_again(disordered, p, cube, curve);
}

void DeviceTree::reorder_rest(DeviceParticles& p) {
  const bool in_blocks = p.rung.bytes() > 0;
  const auto follow = [&](const StoreRow& row, auto& array) {
    if (array.bytes() == 0 || row.carried == Carried::by_record || !follows(row.carried, in_blocks)) return;
    using Values = std::decay_t<decltype(array)>;
    if constexpr (std::is_same_v<Values, DeviceArray<pos_t>>) {
      gather<kernels::gather_positions>(array, p.n);
    } else if constexpr (std::is_same_v<Values, DeviceArray<real>>) {
      gather<kernels::gather_reals>(array, p.n);
    } else {
      gather<kernels::gather_words>(array, p.n);
    }
  };
  for_each_array_of(follow, p);
}

bool DeviceTree::has_room(i32 n) const {
  const std::size_t bytes = bytes_for(n, sizeof(ParticleRecord));
  return bytes <= records_.bytes() || bytes <= device_.free_bytes();
}

void DeviceTree::release_cells() { cells_.release(); }

double DeviceTree::cells_per_particle(i32 leaf_size) {
  return 4.0 / leaf_size;  // 3.75 to 3.95 in Plummer and Hernquist spheres; less to twice that on lattices
}

std::size_t DeviceTree::cell_bytes(i32 moment_stride) {
  std::size_t sum = static_cast<std::size_t>(moment_stride) * sizeof(real);
#define HB_CELL_BYTES(type, field) sum += sizeof(type);
  HB_CELL_FIELDS(HB_CELL_BYTES)
#undef HB_CELL_BYTES
  return sum;
}

void DeviceTree::reserve_cells(i32 cells, i32 moment_stride) {
  const auto count = static_cast<std::size_t>(cells);
  if (count * sizeof(i32) > cells_.first.bytes()) {
    const std::size_t room = count + count / spare_cells;
    if (room * cell_bytes(moment_stride) > device_.free_bytes()) records_.release();
#define HB_RESERVE_CELLS(type, field) cells_.field.reserve(room * sizeof(type));
    HB_CELL_FIELDS(HB_RESERVE_CELLS)
#undef HB_RESERVE_CELLS
  }
  cells_.moments.reserve((count + count / spare_cells) * static_cast<std::size_t>(moment_stride) * sizeof(real));
}

OptionalArgument<const u8> DeviceTree::marks_of(const GroupPlan& groups) const {
  if (groups.size == 0) return nullptr;
  return spare_keys_.as<u8>();
}

DeviceTree::TreeCounts DeviceTree::count_cells(const DeviceParticles& p, i32 leaf_size, const GroupPlan& groups) {
  const i32 n = p.n, blocks = blocks_of(n), counted = count_rows * blocks;
  if (groups.size > 0) mark_groups(device_, p, groups, spare_keys_.as<u8>());
  counts_.reserve(bytes_for(counted + 1, sizeof(u32)));
  device_.launch(kernels::count_cells{.keys = keys_,
                                      .marks = marks_of(groups),
                                      .n = n,
                                      .leaf_size = leaf_size,
                                      .blocks = blocks,
                                      .starts = spare_place_,
                                      .counts = counts_},
                 plain_variant, n);
  device_.exclusive_scan(counts_, counted + 1);
  totals_.reserve(sizeof(TreeCounts));
  device_.launch(
      kernels::collect_levels{.counts = counts_, .blocks = blocks, .disordered = disordered_, .totals = totals_},
      plain_variant, sizeof(TreeCounts) / sizeof(u32));
  TreeCounts totals;
  device_.download(&totals, totals_, 0, sizeof totals);
  return totals;
}

void DeviceTree::build(DeviceParticles& p, const KeyCube& cube, i32 curve, const TreePlan& plan) {
  if (plan.direct) return settle_order(p, cube, curve);
  const GroupPlan& groups = plan.groups;
  const i32 n = p.n, blocks = blocks_of(n);
  TreeCounts totals = count_cells(p, plan.leaf_size, groups);
  if (totals.disordered != 0) {
    sort_again(totals.disordered, p, cube, curve);
    totals = count_cells(p, plan.leaf_size, groups);
  }
  cells_.levels = totals.levels;
  groups_.count = totals.groups;
  leaf_size_ = plan.leaf_size;
  reserve_cells(cells_.size(), plan.moment_stride);
  if (groups.size > 0) groups_.first.reserve(bytes_for(groups_.count + 1 + groups_.count / 16, sizeof(i32)));
  device_.launch(kernels::make_cells{.starts = spare_place_,
                                     .marks = marks_of(groups),
                                     .n = n,
                                     .blocks = blocks,
                                     .counts = counts_,
                                     .first_particle = cells_.first,
                                     .first_child = cells_.child,
                                     .group_first = groups_.first},
                 plain_variant, n);
  device_.launch(
      kernels::link_cells{
          .levels = cells_.levels, .keys = keys_, .top = spare_place_, .n = n, .cells = cells_.arrays()},
      plain_variant, cells_.size());
}

void DeviceTree::compute_moments(const DeviceParticles& p, const KeyCube& cube, const WalkOptions& options) {
  const KernelVariant variant{this_precision, options.expansion};
  device_.launch(
      kernels::moments_of_leaves{
          .options = options, .cube = cube, .levels = cells_.levels, .particles = p.arrays(), .cells = cells_.arrays()},
      variant, (cells_.size() + HB_WARP - 1) / HB_WARP);
  // leaves above leaf_size are of the deepest level
  const i32 large = leaf_size_ > HB_LARGE_LEAF ? 0 : cells_.levels.begin[HB_LEVELS];
  device_.launch(kernels::moments_of_large_leaves{.options = options,
                                                  .cube = cube,
                                                  .levels = cells_.levels,
                                                  .begin = large,
                                                  .particles = p.arrays(),
                                                  .cells = cells_.arrays()},
                 variant, static_cast<i64>(cells_.size() - large) * HB_BLOCK);
  for (i32 level = HB_LEVELS - 1; level >= 0; --level) {
    const i32 begin = cells_.levels.begin[level], end = cells_.levels.begin[level + 1];
    if (cells_.levels.begin[level + 2] == end) continue;  // no cell of this level has children
    const i32 warps = searching_warps(end - begin, HB_WARP_NODES, enough_warps);
    device_.launch(kernels::moments_of_nodes{.options = options,
                                             .cube = cube,
                                             .level = level,
                                             .begin = begin,
                                             .end = end,
                                             .warps = warps,
                                             .particles = p.arrays(),
                                             .cells = cells_.arrays()},
                   variant, warps);
  }
}

void DeviceTree::largest_in_cells(DeviceArray<pos_t>& largest, const DeviceArray<pos_t>& values,
                                  const CellArrays& cells) const {
  largest.reserve(static_cast<std::size_t>(cells_.size()) * sizeof(pos_t));
  for (int level = HB_LEVELS; level >= 0; --level) {
    const i32 begin = cells_.levels.begin[level], end = cells_.levels.begin[level + 1];
    device_.launch(kernels::reach_of_cells{.begin = begin,
                                           .end = end,
                                           .first = cells.first,
                                           .count = cells.count,
                                           .child = cells.child,
                                           .children = cells.children,
                                           .source_reach = values,
                                           .cell_reach = largest},
                   plain_variant, end - begin);
  }
}

void DeviceTree::group_points(Groups& groups, const DeviceParticles& points, const DeviceArray<u32>& /*sums*/, i32 size,
                              pos_t /*near*/) const {
  DeviceArray<u8> begins(device_);
  DeviceArray<u32> marks(device_);
  marks.reserve((static_cast<std::size_t>(points.n) + 2) * sizeof(u32));
  make_groups(device_, points, size, begins, marks, groups);
}

void mark_groups(Device& device, const DeviceParticles& p, const GroupPlan& plan, ArrayArgument<u8> marks) {
  device.launch(
      kernels::mark_groups{
          .n = p.n, .group_size = plan.size, .widest = plan.widest, .marks = marks, .particles = p.arrays()},
      plain_variant, (p.n + plan.size - 1) / plan.size);
}

i32 list_marks(Device& device, DeviceArray<u32>& marks, i32 n, DeviceArray<i32>& list) {
  device.exclusive_scan(marks, n + 1);
  list.reserve(static_cast<std::size_t>(n) * sizeof(i32));
  device.launch(kernels::list_marks{.sums = marks, .count = n, .list = list}, plain_variant, n);
  u32 found = 0;
  device.download(&found, marks, static_cast<std::size_t>(n) * sizeof(u32), sizeof found);
  return static_cast<i32>(found);
}

void make_groups(Device& device, const DeviceParticles& p, i32 size, DeviceArray<u8>& begins, DeviceArray<u32>& marks,
                 Groups& groups) {
  begins.reserve(static_cast<std::size_t>(p.n));
  mark_groups(device, p, {.size = size}, begins);
  device.launch(kernels::mark_begins{.begins = begins, .targets = p.n, .marks = marks}, plain_variant, p.n + 2);
  groups.count = list_marks(device, marks, p.n + 1, groups.first) - 1;
}

std::uint64_t DeviceTree::tree_bytes() const { return groups_.bytes() + keys_.bytes() + cells_.bytes(); }

std::uint64_t DeviceTree::scratch_bytes() const {
  return records_.bytes() + disordered_.bytes() + steps_.bytes() + spare_keys_.bytes() + place_.bytes() +
         spare_place_.bytes() + bound_.bytes() + counts_.bytes() + totals_.bytes();
}

HB_CLOSE
