// SPDX-License-Identifier: Apache-2.0
// Launches and the few numbers that come back, see device_sums.h. Compiled once a precision (HB_PRECISION).
#include "tree/device/device_sums.h"

#include <algorithm>

#include "device/kernels/sizes.h"

HB_OPEN

std::vector<pos_t> DeviceSums::fetch(std::size_t values) {
  std::vector<pos_t> part(values);
  device_.download(part.data(), room_, 0, part.size() * sizeof(pos_t));
  return part;
}

template <class Sums>
Sums DeviceSums::total_of(std::size_t values) {
  const std::vector<pos_t> part = fetch(values);
  Sums total{};
  for (std::size_t i = 0; i < part.size(); ++i) total[i % total.size()] += static_cast<double>(part[i]);
  return total;
}

Energies DeviceSums::energies(const DeviceParticles& p, const ExternalFields& fields, const SumUnits& units) {
  if (p.n == 0) return {};
  const i32 blocks = sum_blocks(p.n);
  const std::size_t values = static_cast<std::size_t>(blocks) * HB_ENERGY_SUMS;
  room_.reserve(values * sizeof(pos_t));
  device_.launch(kernels::sum_energies{.fields = fields.fields,
                                       .count = fields.count,
                                       .n = p.n,
                                       .blocks = blocks,
                                       .position = p.x,
                                       .velocity = p.v,
                                       .mass = p.mass,
                                       .mass_rest = p.mass_rest,
                                       .body_mass = p.body_mass,
                                       .mass_unit = static_cast<pos_t>(units.mass),
                                       .potential = p.acc[3],
                                       .u = p.u,
                                       .sums = room_.as<pos_t>()},
                 plain_variant, static_cast<i64>(blocks) * HB_BLOCK);
  EnergySums total = total_of<EnergySums>(values);
  for (double& sum : total) sum /= units.mass;  // a power of two
  return energies_of(total, units.potential);
}

PullSums DeviceSums::pulls(const DeviceParticles& p) {
  const i32 blocks = sum_blocks(p.n);
  const std::size_t values = static_cast<std::size_t>(blocks) * HB_PULL_SUMS;
  room_.reserve(values * sizeof(pos_t));
  device_.launch(
      kernels::sum_pulls{.n = p.n, .blocks = blocks, .acc = p.acc, .mass = p.mass, .sums = room_.as<pos_t>()},
      plain_variant, static_cast<i64>(blocks) * HB_BLOCK);
  return total_of<PullSums>(values);
}

NetSums DeviceSums::net_forces(const DeviceParticles& p, const RigidVector& origin, double unit) {
  const i32 blocks = sum_blocks(p.n);
  const std::size_t values = static_cast<std::size_t>(blocks) * HB_NET_SUMS;
  room_.reserve(values * sizeof(pos_t));
  device_.launch(kernels::sum_net_forces{.origin = origin,
                                         .unit = static_cast<pos_t>(unit),
                                         .n = p.n,
                                         .blocks = blocks,
                                         .position = p.x,
                                         .acc = p.acc,
                                         .mass = p.mass,
                                         .sums = room_.as<pos_t>()},
                 plain_variant, static_cast<i64>(blocks) * HB_BLOCK);
  return total_of<NetSums>(values);
}

RungCensus DeviceSums::choose_rungs(DeviceParticles& p, const RungRule& rule, i32 least, bool known, i32 tick) {
  if (p.n == 0) return {};
  const i32 blocks = sum_blocks(p.n);
  u32 counts[HB_CENSUS];
  room_.reserve(sizeof counts);
  device_.clear(room_, sizeof counts);
  device_.launch(kernels::choose_rungs{.rule = rule,
                                       .least = least,
                                       .known = known ? 1 : 0,
                                       .tick = tick,
                                       .n = p.n,
                                       .blocks = blocks,
                                       .acc = p.acc,
                                       .soft2 = p.soft2,
                                       .asked = p.asked,
                                       .before = p.before,
                                       .earlier = p.earlier,
                                       .velocity = p.v,
                                       .rungs = p.rung,
                                       .fall_x = p.fall[0],
                                       .fall_y = p.fall[1],
                                       .fall_z = p.fall[2],
                                       .begun = p.begun,
                                       .span = p.span,
                                       .counts = room_.as<u32>()},
                 plain_variant, static_cast<i64>(blocks) * HB_BLOCK);
  device_.download(counts, room_, 0, sizeof counts);
  return census_of(counts);
}

pos_t DeviceSums::largest_pull(const DeviceParticles& p) {
  if (p.n == 0) return 0;
  const i32 blocks = sum_blocks(p.n);
  room_.reserve(static_cast<std::size_t>(blocks) * sizeof(pos_t));
  device_.launch(
      kernels::largest_pull{.n = p.n, .blocks = blocks, .acc = p.acc, .soft2 = p.soft2, .largest = room_.as<pos_t>()},
      plain_variant, static_cast<i64>(blocks) * HB_BLOCK);
  const std::vector<pos_t> part = fetch(static_cast<std::size_t>(blocks));
  return *std::max_element(part.begin(), part.end());
}

HB_CLOSE
