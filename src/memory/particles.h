// SPDX-License-Identifier: Apache-2.0
// What particles on the host take (core/fields.h), and what is done with them besides evaluations.
#pragma once

#include <algorithm>

#include "core/fields.h"
#include "memory/need.h"

namespace hornbeam::memory {

/// Positions, velocities, masses, ids and families.
inline constexpr double particle_bytes = field_bytes([](const FieldRow& row) { return row.required; });
inline constexpr double eps_bytes = sizeof(double);
/// Accelerations and potentials.
inline constexpr double force_bytes =
    field_bytes([](const FieldRow& row) { return row.life == Life::moment && row.owner == Owner::gravity; });
/// What acts on the particles of a run, by which they have optional fields.
struct Acting {
  bool blocks = false;         ///< block steps
  bool gas = false;            ///< hydrodynamics is on
  bool softened = false;       ///< and gas is softened by its H
  bool reconstructed = false;  ///< and its viscosity reconstructs velocities
  bool bodies = false;         ///< particles collide
  bool writes_steps = false;   ///< snapshots hold each particle's step

  /// Whether it fills fields of that owner.
  [[nodiscard]] constexpr bool fills(Owner owner) const {
    switch (owner) {
      case Owner::particles:
      case Owner::gravity:
        return true;
      case Owner::gas:
        return gas;
      case Owner::collisions:
        return bodies;
      case Owner::block_steps:
        return blocks;
      case Owner::snapshots:
        return writes_steps;
      case Owner::softened_gas:
        return softened;
      case Owner::reconstructed_gas:
        return reconstructed;
      case Owner::gas_in_blocks:
      case Owner::gas_steps:
        return blocks && gas;
    }
    return false;
  }
};
/// Ours and the libraries'.
inline constexpr double file_buffers = 6e6;

inline Need particles() { return {{"particles", particle_bytes}}; }
inline Need softening() { return {{"their softening", eps_bytes}}; }
/// Those that are there.
inline Need particles(const Particles& there) { return there.eps.empty() ? particles() : particles() + softening(); }
/// demand() of that next to `there`, the particles, which are counted with it.
inline void demand_beside(const Particles& there, const Need& need, std::string_view advice = {}) {
  const Need held = particles(there);
  demand(there.size(), held + need, held.bytes(there.size()), advice);
}
inline bool fits_beside(const Particles& there, const Need& need) {
  const Need held = particles(there);
  return fits(there.size(), held + need, held.bytes(there.size()));
}
/// Fields that last, besides those of particles() and softening().
inline Need state(const Acting& acting) {
  return {{"what acts on them", field_bytes([&](const FieldRow& row) {
             return !row.required && row.life == Life::lasting && row.owner != Owner::gravity &&
                    acting.fills(row.owner);
           })}};
}
/// One more set of them with all fields, to be written.
inline Need output_copy(const Acting& acting) {
  return {{"copy for output", field_bytes([&](const FieldRow& row) { return acting.fills(row.owner); })}};
}
/// Their order by family (io/layout.h); other formats take no more.
inline Need writing() { return {{"order in the file", sizeof(std::uint64_t), file_buffers}}; }
/// `more`: bytes a particle that the format's reader keeps or takes besides; ids are sorted once.
inline Need reading(double more) {
  return {{"particles", particle_bytes}, {"reading", sizeof(std::uint64_t) + more, file_buffers}};
}
/// Direct sums in fp64 at `sample` particles (interactions/gravity/check.cpp, interactions/gravity/host/oracle.cpp).
inline Need direct_check(std::uint64_t n, std::uint64_t sample) {
  constexpr double each = 5 * sizeof(double), of_sample = 200;
  return {{"direct sums", each, of_sample * static_cast<double>(std::min(n, sample))}};
}

}  // namespace hornbeam::memory
