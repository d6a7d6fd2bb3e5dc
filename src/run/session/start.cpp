// SPDX-License-Identifier: Apache-2.0
// Finds the start of a run, see start.h.
#include "run/session/start.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "device/host/threads.h"
#include "dynamics/particle_system.h"
#include "hornbeam/error.h"
#include "hornbeam/io.h"
#include "hornbeam/ring.h"
#include "hornbeam/units.h"
#include "interactions/modules.h"
#include "interactions/sph/gas_resolution.h"
#include "run/config/config_json.h"
#include "run/folder/earlier_run.h"
#include "run/records/figures.h"
#include "run/records/groups_beside.h"
#include "run/records/record.h"
#include "run/session/alarms.h"
#include "run/session/changes.h"
#include "run/session/schedule.h"
#include "run/setup/gas_start.h"
#include "run/setup/memory_plan.h"
#include "run/setup/setup_notes.h"
#include "run/setup/softening.h"
#include "simulation/resolution.h"

namespace hornbeam::run {
namespace {

/// Whether particles differ in softening, which takes memory of the device.
bool have_own_eps(const GravityOptions& gravity, const Particles& particles) {
  return !particles.eps.empty() && with_common_eps(gravity, particles).eps < 0;
}

bool will_have_own_eps(const RunConfig& config) {
  const bool by_parts = config.ic->model == "galaxy" || config.ic->model == "merger";
  return by_parts && config.simulation.gravity.eps < 0 && !config.ic->options.contains("eps");
}

/// On the device that the run will take. A card that has too little memory gives way, or is an error.
ParticleSystem open_for(const RunConfig& config, std::uint64_t n, bool own_eps) {
  const SimulationOptions& o = config.simulation;
  ParticleSystem system = open_system(o.backend, o.device, o.threads);
  system.set_boundary(o.boundary, 0);
  system.set_modules(makers_of(o), o.self_gravity);
  if (!system.hardware().shares_host_memory()) system.admit(n, o.gravity, held_by_run(o, own_eps));
  return system;
}

/// A run has a softening for each particle, if only the same.
memory::Need need_of(const RunConfig& config, const Particles& particles) {
  const bool own_eps = have_own_eps(config.simulation.gravity, particles);
  const std::uint64_t n = particles.size();
  const memory::Need need = run_need(open_for(config, n, own_eps), config, n, own_eps);
  return particles.eps.empty() ? need + memory::softening() : need;
}

/// Refuses a run that will not find memory, on the device or here, before minutes go into drawing its particles.
void admit(const RunConfig& config) {
  if (!config.ic || !config.ic->n) return;
  const std::uint64_t n = *config.ic->n;
  const bool own_eps = will_have_own_eps(config);
  ParticleSystem system = open_for(config, n, own_eps);
  memory::demand(n, memory::particles() + memory::softening() + run_need(system, config, n, own_eps));
  system.admit(n, config.simulation.gravity, held_by_run(config.simulation, own_eps));
}

/// The same for particles that are here already.
void admit(const RunConfig& config, const Particles& particles) {
  memory::demand_beside(particles, need_of(config, particles));
}

/// Whether there is room for what writing during the steps takes, too.
bool has_room_to_write_beside(const RunConfig& config, const Particles& particles) {
  return memory::fits_beside(particles, need_of(config, particles) + beside_need(config));
}

/// Where no one has said how long the softening is, it is estimated, and that is reported.
void soften(RunConfig& config, RunStart& start) {
  GravityOptions& gravity = config.simulation.gravity;
  const bool is_drawn = config.ic && !ics::starts_from_files(config.ic->options);
  if (gravity.eps >= 0) return;
  if (is_drawn) start.eps_source = "model";
  if (!start.snapshot.particles.eps.empty() || start.snapshot.particles.size() == 0) return;
  if (!config.simulation.self_gravity) {  // nothing is softened, and nothing is to be reported of it
    gravity.eps = 0;
    start.eps_source = "default";
    return;
  }
  const bool collide = config.simulation.collisions.law != CollisionLaw::none;
  gravity.eps = estimated_eps(start.snapshot.particles, collide);
  start.eps_source = gravity.eps > 0 ? "estimated" : "default";
  start.snapshot.notes.push_back(
      gravity.eps > 0
          ? fmt::format(
                "no softening in the file: eps = {:.4g} is estimated for all, {}; set gravity.eps to change it (0: "
                "none)",
                gravity.eps,
                collide ? "a tenth of the least radius" : "near the optimum for their number and half-mass radius")
          : "no softening in the file, and too few bodies to estimate one: eps = 0; set gravity.eps to change it");
}

/// The law of ice is one of centimetres a second, which the particles' units show. Throws UsageError where they do not.
void settle_law(RunConfig& config, const Units& units) {
  CollisionOptions& collisions = config.simulation.collisions;
  if (collisions.law != CollisionLaw::bridges) return;
  if (!units.physical) {
    throw UsageError("collisions.law = bridges", "needs physical units, as its speeds are in cm/s",
                     "give [units], such as system = \"si\", or use law = \"power\" with its speed");
  }
  collisions.speed = 1 / units.velocity_cm_per_s;
}

/// Particles go on in the box of their file, unless the configuration says another.
void take_boundary(RunConfig& config, const Boundary& found) {
  config.simulation.boundary = found;
  if (!config.conserves_energy() && !config.watchdog.energy_given) config.watchdog.energy = 0.0;
}

std::string images_in_words(const Boundary& b) {
  if (!b.has_images()) return "";
  return fmt::format(", {} x {} x {} images on either side", b.images(0), b.images(1), b.images(2));
}

/// Of other codes' files.
void note_other_cube(const Boundary& asked, Snapshot& snapshot, const std::string& file) {
  const double cube = snapshot.box_size;
  if (cube == 0 || asked.kind == BoundaryKind::open) return;
  const Vec3& size = asked.size;
  if (std::all_of(size.begin(), size.end(),
                  [&](double edge) { return edge == 0 || std::abs(edge - cube) <= 1e-6 * cube; }))
    return;
  snapshot.notes.push_back(fmt::format("{} has a BoxSize of {}, but boundary.size = [{}, {}, {}] is used", file, cube,
                                       size[0], size[1], size[2]));
}

/// What stands outside of the box at the start comes back on its other side.
void note_wrapped(const Boundary& boundary, Snapshot& snapshot) {
  if (boundary.kind == BoundaryKind::open) return;
  const std::string note = wrapped_note(snapshot.particles.position, boundary.size, "boundary.size");
  if (!note.empty()) snapshot.notes.push_back(note);
}

/// origin: what the particles are of: "state.hdf5", "the model", "the snapshot".
void settle_space(RunConfig& config, Snapshot& snapshot, const std::string& origin) {
  if (snapshot.boundary.kind == BoundaryKind::shear && config.start && *config.start != snapshot.time) {
    const ShownTime shown = shown_time(snapshot.units, config.units_asked);
    snapshot.notes.push_back(
        fmt::format("WARNING: the images of the file's shearing sheet have drifted until {}, and "
                    "time.start = {} moves them to other positions (leave it out)",
                    shown.text(snapshot.time), shown.text(*config.start)));
  }
  const Boundary &box = snapshot.boundary, &here = config.simulation.boundary;
  const bool is_known = box.kind != BoundaryKind::open;
  if (config.boundary_given) {
    if (!is_known) return note_other_cube(here, snapshot, origin);
    const std::string note =
        other_box_note(box, here, origin + " was", ": to continue as before, leave [boundary] out");
    if (!note.empty()) snapshot.notes.push_back(note);
  } else if (is_known) {
    take_boundary(config, box);
    snapshot.notes.push_back(origin + "'s " + in_words(box) + images_in_words(box) + "; set [boundary] to change it");
  } else if (snapshot.box_size > 0) {
    snapshot.notes.push_back(fmt::format(
        "WARNING: {} has a BoxSize of {}, and this run has open boundaries: for periodic ones, add [boundary]", origin,
        snapshot.box_size));
  }
}

/// Particles of a file, or those that were given, in the units and the box of the run. `name`: of where they are from.
void settle_particles(RunConfig& config, RunStart& start, const std::string& name, const std::string& origin) {
  settle_units(start.snapshot, config.units, config.units_asked.of_files, name);
  settle_space(config, start.snapshot, origin);
  admit(config, start.snapshot.particles);
}

void read_particles(RunConfig& config, RunStart& start, const std::filesystem::path& file) {
  start.snapshot = read_snapshot(file, {}, config.reading);
  const bool converted =
      config.units && config.units_asked.of_files == FileUnits::convert && !agree(start.snapshot.units, *config.units);
  settle_from_record(start.snapshot, file);
  settle_particles(config, start, file.string(), file.filename().string());
  const bool own_eps = have_own_eps(config.simulation.gravity, start.snapshot.particles);
  for (std::string& note : left_behind(config, file, converted, own_eps)) {
    start.snapshot.notes.push_back(std::move(note));
  }
}

RunStart fresh_start(RunConfig& config, const std::filesystem::path& folder, std::optional<Snapshot> given = {}) {
  const int threads = config.simulation.threads;
  const Threads of_the_run(threads > 0 ? threads : omp_get_max_threads());  // draw with no more of them
  admit(config);
  RunStart start;
  if (given) {
    start.snapshot = std::move(*given);
    start.snapshot.particles.validate("particles");
    settle_particles(config, start, "particles", "the snapshot");
  } else if (config.ic) {
    start.snapshot = draw(*config.ic, folder);
    settle_space(config, start.snapshot, "the model");
    if (!config.ic->n) admit(config, start.snapshot.particles);  // the model knows how many there are
  } else {
    read_particles(config, start, folder / config.input_file);
  }
  if (start.snapshot.particles.size() == 0) start.snapshot.notes.emplace_back("WARNING: there are no particles");
  note_wrapped(config.simulation.boundary, start.snapshot);
  soften(config, start);
  settle_law(config, start.snapshot.units);
  if (config.start) start.snapshot.time = *config.start;
  start.time = start.snapshot.time;
  return start;
}

Checkpoint noted_checkpoint(const std::filesystem::path& folder, Observer& observer) {
  std::vector<std::string> notes;
  Checkpoint checkpoint = newest_checkpoint(folder, notes);
  for (const std::string& note : notes) observer.note(note);
  return checkpoint;
}

/// What a checkpoint shows a run that goes on from it; `config` gets the sizes and costs that the device chose, unless
/// it was changed.
void take_checkpoint(Checkpoint checkpoint, const SavedRun& saved, RunConfig& config, RunStart& start) {
  if (!start.changed) {
    config.simulation.gravity.accuracy = recorded_accuracy(saved.configuration);
    config.simulation.gravity.leaf_size = saved.leaf_size;
    config.simulation.gravity.group_size = saved.group_size;
    config.simulation.costs = saved.costs;
    if (config.simulation.gravity.eps < 0 && saved.eps >= 0) {
      config.simulation.gravity.eps = saved.eps;
      start.eps_source = "estimated";
    }
  }
  for (const std::string& name : saved.forces) {
    config.simulation.forces.push_back(std::make_shared<OwnForce>());  // without functions: they are added again
    config.simulation.forces.back()->name = name;
  }
  start.time = saved.start_time;
  start.usual_speed = saved.usual_speed;
  start.so_far = saved.so_far;
  start.step = checkpoint.step;
  start.initial_energy = checkpoint.initial_energy;
  start.snapshot = std::move(checkpoint.snapshot);
  settle_law(config, start.snapshot.units);
  admit(config, start.snapshot.particles);
}

RunStart resumed_start(RunConfig& config, const RunDirectory& directory, bool allow_changes, Observer& observer) {
  Checkpoint checkpoint = noted_checkpoint(directory.path(), observer);
  const SavedRun saved = saved_run(checkpoint, directory.path().string());
  RunStart start;
  if (config.start && *config.start != saved.start_time) {
    const ShownTime shown = shown_time(checkpoint.snapshot.units, config.units_asked);
    throw UsageError(
        "time.start",
        fmt::format("is {}, and the run started at {}", shown.text(*config.start), shown.text(saved.start_time)),
        "leave it out; a resumed run continues its time");
  }
  if (!config.boundary_given) {
    take_boundary(config, boundary_from(saved.configuration.value("boundary", Json::object())));
  }
  keep_exactness(saved.configuration, config);
  const std::vector<std::string> changed = changes(saved.configuration, to_json(config));
  start.changed = settle_changes(changed, allow_changes, observer);
  start.has_another_energy = std::any_of(changed.begin(), changed.end(), changes_energy);
  const RunConfig then = config_from(saved.configuration, directory.path().string());
  if (then.output.snapshots) {
    const double same = same_time(then.simulation, saved.start_time, then.end);
    start.later_outputs = output_times(then.output, saved.start_time, then.end, same);
    const double past = std::max(checkpoint.snapshot.time, saved.so_far.outputs_until) + same;
    std::erase_if(start.later_outputs, [past](double time) { return time <= past; });
  }
  take_checkpoint(std::move(checkpoint), saved, config, start);
  return start;
}

/// A configuration as it was understood, with what the particles have decided: what a run that goes on must find.
ReadyRun ready_with(RunConfig config, Json asked, RunStart start) {
  for (const char* section : {"boundary", "watchdog"}) asked[section] = to_json(config)[section];
  return {.config = std::move(config), .asked = std::move(asked), .start = std::move(start), .directory = {}};
}

}  // namespace

std::string other_box_note(const Boundary& box, const Boundary& here, const std::string& subject,
                           const std::string& remedy) {
  if (box.kind == BoundaryKind::open || same_walls(box, here)) return "";
  return "WARNING: " + subject + " made in a " + in_words(box) +
         (here.kind == BoundaryKind::open ? ", and this run has open boundaries" + remedy
                                          : "; this run has another one");
}

SimulationOptions options_for(SimulationOptions options, const RunStart& start) {
  options.gravity.G = start.snapshot.units.G;
  options.resumed = start.initial_energy.has_value() && !start.changed;
  options.collided = start.so_far.collisions;
  return options;
}

std::vector<std::string> notes_for(const Snapshot& start, const SimulationOptions& options) {
  std::vector<std::string> notes = start.notes;
  for (const std::vector<std::string>& more :
       {gas_start_notes(start, options),
        resolution_notes(start.particles, options.gravity, options.potentials, options.self_gravity),
        gas_resolution_notes(start.particles, options.gas, options.gravity, options.self_gravity),
        setup_notes(start, options)}) {
    notes.insert(notes.end(), more.begin(), more.end());
  }
  const std::string sinking = sinking_note(start.particles, options);
  if (!sinking.empty()) notes.push_back(sinking);
  const double orbits = options.dt * options.boundary.omega / (2 * std::numbers::pi);
  constexpr double long_step = 0.01;
  if (orbits > long_step && options.collisions.law != CollisionLaw::none) {
    notes.push_back(
        fmt::format("WARNING: a step is {:.3g} orbits, so long that bodies pass through one another (take a thousandth "
                    "of an orbit or less)",
                    orbits));
  }
  return notes;
}

ReadyRun prepare_in_memory(RunConfig config, std::optional<Snapshot> given, const std::filesystem::path& folder) {
  Json asked = to_json(config);
  RunStart start = fresh_start(config, folder, std::move(given));
  return ready_with(std::move(config), std::move(asked), std::move(start));
}

ReadyRun resume_in_memory(const std::filesystem::path& path, Observer& observer) {
  Checkpoint checkpoint =
      std::filesystem::is_directory(path) ? noted_checkpoint(path, observer) : read_checkpoint(path);
  const SavedRun saved = saved_run(checkpoint, path.string());
  RunConfig config = config_from(saved.configuration, path.string());
  RunStart start;
  take_checkpoint(std::move(checkpoint), saved, config, start);
  return {.config = std::move(config), .asked = saved.configuration, .start = std::move(start), .directory = {}};
}

ReadyRun prepare(RunConfig config, const RunRequest& request, Observer& observer) {
  using Mode = RunDirectory::Mode;
  const OutputPlan plan = config.output;
  Json asked = to_json(config);
  RunStart start;
  std::unique_ptr<RunDirectory> directory;
  const auto take_folder = [&] {
    directory = std::make_unique<RunDirectory>(plan.directory, plan.formats, request.mode);
  };
  if (request.mode == Mode::resume) {
    take_folder();
    start = resumed_start(config, *directory, request.allow_changes, observer);
  } else {
    const bool replaces = request.mode == Mode::overwrite && !config.ic;
    if (replaces) RunDirectory::refuse_input(plan.directory, request.folder / config.input_file);
    start = fresh_start(config, request.folder);
  }
  const Particles& particles = start.snapshot.particles;
  if (const std::string note = no_groups_note(plan, particles); !note.empty()) start.snapshot.notes.push_back(note);
  if (plan.ring_every) check_ring(particles, config.simulation.boundary);
  start.has_room_to_write_beside = has_room_to_write_beside(config, particles);
  check_times(plan, config.simulation, start.time, config.end, shown_time(start.snapshot.units, config.units_asked));
  if (!directory) take_folder();
  start.black_holes = black_holes_of(particles, plan);
  ReadyRun ready = ready_with(std::move(config), std::move(asked), std::move(start));
  ready.directory = std::move(directory);
  return ready;
}

std::optional<ReadyRun> prepare_unless_finished(RunConfig config, RunRequest request, Observer& observer) {
  using Mode = RunDirectory::Mode;
  if (request.or_start && !RunDirectory::holds_run(config.output.directory)) {
    request.mode = Mode::fresh;
  } else if (request.or_start && RunDirectory::holds_tables_alone(config.output.directory)) {
    request.mode = Mode::overwrite;
  }
  if (request.mode == Mode::resume && is_finished(config, request.allow_changes, observer)) return {};
  return prepare(std::move(config), request, observer);
}

}  // namespace hornbeam::run
