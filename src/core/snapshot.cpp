// SPDX-License-Identifier: Apache-2.0
// Snapshots with what is known of their surroundings, see particles.h.
#include <cmath>

#include "core/short_numbers.h"
#include "hornbeam/error.h"
#include "hornbeam/gas.h"
#include "hornbeam/particles.h"

namespace hornbeam {
namespace {

constexpr const char* ours_counts = ", and that of the first counts";

void join_boxes(Snapshot& here, const Snapshot& other, std::vector<std::string>& warnings) {
  if (other.boundary.kind == BoundaryKind::open && other.box_size == 0) return;
  if (here.boundary.kind == BoundaryKind::open && here.box_size == 0) {
    here.boundary = other.boundary;
    here.box_size = other.box_size;
  } else if (!same_walls(other.boundary, here.boundary) || other.box_size != here.box_size) {
    warnings.push_back(std::string("WARNING: the box of the second is another") + ours_counts);
  }
}

void join_gas(Snapshot& here, const Snapshot& other, std::vector<std::string>& warnings) {
  if (!other.gas) return;
  if (!here.gas) {
    here.gas = other.gas;
  } else if (is_ideal(*other.gas) && is_ideal(*here.gas) && other.gas->gamma != here.gas->gamma) {
    warnings.push_back("WARNING: gas of the second was made with gamma " + shortest(other.gas->gamma) + ", not " +
                       shortest(here.gas->gamma) + ours_counts);
  }
}

/// Of fields that make forces and that one side lacks.
void tell_lacking(const Particles& here, const Particles& other, std::vector<std::string>& warnings) {
  if (here.size() == 0 || other.size() == 0) return;
  if (here.eps.empty() != other.eps.empty()) {
    warnings.push_back(std::string("WARNING: particles of the ") + (here.eps.empty() ? "first" : "second") +
                       " have no eps, and get 0: give them one");
  }
}

}  // namespace

bool is_ideal(const GasParameters& gas) {
  return gas.equation_of_state.empty() || gas.equation_of_state == name(EquationOfState::ideal);
}

void Snapshot::set_box_size(double edge) {
  if (boundary.kind == BoundaryKind::shear) {
    throw UsageError("box_size", "is of cubes, and these particles are in a shearing sheet", "set its boundary");
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
    warnings.push_back("WARNING: the second is of time " + shortest(other.time) + ", not " + shortest(time) +
                       ours_counts);
  }
  const bool has_energy = !particles.internal_energy.empty() || !other.particles.internal_energy.empty();
  particles.append(other.particles);
  if (has_energy && particles.internal_energy.empty() && particles.size() > 0) {
    warnings.emplace_back("WARNING: internal energies are dropped, as gas of one of the two has none");
  }
  return warnings;
}

}  // namespace hornbeam
