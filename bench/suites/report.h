// SPDX-License-Identifier: Apache-2.0
// What a benchmark suite says: tables for people as they come, and one JSON object of all rows.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "cli/names.h"

namespace hornbeam::cli {

/// One column of a printed table: the number or word at `pointer` (RFC 6901) of a row.
struct Column {
  std::string title;
  std::string pointer;
  std::size_t width = 10;
};

class Report {
 public:
  /// quiet: nothing is printed. The JSON is kept at `path` from table to table, so that a run that is stopped leaves
  /// what it had measured; with an empty path it is not.
  Report(Json head, bool quiet, std::filesystem::path path = {})
      : json_(std::move(head)), quiet_(quiet), path_(std::move(path)) {}

  /// Begins a table. `part` names it in the rows, `title` for people (empty: what follows belongs to several).
  void begin(const std::string& part, const std::string& title, std::vector<Column> columns);
  /// Adds a row to the present table and prints it.
  void add(const Json& row);
  /// Names what is not measured, and why.
  void leave_out(const std::string& what, const std::string& why);
  /// Tells once which device a backend's rows come from.
  void measured_on(const std::string& backend, const std::string& device);
  /// A line that belongs to the present table.
  void remark(const std::string& text) const;

  /// Rows of one part so far.
  [[nodiscard]] std::vector<Json> rows(const std::string& part) const;
  /// The head with `devices`, `rows` and `left_out`.
  [[nodiscard]] Json json() const;
  /// Writes json() to the path.
  void save() const;
  [[nodiscard]] const std::string& part() const { return part_; }

 private:
  Json json_;
  bool quiet_;
  std::filesystem::path path_;
  std::string part_;
  std::vector<Column> columns_;
  std::vector<Json> rows_;
  Json left_out_ = Json::array();
  std::map<std::string, std::string> devices_;
};

}  // namespace hornbeam::cli
