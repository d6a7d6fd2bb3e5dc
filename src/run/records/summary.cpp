// SPDX-License-Identifier: Apache-2.0
// The end of a run in numbers, see summary.h.
#include "run/records/summary.h"

#include <cmath>
#include <utility>

#include "dynamics/particle_system.h"
#include "hornbeam/units.h"
#include "hornbeam/version.h"
#include "run/records/figures.h"

namespace hornbeam::run {
namespace {

Json rungs_json(const BlockReport& report) {
  Json rungs = Json::array();
  for (const RungCost& r : report.rungs) {
    rungs.push_back({{"particles", r.particles},
                     {"steps", r.steps},
                     {"due", r.due},
                     {"interactions",
                      {{"particle", r.interactions.particle},
                       {"cell", r.interactions.cell},
                       {"expansion", r.interactions.expansion}}},
                     {"wall_seconds", r.seconds}});
  }
  return {{"builds", report.builds},
          {"refits", report.refits},
          {"woken", report.woken},
          {"repeated", report.repeated},
          {"by_rung", std::move(rungs)}};
}

}  // namespace

Json summary_json(const Simulation& simulation, const Json& asked, const RunTotals& totals) {
  const ParticleSystem& system = simulation.system();
  const double pace = static_cast<double>(simulation.steps()) / totals.wall_seconds_here;
  Json json = {{"version", version},
               {"commit", commit},
               {"configuration", asked},
               {"device", {{"backend", system.name()}, {"device", system.device()}, {"threads", system.threads()}}},
               {"softening", totals.softening},
               {"totals",
                {{"finished", totals.finished},
                 {"particles", simulation.size()},
                 {"time", totals.time},
                 {"steps", totals.steps},
                 {"wall_seconds", totals.wall_seconds},
                 {"output_seconds", totals.output_seconds},
                 {"writing_seconds", totals.writing_seconds},
                 {"initial_energy", totals.initial_energy},
                 {"final_energy", simulation.energies().total()},
                 {"keeps_energy", totals.keeps_energy},
                 {"relative_error", totals.relative_error},
                 {"largest_error", std::isfinite(totals.largest_error) ? Json(totals.largest_error) : Json()},
                 {"steps_per_second", pace},
                 {"interactions_per_particle", to_json(system.interactions(), simulation.size())}}},
               {"seconds", seconds_json(system.seconds())}};
  const BlockReport blocks = simulation.block_report();
  if (!blocks.rungs.empty()) json["rungs"] = rungs_json(blocks);
  return json;
}

}  // namespace hornbeam::run
