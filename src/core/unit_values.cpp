// SPDX-License-Identifier: Apache-2.0
// Values with units to numbers, and times in round units, see units.h.
#include <array>
#include <cmath>
#include <cstdio>

#include "hornbeam/error.h"
#include "hornbeam/units.h"

namespace hornbeam {
namespace {

/// "a time such as \"500 Myr\"".
std::string words_of(const Dimension& d) {
  struct Kind {
    Dimension dimension;
    const char* words;
  };
  static const std::array kinds{Kind{{.length = 1}, "a length such as \"3 kpc\""},
                                Kind{{.mass = 1}, "a mass such as \"1e10 Msun\""},
                                Kind{{.velocity = 1}, "a velocity such as \"220 km/s\""},
                                Kind{{.length = 1, .velocity = -1}, "a time such as \"500 Myr\""},
                                Kind{{.length = -1, .velocity = 1}, "a frequency such as \"30 km/s/kpc\""},
                                Kind{{.length = -3, .mass = 1}, "a density such as \"0.1 Msun/pc^3\""},
                                Kind{{.length = -2, .mass = 1}, "a mass per area such as \"50 Msun/pc^2\""}};
  for (const Kind& kind : kinds) {
    if (kind.dimension == d) return kind.words;
  }
  if (d == Dimension{}) return "a number without a unit";
  return "in units such as \"" + unit_name(Units::galactic(), d.length, d.mass, d.velocity) + "\"";
}

/// The largest named unit of time of which `seconds` is at least a tenth.
std::string_view near_unit(double seconds) {
  for (const std::string_view name : {"Gyr", "Myr", "kyr", "yr", "day", "hour", "min"}) {
    if (seconds >= 0.1 * time_from(name, "unit")) return name;
  }
  return "s";
}

}  // namespace

double number_from(std::string_view text, const Units& units, const Dimension& dimension, const std::string& subject) {
  const std::string received = "received '" + std::string(text.substr(0, 60)) + "'";
  const bool is_negative = text.starts_with('-');
  const Quantity q = quantity_from(is_negative ? text.substr(1) : text, subject);
  const bool fits = q.length == dimension.length + dimension.velocity && q.mass == dimension.mass &&
                    q.time == -dimension.velocity && q.cgs > 0 && std::isfinite(q.cgs);
  if (!fits) throw UsageError(subject, received, "must be " + words_of(dimension));
  if (!units.physical) {
    throw UsageError(subject, received + ", but with G = 1 numbers have no units",
                     "give [units], such as system = \"galactic\", or a number without a unit");
  }
  const double number = q.cgs / dimension.unit(units.length_cm, units.mass_g, units.velocity_cm_per_s);
  return is_negative ? -number : number;
}

ShownTime shown_time(const Units& units, double chosen) {
  if (!units.physical) return {};
  const double seconds = units.length_cm / units.velocity_cm_per_s;
  std::string name(near_unit(seconds));
  double size = time_from(name, "unit");
  if (chosen > 0) {
    size = chosen;
    name = time_unit_name({.length_cm = size, .velocity_cm_per_s = 1, .physical = true});
  }
  const double ratio = seconds / size;
  constexpr double rounding = 1e-12;
  return {name, std::abs(ratio - 1) < rounding ? 1.0 : ratio};
}

namespace {

std::string written(const char* format, double number) {
  std::array<char, 32> digits{};
  const int n = std::snprintf(digits.data(), digits.size(), format, number);
  return {digits.data(), static_cast<std::size_t>(n)};
}

}  // namespace

std::string ShownTime::text(double time) const {
  return written("%.6g", time * per_unit) + (name.empty() ? "" : " ") + name;
}

std::string ShownTime::value(double time) const {
  const std::string number = written("%.3g", time * per_unit);
  return name.empty() ? number : '"' + number + ' ' + name + '"';
}

}  // namespace hornbeam
