// SPDX-License-Identifier: Apache-2.0
// Flattens measures into columns, see json_table.h.
#include "cli/output/json_table.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "hornbeam/error.h"

namespace hornbeam::cli {
namespace {

/// The key it stands under, a name, and either one value for all rows or one for each.
struct TableColumn {
  std::string key, name;
  std::vector<std::string> cells;
  bool repeated;
};

std::string cell(const Json& value) {
  if (value.is_null()) return "";
  return value.is_string() ? value.get<std::string>() : fmt::format("{}", value.get<double>());
}

void add_columns(const std::string& in, const std::string& name, const Json& value, std::vector<TableColumn>& columns) {
  if (value.is_object()) {
    for (const auto& [key, inner] : value.items()) {
      add_columns(key, name.empty() ? key : name + "_" + key, inner, columns);
    }
  } else if (name.ends_with("momentum")) {
    for (const int k : {0, 1, 2}) columns.push_back({in, name + "_" + "xyz" [k], { cell(value[k]) }, true});
  } else if (value.is_array()) {
    columns.push_back({in, name, {}, false});
    for (const Json& entry : value) columns.back().cells.push_back(cell(entry));
  } else {
    columns.push_back({in, name, {cell(value)}, true});
  }
}

std::size_t row_count(const std::vector<TableColumn>& columns, const std::string& subject) {
  std::optional<std::pair<std::size_t, std::string>> first;
  for (const TableColumn& column : columns) {
    if (column.repeated) continue;
    if (!first) first = {column.cells.size(), column.name};
    if (column.cells.size() != first->first) {
      throw UsageError(subject, first->second + " and " + column.name + " have different lengths",
                       "request one of these measures at a time");
    }
  }
  return first ? first->first : 1;
}

}  // namespace

std::string csv_table(const std::vector<Json>& objects, const std::string& subject,
                      const std::function<std::string(const std::string&)>& unit_of) {
  std::string text;
  for (const Json& object : objects) {
    std::vector<TableColumn> columns;
    add_columns("", "", object, columns);
    const auto append_row = [&](const auto& cell_of) {
      for (std::size_t i = 0; i < columns.size(); ++i) text += (i == 0 ? "" : ",") + cell_of(columns[i]);
      text += '\n';
    };
    if (text.empty()) {
      append_row([&unit_of](const TableColumn& column) {
        const std::string unit = unit_of(column.key);
        return column.name + (unit.empty() ? "" : " [" + unit + "]");
      });
    }
    const std::size_t rows = row_count(columns, subject);
    for (std::size_t row = 0; row < rows; ++row) {
      append_row([row](const TableColumn& column) { return column.cells[column.repeated ? 0 : row]; });
    }
  }
  return text;
}

}  // namespace hornbeam::cli
