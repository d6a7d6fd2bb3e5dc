// SPDX-License-Identifier: Apache-2.0
// Units of a run and of its files, see units_asked.h.
#include "run/config/units_asked.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "hornbeam/error.h"
#include "hornbeam/units.h"

namespace hornbeam::run {
namespace {

constexpr std::array<std::string_view, 3> ways = {"same", "convert", "ignore"};

constexpr const char* ways_to_say =
    "give system; or length, mass and velocity (or time), such as length = \"kpc\", mass = \"1e10 Msun\", "
    "velocity = \"km/s\"; or length_cm, mass_g and velocity_cm_per_s";

/// The keys that are given, of these.
std::string given(const std::vector<std::pair<const char*, bool>>& keys) {
  std::string names;
  for (const auto& [name, is_given] : keys) {
    if (is_given) names += (names.empty() ? "" : ", ") + std::string(name);
  }
  return names;
}

}  // namespace

std::string_view name(FileUnits way) { return ways[static_cast<std::size_t>(way)]; }

Units units_of(const UnitsAsked& asked, const std::string& subject) {
  const auto key = [&subject](const char* name) { return subject + "." + name; };
  const std::string system = asked.system ? "system" : "";
  const std::string names = given({{"length", asked.length.has_value()},
                                   {"mass", asked.mass.has_value()},
                                   {"velocity", asked.velocity.has_value()},
                                   {"time", asked.time.has_value()}});
  const std::string in_cgs = given({{"length_cm", asked.length_cm.has_value()},
                                    {"mass_g", asked.mass_g.has_value()},
                                    {"velocity_cm_per_s", asked.velocity_cm_per_s.has_value()}});
  std::string several;
  for (const std::string& way : {system, names, in_cgs}) {
    if (!several.empty() && !way.empty())
      throw UsageError(subject, "has both " + several + " and " + way, "keep one of them");
    several += way;
  }
  if (asked.system) return units_from(*asked.system, key("system"));
  if (in_cgs == "length_cm, mass_g, velocity_cm_per_s") {
    return physical_units(*asked.length_cm, *asked.mass_g, *asked.velocity_cm_per_s);
  }
  if (!asked.length || !asked.mass || (!asked.velocity && !asked.time)) {
    throw UsageError(subject, several.empty() ? "does not define the units" : "has only " + several, ways_to_say);
  }
  const double length = length_from(*asked.length, key("length")), mass = mass_from(*asked.mass, key("mass"));
  const double time = asked.time ? time_from(*asked.time, key("time")) : 0;
  return physical_units(length, mass, asked.velocity ? velocity_from(*asked.velocity, key("velocity")) : length / time);
}

double chosen_time(const UnitsAsked& asked) {
  return asked.velocity && asked.time ? time_from(*asked.time, "units.time") : 0;
}

ShownTime shown_time(const Units& units, const UnitsAsked& asked) {
  return hornbeam::shown_time(units, chosen_time(asked));
}

bool has_other_time(const UnitsAsked& asked, const Units& units) {
  constexpr double alike = 1e-6;  // as far as times go that are written with a few digits
  const double chosen = chosen_time(asked);
  return chosen > 0 && std::abs(chosen * units.velocity_cm_per_s / units.length_cm - 1) > alike;
}

void settle_units(Snapshot& snapshot, const std::optional<Units>& units, FileUnits of_files,
                  const std::string& subject) {
  if (!units) return;
  const std::string in_file = described(snapshot.units), asked = described(*units);
  if (!snapshot.has_units) {
    std::erase_if(snapshot.notes, [](const std::string& note) {
      return note.starts_with("no units in the file") || note.starts_with("units in the file are not understood");
    });
    snapshot.notes.push_back("no units in the file: its numbers are read without conversion, in " + asked);
  } else if (!agree(snapshot.units, *units)) {
    if (of_files == FileUnits::same) {
      throw UsageError(subject, fmt::format("its units are {}, and those of [units] are {}", in_file, asked),
                       "leave [units] out, or set units.of_files = \"convert\" to convert its numbers, or \"ignore\" "
                       "to read them without conversion");
    }
    const bool converts = of_files == FileUnits::convert;
    if (converts) convert(snapshot, *units);
    snapshot.notes.push_back(
        fmt::format("its units, {}, are {} {}", in_file, converts ? "converted to" : "ignored for", asked));
  }
  snapshot.units = *units;
  snapshot.has_units = true;
}

}  // namespace hornbeam::run

namespace hornbeam {

template <>
run::FileUnits parse<run::FileUnits>(std::string_view subject, std::string_view text) {
  const auto found = std::find(run::ways.begin(), run::ways.end(), text);
  if (found != run::ways.end()) return static_cast<run::FileUnits>(found - run::ways.begin());
  throw UsageError(std::string(subject) + " = " + std::string(text), "is not one of same, convert, ignore");
}

}  // namespace hornbeam
