// SPDX-License-Identifier: Apache-2.0
// `hornbeam force`: accelerations and potentials once, with times by stage, work and errors against direct summation.
#include <fmt/format.h>

#include <memory>
#include <sstream>

#include "cli/common.h"
#include "cli/memory_plan.h"
#include "cli/output/measure.h"
#include "dynamics/particle_system.h"
#include "hornbeam/error.h"
#include "hornbeam/io.h"
#include "io/files/file.h"
#include "run/folder/run_directory.h"
#include "run/records/figures.h"
#include "run/records/record.h"
#include "simulation/check.h"
#include "simulation/resolution.h"
#include "tree/boundary.h"

namespace hornbeam::cli {
namespace {

struct ForceCommand {
  std::string file;
  ModelRequest ic;
  SimulationOptions options;  ///< with the boundary that --box gives
  std::string output;
  std::int64_t check = 0;
  std::int64_t repeat = 1;
  bool json = false;
};

void print_numbers(const char* title, const Json& numbers) {
  fmt::print("{}\n", title);
  for (const auto& [key, value] : numbers.items()) fmt::print("  {:<14}{:.4g}\n", key, value.get<double>());
}

void print_report(const Json& json, const std::string& softening) {
  fmt::print("{} on {} ({}), {}\n", run::counted(json["n"].get<std::size_t>(), "particle"),
             json["backend"].get<std::string>(), json["device"].get<std::string>(),
             run::counted(json["threads"].get<std::size_t>(), "thread"));
  if (json.contains("accuracy")) {
    fmt::print("accuracy {}, precision {}, {}\n", json["accuracy"].get<double>(), json["precision"].get<std::string>(),
               softening);
  } else {
    fmt::print("walk {}, mac {}, theta {}, theta_c {}, order {}, expansion {}, precision {}, {}\n",
               json["walk"].get<std::string>(), json["mac"].get<std::string>(), json["theta"].get<double>(),
               json["theta_c"].get<double>(), json["order"].get<int>(), json["expansion"].get<int>(),
               json["precision"].get<std::string>(), softening);
  }
  print_numbers("seconds", json["seconds"]);
  print_numbers("interactions per particle", json["interactions_per_particle"]);
  fmt::print("particles per second  {:.4g}\n", json["particles_per_second"].get<double>());
  if (json.contains("error")) print_numbers("error against direct summation in double precision", json["error"]);
}

Snapshot load_source(const ForceCommand& command) {
  if (command.file.empty() == command.ic.model.empty()) {
    throw UsageError("force", "needs one source of particles", "give FILE, or --ic MODEL -n N");
  }
  return command.file.empty() ? draw(command.ic) : read_positions(command.file);
}

/// What attracted in the run that wrote the file and does not here; boxed: by --box.
std::vector<std::string> left_out(Snapshot& snapshot, const std::string& file, bool boxed) {
  if (file.empty()) return {};
  run::settle_from_record(snapshot, file);
  const run::Recorded run = run::recorded(read_record(file), file);
  std::vector<std::string> notes;
  if (snapshot.boundary.kind != BoundaryKind::open && !boxed) {
    notes.push_back(run::without_images("forces"));
  }
  if (run.gas_softening == GasSoftening::adaptive) {
    notes.emplace_back("gas is softened by eps; in the run it was softened by its smoothing lengths");
  }
  if (run.potentials && !run.potentials->empty()) {
    notes.push_back(
        fmt::format("forces do not include the external potentials of the run ({})", run.potentials->size()));
  }
  return notes;
}

/// A periodic box of one edge, or of three: "1" or "1,2,0".
Boundary box_from_text(const std::string& text) {
  std::vector<double> edges;
  std::stringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) edges.push_back(run::number_from_text(part, "--box"));
  if (edges.size() == 1) edges.resize(3, edges.front());
  if (edges.size() != 3) throw UsageError("--box", "received " + text, "give one edge, or three with commas: 1,2,0");
  Boundary box;
  box.kind = BoundaryKind::periodic;
  for (std::size_t k = 0; k < 3; ++k) box.size[k] = edges[k];
  box.validate();
  return box;
}

/// Puts the particles into the box of --box, and notes how many were outside.
void wrap_into(const Boundary& box, Snapshot& snapshot) {
  if (box.kind == BoundaryKind::open) return;
  std::string note = run::wrapped_note(snapshot.particles.position, box.size, "--box");
  if (!note.empty()) snapshot.notes.push_back(std::move(note));
  std::vector<Vec3> at_rest;
  wrap(snapshot.particles.position, at_rest, box, 0);
}

/// Besides the particles.
memory::Need need_of(const ForceCommand& command, const ParticleSystem& system, std::uint64_t n, bool own_eps) {
  return force_need(system, command.options.gravity, {command.check, !command.output.empty()}, n, own_eps);
}

/// Refuses what will not find memory, before minutes go into drawing it.
void admit(const ForceCommand& command, ParticleSystem& system) {
  const ModelRequest& ic = command.ic;
  if (!ic.n) return;
  const bool own_eps = ic.softens && (ic.model == "galaxy" || ic.model == "merger");  // a length for each part
  const memory::Need softening = ic.softens ? memory::softening() : memory::Need{};
  memory::demand(*ic.n, memory::particles() + softening + need_of(command, system, *ic.n, own_eps));
  system.admit(*ic.n, command.options.gravity, {.own_eps = own_eps});
}

/// Prints what was measured, with what was read, found and not written.
void print_answer(const Json& json, bool as_json, const std::vector<std::string>& input_notes,
                  const std::string& softening, const std::vector<std::string>& notes,
                  const std::vector<std::string>& losses) {
  if (as_json) {
    fmt::print("{}\n", json.dump(2));
    return;
  }
  print_notes(input_notes);
  print_report(json, softening);
  print_notes(notes);
  print_notes(losses);
}

void run_force(ForceCommand command) {
  if (!command.output.empty()) io::refuse_same_file(command.output, {command.file});
  if (!command.output.empty()) run::RunDirectory::refuse_output(command.output, command.file);
  GravityOptions& gravity = command.options.gravity;
  ParticleSystem system = open_system(command.options.backend, command.options.device, command.options.threads);
  system.set_boundary(command.options.boundary, 0);
  command.ic.softens = !command.ic.model.empty() && gravity.eps < 0.0;  // as `ic` writes models
  admit(command, system);
  Snapshot snapshot = load_source(command);
  Particles& particles = snapshot.particles;
  gravity.G = snapshot.units.G;
  gravity.validate();
  const std::string source = command.file.empty() ? command.ic.model : command.file;
  particles.validate(source);
  wrap_into(command.options.boundary, snapshot);
  std::vector<Vec3> velocity;  // no part of an evaluation
  velocity.swap(particles.velocity);
  const bool own_eps = !particles.eps.empty() && with_common_eps(gravity, particles).eps < 0;
  memory::demand_beside(particles, need_of(command, system, particles.size(), own_eps));
  const Measurement measurement = measure(system, source, particles, gravity, {.counted = command.repeat});
  Json json = measurement_json(particles, gravity, system, measurement.seconds);
  const std::string eps_source = command.ic.softens ? "model" : "";
  if (command.ic.softens) json["eps_source"] = eps_source;
  if (!snapshot.notes.empty()) json["input_notes"] = snapshot.notes;
  if (command.check > 0) {
    json["error"] =
        to_json(check_forces(system, particles, static_cast<std::size_t>(command.check), command.options.threads));
  }
  const bool boxed = command.options.boundary.kind != BoundaryKind::open;
  if (boxed) json["box"] = command.options.boundary.size;
  std::vector<std::string> notes = resolution_notes(particles, gravity);
  if (!system.device_note().empty()) notes.push_back(system.device_note());
  for (std::string& note : left_out(snapshot, command.file, boxed)) notes.push_back(std::move(note));
  if (!notes.empty()) json["notes"] = notes;
  if (gravity.eps >= 0.0) particles.eps.assign(particles.size(), gravity.eps);  // outputs say which was used
  std::vector<std::string> losses;
  if (!command.output.empty()) {
    system.domain().store(particles);
    particles.velocity.swap(velocity);
    losses = write_snapshot(command.output, snapshot);
  }
  print_answer(json, command.json, snapshot.notes, softening_line(gravity, particles, eps_source), notes, losses);
}

}  // namespace

void add_force(CLI::App& program) {
  CLI::App* command = program.add_subcommand("force", "Accelerations and potentials of a snapshot or model, once");
  const auto force = std::make_shared<ForceCommand>();
  command->add_option("FILE", force->file, "snapshot")->type_name("PATH");
  command
      ->add_option("--ic", force->ic.model,
                   "model to draw in place of FILE, softened as by `hornbeam ic`; --eps 0: not softened")
      ->type_name("MODEL");
  add_model_flags(*command, force->ic);
  add_key_flags(*command, force->options);
  command
      ->add_option_function<std::string>(
          "--box", [force](const std::string& text) { force->options.boundary = box_from_text(text); },
          "edge of a periodic box about the origin, or three edges with commas, 0 along an open axis: all images "
          "attract, an infinite lattice (docs/periodic.md)")
      ->type_name("EDGES");
  command->add_option("-o", force->output, "file to write: the snapshot with Acceleration and Potential")
      ->type_name("PATH");
  command
      ->add_option_function<std::string>(
          "--check",
          [force](const std::string& text) { force->check = integer_from_text_in(1, most_particles, text, "--check"); },
          "number of particles on which the forces are compared with direct summation")
      ->type_name("INT");
  command
      ->add_option_function<std::string>(
          "--repeat",
          [force](const std::string& text) { force->repeat = integer_from_text_in(1, 1'000'000, text, "--repeat"); },
          "number of evaluations, of which medians are printed")
      ->type_name("INT");
  command->add_flag("--json", force->json, "print one JSON object");
  command->callback([force] { run_force(*force); });
}

}  // namespace hornbeam::cli
