// SPDX-License-Identifier: Apache-2.0
// Units of a run and of its files, see units_asked.h.
#include "run/units_asked.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "hornbeam/error.h"
#include "hornbeam/units.h"

namespace hornbeam::run {
namespace {

constexpr std::array<std::string_view, 3> ways = {"same", "convert", "ignore"};

constexpr const char* ways_to_say =
    "give system; or length, mass and velocity (or time), as length = \"kpc\", mass = \"1e10 Msun\", "
    "velocity = \"km/s\"; or length_cm, mass_g and velocity_cm_per_s";

}  // namespace

std::string_view name(FileUnits way) { return ways[static_cast<std::size_t>(way)]; }

Units units_of(const UnitsAsked& asked, const std::string& subject) {
  const auto count = [](const auto&... given) { return (0 + ... + (given ? 1 : 0)); };
  const int named = count(asked.length, asked.mass) + count(asked.velocity, asked.time);
  const int in_cgs = count(asked.length_cm, asked.mass_g, asked.velocity_cm_per_s);
  const auto key = [&subject](const char* name) { return subject + "." + name; };
  if (asked.system && named + in_cgs == 0) return units_from(*asked.system, key("system"));
  if (!asked.system && named == 0 && in_cgs == 3) {
    return physical_units(*asked.length_cm, *asked.mass_g, *asked.velocity_cm_per_s);
  }
  const bool by_names = !asked.system && in_cgs == 0 && named == 3 && asked.length && asked.mass;
  if (!by_names) throw UsageError(subject, "does not say what the units are", ways_to_say);
  const double length = length_from(*asked.length, key("length")), mass = mass_from(*asked.mass, key("mass"));
  return physical_units(
      length, mass,
      asked.velocity ? velocity_from(*asked.velocity, key("velocity")) : length / time_from(*asked.time, key("time")));
}

void settle_units(Snapshot& snapshot, const std::optional<Units>& units, FileUnits of_files,
                  const std::string& subject) {
  if (!units) return;
  const std::string in_file = described(snapshot.units), asked = described(*units);
  if (!snapshot.has_units) {
    std::erase_if(snapshot.notes, [](const std::string& note) { return note.starts_with("no units in the file"); });
    snapshot.notes.push_back("no units in the file: its numbers are taken as they stand, in " + asked);
  } else if (!agree(snapshot.units, *units)) {
    if (of_files == FileUnits::same) {
      throw UsageError(
          subject, fmt::format("its units are {}, and [units] says {}", in_file, asked),
          "leave [units] out, or give units.of_files = \"convert\" to convert its numbers, or \"ignore\" to "
          "take them as they stand");
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
