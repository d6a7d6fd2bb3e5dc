// SPDX-License-Identifier: Apache-2.0
// Rows of a run's tables, see growing_table.h.
#include "cli/growing_table.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sstream>

#include "hornbeam/error.h"
#include "io/file.h"

namespace hornbeam::cli {

std::string GrowingTable::open(const std::filesystem::path& path, const std::string& header, double last_time) {
  path_ = path;
  std::string kept = header + "\n", last;
  if (std::filesystem::exists(path)) io::regular_file_size(path);  // a FIFO would have to be waited for
  std::ifstream before(path);
  std::string line;
  std::getline(before, line);  // the header
  while (std::getline(before, line) && !before.eof() && std::strtod(line.c_str(), nullptr) <= last_time) {
    kept += line + "\n";
    last = line;
  }
  before.close();
  io::replace_text(path, kept);
  file_.open(path, std::ios::app);
  return last;
}

void GrowingTable::append(const std::string& row) {
  file_ << row;
  file_.flush();
  if (!file_) {
    throw Error(path_.string(), std::string("cannot be written: ") + std::strerror(errno),
                "make room, then continue with --resume");
  }
}

std::vector<std::vector<double>> read_rows(const std::filesystem::path& path) {
  std::istringstream file(io::read_text(path));
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

}  // namespace hornbeam::cli
