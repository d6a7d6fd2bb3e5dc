// SPDX-License-Identifier: Apache-2.0
// walk on a device. Compiled once a precision (HB_PRECISION).
#include "interactions/gravity/device_walk.h"

#include <algorithm>
#include <type_traits>
#include <vector>

#include "device/kernels/sizes.h"
#include "hornbeam/error.h"
#include "interactions/gravity/kernels/launches.h"
#include "physics/expansion.h"
#include "physics/opening.h"
#include "tree/device/device_sums.h"
#include "tree/device/device_tree.h"

HB_OPEN
namespace {

/// Cells that a block can hand to its groups; where there are more, these start from the root. Where |a| sets the
/// bound, cells of many sizes may suit one of the groups.
i32 frontier_room(const WalkOptions& options) { return options.mac == HB_MAC_RELATIVE ? 2048 : 768; }

/// Warps that look for spread-out groups: twice as many as an H200 runs.
constexpr i32 enough_searchers = 1 << 14;

/// Groups of a block, which shares a far field and an estimate of |a|: among few particles |a| differs too much within
/// a block for one estimate to hold (docs/theory.md eq. 11).
constexpr i32 most_block_groups = 8;
i32 block_groups(i32 n) {
  if (n < 1 << 17) return 1;
  return n < 1 << 18 ? 2 : most_block_groups;
}

}  // namespace

DeviceWalk::DeviceWalk(Device& device)
    : device_(device),
      hierarchy_(device),
      counts_(device),
      own_look_(device),
      spread_groups_(device),
      spread_pieces_(device),
      spread_counts_(device),
      scratch_(device),
      near_counts_(device),
      accelerations_(device),
      centres_(device),
      far_fields_(device),
      frontiers_(device),
      frontier_counts_(device),
      expanded_(device),
      shifted_{DeviceArray<pos_t>(device), DeviceArray<pos_t>(device), DeviceArray<pos_t>(device)},
      given_{DeviceArray<real>(device), DeviceArray<real>(device), DeviceArray<real>(device),
             DeviceArray<real>(device)} {}

void DeviceWalk::run(const GravityRun& what, const DeviceParticles& particles, const Tree& tree, TargetSet& targets) {
  needs_tree_ = needs_tree(what.walk, what.accuracy > 0 ? what.images->size() : 0, targets, particles);
  last_by_cells_ = what.accuracy > 0 && needs_tree_;
  turns_ = {};
  if (last_by_cells_) {
    last_due_ = targets.list().list;
    last_targets_ = targets.list().count;
    turns_ = device_.share(last_targets_, 1);
    hierarchy_.run({what, particles, tree, particles, tree, targets.list(), turns_});
    return exchange_forces(particles, hierarchy_.rows());
  }
  for (const SourceImage& image : *what.images) run_image(what, particles, tree, targets, image);
  exchange_forces(particles, turns_);
}

void DeviceWalk::run_image(const GravityRun& what, const DeviceParticles& particles, const Tree& tree,
                           TargetSet& targets, const SourceImage& source) {
  const bool some = targets.are_some(), image = &source != &what.images->front();
  WalkOptions options = what.options;
  options.image = image ? 1 : 0;
  const Task task{options, particles, tree, targets, source.shift};
  GroupWalkOptions group = what.group;
  if (!image) {
    last_walk_ = needs_tree_ ? what.walk : Walk::direct;
    last_blocks_ = 0;
    last_items_ = 0;
    last_due_ = targets.list().list;
    last_targets_ = targets.list().count;
    last_pairs_ = 0;
  }
  const bool few = some || image || (what.accuracy > 0 && what.walk == Walk::group);
  group.picked = few ? 1 : 0;
  if (image) group.most_near = 0;  // what is spread out among many particles is so among its own
  if (last_targets_ == 0) return;
  if (last_walk_ == Walk::group) return walk_groups(task, group, what.group_size);
  if (last_walk_ != Walk::direct) return walk_particles(task, what.walk, what.order);
  if (!image) turns_ = device_.share(last_targets_, HB_DIRECT_SPAN);
  last_pairs_ += static_cast<i64>(last_targets_) * (particles.n - (image ? 0 : 1));
  if (few) {
    sum_for_few(options, group, particles, particles, places_of(particles, options, source.shift));
  } else {
    sum_directly(options, group, particles);
  }
}

ParticleArrays DeviceWalk::places_of(const DeviceParticles& targets, const WalkOptions& options, const Vec3& shift) {
  ParticleArrays places = targets.arrays();
  if (!options.image) return places;
  for (auto& axis : shifted_) axis.reserve(static_cast<std::size_t>(targets.n) * sizeof(pos_t));
  device_.launch(kernels::shift_positions{.position = targets.x,
                                          .shift_x = static_cast<pos_t>(shift[0]),
                                          .shift_y = static_cast<pos_t>(shift[1]),
                                          .shift_z = static_cast<pos_t>(shift[2]),
                                          .n = targets.n,
                                          .shifted = shifted_},
                 plain_variant, targets.n);
  places.x = shifted_[0];
  places.y = shifted_[1];
  places.z = shifted_[2];
  return places;
}

void DeviceWalk::walk_groups(const Task& task, GroupWalkOptions group, i32 group_size) {
  const auto& [options, p, tree, due, shift] = task;
  if (!options.image || !due.are_some()) layout_ = due.lay_out(p, group_size);  // images find those that are due there
  const auto& [targets, groups, size] = layout_;
  if (!options.image) turns_ = device_.share(targets->n, static_cast<i64>(size) * block_groups(targets->n));
  const ParticleArrays places = places_of(*targets, options, shift);
  walk_in_groups({options, p, *targets, p, places, *groups, tree}, group, size);
}

void DeviceWalk::walk_in_groups(const Walkers& who, GroupWalkOptions group, i32 group_size) {
  const WalkOptions& options = who.options;
  group.groups = who.groups.count;
  group.targets = who.targets.n;
  group.block_size = group_size * block_groups(who.targets.n);
  group.block_near = group.most_near * block_groups(who.targets.n);
  group.shares = options.expansion > 0 ? 1 : 0;
  group.frontier_room = frontier_room(options);
  group.piece = (group_size + HB_PIECES - 1) / HB_PIECES;
  if (group.most_near > 0) {
    group.pieces = std::min(expected_.pieces, HB_PIECES * group.groups);
    group.singles = std::min(expected_.singles, HB_PIECES * group.pieces);
  }
  if (!options.image || last_items_ == 0) {
    last_items_ = group.groups + group.pieces + group.singles;
    counts_.reserve(HB_COUNTS * static_cast<std::size_t>(last_items_) * sizeof(u32));
    if (options.image) device_.clear(counts_, HB_COUNTS * static_cast<std::size_t>(last_items_) * sizeof(u32));
  }
  walk_blocks(who, group);
  if (group.most_near > 0) find_spread(who, group);
  launch_walk(who, group);
  if (group.most_near > 0) walk_unexpected(who, group);
}

void DeviceWalk::walk_blocks(const Walkers& who, const GroupWalkOptions& group) {
  const i32 expansion = who.options.expansion;
  const auto blocks_of_targets = [&](i64 targets) {
    return static_cast<i32>((targets + group.block_size - 1) / group.block_size);
  };
  const i32 blocks = blocks_of_targets(group.targets);
  const auto count = static_cast<std::size_t>(blocks);
  near_counts_.reserve(count * sizeof(i32));
  accelerations_.reserve(count * sizeof(real));
  centres_.reserve(3 * count * sizeof(pos_t));
  spread_counts_.reserve(sizeof(SpreadCounts));
  if (group.shares) {
    far_fields_.reserve(count * static_cast<std::size_t>(HB_COEFFICIENTS(expansion)) * sizeof(real));
    frontiers_.reserve(count * static_cast<std::size_t>(group.frontier_room) * sizeof(i32));
    frontier_counts_.reserve(count * sizeof(i32));
    expanded_.reserve(count * sizeof(u32));
    last_blocks_ = blocks;
    if (turns_.are_shared() && !who.options.image) device_.clear(expanded_, count * sizeof(u32));
  }
  if (turns_.are_shared()) device_.clear(spread_counts_, sizeof(SpreadCounts));  // a rank may have no block to do it
  on_each_share(group, [&](const GroupWalkOptions& share, i64 targets) {
    device_.launch(kernels::walk_blocks{.options = who.options,
                                        .walk = share,
                                        .blocks = blocks_of_targets(targets),
                                        .last_acceleration = who.targets.last,
                                        .near_counts = near_counts_,
                                        .accelerations = accelerations_,
                                        .block_centres = centres_,
                                        .far_fields = far_fields_,
                                        .frontiers = frontiers_,
                                        .frontier_counts = frontier_counts_,
                                        .expanded = expanded_,
                                        .spread_counts = spread_counts_,
                                        .targets = who.places,
                                        .cells = who.tree.cells().arrays()},
                   {this_precision, expansion}, blocks_of_targets(targets));
  });
}

void DeviceWalk::launch_walk(const Walkers& who, const GroupWalkOptions& group) {
  on_each_share(group, [&](const GroupWalkOptions& share, i64 /*targets*/) {
    device_.launch(kernels::walk_groups{.options = who.options,
                                        .walk = share,
                                        .picks = last_due_,
                                        .group_first = who.groups.first,
                                        .own_look = own_look_,
                                        .spread_groups = spread_groups_,
                                        .spread_pieces = spread_pieces_,
                                        .spread_counts = spread_counts_,
                                        .last_acceleration = who.targets.last,
                                        .accelerations = accelerations_,
                                        .block_centres = centres_,
                                        .far_fields = far_fields_,
                                        .frontiers = frontiers_,
                                        .frontier_counts = frontier_counts_,
                                        .acc = who.pulled.acc,
                                        .counts = counts_,
                                        .particles = who.particles.arrays(),
                                        .targets = who.places,
                                        .cells = who.tree.cells().arrays()},
                   {this_precision, who.options.expansion}, group.groups + group.pieces + group.singles);
  });
}

void DeviceWalk::find_spread(const Walkers& who, const GroupWalkOptions& group) {
  const i32 items = group.groups + group.pieces;
  own_look_.reserve(static_cast<std::size_t>(items) * sizeof(real));
  spread_groups_.reserve(static_cast<std::size_t>(group.groups) * sizeof(SpreadRange));
  spread_pieces_.reserve(static_cast<std::size_t>(group.pieces) * sizeof(SpreadRange));
  const auto find = [&](i32 begin, i32 end, const DeviceArray<SpreadRange>& spread) {
    const i32 searchers = searching_warps(end - begin, 1, enough_searchers);
    on_each_share(group, [&](const GroupWalkOptions& share, i64 /*targets*/) {
      device_.launch(kernels::find_spread_groups{.options = who.options,
                                                 .walk = share,
                                                 .begin = begin,
                                                 .end = end,
                                                 .searchers = searchers,
                                                 .group_first = who.groups.first,
                                                 .spread_groups = spread_groups_,
                                                 .near_counts = near_counts_,
                                                 .last_acceleration = who.targets.last,
                                                 .own_look = own_look_,
                                                 .spread = spread,
                                                 .spread_counts = spread_counts_,
                                                 .targets = who.places,
                                                 .cells = who.tree.cells().arrays()},
                     {this_precision, who.options.expansion}, searchers);
    });
  };
  find(0, group.groups, spread_groups_);
  find(group.groups, items, spread_pieces_);
  device_.begin_fetch(spread_counts_, sizeof(SpreadCounts));
}

DeviceWalk::SpreadCounts DeviceWalk::fetch_spread() {
  SpreadCounts found{};  // the most of a rank
  device_.on_each_rank([&](int /*rank*/) {
    SpreadCounts own;
    device_.end_fetch(&own, sizeof own);
    for (std::size_t k = 0; k < own.size(); ++k) found[k] = std::max(found[k], own[k]);
  });
  // places that stay empty cost little, places that lack a second launch
  const auto places = [](i32 places_before, u32 ranges) {
    const i32 needed = HB_PIECES * static_cast<i32>(ranges);
    return std::max(places_before - places_before / 8, needed > 0 ? needed + needed / 4 + 8 * HB_PIECES : 0);
  };
  expected_ = {places(expected_.pieces, found[HB_SPREAD_GROUPS]), places(expected_.singles, found[HB_SPREAD_PIECES])};
  return found;
}

void DeviceWalk::walk_unexpected(const Walkers& who, GroupWalkOptions group) {
  const SpreadCounts found = fetch_spread();
  const i32 pieces = HB_PIECES * static_cast<i32>(found[HB_SPREAD_GROUPS]);
  if (pieces <= group.pieces && HB_PIECES * static_cast<i32>(found[HB_SPREAD_PIECES]) <= group.singles) return;
  group.first_row = group.groups;
  group.groups = 0;
  group.pieces = pieces;
  group.singles = 0;
  device_.clear(spread_counts_, (HB_SPREAD_PIECES + 1) * sizeof(u32));  // the groups keep theirs, which comes after
  find_spread(who, group);
  group.singles = HB_PIECES * static_cast<i32>(fetch_spread()[HB_SPREAD_PIECES]);
  last_items_ = group.first_row + group.pieces + group.singles;
  DeviceArray<u32> rows(device_);  // counts_ forgets where it grows
  rows.reserve(HB_COUNTS * static_cast<std::size_t>(last_items_) * sizeof(u32));
  device_.copy(rows, counts_, HB_COUNTS * static_cast<std::size_t>(group.first_row) * sizeof(u32));
  counts_.swap(rows);
  launch_walk(who, group);
}

void DeviceWalk::walk_particles(const Task& task, Walk walk, const DeviceArray<u32>* order) {
  const auto& [options, p, tree, due, shift] = task;
  const ParticleArrays places = places_of(p, options, shift);
  const OptionalArgument<const u32> taken =
      due.are_some() ? OptionalArgument<const u32>(due.list().list->as<u32>()) : order;
  walk_singly({options, p, p, places, tree, taken}, walk);
}

void DeviceWalk::walk_singly(const Singly& who, Walk walk) {
  if (!who.options.image || last_items_ == 0) {
    const std::size_t bytes = HB_COUNTS * static_cast<std::size_t>(who.pulled.n) * sizeof(u32);
    counts_.reserve(bytes);
    if (who.options.image) device_.clear(counts_, bytes);
  }
  last_items_ = last_targets_;
  const auto start = [&]<class Launch>(std::type_identity<Launch>, i64 items) {
    device_.launch(Launch{.options = who.options,
                          .walkers = last_items_,
                          .order = who.taken,
                          .last_acceleration = who.pulled.last,
                          .acc = who.pulled.acc,
                          .counts = counts_,
                          .particles = who.particles.arrays(),
                          .targets = who.places,
                          .cells = who.tree.cells().arrays()},
                   plain_variant, items);
  };
  if (walk == Walk::vote) {
    start(std::type_identity<kernels::walk_vote>{}, (last_items_ + HB_WARP - 1) / HB_WARP);
  } else {
    start(std::type_identity<kernels::walk_stackless>{}, last_items_);
  }
}

/// Target points are as the targets of an image: none of the sources is itself one of them.
void DeviceWalk::run_for(Guests& guests, const GravityRun& what, const DeviceParticles& p, const Tree& tree) {
  const DeviceParticles& to = guests.particles();
  const double pairs = static_cast<double>(to.n) * p.n;
  last_walk_ = what.walk == Walk::group && are_few(pairs) ? Walk::direct : what.walk;
  turns_ = {};
  last_by_cells_ = what.accuracy > 0 && last_walk_ == Walk::group;
  if (last_by_cells_) {
    guests.measure(what.options);
    hierarchy_.run({what, p, tree, to, guests.tree(), {nullptr, to.n}, {}, true});
    return;
  }
  last_blocks_ = last_items_ = 0;
  last_due_ = nullptr;
  last_targets_ = to.n;
  last_pairs_ = 0;
  WalkOptions options = what.options;
  options.image = 1;
  GroupWalkOptions group = what.group;
  group.picked = 1;
  group.most_near = 0;
  for (const SourceImage& image : *what.images) {
    const ParticleArrays places = places_of(to, options, image.shift);
    if (last_walk_ == Walk::group) {
      walk_in_groups({options, p, to, to, places, guests.tree().groups(), tree}, group, what.group_size);
    } else if (last_walk_ == Walk::direct) {
      last_pairs_ += static_cast<i64>(pairs);
      sum_for_few(options, group, p, to, places);
    } else {
      walk_singly({options, p, to, places, tree, nullptr}, what.walk);
    }
  }
}

double DeviceWalk::bytes_per_particle(Walk walk, const WalkOptions& options, int group_size) {
  const double group = group_size > 0 ? group_size : HB_MAX_GROUP;  // they are nearly all full
  const double block = most_block_groups * group;                   // that of many particles: few need little in all
  if (walk != Walk::group) return HB_COUNTS * sizeof(u32);
  const double shared = options.expansion > 0 ? HB_COEFFICIENTS(options.expansion) * sizeof(real) +
                                                    frontier_room(options) * sizeof(i32) + 2 * sizeof(u32)
                                              : 0;
  return (HB_COUNTS * sizeof(u32) + sizeof(SpreadRange) + sizeof(i32) + sizeof(real)) / group +
         (shared + sizeof(real) + sizeof(i32) + 3 * sizeof(pos_t)) / block;
}

void DeviceWalk::release() {
  for (Buffer* b : buffers()) b->release();
  for (Buffer* b : hierarchy_.buffers()) b->release();
  last_items_ = 0;
  last_blocks_ = 0;
  expected_ = {};
}

std::vector<Buffer*> DeviceWalk::buffers() {
  return {&counts_,        &own_look_,   &spread_groups_, &spread_pieces_, &spread_counts_,   &scratch_,  &near_counts_,
          &accelerations_, &centres_,    &far_fields_,    &frontiers_,     &frontier_counts_, &expanded_, &shifted_[0],
          &shifted_[1],    &shifted_[2], &given_[0],      &given_[1],      &given_[2],        &given_[3]};
}

Buffer& DeviceWalk::scratch(std::size_t bytes) {
  scratch_.reserve(bytes);
  return scratch_;
}

std::uint64_t DeviceWalk::bytes() const {
  std::uint64_t sum = 0;
  auto* const self = const_cast<DeviceWalk*>(this);
  for (const Buffer* b : self->buffers()) sum += b->bytes();
  for (const Buffer* b : self->hierarchy_.buffers()) sum += b->bytes();
  return sum;
}

HB_CLOSE
