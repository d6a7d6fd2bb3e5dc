// SPDX-License-Identifier: Apache-2.0
// Loops over the stages' bodies, see host_sums.h. Compiled once a precision (HB_PRECISION).
#include "tree/host/host_sums.h"

#include <algorithm>
#include <vector>

#include "device/host/threads.h"

HB_OPEN
namespace {

/// sum(begin, end) over blocks of particles, added in order: what comes does not depend on the number of threads.
template <class Sums, class Sum>
Sums sum_of_blocks(i32 n, const Sum& sum) {
  constexpr i32 block = 4096;
  const i32 blocks = (n + block - 1) / block;
  std::vector<Sums> part(static_cast<std::size_t>(blocks));
#pragma omp parallel for schedule(static)
  for (i32 b = 0; b < blocks; ++b) part[b] = sum(b * block, std::min(n, (b + 1) * block));
  Sums total{};
  for (const Sums& e : part) {
    for (std::size_t k = 0; k < e.size(); ++k) total[k] += e[k];
  }
  return total;
}

EnergySums sum_block(const DeviceParticles& p, i32 begin, i32 end, const ExternalFields& fields,
                     const SumUnits& units) {
  const pos_t *const x = host_values(p.x[0]), *const y = host_values(p.x[1]), *const z = host_values(p.x[2]);
  const pos_t *const vx = host_values(p.v[0]), *const vy = host_values(p.v[1]), *const vz = host_values(p.v[2]);
  const real *const mass = host_values(p.mass), *const potential = host_values(p.acc[3]);
  EnergySums e{};
  for (i32 i = begin; i < end; ++i) {
    const double rest = p.mass_rest.bytes() > 0 ? host_values(p.mass_rest)[i] : 0;
    const double body = p.body_mass.bytes() > 0 ? host_values(p.body_mass)[i] * units.mass : 0;
    const double m = exact_mass<double>(mass[i], rest, body) / units.mass;
    add_motion<double>(m, x[i], y[i], z[i], vx[i], vy[i], vz[i], e.data());
    add_potential<double>(m, potential[i], units.potential, e.data());
    if (p.u.bytes() > 0) add_heat<double>(m, host_values(p.u)[i], e.data());
    if (fields.count == 0) continue;
    const ExternalPull pull = external_pulls(host_values(fields.fields), fields.count, x[i], y[i], z[i]);
    add_potential<double>(m, pull.potential, units.potential, e.data());
  }
  return e;
}

}  // namespace

Energies HostSums::energies(const DeviceParticles& p, const ExternalFields& fields, const SumUnits& units) {
  const Threads scope(device_.threads_for(p.n, Work::item));
  const auto sum = [&](i32 begin, i32 end) { return sum_block(p, begin, end, fields, units); };
  return energies_of(sum_of_blocks<EnergySums>(p.n, sum), 1);
}

PullSums HostSums::pulls(const DeviceParticles& p) {
  const real* const acc[3] = {host_values(p.acc[0]), host_values(p.acc[1]), host_values(p.acc[2])};
  PullSums sum{};
  for (i32 i = 0; i < p.n; ++i) add_pull<double>(host_values(p.mass)[i], acc[0][i], acc[1][i], acc[2][i], sum.data());
  return sum;
}

NetSums HostSums::net_forces(const DeviceParticles& p, const RigidVector& origin, double unit) {
  const Threads scope(device_.threads_for(p.n, Work::item));
  const pos_t *const x = host_values(p.x[0]), *const y = host_values(p.x[1]), *const z = host_values(p.x[2]);
  const real *const ax = host_values(p.acc[0]), *const ay = host_values(p.acc[1]), *const az = host_values(p.acc[2]);
  const real* const mass = host_values(p.mass);
  return sum_of_blocks<NetSums>(p.n, [&](i32 begin, i32 end) {
    NetSums e{};
    for (i32 i = begin; i < end; ++i) {
      add_net_force<double>(mass[i], (x[i] - origin.x) * unit, (y[i] - origin.y) * unit, (z[i] - origin.z) * unit,
                            ax[i], ay[i], az[i], e.data());
    }
    return e;
  });
}

RungCensus HostSums::choose_rungs(DeviceParticles& p, const RungRule& rule, i32 least, bool known, i32 tick) {
  const Threads scope(device_.threads_for(p.n, Work::item));
  const auto held = [](const auto& values) { return values.bytes() > 0 ? host_values(values) : nullptr; };
  const RungsView view = {host_values(p.acc[0]),
                          host_values(p.acc[1]),
                          host_values(p.acc[2]),
                          host_values(p.soft2),
                          held(p.asked),
                          host_values(p.before[0]),
                          host_values(p.before[1]),
                          host_values(p.before[2]),
                          host_values(p.earlier[0]),
                          host_values(p.earlier[1]),
                          host_values(p.earlier[2]),
                          host_values(p.v[0]),
                          host_values(p.v[1]),
                          host_values(p.v[2]),
                          host_values(p.rung),
                          held(p.fall[0]),
                          held(p.fall[1]),
                          held(p.fall[2]),
                          held(p.begun),
                          held(p.span)};
  u32 counts[HB_CENSUS] = {};
#pragma omp parallel for schedule(static) reduction(+ : counts)
  for (i32 i = 0; i < p.n; ++i) {
    const RungChoice choice = take_rung(i, rule, least, known ? 1 : 0, tick, view);
    counts[HB_CENSUS_BEYOND] += choice.beyond ? 1 : 0;
    counts[HB_CENSUS_NOT_FINITE] += choice.not_finite ? 1 : 0;
    ++counts[choice.rung];
  }
  return census_of(counts);
}

pos_t HostSums::largest_pull(const DeviceParticles& p) {
  const Threads scope(device_.threads_for(p.n, Work::item));
  const real* const acc[3] = {host_values(p.acc[0]), host_values(p.acc[1]), host_values(p.acc[2])};
  const real* const soft2 = host_values(p.soft2);
  pos_t largest = 0;
#pragma omp parallel for schedule(static) reduction(max : largest)
  for (i32 i = 0; i < p.n; ++i) largest = std::max(largest, pull_in_eps(acc[0][i], acc[1][i], acc[2][i], soft2[i]));
  return largest;
}

HB_CLOSE
