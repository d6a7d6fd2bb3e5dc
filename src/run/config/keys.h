// SPDX-License-Identifier: Apache-2.0
// The one table of options, for TOML, flags and help alike: section, name, type, range, default, and where the value
// is in a RunConfig. Before it: config.cpp and the commands' flags; after it: checked values.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "io/json.h"
#include "run/config/config.h"
#include "run/config/numbers.h"

namespace hornbeam::run {

/// What a key takes.
enum class Kind { number, integer, truth, word, numbers, words, devices };
/// That of devices is their text.
using Value = std::variant<double, std::int64_t, bool, std::string, std::vector<double>, std::vector<std::string>>;

/// Numbers that are allowed.
struct Range {
  double least = -std::numeric_limits<double>::infinity(), most = std::numeric_limits<double>::infinity();
  bool open = false;  ///< `least` itself is not
};
/// What counts of steps and devices stay below, of which help says nothing.
inline constexpr double most_whole = 1 << 30;

/// A key that means something only where another of its section, which takes words, has one of these.
struct Condition {
  const char* key = nullptr;
  std::vector<std::string_view> values{};
};

struct Key {
  std::string section;  ///< of the TOML file
  std::string name;     ///< in TOML and JSON; the flag has - for _
  std::string help;
  Kind kind = Kind::word;
  Range range{};
  std::vector<std::string_view> words{};  ///< those allowed, where it is set by one of them
  std::string otherwise{};                ///< what holds where it is not given and no value says it
  std::string takes{};                    ///< a word of what kind, "PATH"
  bool required = false;
  bool optional = false;  ///< no part of the configuration where it is not given
  Condition only{};
  Condition needed{};          ///< required with these, though not `required`
  bool checked_later = false;  ///< beyond `least` it is the library that refuses, with the other options
  /// Throws UsageError(subject, ...) for what range and words do not show.
  std::function<void(RunConfig&, const Value&, const std::string& subject)> set{};
  std::function<Json(const RunConfig&)> get{};

  [[nodiscard]] std::string flag() const;
  /// What it takes, as --help shows it: "FLOAT", "INT", "{plummer,spline}".
  [[nodiscard]] std::string type() const;
  /// "0 to 2", "above 0"; empty where any number is allowed.
  [[nodiscard]] std::string allowed() const;
  /// Whether it means something next to the others; potentials: to the last one.
  [[nodiscard]] bool applies(const RunConfig& config) const;
  /// Whether it must be given next to the others.
  [[nodiscard]] bool is_needed(const RunConfig& config) const;
};

struct Section {
  const char* name;
  const char* help;
};

const std::vector<Section>& sections();
/// All keys, by sections. Those of a model's shape are its own (hornbeam/ics.h) and are next to those of [ic].
const std::vector<Key>& keys();
/// Those of what computes and how, which commands other than `run` have as flags: [gravity] and [device].
const std::vector<const Key*>& evaluation_keys();

/// Sets `key` in `config` after its range is checked. Throws UsageError(subject, ...).
void set_checked(const Key& key, RunConfig& config, const Value& value, const std::string& subject);
/// Sets `key` from a flag's text; subject names the flag.
void set_from_text(const Key& key, RunConfig& config, const std::string& text);

/// A key's help with what is allowed and what holds by default: "opening angle (0 to 2; default 0.6)".
std::string described(const Key& key);
/// The same without a default that is a value: "opening angle (0 to 2)".
std::string described_beside_default(const Key& key);
/// The value that holds where the key is not given; null where none does.
Json default_of(const Key& key);
/// A text in lines of at most `width` letters, of which those after the first begin with `indent`.
std::string wrapped(const std::string& text, const std::string& indent, std::size_t width);
/// The table as text: a paragraph for each section, a line or more for each key.
std::string keys_text();

}  // namespace hornbeam::run
