// SPDX-License-Identifier: Apache-2.0
// What particles on the host take (core/fields.h), and what is done with them beside evaluations.
#pragma once

#include <algorithm>

#include "core/fields.h"
#include "memory/need.h"

namespace hornbeam::memory {

/// Positions, velocities, masses, ids and families.
inline constexpr double particle_bytes = field_bytes([](const FieldRow& row) { return row.required; });
inline constexpr double eps_bytes = sizeof(double);
/// Accelerations and potentials.
inline constexpr double force_bytes = field_bytes([](const FieldRow& row) { return row.life == Life::moment; });
/// Rungs and the accelerations of the step before, in checkpoints of block steps.
inline constexpr double step_bytes =
    field_bytes([](const FieldRow& row) { return row.life == Life::run && row.owner == Owner::block_steps; });
/// The same of gas alone.
inline constexpr double gas_step_bytes = field_bytes([](const FieldRow& row) { return row.owner == Owner::gas_steps; });
/// What gas takes from step to step, and what files hold of it.
inline constexpr double gas_bytes = field_bytes([](const FieldRow& row) { return row.owner == Owner::gas; });
/// Ours and the libraries'.
inline constexpr double file_buffers = 6e6;

inline Need particles() { return {{"particles", particle_bytes}}; }
inline Need softening() { return {{"their softening", eps_bytes}}; }
/// Those that are there.
inline Need particles(const Particles& there) { return there.eps.empty() ? particles() : particles() + softening(); }
/// demand() of that beside `there`, the particles, which are counted with it.
inline void demand_beside(const Particles& there, const Need& need, std::string_view advice = {}) {
  const Need held = particles(there);
  demand(there.size(), held + need, held.bytes(there.size()), advice);
}
inline bool fits_beside(const Particles& there, const Need& need) {
  const Need held = particles(there);
  return fits(there.size(), held + need, held.bytes(there.size()));
}
/// One more set of them, with forces, to be written; steps: with what block steps need to go on; gas: with its fields.
inline Need output_copy(bool steps, bool gas) {
  const double of_steps = (steps ? step_bytes : 0) + (gas ? gas_bytes : 0) + (steps && gas ? gas_step_bytes : 0);
  return {{"copy for output", particle_bytes + eps_bytes + force_bytes + of_steps}};
}
/// Their order by family (io/layout.h); other formats take no more.
inline Need writing() { return {{"order in the file", sizeof(std::uint64_t), file_buffers}}; }
/// `more`: bytes a particle that the format's reader keeps or takes beside; ids are sorted once.
inline Need reading(double more) {
  return {{"particles", particle_bytes}, {"reading", sizeof(std::uint64_t) + more, file_buffers}};
}
/// Direct sums in fp64 at `sample` particles (interactions/gravity/check.cpp, interactions/gravity/host/oracle.cpp).
inline Need direct_check(std::uint64_t n, std::uint64_t sample) {
  constexpr double each = 5 * sizeof(double), of_sample = 200;
  return {{"direct sums", each, of_sample * static_cast<double>(std::min(n, sample))}};
}

}  // namespace hornbeam::memory
