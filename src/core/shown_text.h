// SPDX-License-Identifier: Apache-2.0
// Text that a file holds, in messages.
#pragma once

#include <string>
#include <string_view>

namespace hornbeam {

/// In quotation marks, short, and of letters that every terminal and every program shows.
inline std::string shown(std::string_view text) {
  std::string result = "'";
  for (const char c : text.substr(0, 40)) result += (c >= 32 && c < 127) ? c : '?';
  return result + (text.size() > 40 ? "...'" : "'");
}

}  // namespace hornbeam
