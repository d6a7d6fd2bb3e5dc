// SPDX-License-Identifier: Apache-2.0
// Other ways in which people write units, and what these are called here.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace hornbeam {

inline char small_letter(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Whether they differ in nothing but capitals.
inline bool same_letters(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return small_letter(x) == small_letter(y); });
}

struct UnitSpelling {
  std::string_view other, usual;
};
inline constexpr std::array unit_spellings{UnitSpelling{"parsec", "pc"},
                                           UnitSpelling{"kiloparsec", "kpc"},
                                           UnitSpelling{"megaparsec", "Mpc"},
                                           UnitSpelling{"lightyear", "ly"},
                                           UnitSpelling{"light_year", "ly"},
                                           UnitSpelling{"lyr", "ly"},
                                           UnitSpelling{"meter", "m"},
                                           UnitSpelling{"metre", "m"},
                                           UnitSpelling{"kilometer", "km"},
                                           UnitSpelling{"kilometre", "km"},
                                           UnitSpelling{"centimeter", "cm"},
                                           UnitSpelling{"centimetre", "cm"},
                                           UnitSpelling{"solarmass", "Msun"},
                                           UnitSpelling{"solar_mass", "Msun"},
                                           UnitSpelling{"solmass", "Msun"},
                                           UnitSpelling{"msol", "Msun"},
                                           UnitSpelling{"m_sun", "Msun"},
                                           UnitSpelling{"m_sol", "Msun"},
                                           UnitSpelling{"solarradius", "Rsun"},
                                           UnitSpelling{"solrad", "Rsun"},
                                           UnitSpelling{"r_sun", "Rsun"},
                                           UnitSpelling{"m_earth", "Mearth"},
                                           UnitSpelling{"earthmass", "Mearth"},
                                           UnitSpelling{"r_earth", "Rearth"},
                                           UnitSpelling{"m_jup", "Mjup"},
                                           UnitSpelling{"mjupiter", "Mjup"},
                                           UnitSpelling{"jupitermass", "Mjup"},
                                           UnitSpelling{"gram", "g"},
                                           UnitSpelling{"gramme", "g"},
                                           UnitSpelling{"kilogram", "kg"},
                                           UnitSpelling{"gigayear", "Gyr"},
                                           UnitSpelling{"megayear", "Myr"},
                                           UnitSpelling{"kiloyear", "kyr"},
                                           UnitSpelling{"second", "s"},
                                           UnitSpelling{"sec", "s"},
                                           UnitSpelling{"minute", "min"},
                                           UnitSpelling{"hr", "h"},
                                           UnitSpelling{"astronomical_unit", "AU"}};

/// "pc" for "parsec", "Parsecs"; empty where it is none of these.
inline std::string_view usual_spelling(std::string_view word) {
  const auto is_it = [](std::string_view text) {
    return std::find_if(unit_spellings.begin(), unit_spellings.end(),
                        [text](const UnitSpelling& spelling) { return same_letters(spelling.other, text); });
  };
  auto found = is_it(word);
  if (found == unit_spellings.end() && word.ends_with('s')) found = is_it(word.substr(0, word.size() - 1));
  return found == unit_spellings.end() ? std::string_view{} : found->usual;
}

}  // namespace hornbeam
