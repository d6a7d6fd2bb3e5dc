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
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hornbeam/particles.h"
#include "hornbeam/units.h"
#include "io/tables/growing_table.h"
#include "run/session/schedule.h"

namespace hornbeam::run {

class Writer;

/// What a table is called: its file, and the number of its rows in checkpoints.
struct RecordName {
  const char *file, *counted_as;
};
inline constexpr RecordName energy_table{"energy.csv", "energy_rows"},
    black_holes_table{"black_holes.csv", "black_hole_rows"}, ring_table{"ring.csv", "ring_rows"},
    events_table{"events.csv", "event_rows"};
/// All that there are, in the order in which checkpoints count their rows.
inline constexpr std::array record_names = {energy_table, black_holes_table, ring_table, events_table};

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
  Interval due;                                              ///< its own times
  bool with_snapshots = false;                               ///< whether it has rows at those of snapshots, too
  bool after_each_step = false;                              ///< and after each step, with its exact time
  std::vector<Columns> columns{};                            ///< after those of the time and the step
  std::function<std::vector<std::string>()> rows{};          ///< of the present time, without time and step
  std::size_t rows_a_time = 1;                               ///< that belong together; 0: any number
  std::function<void(const std::vector<double>&)> resume{};  ///< receives the last row that was kept
};

/// Values of rows by RecordName::counted_as.
using RowCounts = std::map<std::string, std::uint64_t>;

class Records {
 public:
  /// counts: those of the checkpoint, which stay for tables that are not in the list.
  /// time: in which rows have their time.
  Records(std::filesystem::path folder, ShownTime time, RowCounts counts);

  void add(Record record) { list_.push_back({std::move(record)}); }
  /// Begins all tables, with the rows up to `until` that are there; later ones are cut off. Returns a sentence for each
  /// table that lacks rows which the checkpoint, of `last_time`, counted.
  std::vector<std::string> open(double until, double last_time);
  /// A time at which rows may be due, besides their own times.
  struct At {
    double now;
    std::function<double()> told;  ///< the same as rows have it
    std::uint64_t step;
    bool is_start, has_snapshots;
  };
  /// Makes the rows that are due, no second ones of a step, and gives them to the writer. Returns whether there are
  /// any.
  bool append(const At& at, Writer& writer);
  /// The time of a table's own that coincides with `now`, if any.
  [[nodiscard]] std::optional<double> same_as(double now) const;
  /// With those that the writer still has.
  [[nodiscard]] const RowCounts& counts() const { return counts_; }

 private:
  [[nodiscard]] std::string row_time(double time) const;

  std::filesystem::path folder_;
  ShownTime time_;
  RowCounts counts_;
  struct Growing {
    Record record;
    std::optional<std::uint64_t> last_step{};  ///< of its rows
    io::GrowingTable table{};                  ///< to which the writer's thread appends
  };
  std::deque<Growing> list_;
};

}  // namespace hornbeam::run
