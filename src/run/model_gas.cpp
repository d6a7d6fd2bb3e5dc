// SPDX-License-Identifier: Apache-2.0
// Looks whether a run has what its model was drawn for, see model_gas.h.
#include "run/model_gas.h"

#include <fmt/format.h>

#include <cmath>

#include "ics/box_note.h"

namespace hornbeam::run {
namespace {

/// Edges are given with as many digits as people like.
constexpr double same_edge = 1e-3;

/// Of one axis of the box that a model fills and of the run's, 0: open.
bool is_same(double model, double run) { return std::abs(model - run) <= same_edge * model; }

std::string list_of(const Vec3& size) { return fmt::format("[{}, {}, {}]", size[0], size[1], size[2]); }

void warn_of_box(const Vec3& size, const SimulationOptions& options, std::vector<std::string>& notes) {
  const Boundary& box = options.boundary;
  const std::string remedy = fmt::format("[boundary] kind = \"periodic\", size = {}", list_of(size));
  if (box.kind == BoundaryKind::open) {
    notes.push_back(
        fmt::format("WARNING: the model fills a periodic box, and this run is open, so that its gas flies apart "
                    "from the walls inwards: give {}",
                    remedy));
  } else if (!is_same(size[0], box.size[0]) || !is_same(size[1], box.size[1]) || !is_same(size[2], box.size[2])) {
    notes.push_back(fmt::format("WARNING: the model fills another periodic box than boundary.size = {}: give {}",
                                list_of(box.size), remedy));
  }
  if (options.self_gravity) {
    notes.emplace_back(
        "WARNING: the model is a flow without gravity, and its particles pull one another: give gas.self_gravity = "
        "false, unless you want that");
  }
}

}  // namespace

std::vector<std::string> with_model_gas(const Snapshot& start, const SimulationOptions& options) {
  std::vector<std::string> notes = start.notes;
  const ModelGas& model = start.drawn_for;
  if (model.box != Vec3{}) {
    std::erase(notes, ics::box_note(model.box));
    if (options.gas.flows()) warn_of_box(model.box, options, notes);
  }
  const bool ideal = options.gas.eos == EquationOfState::ideal;
  if (ideal && model.gamma > 0 && model.gamma != options.gas.gamma) {
    notes.push_back(fmt::format(
        "WARNING: the model was drawn with gamma {}, and this run's gas has {}, so that its pressures are others: set "
        "gas.gamma = {}",
        model.gamma, options.gas.gamma, model.gamma));
  }
  return notes;
}

}  // namespace hornbeam::run
