// SPDX-License-Identifier: Apache-2.0
// Numbers that people have written, checked. Before it: the command line or TOML; after it: the table of keys.
#pragma once

#include <cstdint>
#include <string>

namespace hornbeam::run {

/// `text` as a finite number (negative zero counts as a slip) or a whole one (1e6 too); throws UsageError(subject,
/// ...).
double number_from_text(const std::string& text, const std::string& subject);
std::int64_t integer_from_text(const std::string& text, const std::string& subject);
std::int64_t integer_from_text_in(std::int64_t least, std::int64_t most, const std::string& text,
                                  const std::string& subject);
/// More than any evaluation holds.
inline constexpr std::int64_t most_particles = std::int64_t{1} << 30;
std::int64_t whole_number(double value, const std::string& subject);
/// Throws UsageError where a number is non-finite or is a negative zero; returns it else.
double checked_number(double value, const std::string& subject);

}  // namespace hornbeam::run
