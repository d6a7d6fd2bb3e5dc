// SPDX-License-Identifier: Apache-2.0
// From targets to the kernels' arrays, see host_walk.h. Compiled once a precision (HB_PRECISION).
#include "interactions/gravity/host/host_walk.h"

#include <algorithm>

#include "device/host/threads.h"

HB_OPEN

HostWalk::HostWalk(HostDevice& device)
    : device_(device),
      kernels_(kernels_of(device.instruction_set())),
      shifted_{DeviceArray<pos_t>(device), DeviceArray<pos_t>(device), DeviceArray<pos_t>(device)} {}

void HostWalk::run(const GravityRun& what, const DeviceParticles& p, Tree& tree, TargetSet& targets) {
  const auto& active = static_cast<const HostTargets&>(targets);
  const Threads scope(device_.threads_for(active.count(), Work::walk));
  const u32* const order = active.are_some() ? active.particles().data()
                           : what.order      ? host_values(*what.order)
                                             : nullptr;
  WalkArrays arrays{host_view(p),
                    host_view(p),
                    static_cast<HostTree&>(tree).host_cells().view(),
                    host_values(p.last),
                    order,
                    active.count(),
                    {host_values(p.acc[0]), host_values(p.acc[1]), host_values(p.acc[2]), host_values(p.acc[3])}};
  interactions_ = {};
  if (what.walk == Walk::group) {
    set_shifts(*what.images, arrays);
    interactions_ = kernels_.walk_groups(arrays, active.groups().data(), active.block_begin().data(),
                                         static_cast<i32>(active.block_begin().size()) - 1, what.options);
    return;
  }
  WalkOptions options = what.options;
  for (const SourceImage& image : *what.images) {
    options.image = &image != &what.images->front() ? 1 : 0;
    if (options.image != 0) arrays.targets = shifted_view(p, image.shift);
    run_each(what.walk, options, arrays, active.groups());
  }
}

void HostWalk::set_shifts(const std::vector<SourceImage>& images, WalkArrays& arrays) {
  shifts_.clear();
  for (const auto& [shift, velocity] : images) {
    shifts_.push_back({static_cast<pos_t>(shift[0]), static_cast<pos_t>(shift[1]), static_cast<pos_t>(shift[2])});
  }
  arrays.images = {shifts_.data(), static_cast<i32>(shifts_.size())};
}

/// Guests are as the targets of an image: none of the sources is itself one of them.
void HostWalk::run_for(Guests& guests, const GravityRun& what, const DeviceParticles& p, Tree& tree) {
  const DeviceParticles& to = guests.particles();
  const Threads scope(device_.threads_for(to.n, Work::walk));
  HostCells& groups = static_cast<HostTree&>(guests.tree()).host_cells();
  WalkArrays arrays{host_view(p),
                    host_view(to),
                    static_cast<HostTree&>(tree).host_cells().view(),
                    nullptr,
                    nullptr,
                    to.n,
                    {host_values(to.acc[0]), host_values(to.acc[1]), host_values(to.acc[2]), host_values(to.acc[3])}};
  interactions_ = {};
  if (what.walk == Walk::group) {
    set_shifts(*what.images, arrays);
    interactions_ = kernels_.walk_groups(arrays, groups.groups().data(), groups.block_begin().data(),
                                         static_cast<i32>(groups.block_begin().size()) - 1, what.options);
    return;
  }
  WalkOptions options = what.options;
  options.image = 1;
  for (const SourceImage& image : *what.images) {
    arrays.targets = shifted_view(to, image.shift);
    run_each(what.walk, options, arrays, groups.groups());
  }
}

void HostWalk::run_each(Walk walk, const WalkOptions& options, const WalkArrays& arrays,
                        const std::vector<GroupRange>& ranges) {
  if (walk == Walk::direct) {
    kernels_.sum_direct(arrays, nullptr, ranges.data(), static_cast<i32>(ranges.size()), options);
    u64 targets = 0;
    for (const GroupRange& g : ranges) targets += static_cast<u64>(g.count);
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
