// SPDX-License-Identifier: Apache-2.0
// Typed reading of one TOML table, see config_section.h.
#include "run/config/config_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "hornbeam/error.h"
#include "run/config/numbers.h"
#include "run/config/suggest.h"

namespace hornbeam::run {
namespace {

std::string shown(const toml::node& node) {
  std::ostringstream out;
  node.visit([&](const auto& value) { out << value; });
  std::string text = out.str();
  constexpr std::size_t longest = 60;
  if (text.size() > longest) text = text.substr(0, longest) + "...";
  return text;
}

}  // namespace

ConfigSection::ConfigSection(const toml::table& parent, const std::string& name, const std::string& file)
    : prefix_(file + ": " + name + ".") {
  const toml::node* node = parent.get(name);
  if (node == nullptr) return;
  table_ = node->as_table();
  if (table_ == nullptr) {
    throw UsageError(file + ": " + name, "received " + shown(*node), "must be a table: [" + name + "]");
  }
}

std::string ConfigSection::subject(const std::string& key) const { return prefix_ + key; }

const toml::node* ConfigSection::find(const std::string& key) {
  asked_.push_back(key);
  return table_ == nullptr ? nullptr : table_->get(key);
}

void ConfigSection::refuse(const std::string& key, const toml::node& node, const char* wanted) const {
  throw UsageError(subject(key), "received " + shown(node), std::string("must be ") + wanted);
}

std::optional<double> ConfigSection::number(const std::string& key) {
  const toml::node* node = find(key);
  if (node == nullptr) return {};
  if (!node->is_number()) refuse(key, *node, "a number");
  return checked_number(*node->value<double>(), subject(key));
}

std::optional<std::int64_t> ConfigSection::integer(const std::string& key) {
  const toml::node* node = find(key);
  if (node == nullptr) return {};
  if (!node->is_number()) refuse(key, *node, "a whole number");
  if (node->is_floating_point()) return whole_number(*node->value<double>(), subject(key));  // 1e6
  return node->value<std::int64_t>();
}

std::optional<std::string> ConfigSection::word(const std::string& key) {
  const toml::node* node = find(key);
  if (node == nullptr) return {};
  if (!node->is_string()) refuse(key, *node, "a string in quotes");
  return node->value<std::string>();
}

std::optional<bool> ConfigSection::truth(const std::string& key) {
  const auto given = text(key);
  if (!given) return {};
  if (*given != "true" && *given != "false") {
    throw UsageError(subject(key), "received " + *given, "must be true or false");
  }
  return *given == "true";
}

std::optional<std::vector<double>> ConfigSection::numbers(const std::string& key) {
  const toml::node* node = find(key);
  if (node == nullptr) return {};
  if (!node->is_array()) refuse(key, *node, "a list of numbers");
  std::vector<double> values;
  for (const toml::node& element : *node->as_array()) {
    if (!element.is_number()) refuse(key, *node, "a list of numbers");
    values.push_back(checked_number(*element.value<double>(), subject(key)));
  }
  return values;
}

std::optional<std::vector<std::string>> ConfigSection::words(const std::string& key) {
  const toml::node* node = find(key);
  if (node == nullptr) return {};
  if (!node->is_array()) refuse(key, *node, "a list of strings");
  std::vector<std::string> values;
  for (const toml::node& element : *node->as_array()) {
    if (!element.is_string()) refuse(key, *node, "a list of strings");
    values.push_back(*element.value<std::string>());
  }
  return values;
}

std::optional<std::string> ConfigSection::devices(const std::string& key) {
  const toml::node* node = find(key);
  if (node == nullptr) return {};
  if (node->is_string()) return node->value<std::string>();
  std::string text;
  const auto add = [&](const toml::node& one) {
    if (!one.is_integer()) refuse(key, *node, "an index, a list of indices, or \"all\"");
    text += (text.empty() ? "" : ",") + fmt::format("{}", *one.value<std::int64_t>());
  };
  if (!node->is_array()) {
    add(*node);
  } else {
    for (const toml::node& one : *node->as_array()) add(one);
  }
  return text;
}

std::optional<std::string> ConfigSection::text(const std::string& key) {
  const toml::node* node = find(key);
  if (node == nullptr) return {};
  if (node->is_string()) return node->value<std::string>();
  if (node->is_floating_point()) return fmt::format("{}", *node->value<double>());
  if (node->is_integer()) return fmt::format("{}", *node->value<std::int64_t>());
  if (node->is_boolean()) return fmt::format("{}", *node->value<bool>());
  refuse(key, *node, "a number or a string");
}

std::vector<std::string> ConfigSection::names() const {
  std::vector<std::string> all;
  if (table_ != nullptr) {
    for (const auto& [key, node] : *table_) all.emplace_back(key.str());
  }
  return all;
}

void ConfigSection::refuse_unknown() const {
  for (const std::string& key : names()) {
    if (std::find(asked_.begin(), asked_.end(), key) == asked_.end()) {
      std::vector<std::string> known;  // each once, in the order of the table
      for (const std::string& name : asked_) {
        if (std::find(known.begin(), known.end(), name) == known.end()) known.push_back(name);
      }
      throw UsageError(subject(key), "unknown key", suggestion(key, known));
    }
  }
}

}  // namespace hornbeam::run
