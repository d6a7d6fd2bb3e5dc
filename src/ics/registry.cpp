// SPDX-License-Identifier: Apache-2.0
// The table of all models: where the command line's MODEL becomes a snapshot.
#include <algorithm>
#include <cmath>

#include "hornbeam/error.h"
#include "hornbeam/gas.h"
#include "hornbeam/units.h"
#include "ics/defaults.h"
#include "ics/model.h"

namespace hornbeam::ics {
namespace {

const std::vector<Entry>& entries() {
  static const std::vector<Entry> table = {
      plummer(),    hernquist(),  uniform_sphere(), uniform_cube(), lattice(), galaxy(), merger(),
      ring(),       sod(),        sedov(),          evrard(),       noh(),     gresho(), kelvin_helmholtz(),
      sound_wave(), plane_wave(), glass(),          turbulence(),   square(),  blob(),   polytrope(),
      collapse(),   planet(),     impact()};
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
  const bool has_temperature = settings.knows("gas-temperature") && settings.has("gas-temperature");
  if (snapshot.gas && has_temperature) snapshot.gas->mean_weight = settings.positive("gas-mean-weight");
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
    const bool is_from_files = starts_from_files(options);
    const FittedModel model =
        options.contains("galaxy1") ? FittedModel{entry.model, {}} : fitted(entry, options, units);
    const Settings settings(model.model, options);
    Snapshot snapshot = entry.draw({n, seed, settings, reader, units});
    snapshot.notes.insert(snapshot.notes.begin(), model.notes.begin(), model.notes.end());
    if (entry.eps != nullptr && settings.has("eps")) {
      snapshot.particles.eps.assign(snapshot.particles.size(), eps_asked(settings, entry.eps(settings, n)));
    }
    if (!is_from_files) note_gas(snapshot, settings);
    if (is_from_files) return snapshot;  // in their units
    if (entry.in_units) {
      snapshot.units = units;
      snapshot.has_units = true;
    } else {
      convert(snapshot, units);
    }
    return snapshot;
  }
  throw UsageError(model, "no such model", "there are " + names);
}

bool starts_from_files(const std::map<std::string, std::string>& options) {
  return options.contains("galaxy1") || options.contains("target") || options.contains("impactor");
}

double SoundSpeed::value_for(double other) const { return speed > 0 ? value * std::pow(other / speed, power) : other; }

SoundSpeed sound_speed(const std::string& model, const std::map<std::string, std::string>& options,
                       const Units& units) {
  for (const Entry& entry : entries()) {
    if (entry.model.name != model || entry.sound == nullptr) continue;
    return entry.sound(Settings(fitted(entry, options, units).model, options), units);
  }
  return {};
}

}  // namespace hornbeam::ics
