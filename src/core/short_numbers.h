// SPDX-License-Identifier: Apache-2.0
// Numbers in the names of units: as short as they are exact, or as short as people want them.
#pragma once

#include <array>
#include <charconv>
#include <cstdio>
#include <string>
#include <string_view>

namespace hornbeam {

/// The shortest text that reads back as the same number: "1e10", "207.38652969844205".
inline std::string shortest(double x) {
  std::array<char, 32> digits{};
  std::string text(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), x).ptr);
  if (const auto plus = text.find("e+"); plus != std::string::npos) text.erase(plus + 1, 1);
  return text;
}

/// The name of a unit with its numbers, where they begin a word, to six digits: "207.387 km/s".
inline std::string with_short_numbers(const std::string& name) {
  std::string shorter;
  for (std::size_t at = 0; at < name.size();) {
    double number = 0;
    const bool may_begin = at == 0 || name[at - 1] == ' ' || name[at - 1] == '(';
    const auto [end, error] = std::from_chars(name.data() + at, name.data() + name.size(), number);
    if (!may_begin || error != std::errc()) {
      shorter += name[at++];
      continue;
    }
    std::array<char, 32> digits{};
    std::snprintf(digits.data(), digits.size(), "%.6g", number);
    const std::string_view text = digits.data();
    std::from_chars(text.data(), text.data() + text.size(), number);
    shorter += shortest(number);
    at = static_cast<std::size_t>(end - name.data());
  }
  return shorter;
}

}  // namespace hornbeam
