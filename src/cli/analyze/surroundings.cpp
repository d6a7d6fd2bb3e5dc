// SPDX-License-Identifier: Apache-2.0
// What a file's run says of its particles' surroundings, see analyze_surroundings.h.
#include "cli/analyze/surroundings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <utility>

#include "hornbeam/io.h"
#include "run/config/units_asked.h"
#include "run/records/record.h"

namespace hornbeam::cli {

namespace {

/// What `what`, energies or circular velocities, takes of the run and leaves out.
void find_forces(const run::Recorded& run, const std::string& what, bool energies, MeasureSettings& settings,
                 std::vector<std::string>& notes) {
  if (!run.self_gravity && energies) {
    notes.emplace_back("the particles of the run did not attract one another: energies do not include their gravity");
  }
  if (settings.kernel != Softening::plummer) {
    notes.push_back(fmt::format("{} with the run's {} softening", what, name(settings.kernel)));
  }
  settings.potentials = run.potentials.value_or(std::vector<ExternalPotential>{});
  if (!settings.potentials.empty()) {
    notes.push_back(fmt::format("{} with the run's {} external potentials", what, settings.potentials.size()));
  }
  if (settings.boundary.kind != BoundaryKind::open) notes.push_back(run::without_images(what));
  if (!run.potentials) {
    notes.push_back("the file does not say which external potentials acted: " + what + " do not include any");
  }
}

/// One unit of length, mass and velocity of `from` in `to`, as convert() takes them.
std::array<double, 3> factors(const Units& from, const Units& to) {
  if (!from.physical || !to.physical) return {1, 1, std::sqrt(to.G / from.G)};
  return {from.length_cm / to.length_cm, from.mass_g / to.mass_g, from.velocity_cm_per_s / to.velocity_cm_per_s};
}

}  // namespace

void convert_all(Snapshot& snapshot, MeasureSettings& settings, const Units& units) {
  const auto [length, mass, velocity] =
      snapshot.has_units ? factors(snapshot.units, units) : std::array<double, 3>{1, 1, 1};
  run::settle_units(snapshot, units, run::FileUnits::convert, settings.file);
  for (ExternalPotential& p : settings.potentials) {
    p.mass *= mass;
    p.speed *= velocity;
    p.scale *= length;
    p.height *= length;
    for (double& x : p.centre) x *= length;
    for (double& v : p.velocity) v *= velocity;
  }
  settings.gas.max_smoothing_length *= length;
  settings.gas.sound_speed *= velocity;
  settings.gas.critical_density *= mass / (length * length * length);
  if (settings.boundary.size != Vec3{}) settings.boundary = snapshot.boundary;
}

void find_surroundings(const std::vector<const Measure*>& asked, const std::string& model, const std::string& file,
                       MeasureSettings& settings, Snapshot& snapshot) {
  std::string what;
  for (const auto& [flag, words] : {std::pair("--energy", "energies"), std::pair("--disc", "circular velocities"),
                                    std::pair("--rotation-curve", "circular velocities")}) {
    if (!asks_for(asked, flag) || what.ends_with(words)) continue;
    what += (what.empty() ? "" : " and ") + std::string(words);
  }
  const auto asks_for_any = [&](std::initializer_list<const char*> flags) {
    return std::any_of(flags.begin(), flags.end(), [&](const char* flag) { return asks_for(asked, flag); });
  };
  const bool radial = asks_for_any({"--lagrangian", "--half-mass", "--profile", "--anisotropy", "--bound"});
  const bool of_run =
      !what.empty() || settings.groups.unbind || asks_for_any({"--ring", "--exact", "--groups", "--bound"});
  if (!radial && !of_run) return;
  run::settle_from_record(snapshot, file);
  if (const std::string note = run::within_walls_note(snapshot); radial && !note.empty())
    snapshot.notes.push_back(note);
  if (!of_run) return;
  settings.boundary = snapshot.boundary;
  std::vector<std::string>& notes = snapshot.notes;
  const double box = settings.box.value_or(snapshot.box_size);
  if (box > 0 && asks_for(asked, "--groups")) {
    const std::string note = run::wrapped_note(snapshot.particles.position, {box, box, box}, "the box");
    if (!note.empty()) notes.push_back(note);
  }
  const run::Recorded run = run::recorded(read_record(file), file, snapshot.gas);
  settings.self_gravity = run.self_gravity;
  settings.gas = run::energies_of_gas(run);
  settings.model = model.empty() ? run.model : model;
  if (!run.model.empty() && settings.model != run.model) {
    notes.push_back(
        fmt::format("WARNING: the file's run was of the model {}, and is measured as {}", run.model, settings.model));
  }
  if (settings.model == run.model) settings.model_numbers = run.model_numbers;
  settings.gamma = run.gamma;
  settings.eos = run.eos_of_gas;
  settings.kernel = run.kernel.value_or(Softening::plummer);
  if (!what.empty()) find_forces(run, what, asks_for(asked, "--energy"), settings, notes);
}

}  // namespace hornbeam::cli
