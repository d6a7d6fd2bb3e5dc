// SPDX-License-Identifier: Apache-2.0
// The tables of a run as one list: each entry says when it has rows, of which columns, and how they are made. Here all
// of them are begun, go on after a checkpoint, grow and are counted. session/tables.cpp has the entries.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "hornbeam/particles.h"
#include "io/tables/growing_table.h"

namespace hornbeam::run {

class Writer;

/// What a table is called: its file, and the number of its rows in checkpoints.
struct RecordName {
  const char *file, *counted_as;
};
inline constexpr RecordName energy_table{"energy.csv", "energy_rows"},
    black_holes_table{"black_holes.csv", "black_hole_rows"}, ring_table{"ring.csv", "ring_rows"};
/// All that there are, in the order in which checkpoints count their rows.
inline constexpr std::array record_names = {energy_table, black_holes_table, ring_table};

/// Columns in one unit; none: of pure numbers, and where units are not physical.
struct Columns {
  std::vector<const char*> names;
  std::string unit{};
};

/// ",NAME [UNIT]" for each of them.
std::string headings(const std::vector<Columns>& columns);

/// One table.
struct Record {
  RecordName name;
  std::vector<Columns> columns;                              ///< after those of the time and the step
  std::function<bool(double now)> is_due;                    ///< called once for each time; may count
  std::function<std::vector<std::string>()> rows;            ///< of the present time, without time and step
  std::size_t rows_a_time = 1;                               ///< that belong together
  std::function<void(const std::vector<double>&)> resume{};  ///< receives the last row that was kept
};

/// Numbers of rows by RecordName::counted_as.
using RowCounts = std::map<std::string, std::uint64_t>;

class Records {
 public:
  /// counts: those of the checkpoint, which stay for tables that are not in the list.
  Records(std::filesystem::path folder, Units units, RowCounts counts);

  void add(Record record);
  /// In the order in which they were added.
  [[nodiscard]] const std::vector<Record>& list() const { return list_; }
  /// Begins all tables, with the rows up to `until` that are there; later ones are cut off. Returns a sentence for each
  /// table that lacks rows which the checkpoint, of `last_time`, counted.
  std::vector<std::string> open(double until, double last_time);
  /// Makes the rows of list()[k] of the present time and gives them to the writer.
  void append(std::size_t k, double time, std::uint64_t step, Writer& writer);
  /// With those that the writer still has.
  [[nodiscard]] const RowCounts& counts() const { return counts_; }

 private:
  std::filesystem::path folder_;
  Units units_;
  RowCounts counts_;
  std::vector<Record> list_;
  std::deque<io::GrowingTable> tables_;  ///< which the writer's thread appends to
};

}  // namespace hornbeam::run
