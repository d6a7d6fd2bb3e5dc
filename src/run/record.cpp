// SPDX-License-Identifier: Apache-2.0
// Records of runs as JSON, see record.h.
#include "run/record.h"

#include <algorithm>

#include "hornbeam/error.h"
#include "hornbeam/units.h"
#include "hornbeam/version.h"
#include "run/keys.h"

namespace hornbeam::run {
namespace {

Json begun() { return {{"program", "Hornbeam"}, {"version", version}, {"commit", commit}}; }

Json softening_of(const Simulation& simulation) {
  const GravityOptions& gravity = simulation.options().gravity;
  Json json = {{"kernel", name(gravity.softening)}};
  json["eps"] = gravity.eps >= 0 ? Json(gravity.eps) : Json("each particle's own");
  return json;
}

/// A value of the table, as its kind says.
Value value_from(const Json& json, Kind kind) {
  if (kind == Kind::numbers) return json.get<std::vector<double>>();
  if (kind == Kind::number) return json.get<double>();
  return json.get<std::string>();
}

ExternalPotential potential_from(const Json& json, const std::string& subject) {
  RunConfig one;
  one.simulation.potentials.emplace_back();
  for (const Key& key : keys()) {
    if (key.section != "potential" || !json.contains(key.name)) continue;
    set_checked(key, one, value_from(json.at(key.name), key.kind), subject + "." + key.name);
  }
  one.simulation.potentials.front().validate(subject);
  return one.simulation.potentials.front();
}

}  // namespace

std::string record_of(const Simulation& simulation, const Json& configuration) {
  Json json = begun();
  json["configuration"] = configuration;
  Json& kept = json["configuration"];
  kept.erase("output");
  kept.erase("watchdog");
  kept["time"].erase("end");
  for (const char* key : {"backend", "device", "threads"}) kept["device"].erase(key);
  json["softening"] = softening_of(simulation);
  return json.dump(1);
}

std::string record_of(const ModelRequest& request) {
  Json json = begun();
  Json& ic = json["configuration"]["ic"] = {{"model", request.model}, {"seed", request.seed}};
  if (request.n) ic["n"] = *request.n;
  for (const auto& [option, value] : request.options) ic[option] = value;
  json["configuration"]["units"] = described(request.units.value_or(Units{}));
  return json.dump(1);
}

std::optional<std::vector<ExternalPotential>> potentials_of(const std::string& record, const std::string& subject) {
  const Json json = Json::parse(record, nullptr, false);
  if (!json.is_object() || !json.contains("configuration")) return {};
  std::vector<ExternalPotential> found;
  try {
    for (const Json& one : json.at("configuration").value("potential", Json::array())) {
      found.push_back(potential_from(one, "potential"));
    }
  } catch (const std::exception& damage) {  // of JSON's types, or values out of range
    throw Error(subject, std::string("the record of its run is damaged: ") + damage.what());
  }
  return found;
}

std::optional<Softening> kernel_of(const std::string& record, const std::string& subject) {
  const Json json = Json::parse(record, nullptr, false);
  if (!json.is_object() || !json.contains("softening")) return {};
  const Json& softening = json["softening"];
  if (!softening.is_object() || !softening.contains("kernel")) return {};
  try {
    return parse<Softening>("kernel", softening.at("kernel").get<std::string>());
  } catch (const std::exception& damage) {  // of JSON's types, or another word
    throw Error(subject, std::string("the record of its run is damaged: ") + damage.what());
  }
}

}  // namespace hornbeam::run
