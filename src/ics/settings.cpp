// SPDX-License-Identifier: Apache-2.0
// Checks and conversions of a model's options, see settings.h.
#include "ics/settings.h"

#include <charconv>
#include <cmath>
#include <sstream>

#include "hornbeam/error.h"

namespace hornbeam::ics {

namespace {

/// A mass over the cube of a length, or the square of a speed of these, is still far from the largest number.
constexpr double largest = 1e60;

}  // namespace

std::string shown(double x) {
  std::ostringstream text;
  text << x;
  return text.str();
}

Settings::Settings(const Model& model, const std::map<std::string, std::string>& given) : model_(model.name) {
  std::string names;
  for (const Option& option : model.options) {
    values_[option.name] = option.default_value;
    names += (names.empty() ? "" : ", ") + option.name;
  }
  for (const auto& [name, value] : given) {
    if (!values_.contains(name)) {
      throw UsageError(subject(name), "is no option of this model", names.empty() ? "it has none" : "it has " + names);
    }
    values_[name] = value;
    given_.insert(name);
  }
}

std::string Settings::text(const std::string& name) const {
  if (!has(name)) throw UsageError(subject(name), "is missing", "it has no default");
  return values_.at(name);
}

double Settings::number(const std::string& name) const {
  return checked(
      name, [](double) { return true; }, "must be a finite number");
}

double Settings::positive(const std::string& name) const {
  return checked(
      name, [](double x) { return x > 0.0; }, "must be a finite number above 0");
}

double Settings::non_negative(const std::string& name) const {
  return checked(
      name, [](double x) { return x >= 0.0; }, "must be a finite number, 0 or above");
}

bool Settings::truth(const std::string& name) const {
  const std::string value = text(name);
  if (value != "true" && value != "false") {
    throw UsageError(subject(name), "received " + value, "must be true or false");
  }
  return value == "true";
}

double Settings::checked(const std::string& name, bool allowed(double), const char* range) const {
  const std::string value = text(name);
  double x = 0.0;
  const char* end = value.data() + value.size();
  const auto [stop, status] = std::from_chars(value.data(), end, x);
  if (status != std::errc() || stop != end || !std::isfinite(x) || !allowed(x)) {
    throw UsageError(subject(name), "received " + value, range);
  }
  if (x != 0.0 && !(std::abs(x) >= 1.0 / largest && std::abs(x) <= largest)) {
    throw UsageError(subject(name), "received " + value, "must be 0, or from 1e-60 to 1e60 in size");
  }
  return x;
}

}  // namespace hornbeam::ics
