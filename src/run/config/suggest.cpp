// SPDX-License-Identifier: Apache-2.0
// Edit distance and the sentence made of it, see suggest.h.
#include "run/config/suggest.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

namespace hornbeam::run {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // distances of a's first i + 1 letters to every beginning of b, and of a's first i and i - 1
  std::vector<std::size_t> row(b.size() + 1), last(b.size() + 1), before(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    before.swap(last);
    last.swap(row);
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = last[j] + (a[i] == b[j] ? 0 : 1);
      row[j + 1] = std::min({replaced, row[j] + 1, last[j + 1] + 1});
      const bool swapped = i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j];
      if (swapped) row[j + 1] = std::min(row[j + 1], before[j - 1] + 1);
    }
  }
  return row.back();
}

namespace {

/// A name that begins with the other one ("epsilon" for eps, "soft" for softening) is as near as one with two slips.
std::size_t distance_between(std::string_view text, std::string_view name) {
  constexpr std::size_t least = 3, two_slips = 2;
  const bool long_enough = std::min(text.size(), name.size()) >= least;
  const bool begins = long_enough && (text.starts_with(name) || name.starts_with(text));
  const std::size_t distance = edit_distance(text, name);
  return begins ? std::min(distance, two_slips) : distance;
}

}  // namespace

std::string suggestion(std::string_view text, const std::vector<std::string>& known) {
  // A name of which more than half would have to change is no help; the length limit keeps hostile input cheap.
  constexpr std::size_t longest = 64;
  const auto distance = [&](const std::string& name) { return distance_between(text.substr(0, longest), name); };
  const auto nearest = std::min_element(known.begin(), known.end(),
                                        [&](const auto& a, const auto& b) { return distance(a) < distance(b); });
  if (nearest == known.end()) return "nothing is known here";
  if (2 * distance(*nearest) <= std::max(text.size(), nearest->size())) return "did you mean " + *nearest + "?";
  return fmt::format("known: {}", fmt::join(known, ", "));
}

}  // namespace hornbeam::run
