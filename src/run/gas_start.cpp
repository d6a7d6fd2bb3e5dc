// SPDX-License-Identifier: Apache-2.0
// Looks at the gas of a run that begins, see gas_start.h.
#include "run/gas_start.h"

#include <fmt/format.h>

#include <algorithm>

namespace hornbeam::run {
namespace {

/// 0: not known.
double gamma_then(const Snapshot& start) {
  if (!start.gas) return 0;
  const std::string& eos = start.gas->equation_of_state;
  return eos.empty() || eos == name(EquationOfState::ideal) ? start.gas->gamma : 0;
}

bool is_closed_without_images(const Boundary& box) {
  const auto is_positive = [](double edge) { return edge > 0; };
  return box.kind == BoundaryKind::periodic && std::all_of(box.size.begin(), box.size.end(), is_positive) &&
         box.n_ghost == decltype(box.n_ghost){};
}

/// Empty unless so little gas is in open space that its kernels find no end: n count as n lone ones at most.
std::string shortage_note(const Snapshot& start, const SimulationOptions& options) {
  const auto& families = start.particles.family;
  const auto n = static_cast<double>(std::count(families.begin(), families.end(), Family::gas));
  const double wanted = options.gas.effective_neighbours();
  if (n == 0 || options.boundary.kind != BoundaryKind::open || n * own_neighbours(options.gas.kernel) > wanted)
    return "";
  return fmt::format(
      "WARNING: gas of {:.0f} particles has not the {} neighbours that its kernel takes: its H and densities mean "
      "nothing",
      n, wanted);
}

}  // namespace

std::vector<std::string> gas_start_notes(const Snapshot& start, const SimulationOptions& options) {
  if (!options.gas.flows()) return {};
  std::vector<std::string> notes;
  const double gamma = gamma_then(start);
  if (options.gas.eos == EquationOfState::ideal && gamma > 1 && gamma != options.gas.gamma) {
    notes.push_back(fmt::format(
        "WARNING: the particles' gas was made with gamma {}, and this run's has {}, so that its pressures are others: "
        "set gas.gamma = {}",
        gamma, options.gas.gamma, gamma));
  }
  if (options.self_gravity && is_closed_without_images(options.boundary)) {
    notes.emplace_back(
        "WARNING: the gas of the periodic box pulls itself, and its images do not pull: give gas.self_gravity = false, "
        "as flows without gravity have it, or boundary.n_ghost_x, n_ghost_y and n_ghost_z");
  }
  const std::string shortage = shortage_note(start, options);
  if (!shortage.empty()) notes.push_back(shortage);
  return notes;
}

}  // namespace hornbeam::run
