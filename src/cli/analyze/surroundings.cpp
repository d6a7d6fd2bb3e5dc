// SPDX-License-Identifier: Apache-2.0
// What a file's run says of its particles' surroundings, see analyze_surroundings.h.
#include "cli/analyze/surroundings.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "hornbeam/io.h"
#include "run/records/record.h"

namespace hornbeam::cli {

namespace {

/// What `what`, energies or circular velocities, takes of the run and leaves out.
void find_forces(const run::Recorded& run, const std::string& what, bool energies, MeasureSettings& settings,
                 std::vector<std::string>& notes) {
  if (!run.self_gravity && energies) {
    notes.emplace_back("the particles of the run did not attract one another: energies are without their gravity");
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
    notes.push_back("the file does not say which external potentials acted: " + what + " are without any");
  }
}

}  // namespace

void find_surroundings(const std::vector<const Measure*>& asked, const std::string& model, const std::string& file,
                       MeasureSettings& settings, Snapshot& snapshot) {
  std::string what;
  for (const auto& [flag, words] : {std::pair("--energy", "energies"), std::pair("--disc", "circular velocities")}) {
    if (!asks_for(asked, flag)) continue;
    what += (what.empty() ? "" : " and ") + std::string(words);
  }
  const auto asks_for_any = [&](std::initializer_list<const char*> flags) {
    return std::any_of(flags.begin(), flags.end(), [&](const char* flag) { return asks_for(asked, flag); });
  };
  const bool radial = asks_for_any({"--lagrangian", "--half-mass", "--profile", "--anisotropy"});
  const bool of_run = !what.empty() || settings.groups.unbind || asks_for_any({"--ring", "--exact", "--groups"});
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
  settings.gas = run::softening_of_gas(run);
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
