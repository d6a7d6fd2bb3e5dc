// SPDX-License-Identifier: Apache-2.0
// Arrays of the host as columns that a device adopts (tree/adopted.h).
#pragma once

#include <cstddef>
#include <vector>

#include "hornbeam/device_arrays.h"
#include "hornbeam/force_tree.h"
#include "hornbeam/particles.h"
#include "tree/lent_particles.h"

namespace hornbeam {

/// What attracts.
inline ParticlesOnDevice columns_of(const Particles& p) {
  ParticlesOnDevice columns{column_of(p.position), column_of(p.mass), {}, {}, {}};
  if (!p.eps.empty()) columns.eps = column_of(p.eps);
  return columns;
}

inline ForceField forces_of(std::size_t rows, bool tides = false) {
  return {std::vector<Vec3>(rows), std::vector<double>(rows), std::vector<Tensor>(tides ? rows : 0)};
}
inline ForcesOnDevice columns_of(ForceField& field) {
  return {field.acceleration.data(), field.potential.data(), true, true,
          field.tide.empty() ? nullptr : field.tide.data()};
}

/// Throws as Particles::validate() does for those of which positions, masses, ids and perhaps eps play a part.
inline void validate_sources(const Particles& particles) {
  Particles sources;
  sources.resize(particles.size());
  sources.position = particles.position;
  sources.mass = particles.mass;
  sources.id = particles.id;
  sources.eps = particles.eps;
  sources.validate("particles");
}

}  // namespace hornbeam
