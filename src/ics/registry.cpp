// SPDX-License-Identifier: Apache-2.0
// The table of all models: where the command line's MODEL becomes a snapshot.
#include <algorithm>

#include "hornbeam/error.h"
#include "hornbeam/gas.h"
#include "hornbeam/units.h"
#include "ics/model.h"

namespace hornbeam::ics {
namespace {

const std::vector<Entry>& entries() {
  static const std::vector<Entry> table = {
      plummer(),    hernquist(), uniform_sphere(), uniform_cube(), lattice(),  galaxy(), merger(),
      ring(),       sod(),       sedov(),          evrard(),       noh(),      gresho(), kelvin_helmholtz(),
      sound_wave(), square(),    blob(),           polytrope(),    collapse(), planet(), impact()};
  return table;
}

/// For which ideal gas a model was drawn, if it has any.
void note_gas(Snapshot& snapshot, const Settings& settings) {
  const auto& families = snapshot.particles.family;
  if (std::find(families.begin(), families.end(), Family::gas) == families.end()) return;
  for (const char* index : {"gamma", "gas-gamma"}) {
    if (!settings.knows(index)) continue;
    snapshot.gas.emplace();
    snapshot.gas->equation_of_state = name(EquationOfState::ideal);
    snapshot.gas->gamma = settings.number(index);
  }
}

}  // namespace

const std::vector<Model>& models() {
  static const std::vector<Model> list = [] {
    std::vector<Model> all;
    for (const Entry& entry : entries()) all.push_back(entry.model);
    return all;
  }();
  return list;
}

Snapshot make(const std::string& model, std::size_t n, Seed seed, const std::map<std::string, std::string>& options,
              const Reader& reader, const Units& units) {
  std::string names;
  for (const Entry& entry : entries()) {
    names += (names.empty() ? "" : ", ") + entry.model.name;
    if (entry.model.name != model) continue;
    const Settings settings(entry.model, options);
    Snapshot snapshot = entry.draw({n, seed, settings, reader, units});
    if (entry.eps != nullptr && settings.has("eps")) {
      snapshot.particles.eps.assign(snapshot.particles.size(), eps_asked(settings, entry.eps(settings, n)));
    }
    const bool is_from_files = options.contains("galaxy1");
    if (!is_from_files) note_gas(snapshot, settings);
    if (entry.in_units) {
      snapshot.units = units;
      snapshot.has_units = true;
    } else if (!is_from_files) {
      convert(snapshot, units);
    }
    return snapshot;
  }
  throw UsageError(model, "no such model", "there are " + names);
}

}  // namespace hornbeam::ics
