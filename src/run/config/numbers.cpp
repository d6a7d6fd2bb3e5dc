// SPDX-License-Identifier: Apache-2.0
// Parsing and checks of numbers, see numbers.h.
#include "run/config/numbers.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "hornbeam/error.h"

namespace hornbeam::run {
namespace {

template <class Value>
Value parsed(const std::string& text, const std::string& subject, const char* allowed) {
  Value value{};
  const char* end = text.data() + text.size();
  const auto [stop, status] = std::from_chars(text.data(), end, value);
  if (status != std::errc() || stop != end) throw UsageError(subject, "received " + text, allowed);
  return value;
}

}  // namespace

double checked_number(double value, const std::string& subject) {
  if (!std::isfinite(value) || (value == 0.0 && std::signbit(value))) {
    throw UsageError(subject, fmt::format("received {}", value), "must be a finite number, zero without a sign");
  }
  return value;
}

double number_from_text(const std::string& text, const std::string& subject) {
  return checked_number(parsed<double>(text, subject, "must be a number"), subject);
}

std::int64_t whole_number(double value, const std::string& subject) {
  constexpr double largest = 9007199254740992.0;  // 2^53: beyond it a double skips whole numbers
  if (!(std::abs(value) <= largest) || value != std::floor(value)) {
    throw UsageError(subject, fmt::format("received {}", value), "must be a whole number");
  }
  return static_cast<std::int64_t>(value);
}

std::int64_t integer_from_text(const std::string& text, const std::string& subject) {
  if (text.find_first_of(".eE") != std::string::npos) return whole_number(number_from_text(text, subject), subject);
  return parsed<std::int64_t>(text, subject, "must be a whole number");
}

std::int64_t integer_from_text_in(std::int64_t least, std::int64_t most, const std::string& text,
                                  const std::string& subject) {
  const std::int64_t value = integer_from_text(text, subject);
  if (value < least || value > most) {
    throw UsageError(subject, "received " + text, fmt::format("must be a whole number from {} to {}", least, most));
  }
  return value;
}

}  // namespace hornbeam::run
