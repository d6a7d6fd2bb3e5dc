// SPDX-License-Identifier: Apache-2.0
// The one table of evaluation options: TOML key, command-line flag, help, how it is set and how it is shown.
// Before it: config.cpp and the commands' flags; after it: SimulationOptions.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "hornbeam/simulation.h"

namespace hornbeam::run {

using Json = nlohmann::ordered_json;

using SetNumber = void (*)(SimulationOptions&, double, const std::string& subject);
using SetInteger = void (*)(SimulationOptions&, std::int64_t, const std::string& subject);
using SetWord = void (*)(SimulationOptions&, const std::string&, const std::string& subject);

struct Key {
  const char* section;  ///< of the TOML file
  const char* name;     ///< in TOML and JSON; the flag has - for _
  const char* help;
  std::variant<SetNumber, SetInteger, SetWord> set;  ///< throws UsageError(subject, ...)
  Json (*get)(const SimulationOptions&);
  std::vector<std::string_view> words{};  ///< those allowed, where it is set by one

  [[nodiscard]] std::string flag() const;
  /// What it takes, as --help shows it: "FLOAT", "INT", "{plummer,spline}".
  [[nodiscard]] std::string type() const;
};

const std::vector<Key>& keys();

/// Sets `key` from a flag's text; subject names the flag.
void set_from_text(const Key& key, SimulationOptions& options, const std::string& text);

/// `text` as a finite number (negative zero counts as a slip) or a whole one (1e6 too); throws UsageError(subject,
/// ...).
double number_from_text(const std::string& text, const std::string& subject);
std::int64_t integer_from_text(const std::string& text, const std::string& subject);
std::int64_t integer_from_text_in(std::int64_t least, std::int64_t most, const std::string& text,
                                  const std::string& subject);
/// More than any evaluation holds.
inline constexpr std::int64_t most_particles = std::int64_t{1} << 30;
std::int64_t whole_number(double value, const std::string& subject);
/// Throws UsageError where a number is not finite or is a negative zero; returns it else.
double checked_number(double value, const std::string& subject);

}  // namespace hornbeam::run
