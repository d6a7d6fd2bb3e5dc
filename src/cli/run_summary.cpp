// SPDX-License-Identifier: Apache-2.0
// The end of a run in numbers, see run_summary.h.
#include "cli/run_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "backend/backend.h"
#include "cli/common.h"
#include "hornbeam/version.h"

namespace hornbeam::cli {
namespace {

Json seconds_json(const StageSeconds& seconds) {
  Json json = to_json(seconds);
  json.update({{"kick_drift", seconds.kick_drift}, {"energy", seconds.energy}, {"transfer", seconds.transfer}});
  return json;
}

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
  return {{"builds", report.builds}, {"refits", report.refits}, {"by_rung", std::move(rungs)}};
}

}  // namespace

Json summary_json(const Simulation& simulation, const Json& asked, const RunTotals& totals) {
  const Backend& backend = simulation.backend();
  const double pace = static_cast<double>(simulation.steps()) / totals.wall_seconds_here;
  Json json = {{"version", version},
               {"commit", commit},
               {"configuration", asked},
               {"device", {{"backend", backend.name()}, {"device", backend.device()}, {"threads", backend.threads()}}},
               {"softening", totals.softening},
               {"totals",
                {{"finished", totals.finished},
                 {"particles", simulation.size()},
                 {"time", simulation.time()},
                 {"steps", totals.steps},
                 {"wall_seconds", totals.wall_seconds},
                 {"output_seconds", totals.output_seconds},
                 {"initial_energy", totals.initial_energy},
                 {"final_energy", simulation.energies().total()},
                 {"relative_error", totals.relative_error},
                 {"steps_per_second", pace},
                 {"interactions_per_particle", to_json(backend.interactions(), simulation.size())}}},
               {"seconds", seconds_json(backend.seconds())}};
  const BlockReport blocks = simulation.block_report();
  if (!blocks.rungs.empty()) json["rungs"] = rungs_json(blocks);
  return json;
}

std::vector<std::string> summary_lines(const Simulation& simulation, const RunTotals& totals) {
  const StageSeconds& s = simulation.backend().seconds();
  const double tree = s.bound + s.key + s.sort + s.reorder + s.build + s.moments;
  std::vector<std::pair<const char*, double>> parts = {
      {"walk", s.walk},       {"tree", tree},           {"kick and drift", s.kick_drift},
      {"energies", s.energy}, {"transfer", s.transfer}, {"files", totals.output_seconds}};
  double known = 0.0;
  for (const auto& part : parts) known += part.second;
  const double all = std::max({totals.wall_seconds_here, known, 1e-9});  // some drivers' stamps overlap
  parts.emplace_back("else", all - known);
  std::stable_sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string line = "where the time went:";
  for (const auto& [what, seconds] : parts) {
    const double share = 100.0 * seconds / all;
    if (share >= 0.5) line += fmt::format("{} {} {:.0f} %", line.back() == ':' ? "" : ",", what, share);
  }
  std::vector<std::string> lines = {line};
  const BlockReport blocks = simulation.block_report();
  if (blocks.rungs.empty()) return lines;
  lines.push_back(fmt::format("{:>5}{:>12}{:>10}{:>14}{:>10}   (trees: {} built, {} refitted)", "rung", "particles",
                              "steps", "moved", "seconds", blocks.builds, blocks.refits));
  for (std::size_t rung = 0; rung < blocks.rungs.size(); ++rung) {
    const RungCost& r = blocks.rungs[rung];
    lines.push_back(fmt::format("{:>5}{:>12}{:>10}{:>14}{:>10.2f}", rung, r.particles, r.steps, r.due, r.seconds));
  }
  return lines;
}

}  // namespace hornbeam::cli
