// SPDX-License-Identifier: Apache-2.0
// One table of a TOML configuration, read key by key: types are checked, and keys no one requested are errors.
// Before it: toml++; after it: config.cpp, which knows what the keys mean.
#pragma once

// toml++ 3.3 asserts what a text may break, as "[" at the end of a line does, and reports the error afterwards. Without
// its assertions, and without compilers taking them for granted, such a text is refused like any other.
#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_ASSERT(expr) static_assert(true)
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hornbeam::run {

/// Reads `parent[name]`; every getter returns nothing for an absent key and throws UsageError for a wrong type.
class ConfigSection {
 public:
  /// Throws UsageError where `name` is there and not a table. `file` stands first in every message.
  ConfigSection(const toml::table& parent, const std::string& name, const std::string& file);

  [[nodiscard]] bool present() const { return table_ != nullptr; }
  [[nodiscard]] bool has(const std::string& key) const { return table_ != nullptr && table_->contains(key); }
  /// `key` may be there, though no one asks for it.
  void know(const std::string& key) { asked_.push_back(key); }
  std::optional<double> number(const std::string& key);
  std::optional<std::int64_t> integer(const std::string& key);
  std::optional<bool> truth(const std::string& key);
  std::optional<std::string> word(const std::string& key);
  std::optional<std::vector<double>> numbers(const std::string& key);
  std::optional<std::vector<std::string>> words(const std::string& key);
  /// An index, a string or a list of indices, as the text of Devices.
  std::optional<std::string> devices(const std::string& key);
  /// Any number, truth value or string as text; used where another table says what it means.
  std::optional<std::string> text(const std::string& key);

  /// The keys there are, whether requested or not.
  [[nodiscard]] std::vector<std::string> names() const;
  /// "FILE: SECTION.KEY", the subject of messages.
  [[nodiscard]] std::string subject(const std::string& key) const;
  /// Throws UsageError for the first key that no getter requested, naming the nearest one requested.
  void refuse_unknown() const;

 private:
  const toml::node* find(const std::string& key);
  [[noreturn]] void refuse(const std::string& key, const toml::node& node, const char* wanted) const;

  const toml::table* table_ = nullptr;
  std::string prefix_;
  std::vector<std::string> asked_;
};

}  // namespace hornbeam::run
