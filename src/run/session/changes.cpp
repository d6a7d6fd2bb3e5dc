// SPDX-License-Identifier: Apache-2.0
// Comparing configurations, and whether anything is left to do, see changes.h.
#include "run/session/changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <optional>

#include "hornbeam/error.h"
#include "interactions/modules.h"
#include "io/files/file.h"
#include "run/config/config_json.h"
#include "run/folder/run_directory.h"
#include "run/folder/saved_run.h"
#include "run/session/schedule.h"

namespace hornbeam::run {
namespace {

/// Returns the summary of the run in that folder (run.json); null if there is none that can be read.
Json summary_of(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / "run.json";
  if (!std::filesystem::is_regular_file(file)) return {};
  return Json::parse(io::read_text(file), nullptr, false);
}

/// Returns the end that a finished run was to reach; nothing if it did not, or if that is no summary of a run.
std::optional<double> end_of(const Json& summary) {
  const Json::json_pointer finished("/totals/finished"), end("/configuration/time/end");
  if (!summary.is_object() || !summary.contains(finished) || summary.at(finished) != true) return {};
  if (!summary.contains(end) || !summary.at(end).is_number()) return {};
  return summary.at(end).get<double>();
}

/// Whether it would have drawn other particles. Other keys of [ic] give the run its gas and its box, too.
bool is_of_the_draw(const std::string& change) {
  constexpr std::array of = {"ic/model:", "ic/n:", "ic/seed:"};
  return std::any_of(of.begin(), of.end(), [&](const char* path) { return change.starts_with(path); });
}

}  // namespace

std::vector<std::string> changes(const Json& then, const Json& now) {
  std::vector<std::string> found;
  for (const char* section :
       {"input", "ic", "units", "gravity", "potential", "time", "device", "boundary", "collisions", "gas"}) {
    const Json before = then.value(section, Json()).flatten(), after = now.value(section, Json()).flatten();
    Json all = before;
    all.update(after);
    for (const auto& [key, value] : all.items()) {
      const std::string path = section + key;
      // one device is a number, several are a list
      const bool free = path == "device/threads" || path == "device/device" || path.starts_with("device/device/") ||
                        path == "time/end" || path == "time/start";
      const Json was = before.value(key, Json()), is = after.value(key, Json());
      if (!free && was != is) found.push_back(fmt::format("{}: was {}, is {}", path, was.dump(), is.dump()));
    }
  }
  return found;
}

double recorded_accuracy(const Json& then) {
  const Json accuracy = then.value("gravity", Json::object()).value("accuracy", Json());
  return accuracy.is_number() ? accuracy.get<double>() : 0;
}

void keep_exactness(const Json& then, RunConfig& config) {
  double& accuracy = config.simulation.gravity.accuracy;
  const double before = recorded_accuracy(then);
  const bool goes_on = before == usual_accuracy && resolved_gravity(config.simulation, false).accuracy == before;
  if (accuracy < 0 && (before == 0 || goes_on)) accuracy = before;
}

bool changes_energy(const std::string& change) {
  constexpr std::array of = {"gravity/eps", "gravity/softening", "potential", "boundary", "gas"};
  return std::any_of(of.begin(), of.end(), [&](const char* path) { return change.starts_with(path); });
}

bool settle_changes(const std::vector<std::string>& found, bool allowed, Observer& observer) {
  if (found.empty()) return false;
  std::string list, of_model;
  for (const std::string& change : found) {
    list += (list.empty() ? "" : "; ") + change;
    if (is_of_the_draw(change)) of_model += (of_model.empty() ? "" : "; ") + change;
  }
  if (!of_model.empty()) {
    throw UsageError("--resume", "the checkpoint's particles were drawn from another model: " + of_model,
                     "restore [ic], or start in another output.directory");
  }
  if (!allowed) {
    throw UsageError("--resume", "the configuration differs from that of the checkpoint: " + list,
                     "restore it, or give --allow-changes");
  }
  observer.note("resuming with changes: " + list);
  return true;
}

bool is_finished(const RunConfig& config, bool allow_changes, Observer& observer) {
  const std::filesystem::path folder = config.output.directory;
  const std::optional<double> reached = end_of(summary_of(folder));
  if (!reached) return false;
  std::vector<std::string> damage;
  const Checkpoint checkpoint = newest_checkpoint(folder, damage);
  const SavedRun saved = saved_run(checkpoint, folder.string());
  const double same = same_time(config.simulation, saved.start_time, config.end);
  const bool is_beyond = checkpoint.snapshot.time >= config.end - same;  // of block steps that lies before the end
  if (!damage.empty() || (!is_beyond && std::abs(config.end - *reached) > same)) return false;
  RunConfig compared = config;
  keep_exactness(saved.configuration, compared);
  Json now = to_json(compared);
  if (!config.boundary_given) now["boundary"] = saved.configuration.value("boundary", Json());
  settle_changes(changes(saved.configuration, now), allow_changes, observer);
  const ShownTime shown = shown_time(checkpoint.snapshot.units, config.units_asked);
  check_times(config.output, config.simulation, saved.start_time, config.end, shown);
  observer.note(
      fmt::format("nothing is left to do: the run in {} has finished at t = {}, and time.end = {}; a later "
                  "time.end continues it",
                  folder.string(), shown.text(*reached), shown.text(config.end)));
  return true;
}

}  // namespace hornbeam::run
