// SPDX-License-Identifier: Apache-2.0
// What models of gas share: particles of it at rest, on lattices.
#pragma once

#include <cstdint>

#include "ics/model.h"

namespace hornbeam::ics {

/// n particles of gas of one mass at rest, places and internal energies to be filled in.
inline Snapshot gas_at_rest(std::size_t n, double mass) {
  Snapshot snapshot;
  Particles& p = snapshot.particles;
  p = room_for(n);
  p.family.assign(n, Family::gas);
  p.mass.assign(n, mass);
  p.internal_energy.assign(n, 0.0);
  return snapshot;
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
