// SPDX-License-Identifier: Apache-2.0
// Percent codes and pairs, see query.h.
#include "view/query.h"

#include <cctype>

namespace hornbeam::view {

std::string decoded(const std::string& text) {
  std::string plain;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const bool code = text[k] == '%' && k + 2 < text.size() && std::isxdigit(static_cast<unsigned char>(text[k + 1])) &&
                      std::isxdigit(static_cast<unsigned char>(text[k + 2]));
    if (code) {
      plain += static_cast<char>(std::stoi(text.substr(k + 1, 2), nullptr, 16));
      k += 2;
    } else {
      plain += text[k] == '+' ? ' ' : text[k];
    }
  }
  return plain;
}

void split_target(const std::string& target, std::string& path, std::map<std::string, std::string>& query) {
  const std::size_t mark = target.find('?');
  path = decoded(target.substr(0, mark));
  if (mark == std::string::npos) return;
  for (std::size_t from = mark + 1; from <= target.size();) {
    const std::size_t to = std::min(target.find('&', from), target.size());
    const std::string pair = target.substr(from, to - from);
    const std::size_t equals = std::min(pair.find('='), pair.size());
    if (equals > 0) {
      query.emplace(decoded(pair.substr(0, equals)), equals < pair.size() ? decoded(pair.substr(equals + 1)) : "");
    }
    from = to + 1;
  }
}

}  // namespace hornbeam::view
