// SPDX-License-Identifier: Apache-2.0
// Texts that name devices, see hornbeam/device_arrays.h.
#include <algorithm>
#include <charconv>

#include "hornbeam/device_arrays.h"
#include "hornbeam/error.h"

namespace hornbeam {
namespace {

/// The index that the whole text represents; -1: none.
int index_of(const std::string& text) {
  int index = -1;
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, index);
  return error == std::errc() && stopped == end && index < 1 << 30 ? index : -1;
}

}  // namespace

Devices Devices::all() {
  Devices all;
  all.indices.clear();
  return all;
}

Devices Devices::from_text(const std::string& text, const std::string& subject) {
  if (text == "all") return all();
  Devices some = all();
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const int index = index_of(text.substr(at, end - at));
    if (index < 0) {
      throw UsageError(subject + " = " + text, "must be an index from 0, several as 0,1, or all", "see hornbeam info");
    }
    if (std::count(some.indices.begin(), some.indices.end(), index) > 0) {
      throw UsageError(subject + " = " + text, "has device " + std::to_string(index) + " twice",
                       "give each index once");
    }
    some.indices.push_back(index);
    at = end + 1;
  }
  return some;
}

std::string Devices::text() const {
  if (are_all()) return "all";
  std::string text;
  for (const int index : indices) text += (text.empty() ? "" : ",") + std::to_string(index);
  return text;
}

}  // namespace hornbeam
