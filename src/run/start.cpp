// SPDX-License-Identifier: Apache-2.0
// Finds the start of a run, see start.h.
#include "run/start.h"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "dynamics/particle_system.h"
#include "hornbeam/error.h"
#include "hornbeam/io.h"
#include "run/memory_plan.h"
#include "run/schedule.h"

namespace hornbeam::run {
namespace {

/// Refuses a run that will not find memory, on the device or here, before minutes go into drawing its particles.
void admit(const RunConfig& config) {
  if (!config.ic || !config.ic->n) return;
  const SimulationOptions& o = config.simulation;
  const std::uint64_t n = *config.ic->n;
  ParticleSystem system = open_system(o.backend, o.device, o.threads);
  memory::demand(n, memory::particles() + run_need(system, config, false));
  system.admit(n, o.gravity, held_by_run(o, false));
}

/// The same for particles that are here already.
void admit(const RunConfig& config, const Particles& particles) {
  const SimulationOptions& o = config.simulation;
  ParticleSystem system = open_system(o.backend, o.device, o.threads);
  memory::demand_beside(particles, run_need(system, config, o.gravity.eps < 0 && !particles.eps.empty()));
}

/// Whether there is room for what writing beside the steps takes, too.
bool has_room_to_write_beside(const RunConfig& config, const Particles& particles) {
  const SimulationOptions& o = config.simulation;
  ParticleSystem system = open_system(o.backend, o.device, o.threads);
  const bool own_eps = o.gravity.eps < 0 && !particles.eps.empty();
  return memory::fits_beside(particles, run_need(system, config, own_eps) + beside_need(config));
}

RunStart fresh_start(RunConfig& config, const std::filesystem::path& folder) {
  admit(config);
  RunStart start;
  start.snapshot = config.ic ? draw(*config.ic, folder) : read_snapshot(folder / config.input_file);
  if (!config.ic) admit(config, start.snapshot.particles);
  if (config.units) start.snapshot.units = *config.units;
  start.time = start.snapshot.time;
  return start;
}

/// What of `then`, the configuration that wrote the checkpoint, `now` has otherwise: "time/dt: was 0.1, is 0.2".
/// Outputs, the end, the watchdog, and which threads and device do the same work may change freely.
std::vector<std::string> changes(const Json& then, const Json& now) {
  std::vector<std::string> found;
  for (const char* section : {"input", "ic", "units", "gravity", "potential", "time", "device", "boundary"}) {
    const Json before = then.value(section, Json()).flatten(), after = now.value(section, Json()).flatten();
    Json all = before;
    all.update(after);
    for (const auto& [key, value] : all.items()) {
      const std::string path = section + key;
      const bool free = path == "device/threads" || path == "device/device" || path == "time/end";
      const Json was = before.value(key, Json()), is = after.value(key, Json());
      if (!free && was != is) found.push_back(fmt::format("{}: was {}, is {}", path, was.dump(), is.dump()));
    }
  }
  return found;
}

/// Throws UsageError for changes nobody allowed; says them else. Returns whether there are any.
bool settle_changes(const std::vector<std::string>& found, bool allowed, Observer& observer) {
  if (found.empty()) return false;
  std::string list;
  for (const std::string& change : found) list += (list.empty() ? "" : "; ") + change;
  if (!allowed) {
    throw UsageError("--resume", "the configuration is not the one that wrote the checkpoint: " + list,
                     "put it back, or give --allow-changes");
  }
  observer.note("resuming with changes: " + list);
  return true;
}

RunStart resumed_start(RunConfig& config, const RunDirectory& directory, bool allow_changes, Observer& observer) {
  std::vector<std::string> notes;
  Checkpoint checkpoint = directory.read_checkpoint(
      notes, [](const Checkpoint& candidate, const std::string& subject) { saved_run(candidate, subject); });
  for (const std::string& note : notes) observer.note(note);
  const SavedRun saved = saved_run(checkpoint, directory.path().string());
  RunStart start;
  start.changed = settle_changes(changes(saved.configuration, to_json(config)), allow_changes, observer);
  if (!start.changed) {  // sizes and costs that the device chose
    config.simulation.gravity.leaf_size = saved.leaf_size;
    config.simulation.gravity.group_size = saved.group_size;
    config.simulation.costs = saved.costs;
  }
  start.time = saved.start_time;
  start.usual_speed = saved.usual_speed;
  start.so_far = saved.so_far;
  start.step = checkpoint.step;
  start.initial_energy = checkpoint.initial_energy;
  start.snapshot = std::move(checkpoint.snapshot);
  admit(config, start.snapshot.particles);
  return start;
}

}  // namespace

ReadyRun prepare(RunConfig config, const RunRequest& request, Observer& observer) {
  using Mode = RunDirectory::Mode;
  const OutputPlan& plan = config.output;
  ReadyRun ready;
  ready.asked = to_json(config);
  const auto take_folder = [&] {
    ready.directory = std::make_unique<RunDirectory>(plan.directory, plan.formats, request.mode);
  };
  if (request.mode == Mode::resume) {
    take_folder();
    ready.start = resumed_start(config, *ready.directory, request.allow_changes, observer);
  } else {
    const bool replaces = request.mode == Mode::overwrite && !config.ic;
    if (replaces) RunDirectory::refuse_input(plan.directory, request.folder / config.input_file);
    ready.start = fresh_start(config, request.folder);
  }
  ready.start.has_room_to_write_beside = has_room_to_write_beside(config, ready.start.snapshot.particles);
  check_times(plan, ready.start.time, config.end, config.simulation.dt);
  if (!ready.directory) take_folder();
  ready.config = std::move(config);
  return ready;
}

}  // namespace hornbeam::run
