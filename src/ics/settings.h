// SPDX-License-Identifier: Apache-2.0
// A model's options as numbers, checked: between what the user wrote and what the model draws with.
#pragma once

#include <map>
#include <set>
#include <string>

#include "hornbeam/ics.h"

namespace hornbeam::ics {

/// A number as messages show it.
std::string shown(double x);

class Settings {
 public:
  /// Throws UsageError for a name in `given` that is not an option of the model.
  Settings(const Model& model, const std::map<std::string, std::string>& given);

  /// The value given, otherwise the default; throws UsageError where both are missing.
  [[nodiscard]] std::string text(const std::string& name) const;
  /// "galaxy.disc-mass": what messages call the option.
  [[nodiscard]] std::string subject(const std::string& name) const { return model_ + "." + name; }
  /// Whether the model has such an option.
  [[nodiscard]] bool knows(const std::string& name) const { return values_.contains(name); }
  [[nodiscard]] bool has(const std::string& name) const { return !values_.at(name).empty(); }
  /// Whether it was requested, default or not.
  [[nodiscard]] bool is_given(const std::string& name) const { return given_.contains(name); }
  /// A finite number; the last two also check its sign. Throws UsageError saying what was received.
  [[nodiscard]] double number(const std::string& name) const;
  [[nodiscard]] double positive(const std::string& name) const;
  [[nodiscard]] double non_negative(const std::string& name) const;
  /// true or false.
  [[nodiscard]] bool truth(const std::string& name) const;

 private:
  [[nodiscard]] double checked(const std::string& name, bool allowed(double), const char* range) const;

  std::string model_;
  std::map<std::string, std::string> values_;
  std::set<std::string> given_;
};

}  // namespace hornbeam::ics
