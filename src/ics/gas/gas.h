// SPDX-License-Identifier: Apache-2.0
// What models of gas share: particles of it at rest, on lattices.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "hornbeam/error.h"
#include "ics/model.h"

namespace hornbeam::ics {

/// Adds gas of one mass and internal energy at rest.
inline void add_gas(Snapshot& snapshot, const std::vector<Vec3>& places, double mass, double u) {
  Particles& p = snapshot.particles;
  const std::size_t first = p.size(), n = first + places.size();
  memory::demand(places.size(), memory::particles());
  p.resize(n);
  p.family.assign(n, Family::gas);
  p.internal_energy.resize(n);
  for (std::size_t i = first; i < n; ++i) {
    p.position[i] = places[i - first];
    p.mass[i] = mass;
    p.internal_energy[i] = u;
  }
}

/// n particles of gas of one mass at rest, places and internal energies to be filled in.
inline Snapshot gas_at_rest(std::size_t n, double mass) {
  Snapshot snapshot;
  add_gas(snapshot, std::vector<Vec3>(n), mass, 0);
  return snapshot;
}

/// The periodic box that a model fills, in which runs go on unless set otherwise.
inline void fill_box(Snapshot& snapshot, const Vec3& size) {
  snapshot.set_boundary({.kind = BoundaryKind::periodic, .size = size});
}

/// A whole number above 0.
inline std::int64_t whole_of(const Settings& settings, const std::string& name) {
  const double asked = settings.positive(name);
  if (asked == std::floor(asked) && asked < 1e6) return static_cast<std::int64_t>(asked);
  throw UsageError(settings.subject(name), "received " + shown(asked), "must be a whole number above 0");
}

/// The middle of cell i of `cells` between -edge / 2 and edge / 2, `part` of a cell from its lower side; symmetric
/// about 0 to the last bit.
inline double lattice_place(std::int64_t i, std::int64_t cells, double edge, double part = 0.5) {
  return edge * ((2 * (static_cast<double>(i) + part) - static_cast<double>(cells)) / (2 * static_cast<double>(cells)));
}

/// Above 1.
inline double index_of(const Settings& settings) {
  const double gamma = settings.positive("gamma");
  if (!(gamma > 1)) throw UsageError(settings.subject("gamma"), "is " + shown(gamma), "give more than 1");
  return gamma;
}

}  // namespace hornbeam::ics
