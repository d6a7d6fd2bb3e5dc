// SPDX-License-Identifier: Apache-2.0
// Sums over all particles without a tree, of the walk on a device. Compiled once a precision (HB_PRECISION).
#include <algorithm>

#include "device/kernels/sizes.h"
#include "interactions/gravity/device_walk.h"
#include "interactions/gravity/direct_sample.h"
#include "interactions/gravity/kernels/launches.h"
#include "tree/device/device_sums.h"

HB_OPEN
namespace {

/// Pairs of particles that are due with all others below which they are summed directly: the refit of the tree and a
/// walk that leaves most of the device idle take longer (on an H200 this many take 0.4 ms).
constexpr double few_pairs = 5e8;

/// The same where all are due and forces are to an accuracy: the chain of launches from level to level takes as long as
/// sums of so many pairs, and sums make no errors.
constexpr double few_pairs_of_all = 2.5e8;

/// The same of both kinds on a processor, where nothing is idle: on two cores PoCL 3.1 takes 18 ms for so many.
constexpr double few_pairs_of_processor = 1e6;

double few_on(const Device& device, double on_gpu) {
  return device.shares_host_memory() ? few_pairs_of_processor : on_gpu;
}

}  // namespace

bool DeviceWalk::are_few(double pairs) const { return pairs <= few_on(device_, few_pairs); }

bool DeviceWalk::needs_tree(Walk walk, std::size_t images, TargetSet& targets, const DeviceParticles& p) const {
  if (walk == Walk::direct) return false;
  if (walk != Walk::group) return true;
  const double pairs = static_cast<double>(targets.list().count) * p.n;
  if (targets.are_some()) return !are_few(pairs);
  // of several images there are many times as many pairs
  return images != 1 || pairs > few_on(device_, few_pairs_of_all);
}

void DeviceWalk::sum_directly(const WalkOptions& options, const GroupWalkOptions& group, const DeviceParticles& p) {
  // So many blocks that it matters little how the last ones fill the device; where their shares stay long, three times
  // as many (on an H200 2 % at 2^18).
  constexpr i32 blocks = 4 * HB_MOST_SUM_BLOCKS, long_share = 16;
  const i32 spans = (p.n + HB_DIRECT_SPAN - 1) / HB_DIRECT_SPAN, tiles = blocks_of(p.n);
  const i32 shares = std::clamp(std::max(blocks / spans, std::min(3 * blocks / spans, tiles / long_share)), 1, tiles);
  const auto parts =
      scratch(4 * sizeof(real) * static_cast<std::size_t>(p.n) * static_cast<std::size_t>(shares)).as<real>();
  on_each_share(group, [&](const GroupWalkOptions& share, i64 targets) {
    const i64 own_spans = (targets + HB_DIRECT_SPAN - 1) / HB_DIRECT_SPAN;
    device_.launch(
        kernels::sum_direct{
            .options = options, .walk = share, .shares = shares, .parts = parts, .particles = p.arrays()},
        plain_variant, own_spans * shares * HB_BLOCK);
  });
  add_shares(options, group, p, shares, parts);
}

void DeviceWalk::add_shares(const WalkOptions& options, const GroupWalkOptions& group, const DeviceParticles& p,
                            i32 shares, ArrayArgument<const real> parts) {
  device_.launch(kernels::add_shares{.walk = group,
                                     .image = options.image,
                                     .targets = last_targets_,
                                     .shares = shares,
                                     .picks = last_due_,
                                     .parts = parts,
                                     .mass = p.mass,
                                     .soft2 = p.soft2,
                                     .acc = p.acc},
                 plain_variant, last_targets_);
}

void DeviceWalk::sum_for_few(const WalkOptions& options, const GroupWalkOptions& group, const DeviceParticles& p,
                             const DeviceParticles& pulled, const ParticleArrays& places) {
  const i32 targets = last_targets_, tiles = (targets + HB_FEW - 1) / HB_FEW;
  const i32 shares = std::clamp(2 * HB_MOST_SUM_BLOCKS / tiles, 1, sum_blocks(p.n));
  const auto parts =
      scratch(4 * sizeof(real) * static_cast<std::size_t>(targets) * static_cast<std::size_t>(shares)).as<real>();
  on_each_share(group, [&](const GroupWalkOptions& share, i64 own) {
    device_.launch(kernels::sum_few{.options = options,
                                    .walk = share,
                                    .walkers = targets,
                                    .shares = shares,
                                    .picks = last_due_,
                                    .parts = parts,
                                    .particles = p.arrays(),
                                    .targets = places},
                   plain_variant, (own + HB_FEW - 1) / HB_FEW * shares * HB_BLOCK);
  });
  add_shares(options, group, pulled, shares, parts);
}

std::vector<std::array<double, 4>> DeviceWalk::direct_sums(const DeviceParticles& particles, const Sample& sample,
                                                           const GravityRun& what) const {
  if (this_precision == Precision::single) return {};
  return sums_of_sample(device_, particles, sample, what.options, *what.images);
}

HB_CLOSE
