// SPDX-License-Identifier: Apache-2.0
// Lays measures out in columns, see measure_text.h.
#include "cli/output/measure_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "run/config/unit_text.h"

namespace hornbeam::cli {
namespace {

using Cells = std::vector<std::string>;

std::string shown(const Json& number) { return fmt::format("{:.6g}", number.get<double>()); }

std::string in_brackets(const std::string& unit) { return unit.empty() ? "" : "[" + unit + "]"; }

bool is_vector(const std::string& key, const Json& value) { return value.is_array() && key.ends_with("momentum"); }

/// Rows of cells as lines, columns as wide as their widest cell; the first `left` columns begin at the left.
std::string columns_text(const std::vector<Cells>& rows, std::size_t left) {
  std::vector<std::size_t> width;
  for (const Cells& row : rows) {
    if (row.size() > width.size()) width.resize(row.size(), 0);
    for (std::size_t c = 0; c < row.size(); ++c) width[c] = std::max(width[c], row[c].size());
  }
  std::string text;
  for (const Cells& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (c > 0) line += "  ";
      line += c < left ? fmt::format("{:<{}}", row[c], width[c]) : fmt::format("{:>{}}", row[c], width[c]);
    }
    text += "    " + line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

/// Name, numbers, unit.
std::string numbers_text(const Json& measured, const Units& units) {
  std::vector<Cells> rows;
  std::size_t numbers = 1;
  for (const auto& [key, value] : measured.items()) {
    if (is_vector(key, value)) numbers = 3;
  }
  for (const auto& [key, value] : measured.items()) {
    if (key == "time" || value.is_null() || value.is_object() || (value.is_array() && !is_vector(key, value))) continue;
    Cells row{key};
    for (const Json& number : value.is_array() ? value : Json::array({value})) row.push_back(shown(number));
    row.resize(1 + numbers);
    row.push_back(in_brackets(run::unit_of(key, units)));
    rows.push_back(row);
  }
  return columns_text(rows, 1);
}

std::string table_text(const std::vector<std::string>& keys, const Json& measured, const Units& units) {
  Cells names, brackets;
  for (const std::string& key : keys) {
    names.push_back(key);
    brackets.push_back(in_brackets(run::unit_of(key, units)));
  }
  std::vector<Cells> rows{names};
  if (std::any_of(brackets.begin(), brackets.end(), [](const std::string& unit) { return !unit.empty(); })) {
    rows.push_back(brackets);
  }
  for (std::size_t i = 0; i < measured[keys.front()].size(); ++i) {
    Cells row;
    for (const std::string& key : keys) row.push_back(shown(measured[key][i]));
    rows.push_back(row);
  }
  return columns_text(rows, 0);
}

}  // namespace

std::string measure_text(const Json& measured, const Units& units) {
  std::string text = numbers_text(measured, units);
  std::vector<std::string> keys;
  for (const auto& [key, value] : measured.items()) {
    if (!value.is_array() || is_vector(key, value)) continue;
    if (!keys.empty() && value.size() != measured[keys.front()].size()) {
      text += table_text(keys, measured, units);
      keys.clear();
    }
    keys.push_back(key);
  }
  if (!keys.empty()) text += table_text(keys, measured, units);
  for (const auto& [key, value] : measured.items()) {
    if (value.is_object()) text += measure_text(value, units);
  }
  return text;
}

}  // namespace hornbeam::cli
