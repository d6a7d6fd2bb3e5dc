// SPDX-License-Identifier: Apache-2.0
// Defaults in physical units, see defaults.h.
#include "ics/defaults.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include "core/short_numbers.h"
#include "hornbeam/units.h"

namespace hornbeam::ics {
namespace {

/// A given option, as a factor on its default.
struct GivenFactor {
  const Option* option;
  double factor;
};

double number_in(const std::string& text) {
  double x = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, status] = std::from_chars(text.data(), end, x);
  return status == std::errc() && stop == end && std::isfinite(x) ? x : 0;
}

bool is_dimensional(const Option& option) { return option.fits && option.dimension != Dimension{}; }

/// Those that are above 0, as their defaults are.
std::vector<GivenFactor> given_factors(const Model& model, const std::map<std::string, std::string>& given) {
  std::vector<GivenFactor> all;
  for (const Option& option : model.options) {
    const auto found = given.find(option.name);
    if (found == given.end() || !is_dimensional(option)) continue;
    const double value = number_in(found->second), usual = number_in(option.default_value);
    if (value > 0 && usual > 0) all.push_back({&option, value / usual});
  }
  return all;
}

/// "disc" of "disc-scale".
std::string_view part_of(const Option& option) {
  const std::string_view name = option.name;
  return name.substr(0, name.find('-'));
}

/// Of a part that has no mass nothing needs to be reported.
bool is_of_absent_part(const Option& option, const std::map<std::string, std::string>& given) {
  const auto mass = given.find(std::string(part_of(option)) + "-mass");
  return mass != given.end() && number_in(mass->second) == 0;
}

using Row = std::array<double, 3>;

Row row_of(const Dimension& d) {
  return {static_cast<double>(d.length), static_cast<double>(d.mass), static_cast<double>(d.velocity)};
}

double volume(const Row& a, const Row& b, const Row& c) {
  return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
}

/// Whether a third dimension makes these independent.
bool are_independent(const std::vector<Row>& rows) {
  if (rows.size() == 3) return volume(rows[0], rows[1], rows[2]) != 0;
  for (std::size_t k = 0; k < 3; ++k) {
    Row axis{};
    axis[k] = 1;
    std::vector<Row> more = rows;
    more.push_back(axis);
    if (are_independent(more)) return true;
  }
  return false;
}

/// The product of powers of given factors that has that dimension, if there is one.
std::optional<double> factor_of(const std::vector<GivenFactor>& given, const Dimension& dimension) {
  std::vector<Row> rows;
  std::vector<double> factors;
  const auto add = [&](const Row& row, double factor) {
    if (rows.size() == 3) return;
    rows.push_back(row);
    if (!are_independent(rows)) return rows.pop_back();
    factors.push_back(factor);
  };
  for (const GivenFactor& g : given) add(row_of(g.option->dimension), g.factor);
  const std::size_t known = rows.size();
  for (std::size_t k = 0; k < 3; ++k) add(row_of({k == 0, k == 1, k == 2}), 0);
  const Row wanted = row_of(dimension);
  const double all = volume(rows[0], rows[1], rows[2]);
  const Row powers = {volume(wanted, rows[1], rows[2]) / all, volume(rows[0], wanted, rows[2]) / all,
                      volume(rows[0], rows[1], wanted) / all};
  double factor = 1;
  for (std::size_t i = 0; i < 3; ++i) {
    if (i >= known && powers[i] != 0) return {};
    if (i < known) factor *= std::pow(factors[i], powers[i]);
  }
  return factor;
}

/// Those of the same part first, and among these as among the others those of the same dimension.
std::vector<GivenFactor> nearest_first(std::vector<GivenFactor> given, const Option& option) {
  const auto rank = [&option](const GivenFactor& g) {
    return (g.option->dimension == option.dimension ? 0 : 2) + (part_of(*g.option) == part_of(option) ? 0 : 1);
  };
  std::stable_sort(given.begin(), given.end(),
                   [&](const GivenFactor& a, const GivenFactor& b) { return rank(a) < rank(b); });
  return given;
}

/// "bulge mass = 2 x 1e10 Msun": in words, since a name has other hyphens on the command line than in files.
void list(std::string& to, const Option& option, const Units& units) {
  const Dimension& d = option.dimension;
  const std::string unit = unit_name(units, d.length, d.mass, d.velocity);
  std::string name = option.name;
  std::replace(name.begin(), name.end(), '-', ' ');
  to += (to.empty() ? "" : ", ") + name + " = " + shown(number_in(option.default_value)) +
        (unit.empty() ? "" : (unit.front() == '1' ? " x " : " ") + unit);
}

}  // namespace

FittedModel fitted(const Entry& entry, const std::map<std::string, std::string>& given, const Units& units) {
  FittedModel to{entry.model, {}};
  if (!units.physical) return to;
  const bool has_own = entry.own_units != nullptr;
  const Units own = has_own ? units_from(entry.own_units, entry.model.name) : Units{};
  const std::vector<GivenFactor> all = given_factors(entry.model, given);
  std::string scaled, kept;
  for (Option& option : to.model.options) {
    const double usual = number_in(option.default_value);
    if (given.contains(option.name) || !is_dimensional(option) || !(usual > 0)) continue;
    const Dimension& d = option.dimension;
    const auto factor = has_own ? d.unit(own.length_cm / units.length_cm, own.mass_g / units.mass_g,
                                         own.velocity_cm_per_s / units.velocity_cm_per_s)
                                : factor_of(nearest_first(all, option), d);
    if (factor && *factor != 1) option.default_value = shortest(usual * *factor);
    if (!has_own && !is_of_absent_part(option, given)) list(factor ? scaled : kept, option, units);
  }
  if (!scaled.empty()) to.notes.push_back("defaults that scale with the given values: " + scaled);
  if (!kept.empty()) to.notes.push_back("defaults that do not scale with the given values: " + kept);
  return to;
}

}  // namespace hornbeam::ics
