// SPDX-License-Identifier: Apache-2.0
// The loops of dynamics.h. Compiled once a precision (HB_PRECISION).
#include "backend/cpu/dynamics.h"

#include <algorithm>

#include "stages/kick_drift.h"

HB_OPEN
namespace {

/// Particles summed before the sums are combined, in order: energies do not depend on the number of threads.
constexpr i32 energy_block = 4096;

pos_t squared_acceleration(const CpuParticles& p, i32 i) {
  const auto x = static_cast<pos_t>(p.acc[0][i]), y = static_cast<pos_t>(p.acc[1][i]),
             z = static_cast<pos_t>(p.acc[2][i]);
  return hb_fma(x, x, hb_fma(y, y, z * z));
}

Energies energies_of(const CpuParticles& p, i32 begin, i32 end, const std::vector<ExternalField>& fields, double p_unit,
                     double mass_unit) {
  Energies e;
  for (i32 i = begin; i < end; ++i) {
    const double m = static_cast<double>(p.mass[i]) / mass_unit;
    const double x = p.x[0][i], y = p.x[1][i], z = p.x[2][i], vx = p.v[0][i], vy = p.v[1][i], vz = p.v[2][i];
    e.kinetic += 0.5 * m * (vx * vx + vy * vy + vz * vz);
    // the potential held counts each pair twice, and the external one, which is in it, once
    e.potential += 0.5 * m * static_cast<double>(p.acc[3][i]) * p_unit;
    if (!fields.empty()) {
      const ExternalPull pull =
          external_pulls(fields.data(), static_cast<i32>(fields.size()), p.x[0][i], p.x[1][i], p.x[2][i]);
      e.potential += 0.5 * m * static_cast<double>(pull.potential) * p_unit;
    }
    e.momentum[0] += m * vx;
    e.momentum[1] += m * vy;
    e.momentum[2] += m * vz;
    e.angular_momentum[0] += m * (y * vz - z * vy);
    e.angular_momentum[1] += m * (z * vx - x * vz);
    e.angular_momentum[2] += m * (x * vy - y * vx);
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
  std::uint32_t counts[HB_CENSUS] = {};
#pragma omp parallel for schedule(static) reduction(+ : counts)
  for (i32 i = 0; i < p.n(); ++i) {
    const u32 held = p.rung[i];
    if (rung_of(held) >= least) {
      const Accelerations a = {p.acc[0][i],    p.acc[1][i],     p.acc[2][i],     p.before[0][i], p.before[1][i],
                               p.before[2][i], p.earlier[0][i], p.earlier[1][i], p.earlier[2][i]};
      if (known) {
        const pos_t factor = speed_factor(rule, rung_before(held), rung_of(held), p.v[0][i], p.v[1][i], p.v[2][i], a);
        for (auto& v : p.v) v[i] *= factor;
      }
      const RungChoice choice = choose_rung(rule, rung_of(held), least, known, a, p.soft2[i]);
      p.rung[i] = held_rungs(choice.rung, known ? rung_of(held) : choice.rung);
      counts[HB_CENSUS_BEYOND] += choice.beyond ? 1 : 0;
      counts[HB_CENSUS_NOT_FINITE] += choice.not_finite ? 1 : 0;
      for (int k = 0; k < 3; ++k) {
        p.earlier[k][i] = known ? p.before[k][i] : p.acc[k][i];
        p.before[k][i] = p.acc[k][i];
      }
    }
    ++counts[rung_of(p.rung[i])];
  }
  RungCensus census;
  std::copy_n(counts, census.particles.size(), census.particles.begin());
  census.beyond = counts[HB_CENSUS_BEYOND];
  census.not_finite = counts[HB_CENSUS_NOT_FINITE];
  return census;
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
    const auto soft2 = static_cast<pos_t>(p.soft2[i]);
    if (soft2 > 0) largest = std::max(largest, pull_over_eps(squared_acceleration(p, i), soft2));
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
  std::vector<Energies> part(static_cast<std::size_t>(blocks));
#pragma omp parallel for schedule(static)
  for (i32 b = 0; b < blocks; ++b) {
    part[b] = energies_of(p, b * energy_block, std::min(p.n(), (b + 1) * energy_block), fields, p_unit, mass_unit);
  }
  Energies sum;
  for (const Energies& e : part) {
    sum.kinetic += e.kinetic;
    sum.potential += e.potential;
    for (int k = 0; k < 3; ++k) {
      sum.momentum[k] += e.momentum[k];
      sum.angular_momentum[k] += e.angular_momentum[k];
    }
  }
  return sum;
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
