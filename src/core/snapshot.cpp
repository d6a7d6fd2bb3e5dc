// SPDX-License-Identifier: Apache-2.0
// Snapshots with what is known of their surroundings, see particles.h.
#include <cmath>

#include "core/short_numbers.h"
#include "hornbeam/error.h"
#include "hornbeam/gas.h"
#include "hornbeam/particles.h"

namespace hornbeam {
namespace {

constexpr const char* ours_counts = "; that of the first is used";

/// The edge of a cube, whether its walls are known or a file's number alone.
double cube_of(const Snapshot& s) { return s.boundary.kind == BoundaryKind::open ? s.box_size : s.boundary.cube(); }

bool is_open(const Snapshot& s) { return s.boundary.kind == BoundaryKind::open && s.box_size == 0; }

void join_boxes(Snapshot& here, const Snapshot& other, std::vector<std::string>& warnings) {
  if (is_open(other)) return;
  const bool same_cube = cube_of(here) > 0 && cube_of(here) == cube_of(other);
  if (is_open(here) || (same_cube && here.boundary.kind == BoundaryKind::open)) {
    here.boundary = other.boundary;
    here.box_size = other.box_size;
  } else if (!same_cube && (cube_of(here) != cube_of(other) || !same_walls(other.boundary, here.boundary))) {
    warnings.push_back(std::string("WARNING: the second has a different box") + ours_counts);
  }
}

bool knows(const std::optional<GasParameters>& gas) {
  return gas && (gas->gamma > 1 || !gas->equation_of_state.empty());
}

std::string in_words(const GasParameters& gas) {
  return is_ideal(gas) ? "gamma " + shortest(gas.gamma) : "eos " + gas.equation_of_state;
}

void join_gas(Snapshot& here, const Snapshot& other, std::vector<std::string>& warnings) {
  if (!knows(other.gas)) return;
  const bool lacks_gamma = !knows(here.gas) || (is_ideal(*here.gas) && !(here.gas->gamma > 1));
  if (lacks_gamma) {
    here.gas = other.gas;
  } else if (in_words(*other.gas) != in_words(*here.gas)) {
    warnings.push_back("WARNING: the gas of the second has " + in_words(*other.gas) + ", not " + in_words(*here.gas) +
                       ours_counts);
  }
}

/// Of fields that make forces or contacts and that one side lacks.
void tell_lacking(const Particles& here, const Particles& other, std::vector<std::string>& warnings) {
  if (here.size() == 0 || other.size() == 0) return;
  const auto tell = [&](const auto& ours, const auto& theirs, const char* field) {
    if (ours.empty() == theirs.empty()) return;
    warnings.push_back(std::string("WARNING: particles of the ") + (ours.empty() ? "first" : "second") + " have no " +
                       field + ", and get 0: give them one");
  };
  tell(here.eps, other.eps, "eps");
  tell(here.radius, other.radius, "radius");
}

}  // namespace

bool is_ideal(const GasParameters& gas) {
  return gas.equation_of_state.empty() || gas.equation_of_state == name(EquationOfState::ideal);
}

bool has_ideal_energies(const GasParameters& gas) {
  return is_ideal(gas) || gas.equation_of_state == name(EquationOfState::isothermal) ||
         gas.equation_of_state == name(EquationOfState::polytrope);
}

void Snapshot::set_box_size(double edge) {
  if (boundary.kind == BoundaryKind::shear) {
    throw UsageError("box_size", "is the edge of a cube, and these particles are in a shearing sheet",
                     "set boundary instead");
  }
  if (boundary.kind == BoundaryKind::periodic) {
    boundary = edge > 0 ? Boundary{.kind = boundary.kind, .size = {edge, edge, edge}, .n_ghost = boundary.n_ghost}
                        : Boundary{};
  }
  box_size = edge;
}

std::vector<std::string> Snapshot::append(const Snapshot& other) {
  std::vector<std::string> warnings;
  join_boxes(*this, other, warnings);
  join_gas(*this, other, warnings);
  tell_lacking(particles, other.particles, warnings);
  if (other.time != time && particles.size() > 0 && other.particles.size() > 0) {
    warnings.push_back("WARNING: the second has the time " + shortest(other.time) + ", not " + shortest(time) +
                       ours_counts);
  }
  const bool has_energy = !particles.internal_energy.empty() || !other.particles.internal_energy.empty();
  particles.append(other.particles);
  if (has_energy && particles.internal_energy.empty() && particles.size() > 0) {
    warnings.emplace_back("WARNING: internal energies are dropped, because the gas of one of the two has none");
  }
  return warnings;
}

}  // namespace hornbeam
