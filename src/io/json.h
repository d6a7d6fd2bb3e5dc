// SPDX-License-Identifier: Apache-2.0
// JSON as runs, commands and the live view write it, in the order in which keys were set; and units and seconds in it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "hornbeam/gravity.h"
#include "hornbeam/units.h"

namespace hornbeam {

using Json = nlohmann::ordered_json;

/// Seconds by stage of force evaluations, and their total.
inline Json to_json(const StageSeconds& s) {
  return {{"bound", s.bound}, {"key", s.key},         {"sort", s.sort}, {"reorder", s.reorder},
          {"build", s.build}, {"moments", s.moments}, {"walk", s.walk}, {"total", s.force()}};
}

/// The same with what else steps take.
inline Json seconds_json(const StageSeconds& seconds) {
  Json json = to_json(seconds);
  json.update({{"kick_drift", seconds.kick_drift},
               {"collisions", seconds.collisions},
               {"gas", seconds.gas},
               {"energy", seconds.energy},
               {"transfer", seconds.transfer}});
  return json;
}

/// {"length": "kpc", ..., "time": "0.977792 Gyr", "G": 43007.1}; names are null where units are not physical.
inline Json units_json(const Units& units) {
  const auto name = [](const std::string& text) { return text.empty() ? Json() : Json(text); };
  return {{"length", name(unit_name(units, 1, 0, 0))},   {"mass", name(unit_name(units, 0, 1, 0))},
          {"velocity", name(unit_name(units, 0, 0, 1))}, {"time", name(time_unit_name(units))},
          {"energy", name(unit_name(units, 0, 1, 2))},   {"G", units.G}};
}

}  // namespace hornbeam
