// SPDX-License-Identifier: Apache-2.0
// What the table's rows do, see keys.h; the rows are in key_rows.cpp.
#include "run/config/keys.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "hornbeam/error.h"
#include "run/config/key_rows.h"

namespace hornbeam::run {
namespace {

constexpr double most_integer = std::numeric_limits<int>::max();

void check_range(const Key& key, double value, const std::string& subject) {
  Range range = key.range;
  if (key.checked_later) range.most = key.kind == Kind::integer ? most_integer : Range{}.most;
  if ((range.open ? value > range.least : value >= range.least) && value <= range.most) return;
  const bool is_bounded = key.range.most < most_whole && !key.checked_later;
  const std::string allowed = is_bounded && range.open ? fmt::format("above {} and at most {}", range.least, range.most)
                              : is_bounded             ? fmt::format("from {} to {}", range.least, range.most)
                              : key.kind == Kind::integer ? fmt::format("a whole number from {}", range.least)
                              : range.open                ? fmt::format("above {}", range.least)
                                                          : fmt::format("{} or above", range.least);
  throw UsageError(subject, fmt::format("received {}", value), "must be " + allowed);
}

void check_word(const Key& key, const std::string& word, const std::string& subject) {
  if (key.words.empty() || std::find(key.words.begin(), key.words.end(), word) != key.words.end()) return;
  throw UsageError(subject + " = " + word, fmt::format("is not one of {}", fmt::join(key.words, ", ")));
}

/// A configuration in which every key has its default.
RunConfig all_defaults() {
  RunConfig config;
  config.simulation.gravity.accuracy = 0;  // which would hide the defaults of what it replaces
  config.ic.emplace();
  config.simulation.potentials.emplace_back();
  return config;
}

/// Whether the key of that section has one of the words.
bool holds(const Condition& condition, const std::string& section, const RunConfig& config) {
  const auto key = std::find_if(keys().begin(), keys().end(), [&](const Key& other) {
    return other.section == section && other.name == condition.key;
  });
  const std::string word = key->get(config).get<std::string>();
  return std::find(condition.values.begin(), condition.values.end(), word) != condition.values.end();
}

/// "kind periodic or shear"; of all words of the other key but one, "eos not none".
std::string words_of(const Condition& condition, const std::string& section) {
  const auto other = std::find_if(keys().begin(), keys().end(),
                                  [&](const Key& one) { return one.section == section && one.name == condition.key; });
  std::vector<std::string_view> left;
  for (const std::string_view word : other == keys().end() ? std::vector<std::string_view>{} : other->words) {
    if (std::find(condition.values.begin(), condition.values.end(), word) == condition.values.end()) {
      left.push_back(word);
    }
  }
  if (left.size() == 1 && condition.values.size() > 2) return fmt::format("{} not {}", condition.key, left.front());
  return fmt::format("{} {}", condition.key, fmt::join(condition.values, " or "));
}

/// What help has of a key in brackets, but for a default that is a value.
std::vector<std::string> conditions_of(const Key& key) {
  std::vector<std::string> parts;
  Key unbounded = key;
  if (key.range.most >= most_whole) unbounded.range.most = Range{}.most;
  if (!unbounded.allowed().empty()) parts.push_back(unbounded.allowed());
  if (key.only.key != nullptr) parts.push_back(words_of(key.only, key.section));
  if (key.required) parts.emplace_back("required");
  if (key.needed.key != nullptr) {
    parts.push_back("required with " + words_of(key.needed, key.section));
  }
  if (!key.otherwise.empty()) parts.push_back("default: " + key.otherwise);
  return parts;
}

std::string with_brackets(const std::string& help, const std::vector<std::string>& parts) {
  return parts.empty() ? help : fmt::format("{} ({})", help, fmt::join(parts, "; "));
}

}  // namespace

std::string Key::flag() const {
  std::string text = "--" + name;
  std::replace(text.begin(), text.end(), '_', '-');
  return text;
}

std::string Key::type() const {
  switch (kind) {
    case Kind::number:
      return "FLOAT";
    case Kind::integer:
      return "INT";
    case Kind::truth:
      return "{true,false}";
    case Kind::numbers:
      return "[FLOAT,...]";
    case Kind::words:
      return "[" + takes + ",...]";
    case Kind::devices:
      return "INDEX";
    case Kind::word:
      break;
  }
  return words.empty() ? takes : fmt::format("{{{}}}", fmt::join(words, ","));
}

std::string Key::allowed() const {
  const bool has_least = std::isfinite(range.least), has_most = std::isfinite(range.most);
  if (has_least && has_most && range.open) return fmt::format("above {} and at most {}", range.least, range.most);
  if (has_least && has_most) return fmt::format("{} to {}", range.least, range.most);
  if (!has_least) return has_most ? fmt::format("at most {}", range.most) : "";
  return range.open ? fmt::format("above {}", range.least) : fmt::format("{} or above", range.least);
}

bool Key::applies(const RunConfig& config) const { return only.key == nullptr || holds(only, section, config); }

bool Key::is_needed(const RunConfig& config) const {
  return applies(config) && (required || (needed.key != nullptr && holds(needed, section, config)));
}

const std::vector<Key>& keys() {
  static const std::vector<Key> table = key_rows();
  return table;
}

const std::vector<const Key*>& evaluation_keys() {
  static const std::vector<const Key*> some = [] {
    std::vector<const Key*> found;
    for (const Key& key : keys()) {
      if (key.section == "gravity" || key.section == "device") found.push_back(&key);
    }
    return found;
  }();
  return some;
}

void set_checked(const Key& key, RunConfig& config, const Value& value, const std::string& subject) {
  if (const auto* number = std::get_if<double>(&value)) check_range(key, *number, subject);
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    check_range(key, static_cast<double>(*integer), subject);
  }
  if (const auto* word = std::get_if<std::string>(&value)) check_word(key, *word, subject);
  key.set(config, value, subject);
}

void set_from_text(const Key& key, RunConfig& config, const std::string& text) {
  const std::string subject = key.flag();
  if (key.kind == Kind::number) return set_checked(key, config, number_from_text(text, subject), subject);
  if (key.kind == Kind::integer) return set_checked(key, config, integer_from_text(text, subject), subject);
  set_checked(key, config, text, subject);
}

Json default_of(const Key& key) {
  if (key.required || !key.otherwise.empty()) return {};
  Json value = key.get(all_defaults());
  const bool is_none = (value.is_string() && value.get<std::string>().empty()) || (value.is_array() && value.empty());
  return is_none ? Json() : value;
}

std::string described_beside_default(const Key& key) { return with_brackets(key.help, conditions_of(key)); }

std::string described(const Key& key) {
  std::vector<std::string> parts = conditions_of(key);
  const Json value = default_of(key);
  const std::string text = value.is_string()         ? value.get<std::string>()
                           : value.is_number_float() ? fmt::format("{}", value.get<double>())
                                                     : value.dump();
  if (!value.is_null()) parts.push_back("default " + text);
  return with_brackets(key.help, parts);
}

std::string wrapped(const std::string& text, const std::string& indent, std::size_t width) {
  std::string lines;
  std::size_t at = 0;
  while (at < text.size()) {
    std::size_t end = text.size();
    if (end - at > width) {
      end = text.rfind(' ', at + width);
      if (end == std::string::npos || end <= at) end = std::min(text.find(' ', at), text.size());
    }
    if (at > 0) lines += "\n" + indent;
    lines += text.substr(at, end - at);
    at = std::min(end + 1, text.size());
  }
  return lines;
}

std::string keys_text() {
  constexpr std::size_t indent = 30, width = 90;
  std::string text;
  for (const Section& section : sections()) {
    text += fmt::format("{}[{}] {}\n", text.empty() ? "" : "\n", section.name, section.help);
    for (const Key& key : keys()) {
      if (key.section != section.name) continue;
      const std::string left = fmt::format("  {} {}", key.name, key.type());
      const std::string gap =
          left.size() < indent ? std::string(indent - left.size(), ' ') : "\n" + std::string(indent, ' ');
      text += left + gap + wrapped(described(key), std::string(indent, ' '), width) + "\n";
    }
  }
  return text;
}

}  // namespace hornbeam::run
