// SPDX-License-Identifier: Apache-2.0
// From targets to the kernels' arrays, see host_walk.h. Compiled once a precision (HB_PRECISION).
#include "interactions/gravity/host/host_walk.h"

#include <algorithm>

#include "device/host/threads.h"
#include "interactions/gravity/evaluation.h"
#include "physics/accuracy.h"
#include "stages/units.h"

HB_OPEN
namespace {

i64 targets_of(const Groups& groups) {
  i64 sum = 0;
  for (const GroupRange& g : host_ranges(groups)) sum += g.count;
  return sum;
}

/// Up to so many particles all pairs are summed as fast as by a walk to an accuracy.
constexpr i32 few = 1024;

/// Most targets of a unit: as wide as one of 128 sources, where there are fewer points than sources.
i32 unit_size(const WalkArrays& arrays, const HierarchyTargets& targets, i32 sources) {
  constexpr i32 most = 128, least = 8;
  if (arrays.targets.x == arrays.particles.x) return most;
  return static_cast<i32>(std::clamp(i64{most} * targets.count / std::max(sources, 1), i64{least}, i64{most}));
}

}  // namespace

HostWalk::HostWalk(HostDevice& device)
    : device_(device),
      kernels_(kernels_of(device.instruction_set())),
      shifted_{DeviceArray<pos_t>(device), DeviceArray<pos_t>(device), DeviceArray<pos_t>(device)} {}

WalkArrays HostWalk::arrays_of(const DeviceParticles& p, const DeviceParticles& to, const Tree& tree) const {
  return {host_view(p),
          host_view(to),
          host_view(tree.cells()),
          nullptr,
          nullptr,
          to.n,
          {host_values(to.acc[0]), host_values(to.acc[1]), host_values(to.acc[2]), host_values(to.acc[3])}};
}

void HostWalk::walk_groups(const GravityRun& what, WalkArrays& arrays, const Groups& groups) {
  const Threads scope(device_.threads_for(targets_of(groups), Work::walk));
  set_shifts(*what.images, arrays);
  interactions_ = kernels_.walk_groups(arrays, host_ranges(groups).data(), host_values(groups.block_first),
                                       groups.blocks, what.options);
}

void HostWalk::run(const GravityRun& what, const DeviceParticles& p, const Tree& tree, TargetSet& targets) {
  const Groups& groups = targets.groups();
  WalkArrays arrays = arrays_of(p, p, tree);
  arrays.last_acceleration = host_values(p.last);
  interactions_ = {};
  const bool by_accuracy = what.accuracy > 0;
  if (by_accuracy && (what.options.particles > few || what.has_far_images)) {  // which the walk adds
    const auto [list, count] = targets.list();
    return walk_hierarchy(what, arrays, {arrays.cells, list != nullptr ? host_values(*list) : nullptr, count});
  }
  const Walk walk = by_accuracy ? Walk::direct : what.walk;
  if (walk == Walk::group) return walk_groups(what, arrays, groups);
  if (walk == Walk::direct) {
    arrays.walkers = static_cast<i32>(targets_of(groups));
  } else {
    const auto [list, count] = targets.list();
    arrays.order = list != nullptr ? static_cast<const u32*>(list->handle())
                   : what.order    ? host_values(*what.order)
                                   : nullptr;
    arrays.walkers = count;
  }
  const Threads scope(device_.threads_for(arrays.walkers, Work::walk));
  WalkOptions options = what.options;
  for (const SourceImage& image : *what.images) {
    options.image = &image != &what.images->front() ? 1 : 0;
    if (options.image != 0) arrays.targets = shifted_view(p, image.shift);
    run_each(walk, options, arrays, groups);
  }
}

void HostWalk::walk_hierarchy(const GravityRun& what, WalkArrays& arrays, const HierarchyTargets& targets) {
  if (targets.count == 0 || what.options.cells == 0) return;
  constexpr i32 least_top = 32, parts = 128;
  // errors of few pairs, as in a lattice of two particles, do not average out
  const bool rough = what.options.particles > few && takes_rough_roots(what.accuracy);
  const Threads scope(device_.threads_for(targets.count, Work::walk));
  set_shifts(*what.images, arrays);
  // a lattice counts as one image: its demands have no acceleration by a mass far outside (measured)
  const auto counted = static_cast<std::size_t>(what.around.images);
  const HierarchyOptions options{tolerance_of_walk(what.accuracy, what.options, counted),
                                 close_of_accuracy(what.accuracy),
                                 unit_size(arrays, targets, what.options.particles),
                                 std::max(least_top, targets.count / parts),
                                 what.around,
                                 what.has_far_images ? 1 : 0,
                                 rough ? 1 : 0};
  interactions_ = kernels_.walk_hierarchy(arrays, targets, what.options, options);
}

void HostWalk::set_shifts(const std::vector<SourceImage>& images, WalkArrays& arrays) {
  shifts_.clear();
  for (const auto& [shift, velocity] : images) {
    shifts_.push_back({static_cast<pos_t>(shift[0]), static_cast<pos_t>(shift[1]), static_cast<pos_t>(shift[2])});
  }
  arrays.images = {shifts_.data(), static_cast<i32>(shifts_.size())};
}

/// Target points are as the targets of an image: none of the sources is itself one of them.
void HostWalk::run_for(Guests& guests, const GravityRun& what, const DeviceParticles& p, const Tree& tree) {
  const DeviceParticles& to = guests.particles();
  const Groups& groups = guests.tree().groups();
  WalkArrays arrays = arrays_of(p, to, tree);
  interactions_ = {};
  if (what.accuracy > 0) return walk_hierarchy(what, arrays, {host_view(guests.tree().cells()), nullptr, to.n});
  if (what.walk == Walk::group) return walk_groups(what, arrays, groups);
  const Threads scope(device_.threads_for(to.n, Work::walk));
  WalkOptions options = what.options;
  options.image = 1;
  for (const SourceImage& image : *what.images) {
    arrays.targets = shifted_view(to, image.shift);
    run_each(what.walk, options, arrays, groups);
  }
}

bool HostWalk::give_tides(const GravityRun& what, const DeviceParticles& p, const Tree& tree, const DeviceParticles& to,
                          const Groups& groups, const DeviceArray<real>* last, DeviceArray<real>& tide) {
  if (what.walk != Walk::group) return false;
  const Threads scope(device_.threads_for(targets_of(groups), Work::walk));
  WalkArrays arrays = arrays_of(p, to, tree);
  if (last != nullptr) arrays.last_acceleration = host_values(*last);
  set_shifts(*what.images, arrays);
  WalkOptions options = what.options;
  options.expansion = 0;
  real* component = host_values(tide);
  for (const auto walk : {kernels_.walk_tides, kernels_.walk_more_tides}) {
    for (real*& values : arrays.acc) {
      values = component;
      component += to.n;
    }
    walk(arrays, host_ranges(groups).data(), host_values(groups.block_first), groups.blocks, options);
  }
  return true;
}

void HostWalk::run_each(Walk walk, const WalkOptions& options, const WalkArrays& arrays, const Groups& groups) {
  if (walk == Walk::direct) {
    kernels_.sum_direct(arrays, nullptr, host_ranges(groups).data(), groups.count, options);
    u64 targets = 0;
    for (const GroupRange& g : host_ranges(groups)) targets += static_cast<u64>(g.count);
    interactions_.particle += targets * static_cast<u64>(std::max(options.particles - (options.image ? 0 : 1), 0));
    return;
  }
  const Interactions made = kernels_.walk_stackless(arrays, options);
  interactions_.particle += made.particle;
  interactions_.cell += made.cell;
}

ParticlesView HostWalk::shifted_view(const DeviceParticles& p, const Vec3& shift) {
  for (auto& axis : shifted_) axis.reserve((static_cast<std::size_t>(p.n) + read_ahead) * sizeof(pos_t));
  device_.launch(kernels::shift_positions{.position = p.x,
                                          .shift_x = static_cast<pos_t>(shift[0]),
                                          .shift_y = static_cast<pos_t>(shift[1]),
                                          .shift_z = static_cast<pos_t>(shift[2]),
                                          .n = p.n,
                                          .shifted = shifted_},
                 plain_variant, p.n);
  ParticlesView view = host_view(p);
  view.x = host_values(shifted_[0]);
  view.y = host_values(shifted_[1]);
  view.z = host_values(shifted_[2]);
  return view;
}

HB_CLOSE
