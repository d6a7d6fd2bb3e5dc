// SPDX-License-Identifier: Apache-2.0
// How a row of the table of options is written: row() for what is in a RunConfig, and words that add to it.
// key_rows.cpp has the rows, keys.cpp hands them out.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "hornbeam/error.h"
#include "run/config/config_json.h"
#include "run/config/keys.h"

namespace hornbeam::run {

std::vector<Key> key_rows();
/// Those of [boundary] and [collisions] (key_rows_of_space.cpp).
std::vector<Key> space_rows();

/// Those of [gravity] that say how exact forces are (key_rows_of_accuracy.cpp).
std::vector<Key> accuracy_rows();
/// Those of [gas] (key_rows_of_gas.cpp).
std::vector<Key> gas_rows();

/// Those of [output] (key_rows_of_output.cpp).
std::vector<Key> output_rows();

namespace rows {

inline constexpr Range any_number{}, above_0{.least = 0, .open = true}, from_0{.least = 0},
    above_1{.least = 1, .open = true}, above_0_to_1{.least = 0, .most = 1, .open = true};

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;

/// The type of what stands behind an optional.
template <class T>
struct Inside {
  using Type = T;
};
template <class T>
struct Inside<std::optional<T>> {
  using Type = T;
};

template <class T>
constexpr Kind kind_of() {
  if constexpr (std::is_same_v<T, double>) return Kind::number;
  if constexpr (std::is_same_v<T, bool>) return Kind::truth;
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) return Kind::integer;
  if constexpr (std::is_same_v<T, Vec3> || std::is_same_v<T, std::vector<double>>) return Kind::numbers;
  if constexpr (std::is_same_v<T, std::vector<std::string>>) return Kind::words;
  if constexpr (std::is_same_v<T, Devices>) return Kind::devices;
  return Kind::word;
}

inline Vec3 vector_of(const std::vector<double>& values, const std::string& subject) {
  if (values.size() == 3) return {values[0], values[1], values[2]};
  throw UsageError(subject, fmt::format("received {} numbers", values.size()), "give x, y and z");
}

template <class T>
T value_as(const Value& value, [[maybe_unused]] const std::string& subject) {
  if constexpr (std::is_same_v<T, Vec3>) {
    return vector_of(std::get<std::vector<double>>(value), subject);
  } else if constexpr (std::is_same_v<T, Devices>) {
    return Devices::from_text(std::get<std::string>(value), subject);
  } else if constexpr (std::is_enum_v<T>) {
    return parse<T>(subject, std::get<std::string>(value));
  } else if constexpr (kind_of<T>() == Kind::integer) {
    return static_cast<T>(std::get<std::int64_t>(value));
  } else {
    return std::get<T>(value);
  }
}

template <class T>
Json json_of(const T& value) {
  if constexpr (is_optional<T>) {
    return value ? Json(*value) : Json();
  } else if constexpr (std::is_same_v<T, Devices>) {
    return json_of_devices(value);
  } else if constexpr (std::is_enum_v<T>) {
    return name(value);
  } else {
    return value;
  }
}

/// A row for what `at` finds in a RunConfig.
template <class Access>
Key row(const char* section, const char* key_name, const char* help, Range range, Access) {
  using Stored = std::remove_reference_t<decltype(Access{}(std::declval<RunConfig&>()))>;
  using T = typename Inside<Stored>::Type;
  Key key{.section = section, .name = key_name, .help = help, .kind = kind_of<T>(), .range = range};
  key.optional = is_optional<Stored>;
  key.set = [](RunConfig& config, const Value& value, const std::string& subject) {
    Access{}(config) = value_as<T>(value, subject);
  };
  key.get = [](const RunConfig& config) { return json_of(Access{}(config)); };
  return key;
}

template <class Access>
Key gravity(const char* key_name, const char* help, Range range, Access at) {
  Key key = row("gravity", key_name, help, range, at);
  key.checked_later = true;
  return key;
}

inline Key otherwise(Key key, const char* text) {
  key.otherwise = text;
  return key;
}

inline Key required(Key key) {
  key.required = true;
  return key;
}

inline Key takes(Key key, const char* what) {
  key.takes = what;
  return key;
}

inline Key only(Key key, const char* other, std::vector<std::string_view> values) {
  key.only = {other, std::move(values)};
  return key;
}

inline Key needed_with(Key key, const char* other, std::vector<std::string_view> values) {
  key.needed = {other, std::move(values)};
  return key;
}

inline Key told_as(Key key, std::function<Json(const RunConfig&)> get) {
  key.get = std::move(get);
  return key;
}

inline Key among(Key key, std::vector<std::string_view> words) {
  key.words = std::move(words);
  return key;
}

/// Calls `check(value, subject)` before the value is set.
template <class Check>
Key checked(Key key, const Check& check) {
  key.set = [set = key.set, check](RunConfig& config, const Value& value, const std::string& subject) {
    check(value, subject);
    set(config, value, subject);
  };
  return key;
}

/// The names of all values of an enumeration up to the last one.
template <class Enum>
std::vector<std::string_view> words_to(Enum last) {
  std::vector<std::string_view> words;
  for (int i = 0; i <= static_cast<int>(last); ++i) words.push_back(name(static_cast<Enum>(i)));
  return words;
}

}  // namespace rows
}  // namespace hornbeam::run
