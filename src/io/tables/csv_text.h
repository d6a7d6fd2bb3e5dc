// SPDX-License-Identifier: Apache-2.0
// Lines and fields of a text table, before anybody knows what they mean: csv.cpp reads them.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "core/shown_text.h"
#include "io/layout.h"

namespace hornbeam::io {

inline std::string_view without_hashes(std::string_view line) {
  return trimmed(line.substr(std::min(line.find_first_not_of('#'), line.size())));
}

/// Lines with their numbers, without blank ones.
class LineReader {
 public:
  explicit LineReader(std::string_view text) : rest_(text) {}

  bool next(std::string_view& line) {
    while (!rest_.empty()) {
      const auto end = rest_.find('\n');
      line = trimmed(rest_.substr(0, end));
      rest_ = end == std::string_view::npos ? std::string_view{} : rest_.substr(end + 1);
      ++number_;
      if (!line.empty()) return true;
    }
    return false;
  }
  [[nodiscard]] std::size_t number() const { return number_; }

 private:
  std::string_view rest_;
  std::size_t number_ = 0;
};

/// ',' or ';' where the line has one, else ' ' for any run of blanks.
inline char delimiter_of(std::string_view line) {
  for (const char delimiter : {',', ';'}) {
    if (line.find(delimiter) != std::string_view::npos) return delimiter;
  }
  return ' ';
}

/// Takes the next field off `line`; false at its end. A line with a delimiter after its last field has an empty one.
inline bool next_field(std::string_view& line, char delimiter, std::string_view& field) {
  if (line.data() == nullptr) return false;
  const auto end = delimiter == ' ' ? line.find_first_of(blanks) : line.find(delimiter);
  field = trimmed(line.substr(0, end));
  if (end == std::string_view::npos) {
    line = {};
    return true;
  }
  line = line.substr(end + 1);
  if (delimiter == ' ') line = trimmed(line);
  return true;
}

inline std::vector<std::string_view> split(std::string_view line, char delimiter) {
  std::vector<std::string_view> fields;
  for (std::string_view field; next_field(line, delimiter, field);) fields.push_back(field);
  return fields;
}

}  // namespace hornbeam::io
