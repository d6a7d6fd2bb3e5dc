// SPDX-License-Identifier: Apache-2.0
// Texts of messages.
#include <cstddef>

#include "hornbeam/error.h"

namespace hornbeam {

/// Without overlong forms, surrogates and what is beyond U+10FFFF (RFC 3629).
bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto first = static_cast<unsigned char>(text[i]);
    const std::size_t length = first < 0x80   ? 1
                               : first < 0xc2 ? 0
                               : first < 0xe0 ? 2
                               : first < 0xf0 ? 3
                               : first < 0xf5 ? 4
                                              : 0;
    if (length == 0 || length > text.size() - i) return false;
    for (std::size_t k = 1; k < length; ++k) {
      const auto next = static_cast<unsigned char>(text[i + k]);
      unsigned char least = 0x80, most = 0xbf;
      if (k == 1 && first == 0xe0) least = 0xa0;
      if (k == 1 && first == 0xed) most = 0x9f;
      if (k == 1 && first == 0xf0) least = 0x90;
      if (k == 1 && first == 0xf4) most = 0x8f;
      if (next < least || next > most) return false;
    }
    i += length;
  }
  return true;
}

}  // namespace hornbeam
