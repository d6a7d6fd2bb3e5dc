// SPDX-License-Identifier: Apache-2.0
// A CSV file that grows row by row while a run goes on, and of which a resumed run keeps what it had made before.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace hornbeam::io {

class GrowingTable {
 public:
  /// Starts the table, whose first column is the time, with `rows_a_time` rows for each (0: any number). A column
  /// called `kind` has words, all others have numbers. Rows that are there up to
  /// `last_time` are kept if they are whole and no others of their time are lost; the header is written again. Returns
  /// the last row kept, without any nothing.
  std::vector<double> open(const std::filesystem::path& path, const std::string& header, double last_time,
                           std::size_t rows_a_time);
  /// Each of `rows` ends its line. Throws Error where it cannot be written.
  void append(const std::string& rows);
  /// Rows that open() has kept.
  [[nodiscard]] std::uint64_t kept() const { return kept_; }

 private:
  std::filesystem::path path_;
  std::ofstream file_;
  std::uint64_t kept_ = 0;
};

/// The values of such a table, row by row; a word that is no number counts as 0. Throws Error for rows that are
/// shorter than the header.
std::vector<std::vector<double>> read_rows(const std::filesystem::path& path);

}  // namespace hornbeam::io
