// SPDX-License-Identifier: Apache-2.0
// Tables and rows of benchmarks, see report.h.
#include "bench/suites/report.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/files/file.h"

namespace hornbeam::cli {
namespace {

std::string shown(const Json& row, const Column& column) {
  const Json::json_pointer pointer(column.pointer);
  if (!row.contains(pointer)) return "-";
  const Json& value = row.at(pointer);
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_integer()) return fmt::format("{}", value.get<std::int64_t>());
  return value.is_number() ? fmt::format("{:.3g}", value.get<double>()) : "-";
}

/// Columns stand apart by two.
std::size_t width(const Column& column) { return std::max(column.title.size(), column.width) + 2; }

}  // namespace

void Report::begin(const std::string& part, const std::string& title, std::vector<Column> columns) {
  if (!rows_.empty()) save();
  part_ = part;
  columns_ = std::move(columns);
  if (quiet_ || title.empty()) return;
  fmt::print("\n{}\n", title);
  for (const Column& column : columns_) fmt::print("{:>{}}", column.title, width(column));
  fmt::print("\n");
}

void Report::add(const Json& row) {
  Json whole = {{"part", part_}};
  whole.update(row);
  if (!quiet_) {
    for (const Column& column : columns_) fmt::print("{:>{}}", shown(whole, column), width(column));
    fmt::print("\n");
    std::fflush(stdout);
  }
  rows_.push_back(std::move(whole));
}

void Report::leave_out(const std::string& what, const std::string& why) {
  left_out_.push_back({{"part", part_}, {"what", what}, {"why", why}});
  remark(fmt::format("left out: {}: {}", what, why));
}

void Report::measured_on(const std::string& backend, const std::string& device) { devices_[backend] = device; }

void Report::remark(const std::string& text) const {
  if (!quiet_) fmt::print("  {}\n", text);
}

std::vector<Json> Report::rows(const std::string& part) const {
  std::vector<Json> found;
  for (const Json& row : rows_) {
    if (row.at("part") == part) found.push_back(row);
  }
  return found;
}

void Report::save() const {
  if (!path_.empty()) io::replace_text(path_, json().dump(1) + "\n");
}

Json Report::json() const {
  Json whole = json_;
  whole["devices"] = devices_;
  whole["rows"] = rows_;
  whole["left_out"] = left_out_;
  return whole;
}

}  // namespace hornbeam::cli
