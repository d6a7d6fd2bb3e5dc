// SPDX-License-Identifier: Apache-2.0
// The loops of dynamics.h. Compiled once a precision (HB_PRECISION).
#include "dynamics/host_dynamics.h"

#include <algorithm>

#include "backend/evaluation.h"
#include "dynamics/energies.h"
#include "stages/kick_drift.h"

HB_OPEN
namespace {

/// Particles summed before the sums are combined, in order: energies do not depend on the number of threads.
constexpr i32 energy_block = 4096;

/// p_unit, mass_unit: see sum_energies().
EnergySums sum_block(const CpuParticles& p, i32 begin, i32 end, const std::vector<ExternalField>& fields, double p_unit,
                     double mass_unit) {
  EnergySums e{};
  for (i32 i = begin; i < end; ++i) {
    const double m = static_cast<double>(p.mass[i]) / mass_unit;
    add_motion<double>(m, p.x[0][i], p.x[1][i], p.x[2][i], p.v[0][i], p.v[1][i], p.v[2][i], e.data());
    add_potential<double>(m, p.acc[3][i], p_unit, e.data());
    if (fields.empty()) continue;
    const ExternalPull pull =
        external_pulls(fields.data(), static_cast<i32>(fields.size()), p.x[0][i], p.x[1][i], p.x[2][i]);
    add_potential<double>(m, pull.potential, p_unit, e.data());
  }
  return e;
}

}  // namespace

std::uint64_t CpuParticles::bytes() const {
  std::uint64_t sum = 0;
  for_each_array_of([&](const StoreRow&, const auto& array) { sum += bytes_of(array); }, *this);
  return sum;
}

void kick_particles(CpuParticles& p, pos_t step) {
#pragma omp parallel for schedule(static)
  for (i32 i = 0; i < p.n(); ++i) {
    for (int k = 0; k < 3; ++k) p.v[k][i] = kicked(p.v[k][i], p.acc[k][i], step);
  }
}

void drift_particles(CpuParticles& p, pos_t step) {
#pragma omp parallel for schedule(static)
  for (i32 i = 0; i < p.n(); ++i) {
    for (int k = 0; k < 3; ++k) p.x[k][i] = drifted(p.x[k][i], p.v[k][i], step);
  }
}

void change_unit(CpuParticles& p, real smaller) {
  // by factor after factor: their product may be out of the range that the values are in
  const auto scale = [](Array<real>& values, real factor, real another) {
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = values[i] * factor * another;
  };
  for (int k = 0; k < 3; ++k) {
    for (Array<real>* values : {&p.acc[k], &p.before[k], &p.earlier[k]}) scale(*values, smaller, smaller);
  }
  scale(p.acc[3], smaller, 1);
  scale(p.last, smaller, smaller);
}

RungCensus choose_particle_rungs(CpuParticles& p, const RungRule& rule, i32 least) {
  const bool known = !p.rung.empty();
  if (!known) p.rung.assign(p.input.size(), 0);
  for (int k = 0; k < 3; ++k) {
    p.before[k].resize(p.mass.size());
    p.earlier[k].resize(p.mass.size());
  }
  const RungsView view = {p.acc[0].data(),     p.acc[1].data(),     p.acc[2].data(),    p.soft2.data(),
                          p.before[0].data(),  p.before[1].data(),  p.before[2].data(), p.earlier[0].data(),
                          p.earlier[1].data(), p.earlier[2].data(), p.v[0].data(),      p.v[1].data(),
                          p.v[2].data(),       p.rung.data()};
  u32 counts[HB_CENSUS] = {};
#pragma omp parallel for schedule(static) reduction(+ : counts)
  for (i32 i = 0; i < p.n(); ++i) {
    const RungChoice choice = take_rung(i, rule, least, known ? 1 : 0, view);
    counts[HB_CENSUS_BEYOND] += choice.beyond ? 1 : 0;
    counts[HB_CENSUS_NOT_FINITE] += choice.not_finite ? 1 : 0;
    ++counts[choice.rung];
  }
  return census_of(counts);
}

void kick_particles_on_rungs(CpuParticles& p, const RungRule& rule, i32 least) {
#pragma omp parallel for schedule(static)
  for (i32 i = 0; i < p.n(); ++i) {
    const i32 rung = rung_of(p.rung[i]);
    if (rung < least) continue;
    for (int k = 0; k < 3; ++k) p.v[k][i] = kicked(p.v[k][i], p.acc[k][i], half_step(rule, rung));
  }
}

pos_t largest_particle_pull(const CpuParticles& p) {
  pos_t largest = 0;
#pragma omp parallel for schedule(static) reduction(max : largest)
  for (i32 i = 0; i < p.n(); ++i) {
    largest = std::max(largest, pull_in_eps(p.acc[0][i], p.acc[1][i], p.acc[2][i], p.soft2[i]));
  }
  return largest;
}

void add_external(CpuParticles& p, const std::vector<ExternalField>& fields, const std::vector<GroupRange>& targets) {
#pragma omp parallel for schedule(dynamic, 16)
  for (std::size_t t = 0; t < targets.size(); ++t) {
    for (i32 i = targets[t].first; i < targets[t].first + targets[t].count; ++i) {
      const ExternalPull pull =
          external_pulls(fields.data(), static_cast<i32>(fields.size()), p.x[0][i], p.x[1][i], p.x[2][i]);
      p.acc[0][i] += static_cast<real>(pull.x);
      p.acc[1][i] += static_cast<real>(pull.y);
      p.acc[2][i] += static_cast<real>(pull.z);
      p.acc[3][i] += static_cast<real>(pull.potential);
    }
  }
}

u64 count_not_finite(const CpuParticles& p, const FiniteLimits& most) {
  const bool moves = !p.v[0].empty();
  const pos_t *const vx = p.v[0].data(), *const vy = p.v[1].data(), *const vz = p.v[2].data();
  i32 finite = 0;
#pragma omp parallel for simd schedule(static) reduction(+ : finite)
  for (i32 i = 0; i < p.n(); ++i) {
    finite += is_finite_motion(most, p.x[0][i], p.x[1][i], p.x[2][i]) &
              is_finite_pull(most, p.acc[0][i], p.acc[1][i], p.acc[2][i], p.acc[3][i]) &
              (moves ? is_finite_motion(most, vx[i], vy[i], vz[i]) : 1);
  }
  return static_cast<u64>(p.n() - finite);
}

Energies sum_energies(const CpuParticles& p, const std::vector<ExternalField>& fields, double p_unit,
                      double mass_unit) {
  const i32 blocks = (p.n() + energy_block - 1) / energy_block;
  std::vector<EnergySums> part(static_cast<std::size_t>(blocks));
#pragma omp parallel for schedule(static)
  for (i32 b = 0; b < blocks; ++b) {
    part[b] = sum_block(p, b * energy_block, std::min(p.n(), (b + 1) * energy_block), fields, p_unit, mass_unit);
  }
  EnergySums sum{};
  for (const EnergySums& e : part) {
    for (std::size_t k = 0; k < e.size(); ++k) sum[k] += e[k];
  }
  return energies_of(sum, 1);
}

std::vector<Motion> motions_of(const CpuParticles& p, const std::vector<std::size_t>& which) {
  std::vector<Motion> found(which.size());
  for (std::size_t i = 0; i < p.input.size(); ++i) {
    const auto wanted = std::lower_bound(which.begin(), which.end(), p.input[i]);
    if (wanted == which.end() || *wanted != p.input[i]) continue;
    Motion& to = found[static_cast<std::size_t>(wanted - which.begin())];
    for (int k = 0; k < 3; ++k) {
      to.position[k] = static_cast<double>(p.x[k][i]);
      if (!p.v[k].empty()) to.velocity[k] = static_cast<double>(p.v[k][i]);
    }
  }
  return found;
}

HB_CLOSE
