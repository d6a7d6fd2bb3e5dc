// SPDX-License-Identifier: Apache-2.0
// Looks at the gas of a run that begins, see gas_start.h.
#include "run/setup/gas_start.h"

#include <fmt/format.h>

#include <algorithm>

#include "run/records/figures.h"

namespace hornbeam::run {
namespace {

/// 0: not known.
double gamma_then(const Snapshot& start) { return start.gas && has_ideal_energies(*start.gas) ? start.gas->gamma : 0; }

bool is_closed_without_images(const Boundary& box) {
  const auto is_positive = [](double edge) { return edge > 0; };
  return box.kind == BoundaryKind::periodic && std::all_of(box.size.begin(), box.size.end(), is_positive) &&
         !box.is_lattice() && !box.has_images();
}

std::size_t gas_of(const Snapshot& start) {
  const auto& families = start.particles.family;
  return static_cast<std::size_t>(std::count(families.begin(), families.end(), Family::gas));
}

/// Empty unless there is less gas in open space than a kernel takes; where n count as n lone ones at most, it finds no
/// end.
std::string shortage_note(const Snapshot& start, const SimulationOptions& options) {
  const auto n = static_cast<double>(gas_of(start));
  const double wanted = options.gas.effective_neighbours();
  if (n == 0 || options.boundary.kind != BoundaryKind::open || n >= wanted) return "";
  const bool no_end = n * own_neighbours(options.gas.kernel) <= wanted;
  return fmt::format("WARNING: gas of {} has fewer than the {} neighbours of its kernel: {}",
                     counted(gas_of(start), "particle"), wanted,
                     no_end ? "its H and densities are meaningless" : "its densities are averages over all of the gas");
}

/// Of gas that moves as stars do.
std::vector<std::string> notes_of_no_gas(const Snapshot& start) {
  const auto n = gas_of(start);
  if (n == 0) return {};
  return {"WARNING: " + counted(n, "particle") +
          " of the family gas, and no [gas] eos: they move without pressure, like stars (give gas.eos = \"ideal\" or "
          "another one)"};
}

bool has_materials(const Particles& particles) {
  const auto& kinds = particles.material;
  return std::any_of(kinds.begin(), kinds.end(), [](auto kind) { return kind > 0; });
}

/// Of gas of a run (models show no kernel) with another equation of state, or with another mean weight.
std::string other_gas_note(const Snapshot& start, const GasOptions& here) {
  if (!start.gas) return "";
  const GasParameters& then = *start.gas;
  if (!then.kernel.empty() && !then.equation_of_state.empty() && then.equation_of_state != name(here.eos)) {
    return fmt::format("WARNING: the particles' gas was made with gas.eos = \"{}\", and this run has \"{}\"",
                       then.equation_of_state, name(here.eos));
  }
  if (!start.units.physical || !(then.mean_weight > 0) || then.mean_weight == here.mean_weight) return "";
  return fmt::format(
      "WARNING: the particles' gas was made with gas.mean_weight = {}, and this run's temperatures use {}",
      then.mean_weight, here.mean_weight);
}

}  // namespace

std::vector<std::string> gas_start_notes(const Snapshot& start, const SimulationOptions& options) {
  if (!options.gas.flows()) return notes_of_no_gas(start);
  std::vector<std::string> notes;
  if (gas_of(start) > 0 && has_materials(start.particles) && !options.gas.has_materials()) {
    notes.push_back(
        fmt::format("WARNING: the gas has MaterialIDs, which gas.eos = \"{}\" does not use (use tillotson or "
                    "materials; see docs/gas.md)",
                    name(options.gas.eos)));
  }
  const std::string other = other_gas_note(start, options.gas);
  if (!other.empty()) notes.push_back(other);
  const double gamma = gamma_then(start);
  if (options.gas.eos == EquationOfState::ideal && gamma > 1 && gamma != options.gas.gamma) {
    notes.push_back(fmt::format(
        "WARNING: the particles' gas was made with gamma {}, and this run's has {}, so its pressures differ: "
        "set gas.gamma = {}",
        gamma, options.gas.gamma, gamma));
  }
  if (options.self_gravity && is_closed_without_images(options.boundary)) {
    notes.emplace_back(
        "WARNING: the gas of the periodic box attracts itself without images: set gas.self_gravity = false for flows "
        "without gravity, or give [boundary] images (n_ghost_x, n_ghost_y, n_ghost_z)");
  }
  const std::string shortage = shortage_note(start, options);
  if (!shortage.empty()) notes.push_back(shortage);
  return notes;
}

}  // namespace hornbeam::run
