// SPDX-License-Identifier: Apache-2.0
// Launches and the few numbers that come back, see device_dynamics.h. Compiled once a precision (HB_PRECISION).
#include "dynamics/device_dynamics.h"

#include <algorithm>
#include <vector>

#include "backend/evaluation.h"
#include "device/kernels/sizes.h"
#include "dynamics/energies.h"

HB_OPEN
namespace {

#if HB_PRECISION == HB_DOUBLE
constexpr KernelVariant variant = {Precision::fp64, 0};
#elif HB_PRECISION == HB_SINGLE
constexpr KernelVariant variant = {Precision::single, 0};
#else
constexpr KernelVariant variant = {Precision::mixed, 0};
#endif

constexpr std::size_t energy_sums = HB_ENERGY_SUMS;

i32 blocks_for(i32 n) { return std::min((n + HB_BLOCK - 1) / HB_BLOCK, HB_MOST_SUM_BLOCKS); }

}  // namespace

void kick_particles(Device& device, DeviceParticles& p, pos_t step) {
  device.launch(kernels::kick_particles{.acc = p.acc, .n = p.n, .step = step, .velocity = p.v}, variant, p.n);
}

void drift_particles(Device& device, DeviceParticles& p, pos_t step) {
  device.launch(kernels::drift_particles{.velocity = p.v, .n = p.n, .step = step, .position = p.x}, variant, p.n);
}

void scale_accelerations(Device& device, DeviceParticles& p, real smaller) {
  const auto scale = [&](const DeviceArray<real>& values, i32 times) {
    if (values.bytes() == 0) return;
    device.launch(kernels::scale_reals{.values = values, .factor = smaller, .times = times, .n = p.n}, variant, p.n);
  };
  for (int k = 0; k < 3; ++k) {
    for (const DeviceArray<real>* b : {&p.acc[k], &p.before[k], &p.earlier[k]}) scale(*b, 2);
  }
  scale(p.acc[3], 1);
  scale(p.last, 2);
}

RungCensus choose_particle_rungs(Device& device, DeviceParticles& p, const RungRule& rule, i32 least,
                                 DeviceWalk& room) {
  if (p.n == 0) return {};
  const auto n = static_cast<std::size_t>(p.n);
  const i32 known = p.rung.bytes() > 0 ? 1 : 0, blocks = blocks_for(p.n);
  p.rung.reserve(n * sizeof(u32));
  for (int k = 0; k < 3; ++k) {
    p.before[k].reserve(n * sizeof(real));
    p.earlier[k].reserve(n * sizeof(real));
  }
  u32 counts[HB_CENSUS];
  Buffer& found = room.scratch(sizeof counts);
  device.clear(found, sizeof counts);
  device.launch(kernels::choose_rungs{.rule = rule,
                                      .least = least,
                                      .known = known,
                                      .n = p.n,
                                      .blocks = blocks,
                                      .acc = p.acc,
                                      .soft2 = p.soft2,
                                      .before = p.before,
                                      .earlier = p.earlier,
                                      .velocity = p.v,
                                      .rungs = p.rung,
                                      .counts = found.as<u32>()},
                variant, static_cast<i64>(blocks) * HB_BLOCK);
  device.download(counts, found, 0, sizeof counts);
  return census_of(counts);
}

void kick_particles_on_rungs(Device& device, DeviceParticles& p, const RungRule& rule, i32 least) {
  device.launch(
      kernels::kick_rungs{.acc = p.acc, .rungs = p.rung, .n = p.n, .least = least, .rule = rule, .velocity = p.v},
      variant, p.n);
}

pos_t largest_particle_pull(Device& device, const DeviceParticles& p, DeviceWalk& room) {
  if (p.n == 0) return 0;
  const i32 blocks = blocks_for(p.n);
  std::vector<pos_t> part(static_cast<std::size_t>(blocks));
  Buffer& largest = room.scratch(part.size() * sizeof(pos_t));
  device.launch(
      kernels::largest_pull{.n = p.n, .blocks = blocks, .acc = p.acc, .soft2 = p.soft2, .largest = largest.as<pos_t>()},
      variant, static_cast<i64>(blocks) * HB_BLOCK);
  device.download(part.data(), largest, 0, part.size() * sizeof(pos_t));
  return *std::max_element(part.begin(), part.end());
}

u64 count_not_finite(Device& device, const DeviceParticles& p, const FiniteLimits& most, DeviceWalk& room) {
  if (p.n == 0) return 0;
  u32 count = 0;
  Buffer& found = room.scratch(sizeof count);
  device.clear(found, sizeof count);
  device.launch(
      kernels::count_not_finite{
          .most = most, .n = p.n, .position = p.x, .velocity = p.v, .acc = p.acc, .count = found.as<u32>()},
      variant, p.n);
  device.download(&count, found, 0, sizeof count);
  return count;
}

Energies sum_energies(Device& device, const DeviceParticles& p, const ExternalFields& fields, double p_unit,
                      double mass_unit, DeviceWalk& room) {
  if (p.n == 0) return {};
  const i32 blocks = blocks_for(p.n);
  std::vector<pos_t> part(static_cast<std::size_t>(blocks) * energy_sums);
  Buffer& sums = room.scratch(part.size() * sizeof(pos_t));
  device.launch(kernels::sum_energies{.fields = fields.fields,
                                      .count = fields.count,
                                      .n = p.n,
                                      .blocks = blocks,
                                      .position = p.x,
                                      .velocity = p.v,
                                      .mass = p.mass,
                                      .potential = p.acc[3],
                                      .sums = sums.as<pos_t>()},
                variant, static_cast<i64>(blocks) * HB_BLOCK);
  device.download(part.data(), sums, 0, part.size() * sizeof(pos_t));
  EnergySums total{};
  for (std::size_t i = 0; i < part.size(); ++i) total[i % energy_sums] += static_cast<double>(part[i]) / mass_unit;
  return energies_of(total, p_unit);
}

HB_CLOSE
