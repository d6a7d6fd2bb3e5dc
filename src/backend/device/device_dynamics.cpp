// SPDX-License-Identifier: Apache-2.0
// Launches and the few numbers that come back, see device_dynamics.h. Compiled once a precision (HB_PRECISION).
#include "backend/device/device_dynamics.h"

#include <algorithm>
#include <vector>

#include "backend/device/kernels/sizes.h"
#include "backend/evaluation.h"
#include "backend/sums.h"

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
  device.launch(Kernel::kick_particles, variant, p.n,
                Arguments(p.acc[0], p.acc[1], p.acc[2], p.n, step, p.v[0], p.v[1], p.v[2]));
}

void drift_particles(Device& device, DeviceParticles& p, pos_t step) {
  device.launch(Kernel::drift_particles, variant, p.n,
                Arguments(p.v[0], p.v[1], p.v[2], p.n, step, p.x[0], p.x[1], p.x[2]));
}

void scale_accelerations(Device& device, DeviceParticles& p, real smaller) {
  const auto scale = [&](const Buffer& values, i32 times) {
    if (values.bytes() > 0) device.launch(Kernel::scale_reals, variant, p.n, Arguments(values, smaller, times, p.n));
  };
  for (int k = 0; k < 3; ++k) {
    for (const Buffer* b : {&p.acc[k], &p.before[k], &p.earlier[k]}) scale(*b, 2);
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
  device.launch(
      Kernel::choose_rungs, variant, static_cast<i64>(blocks) * HB_BLOCK,
      Arguments(rule, least, known, p.n, blocks, p.acc[0], p.acc[1], p.acc[2], p.soft2, p.before[0], p.before[1],
                p.before[2], p.earlier[0], p.earlier[1], p.earlier[2], p.v[0], p.v[1], p.v[2], p.rung, found));
  device.download(counts, found, 0, sizeof counts);
  return census_of(counts);
}

void kick_particles_on_rungs(Device& device, DeviceParticles& p, const RungRule& rule, i32 least) {
  device.launch(Kernel::kick_rungs, variant, p.n,
                Arguments(p.acc[0], p.acc[1], p.acc[2], p.rung, p.n, least, rule, p.v[0], p.v[1], p.v[2]));
}

pos_t largest_particle_pull(Device& device, const DeviceParticles& p, DeviceWalk& room) {
  if (p.n == 0) return 0;
  const i32 blocks = blocks_for(p.n);
  std::vector<pos_t> part(static_cast<std::size_t>(blocks));
  Buffer& largest = room.scratch(part.size() * sizeof(pos_t));
  device.launch(Kernel::largest_pull, variant, static_cast<i64>(blocks) * HB_BLOCK,
                Arguments(p.n, blocks, p.acc[0], p.acc[1], p.acc[2], p.soft2, largest));
  device.download(part.data(), largest, 0, part.size() * sizeof(pos_t));
  return *std::max_element(part.begin(), part.end());
}

u64 count_not_finite(Device& device, const DeviceParticles& p, const FiniteLimits& most, DeviceWalk& room) {
  if (p.n == 0) return 0;
  u32 count = 0;
  Buffer& found = room.scratch(sizeof count);
  device.clear(found, sizeof count);
  device.launch(Kernel::count_not_finite, variant, p.n,
                Arguments(most, p.n, p.x[0], p.x[1], p.x[2], p.v[0], p.v[1], p.v[2], p.acc[0], p.acc[1], p.acc[2],
                          p.acc[3], found));
  device.download(&count, found, 0, sizeof count);
  return count;
}

Energies sum_energies(Device& device, const DeviceParticles& p, const ExternalFields& fields, double p_unit,
                      double mass_unit, DeviceWalk& room) {
  if (p.n == 0) return {};
  const i32 blocks = blocks_for(p.n);
  std::vector<pos_t> part(static_cast<std::size_t>(blocks) * energy_sums);
  Buffer& sums = room.scratch(part.size() * sizeof(pos_t));
  device.launch(Kernel::sum_energies, variant, static_cast<i64>(blocks) * HB_BLOCK,
                Arguments(fields.fields, fields.count, p.n, blocks, p.x[0], p.x[1], p.x[2], p.v[0], p.v[1], p.v[2],
                          p.mass, p.acc[3], sums));
  device.download(part.data(), sums, 0, part.size() * sizeof(pos_t));
  EnergySums total{};
  for (std::size_t i = 0; i < part.size(); ++i) total[i % energy_sums] += static_cast<double>(part[i]) / mass_unit;
  return energies_of(total, p_unit);
}

HB_CLOSE
