// SPDX-License-Identifier: Apache-2.0
// Values of the table of options from JSON, see config_json.h.
#include "run/config/config_json.h"

#include <cmath>
#include <vector>

#include "hornbeam/error.h"
#include "run/config/keys.h"

namespace hornbeam::run {

Json json_of_devices(const Devices& devices) {
  if (devices.is_one()) return devices.indices.front();
  return devices.are_all() ? Json(devices.text()) : Json(devices.indices);
}

std::string devices_text(const Json& json) {
  if (json.is_string()) return json.get<std::string>();
  if (json.is_number()) return std::to_string(json.get<int>());
  Devices devices;
  devices.indices = json.get<std::vector<int>>();
  return devices.indices.empty() ? "" : devices.text();
}

namespace {

/// A value of the table, as its kind says.
Value value_from(const Json& json, Kind kind) {
  switch (kind) {
    case Kind::number:
      return json.get<double>();
    case Kind::integer:
      return json.get<std::int64_t>();
    case Kind::truth:
      return json.get<bool>();
    case Kind::numbers:
      return json.get<std::vector<double>>();
    case Kind::words:
      return json.get<std::vector<std::string>>();
    case Kind::devices:
      return devices_text(json);
    case Kind::word:
      break;
  }
  return json.get<std::string>();
}

/// Null represents what was not given. Values that are as they are already need no setting, and may be outside of what
/// is allowed, as 0 where the device chooses. What is so by default may hang on keys before: neighbours on the kernel.
void set_section(const Json& json, const std::string& name, RunConfig& config, const std::string& subject) {
  for (const Key& key : keys()) {
    if (key.section != name || !json.contains(key.name)) continue;
    const Json& value = json.at(key.name);
    if (value.is_null() || value == key.get(config)) continue;
    set_checked(key, config, value_from(value, key.kind), subject + "." + key.name);
  }
}

}  // namespace

ExternalPotential potential_from(const Json& json, const std::string& subject) {
  RunConfig one;
  one.simulation.potentials.emplace_back();
  set_section(json, "potential", one, subject);
  one.simulation.potentials.front().validate(subject);
  return one.simulation.potentials.front();
}

RunConfig config_from(const Json& json, const std::string& subject) {
  RunConfig config;
  config.end = HUGE_VAL;
  config.boundary_given = true;
  try {
    for (const Section& section : sections()) {
      const std::string name = section.name;
      if (name == "input" || name == "ic" || name == "units" || !json.contains(name)) continue;
      if (name == "potential") {
        for (const Json& one : json.at(name)) config.simulation.potentials.push_back(potential_from(one, name));
      } else {
        set_section(json.at(name), name, config, name);
      }
    }
    config.simulation.gravity.validate();
    config.simulation.boundary.validate();
  } catch (const Json::exception& error) {
    throw Error(subject, std::string("does not contain the configuration of a run: ") + error.what());
  }
  return config;
}

}  // namespace hornbeam::run
