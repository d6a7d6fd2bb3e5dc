// SPDX-License-Identifier: Apache-2.0
// The run behind a picture, see pictures.h.
#include "run/folder/pictures.h"

#include <fmt/format.h>

#include <algorithm>

#include "hornbeam/error.h"
#include "hornbeam/io.h"
#include "run/records/record.h"

namespace hornbeam::run {

Snapshot read_with_box(const std::filesystem::path& file, const ReadOptions& options) {
  Snapshot snapshot = read_snapshot(file, {}, options);
  settle_from_record(snapshot, file);
  return snapshot;
}

Snapshot read_for_picture(const std::filesystem::path& file) { return read_with_box(file, {.positions_alone = true}); }

render::Options view_of_ring(const Snapshot& snapshot) {
  if (snapshot.particles.radius.empty()) throw UsageError("ring", "particles have no radius", "draw them as points");
  const double width = snapshot.boundary.size[0], length = snapshot.boundary.size[1];
  if (!(std::min(width, length) > 0.0)) {
    throw UsageError("ring", "has no box", "draw a run in a shearing sheet, or a file of one");
  }
  render::Options options;
  options.style = render::Style::spheres;
  options.extent = 1.3 * std::max(width, length);
  return options;
}

void settle_gas(render::Options& options, const std::optional<GasParameters>& gas_then, const std::string& record,
                const std::string& subject) {
  const Recorded told = recorded(record, subject, gas_then);
  options.gas.gamma = told.gamma;
  options.gas.kernel = told.kernel_of_gas;
  options.gas.is_ideal = told.gas_is_ideal();
  if (!options.gas.mean_molecular_weight) options.gas.mean_molecular_weight = told.mean_weight_of_gas;
}

std::string assumed_gas_note(const render::Options& options, const Particles& particles) {
  using render::GasQuantity;
  if (!options.field || options.gas.is_ideal) return "";
  const GasQuantity q = options.field->quantity;
  const bool has_own = q == GasQuantity::pressure ? !particles.pressure.empty() : !particles.temperature.empty();
  if (has_own || (q != GasQuantity::pressure && q != GasQuantity::temperature)) return "";
  return fmt::format("WARNING: the file does not state its equation of state: drawn as ideal gas with gamma {:.6g}",
                     options.gas.gamma);
}

}  // namespace hornbeam::run
