// SPDX-License-Identifier: Apache-2.0
// Headers of text tables: what a column is called, and where its unit is written. For csv.cpp, which reads the rows.
#pragma once

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hornbeam/error.h"
#include "hornbeam/units.h"
#include "io/layout.h"
#include "io/tables/csv_columns.h"
#include "io/tables/csv_text.h"

namespace hornbeam::io {

template <class T>
bool parse_number(std::string_view text, T& value) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

/// Ids may be written as numbers with a fraction of zero, as NumPy's savetxt does.
inline bool parse_id(std::string_view text, std::uint64_t& id) {
  if (parse_number(text, id)) return true;
  constexpr double exact_below = 9007199254740992.0;  // 2^53: every smaller whole number is a double
  double number = 0;
  if (!parse_number(text, number) || !(number >= 0 && number < exact_below) || number != std::floor(number)) {
    return false;
  }
  id = static_cast<std::uint64_t>(number);
  return true;
}

inline bool parse_family(std::string_view text, Family& family) {
  unsigned number = 0;
  const auto named = std::find(family_names.begin(), family_names.end(), text);
  if (named != family_names.end()) {
    number = static_cast<unsigned>(named - family_names.begin());
  } else if (!parse_number(text, number) || number >= family_count) {
    return false;
  }
  family = static_cast<Family>(number);
  return true;
}

/// What a column of the file is: an index into number_columns, or one of the others.
struct Column {
  enum class Kind { number, id, family, ignored } kind = Kind::ignored;
  std::size_t index = 0;
  std::string name;
  std::string unit{};   ///< as its header has it, "km/s"; empty: none
  double factor = 1.0;  ///< to the units of the snapshot
  std::string given{};  ///< its name in the header, without the unit
};

/// What messages say of the values that a column may have.
inline std::string known_of(const Column& column) {
  if (column.kind != Column::Kind::family) return "";
  std::string known;
  for (const std::string_view name : family_names) known += (known.empty() ? " (known: " : ", ") + std::string(name);
  return known + ")";
}

/// Takes "[kpc]" off the end of a column's header.
inline std::string take_unit(std::string_view& field) {
  const auto open = field.find('[');
  if (open == std::string_view::npos || field.back() != ']') return "";
  std::string unit(trimmed(field.substr(open + 1, field.size() - open - 2)));
  field = trimmed(field.substr(0, open));
  return unit;
}

/// Fields of a header, of which a bracket may stand apart from its name or have blanks inside.
inline std::vector<std::string> header_fields(std::string_view line, char delimiter) {
  std::vector<std::string> fields;
  bool open = false;
  for (const std::string_view field : split(line, delimiter)) {
    const bool goes_on = open || (delimiter == ' ' && !fields.empty() && field.starts_with('['));
    if (goes_on) fields.back() += " " + std::string(field);
    if (!goes_on) fields.emplace_back(field);
    const auto last = field.find_last_of("[]");
    if (delimiter == ' ' && last != std::string_view::npos) open = field[last] == '[';
  }
  return fields;
}

inline Column column_named(std::string_view field) {
  if (field.size() >= 2 && field.front() == '"' && field.back() == '"') field = field.substr(1, field.size() - 2);
  const std::string unit = take_unit(field);
  std::string lower(field);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  for (std::size_t i = 0; i < number_columns.size(); ++i) {
    if (lower == number_columns[i].name || lower == number_columns[i].other_name) {
      return {Column::Kind::number, i, std::string(number_columns[i].name), unit, 1.0, lower};
    }
  }
  if (lower == id_column) return {Column::Kind::id, 0, std::string(id_column)};
  if (lower == family_column || lower == family_column_other) {
    return {Column::Kind::family, 0, std::string(family_column)};
  }
  return {Column::Kind::ignored, 0, std::string(field)};
}

inline std::string lower_case_of(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  return lower;
}

inline bool is_length_or_mass(const std::string& text) {
  if (text.find_first_of("0123456789") == 0) return false;
  try {
    const Quantity q = quantity_from(text, "unit");
    return q.length != 0 || q.mass != 0;
  } catch (const UsageError&) {
    return false;
  }
}

/// Units that comments before the names of the columns declare: those of astropy's ECSV.
class DeclaredUnits {
 public:
  /// A line of comment: "- {name: x, unit: km / s, datatype: float64}", or one key a line.
  void take(std::string_view line) {
    if (speaks_of_units(lower_case_of(line)) || names_units(line)) last_ = std::string(line);
    const std::string name = value_of("name", line), unit = value_of("unit", line);
    if (!name.empty()) name_ = lower_case_of(name);
    // what begins with ! is a class of astropy, which repeats the units of all columns
    if (!unit.empty() && unit.front() != '!' && !name_.empty()) units_.emplace(name_, unit);
  }
  /// Empty where there is none.
  [[nodiscard]] std::string of(std::string_view name) const {
    const auto found = units_.find(lower_case_of(name));
    return found == units_.end() ? "" : found->second;
  }
  /// The last line that speaks of units.
  [[nodiscard]] const std::string& last() const { return last_; }

 private:
  /// Whether it has a word such as "units", and not of a system without physical units.
  static bool speaks_of_units(const std::string& lower) {
    const auto at = lower.find("unit");
    const bool begins = at == 0 || (at != std::string::npos && (lower[at - 1] < 'a' || lower[at - 1] > 'z'));
    const auto has = [&lower](const char* words) { return lower.find(words) != std::string::npos; };
    return begins && !has("nbody") && !has("n-body") && !has("g = 1") && !has("g=1");
  }
  /// Whether a word of it is a unit of length, mass or velocity, as in "length: pc", or says that lengths are comoving.
  static bool names_units(std::string_view line) {
    const std::string lower = lower_case_of(line);
    if (lower.find("comoving") != std::string::npos) return true;
    for (std::size_t at = 0; at < line.size();) {
      const auto ends = [](char c) { return std::string_view(" \t,;:=()[]{}'\"").find(c) != std::string_view::npos; };
      std::size_t end = at;
      while (end < line.size() && !ends(line[end])) ++end;
      const std::string word(line.substr(at, end - at));
      at = end + 1;
      if (word.size() > 1 && is_length_or_mass(word)) return true;
    }
    return false;
  }
  static std::string value_of(const char* key, std::string_view line) {
    const std::string start = std::string(key) + ": ";
    const auto at = line.find(start);
    const bool begins = at == 0 || (at != std::string_view::npos && (line[at - 1] == '{' || line[at - 1] == ' '));
    if (!begins) return "";
    std::string_view rest = trimmed(line.substr(at + start.size()));
    if (!rest.empty() && (rest.front() == '\'' || rest.front() == '"')) {
      const auto end = rest.find(rest.front(), 1);
      return std::string(rest.substr(1, end == std::string_view::npos ? end : end - 1));
    }
    return std::string(trimmed(rest.substr(0, rest.find_first_of(",}"))));
  }

  std::string name_, last_;
  std::map<std::string, std::string> units_;
};

inline bool is_unit(const std::string& text) {
  try {
    const Quantity q = quantity_from(text, "unit");
    return q.length != 0 || q.mass != 0 || q.time != 0;
  } catch (const UsageError&) {
    return false;
  }
}

/// The units of a row of them below the names; none where the row is another, as one of numbers.
inline std::optional<std::vector<std::string>> row_of_units(std::string_view line, char delimiter,
                                                            const std::vector<Column>& columns) {
  std::vector<std::string> units;
  if (line.empty()) return std::nullopt;
  for (const std::string_view field : split(line, delimiter)) {
    std::string_view unit = field;
    if (unit.size() > 1 &&
        ((unit.front() == '[' && unit.back() == ']') || (unit.front() == '(' && unit.back() == ')') ||
         (unit.front() == '"' && unit.back() == '"'))) {
      unit = trimmed(unit.substr(1, unit.size() - 2));
    }
    units.emplace_back(unit);
  }
  if (units.size() != columns.size()) return std::nullopt;
  bool any = false;
  for (std::size_t c = 0; c < units.size(); ++c) {
    if (columns[c].kind != Column::Kind::number || units[c].empty() || units[c] == "-") {
      units[c].clear();
    } else if (!is_unit(units[c])) {
      return std::nullopt;
    }
    any = any || !units[c].empty();
  }
  return any ? std::optional(units) : std::nullopt;
}

}  // namespace hornbeam::io
