// SPDX-License-Identifier: Apache-2.0
// Rows of a run's tables, see growing_table.h.
#include "io/tables/growing_table.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string_view>
#include <utility>

#include "hornbeam/error.h"
#include "io/files/file.h"

namespace hornbeam::io {

namespace {

/// What the header says of rows.
struct RowShape {
  std::size_t columns;
  std::size_t word;  ///< the column that has words instead of numbers; past the last: none
};

RowShape shape_of(const std::string& header) {
  const auto columns_in = [](std::string_view text) {
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), ','));
  };
  const std::size_t columns = columns_in(header) + 1, at = header.find(",kind,");
  return {columns, at == std::string::npos ? columns : columns_in(std::string_view(header).substr(0, at)) + 1};
}

/// The values of a row, 0 for a word; none where the line is not such a row.
std::vector<double> numbers_of_row(const std::string& line, const RowShape& shape) {
  std::vector<double> row;
  const char* at = line.c_str();
  for (bool more = true; more;) {
    char* end = nullptr;
    const bool is_word = row.size() == shape.word;
    row.push_back(is_word ? 0 : std::strtod(at, &end));
    if (is_word) end = const_cast<char*>(at) + std::strspn(at, "abcdefghijklmnopqrstuvwxyz");
    more = *end == ',';
    if (end == at || !(more || *end == '\0') || std::isspace(static_cast<unsigned char>(*at)) != 0) return {};
    at = end + 1;
  }
  if (row.size() != shape.columns) row.clear();
  return row;
}

/// Rows as they come, kept by times.
class KeptTimes {
 public:
  explicit KeptTimes(std::size_t rows_a_time) : rows_a_time_(rows_a_time) {}

  void add(std::vector<double> row, const std::string& line) {
    const double time = row.front();
    if (time != time_) {
      rows_.clear();
      time_ = time;
    }
    rows_.push_back(line);
    if (rows_a_time_ == 0) return keep_all(std::move(row));
    if (rows_.size() != rows_a_time_ || time <= last_time_) return;
    for (const std::string& row : rows_) text += row + "\n";
    last_time_ = time;
    last = std::move(row);
    count += rows_.size();
  }

  std::string text;
  std::vector<double> last;
  std::uint64_t count = 0;

 private:
  /// The row just read, where there may be any number of a time.
  void keep_all(std::vector<double> row) {
    if (time_ < last_time_) return;
    text += rows_.back() + "\n";
    last_time_ = time_;
    last = std::move(row);
    ++count;
  }

  std::size_t rows_a_time_;
  std::vector<std::string> rows_;  ///< of time_
  double time_ = -HUGE_VAL, last_time_ = -HUGE_VAL;
};

}  // namespace

std::vector<double> GrowingTable::open(const std::filesystem::path& path, const std::string& header, double last_time,
                                       std::size_t rows_a_time) {
  path_ = path;
  const RowShape shape = shape_of(header);
  KeptTimes kept(rows_a_time);
  std::istringstream before(std::filesystem::exists(path) ? read_text(path) : std::string());
  for (std::string line; std::getline(before, line) && !before.eof();) {
    std::vector<double> row = numbers_of_row(line, shape);
    if (!row.empty() && row.front() <= last_time) kept.add(std::move(row), line);
  }
  replace_text(path, header + "\n" + kept.text);
  file_.open(path, std::ios::app);
  kept_ = kept.count;
  return kept.last;
}

void GrowingTable::append(const std::string& rows) {
  file_ << rows;
  file_.flush();
  if (!file_) {
    throw Error(path_.string(), std::string("cannot be written: ") + std::strerror(errno),
                "free space on the disk, then continue with --resume");
  }
}

std::vector<std::vector<double>> read_rows(const std::filesystem::path& path) {
  std::istringstream file(read_text(path));
  std::string line;
  if (!std::getline(file, line)) throw Error(path.string(), "cannot be read", "run the simulation first");
  const auto columns = static_cast<std::size_t>(std::count(line.begin(), line.end(), ',')) + 1;
  std::vector<std::vector<double>> rows;
  while (std::getline(file, line)) {
    std::vector<double>& row = rows.emplace_back();
    std::istringstream words(line);
    for (std::string word; std::getline(words, word, ',');) row.push_back(std::strtod(word.c_str(), nullptr));
    if (row.size() < columns) throw Error(path.string(), "has a row of " + std::to_string(row.size()) + " columns");
  }
  return rows;
}

}  // namespace hornbeam::io
