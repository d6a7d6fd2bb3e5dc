// SPDX-License-Identifier: Apache-2.0
// Launches for gas on rungs, see gas_rungs.h. Compiled once a precision (HB_PRECISION).
#include "interactions/sph/gas_rungs.h"

#include "interactions/sph/gas_limit.h"
#include "interactions/sph/kernels/launches.h"

#include <array>
#include <cmath>
#include <limits>

HB_OPEN
namespace {

constexpr std::size_t changes = 2 * HB_CENSUS + 1;

/// How many rungs lie between the deepest and the highest particles.
int rungs_between(const RungCensus& census) {
  int highest = 0;
  while (highest < census.deepest() && census.particles[static_cast<std::size_t>(highest)] == 0) ++highest;
  return census.deepest() - highest;
}

}  // namespace

GasClock clock_of(const BlockMoment& block) {
  return {1, static_cast<i32>(block.tick), block.least, block.deepest,
          static_cast<pos_t>(std::ldexp(block.longest, -block.deepest))};
}

std::uint64_t GasRungs::kick_energies(double dt) {
  if (p_.n == 0) return 0;
  const StageTimer::Scope timed(domain_.timer(), &StageSeconds::gas);
  change_.reserve(changes * sizeof(u32));
  device_.clear(change_, sizeof(u32));
  device_.launch(
      kernels::kick_energies{
          .u_rate = p_.u_rate, .n = p_.n, .step = static_cast<pos_t>(dt), .u = p_.u, .below = change_},
      plain_variant, p_.n);
  u32 below = 0;
  device_.download(&below, change_, 0, sizeof below);
  return below;
}

void GasRungs::ask(const GasOptions& options, double stricter) {
  if (p_.n == 0) return;
  const StageTimer::Scope timed(domain_.timer(), &StageSeconds::gas);
  device_.launch(kernels::find_gas_steps{.n = p_.n,
                                         .courant = static_cast<pos_t>(options.courant),
                                         .force_step = static_cast<pos_t>(options.force_step),
                                         .stricter = static_cast<pos_t>(stricter),
                                         .bounded = options.is_heat() ? 1 : 0,
                                         .smooth = p_.smooth,
                                         .signal = p_.signal,
                                         .pull = p_.pull,
                                         .u = p_.u,
                                         .u_rate = p_.u_rate,
                                         .inverse = p_.asked},
                 plain_variant, p_.n);
}

std::uint64_t GasRungs::step_energies(const GasClock& clock, bool begins) {
  if (p_.n == 0) return 0;
  const StageTimer::Scope timed(domain_.timer(), &StageSeconds::gas);
  change_.reserve(changes * sizeof(u32));
  device_.clear(change_, sizeof(u32));
  device_.launch(kernels::step_energies{.u_rate = p_.u_rate,
                                        .clock = clock,
                                        .begins = begins ? 1 : 0,
                                        .rungs = p_.rung,
                                        .n = p_.n,
                                        .begun = p_.begun,
                                        .u = p_.u,
                                        .below = change_},
                 plain_variant, p_.n);
  u32 below = 0;
  device_.download(&below, change_, 0, sizeof below);
  return below;
}

void GasRungs::keep_falls(const DeviceArray<pos_t>& due_mass) {
  device_.launch(
      kernels::keep_falls{.acc = p_.acc, .due_mass = due_mass, .n = p_.n, .fall = VectorArgument<real>(p_.fall)},
      plain_variant, p_.n);
}

void GasRungs::keep_accelerations(const GasClock& clock) {
  device_.launch(kernels::keep_accelerations{.before = p_.before,
                                             .smooth = p_.smooth,
                                             .pull = VectorArgument<const pos_t>(p_.pull),
                                             .unit = static_cast<pos_t>(domain_.frame().acceleration()),
                                             .clock = clock,
                                             .rungs = p_.rung,
                                             .n = p_.n,
                                             .acc = VectorArgument<real>(p_.acc)},
                 plain_variant, p_.n);
}

void GasRungs::find_heights(const GasClock& clock, int deeper) {
  height_.reserve(domain_.size() * sizeof(u32));
  device_.launch(
      kernels::find_heights{.clock = clock, .deeper = deeper, .rungs = p_.rung, .n = p_.n, .height = height_},
      plain_variant, p_.n);
}

GasRungs::Moved GasRungs::go_down(const GasClock& clock, const Gas& gas, RungCensus& census) {
  std::array<u32, changes> change{};
  change_.reserve(sizeof change);
  device_.clear(change_, sizeof change);
  device_.launch(kernels::limit_rungs{.clock = clock,
                                      .n = p_.n,
                                      .height = height_,
                                      .smooth = p_.smooth,
                                      .gas_mass = gas.mass,
                                      .pull = p_.pull,
                                      .u_rate = p_.u_rate,
                                      .begun = p_.begun,
                                      .rungs = p_.rung,
                                      .position = p_.x,
                                      .velocity = p_.v,
                                      .u = p_.u,
                                      .due_mass = gas.due_mass,
                                      .change = change_},
                 plain_variant, p_.n);
  device_.download(change.data(), change_, 0, sizeof change);
  Moved moved{.woken = change[2 * HB_CENSUS]};
  for (std::size_t rung = 0; rung < census.particles.size(); ++rung) {
    census.particles[rung] -= change[rung];
    census.particles[rung] += change[HB_CENSUS + rung];
    moved.all += change[rung];
  }
  return moved;
}

void GasRungs::deepen(const GasClock& clock, int deeper, const Gas& gas, RungCensus& census) {
  find_heights(clock, deeper);
  go_down(clock, gas, census);
}

/// Those who go down ask their neighbours in turn, until none has to.
std::uint64_t GasRungs::limit(const GasClock& clock, const Gas& gas, const Groups* due, RungCensus& census) {
  std::uint64_t woken = 0;
  if (rungs_between(census) <= HB_RUNGS_APART) return woken;
  find_heights(clock, 0);
  TargetSet& targets = domain_.targets();
  const i64 asked = device_.ranks() > 1 && targets.are_some() ? targets.list().count : p_.n;
  const PairShare share(device_, gas.points.tree().groups(), p_.n, asked);
  for (bool again = true; again; due = nullptr) {  // the next ones may be in any group
    launch_pairs<kernels::gas_limit_of_groups, kernels::gas_limit_of_each>(
        gas.points, gas.points, true, gas.points.pairs(gas.points, no_box(), gas.image_count),
        GasLimitOptions{HB_RUNGS_APART},
        GasLimitArrays{.pairs = gas.points.arrays(gas.points, gas.images, nullptr, &gas.cell_reach),
                       .smooth = p_.smooth,
                       .target_smooth = p_.smooth,
                       .gas_mass = gas.mass,
                       .target_gas_mass = gas.due_mass,
                       .rungs = p_.rung,
                       .height = height_},
        due, share);
    share.exchange_least(device_, height_, spare_, p_.n);
    const Moved moved = go_down(clock, gas, census);
    woken += moved.woken;
    again = moved.all > 0;
  }
  return woken;
}

HB_CLOSE
