// SPDX-License-Identifier: Apache-2.0
// The record of a file next to a configuration, see earlier_run.h.
#include "run/folder/earlier_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "hornbeam/error.h"
#include "hornbeam/io.h"
#include "interactions/modules.h"
#include "run/records/figures.h"
#include "run/records/record.h"

namespace hornbeam::run {
namespace {

/// Each with the keys that its kind has.
std::vector<Json> described_potentials(RunConfig config, const std::vector<ExternalPotential>& potentials) {
  config.simulation.potentials = potentials;
  const Json json = to_json(config);
  const auto found = json.find("potential");
  return found == json.end() ? std::vector<Json>{} : found->get<std::vector<Json>>();
}

/// As TOML takes it: "5", "[3, 0, 0]".
std::string written(const Json& value) {
  if (!value.is_array()) return fmt::format("{}", value.get<double>());
  std::string list;
  for (const Json& one : value) list += (list.empty() ? "" : ", ") + written(one);
  return "[" + list + "]";
}

/// "nfw (mass = 5, scale = 2)"
std::string words_of(const Json& potential) {
  const Json origin = {0.0, 0.0, 0.0};
  std::string values;
  for (const auto& [key, value] : potential.items()) {
    if (key == "kind" || value == origin) continue;
    values += (values.empty() ? "" : ", ") + key + " = " + written(value);
  }
  return potential.at("kind").get<std::string>() + " (" + values + ")";
}

std::vector<std::string> missing_potentials(const RunConfig& config, const std::vector<ExternalPotential>& then,
                                            bool converted) {
  std::vector<Json> here = described_potentials(config, config.simulation.potentials);
  std::vector<std::string> missing;
  for (const Json& potential : described_potentials(config, then)) {
    const auto same = [&](const Json& other) {
      return converted ? other.at("kind") == potential.at("kind") : other == potential;
    };
    const auto found = std::find_if(here.begin(), here.end(), same);
    if (found != here.end()) {
      here.erase(found);
    } else {
      missing.push_back(words_of(potential));
    }
  }
  return missing;
}

/// Of gas that flows otherwise; of its equation of state gas_start.h shows.
std::vector<std::string> other_gas(const SimulationOptions& options, const Recorded& then, const std::string& name) {
  const GasOptions& here = options.gas;
  if (!here.flows()) return {};
  std::vector<std::string> notes;
  if (then.eos_of_gas.empty()) return notes;
  const auto tell = [&](const char* key, const std::string& was, const std::string& is) {
    if (was == is) return;
    notes.push_back(fmt::format("{} was made with {} = {}, and this run has {}: to continue as before, set that value",
                                name, key, was, is));
  };
  const auto quoted = [](std::string_view word) { return fmt::format("\"{}\"", word); };
  tell("gas.kernel", quoted(hornbeam::name(then.kernel_of_gas)), quoted(hornbeam::name(here.kernel)));
  tell("gas.softening", quoted(hornbeam::name(then.gas_softening)), quoted(hornbeam::name(here.softening)));
  tell("gas.self_gravity", fmt::format("{}", then.self_gravity), fmt::format("{}", options.self_gravity));
  return notes;
}

/// About the rms error of forces, to compare an accuracy with an opening angle.
double error_of(const GravityOptions& o) {
  return o.accuracy > 0 ? o.accuracy : usual_accuracy * std::pow(o.theta / GravityOptions{}.theta, 3);
}

/// Of less accurate forces.
std::vector<std::string> lost_accuracy(const GravityOptions& here, const Recorded& then, const std::string& name) {
  if (!then.theta && !then.accuracy) return {};
  GravityOptions before;
  before.accuracy = then.accuracy.value_or(0);
  before.theta = then.theta.value_or(before.theta);
  if (error_of(here) <= error_of(before)) return {};
  const std::string remedy =
      before.accuracy > 0 ? fmt::format("accuracy = {}", before.accuracy) : fmt::format("theta = {}", before.theta);
  return {fmt::format(
      "{} was made with {}, and this run has {}, with less accurate forces: to continue as before, set gravity.{}",
      name, exactness(before), exactness(here), remedy)};
}

}  // namespace

std::vector<std::string> left_behind(const RunConfig& config, const std::filesystem::path& file, bool converted,
                                     bool own_eps) {
  const std::string name = file.filename().string();
  Recorded then;
  try {
    then = recorded(read_record(file), name);
  } catch (const Error& damage) {  // the particles are whole
    return {std::string(damage.what()) + ": the other forces of its run are unknown"};
  }
  std::vector<std::string> notes;
  const std::string units = converted ? " in the file's units" : "";
  for (const std::string& potential :
       missing_potentials(config, then.potentials.value_or(std::vector<ExternalPotential>{}), converted)) {
    notes.push_back(fmt::format(
        "{} was made with the potential {}{}, which this configuration does not have: to continue as before, add it as "
        "[[potential]]",
        name, potential, units));
  }
  const GravityOptions& gravity = config.simulation.gravity;
  const bool pulls = config.simulation.self_gravity;
  if (pulls && then.kernel && *then.kernel != gravity.softening) {
    notes.push_back(fmt::format(
        "{} was made with {} softening, and this run has {}: to continue as before, set gravity.softening = \"{}\"",
        name, hornbeam::name(*then.kernel), hornbeam::name(gravity.softening), hornbeam::name(*then.kernel)));
  }
  if (then.collisions != CollisionLaw::none && config.simulation.collisions.law == CollisionLaw::none) {
    notes.push_back(fmt::format(
        "{} was made with collisions, and this run has none: to continue as before, add [collisions]", name));
  }
  for (std::string& note : other_gas(config.simulation, then, name)) notes.push_back(std::move(note));
  if (pulls) {
    for (std::string& note : lost_accuracy(resolved_gravity(config.simulation, own_eps), then, name))
      notes.push_back(std::move(note));
  }
  return notes;
}

}  // namespace hornbeam::run
