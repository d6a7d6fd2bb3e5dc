// SPDX-License-Identifier: Apache-2.0
// The list of a run's tables, see records.h.
#include "run/records/records.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "hornbeam/units.h"
#include "run/folder/writer.h"

namespace hornbeam::run {

std::string headings(const std::vector<Columns>& columns) {
  std::string text;
  for (const Columns& some : columns) {
    for (const char* name : some.names)
      text += std::string(",") + name + (some.unit.empty() ? "" : " [" + some.unit + "]");
  }
  return text;
}

Records::Records(std::filesystem::path folder, ShownTime time, RowCounts counts)
    : folder_(std::move(folder)), time_(std::move(time)), counts_(std::move(counts)) {}

/// Rounded where the unit is another: three times 100 Myr is 300 Myr.
std::string Records::row_time(double time) const {
  return time_.per_unit == 1 ? fmt::format("{}", time) : fmt::format("{:.15g}", time * time_.per_unit);
}

std::vector<std::string> Records::open(double until, double last_time) {
  std::vector<std::string> lost;
  for (Growing& growing : list_) {
    const Record& record = growing.record;
    const std::filesystem::path path = folder_ / record.name.file;
    const std::string header = headings({{{"time"}, time_.name}, {{"step"}}}) + headings(record.columns);
    constexpr double digits = 1e-14;  // of row_time()
    const double shown =
        time_.per_unit == 1 ? until : until * time_.per_unit + digits * std::abs(until * time_.per_unit);
    const std::vector<double> last = growing.table.open(path, header.substr(1), shown, record.rows_a_time);
    if (!last.empty()) growing.last_step = static_cast<std::uint64_t>(last[1]);
    if (record.resume && !last.empty()) record.resume(last);
    const std::uint64_t kept = growing.table.kept(), written = std::exchange(counts_[record.name.counted_as], kept);
    if (kept >= written) continue;
    lost.push_back(fmt::format("{}: {} of the {} rows up to t = {} are lost; the run continues without them",
                               path.string(), written - kept, written, time_.text(last_time)));
  }
  return lost;
}

bool Records::append(const At& at, Writer& writer) {
  bool any = false;
  for (Growing& growing : list_) {
    Record& record = growing.record;
    const bool is_due =
        record.due.due(at.now) || at.is_start || record.after_each_step || (record.with_snapshots && at.has_snapshots);
    if (!is_due || growing.last_step == at.step) continue;
    const std::vector<std::string> rows = record.rows();
    if (record.after_each_step && rows.empty()) continue;
    const std::string time = row_time(record.after_each_step ? at.now : at.told());  // whatever outputs fall on it
    std::string text;
    for (const std::string& row : rows) text += fmt::format("{},{},{}\n", time, at.step, row);
    writer.give([table = &growing.table, text = std::move(text)] { table->append(text); }, {}, false);
    counts_[record.name.counted_as] += rows.size();
    growing.last_step = at.step;
    any = true;
  }
  return any;
}

std::optional<double> Records::same_as(double now) const {
  for (const Growing& growing : list_) {
    if (const std::optional<double> time = growing.record.due.same_as(now)) return time;
  }
  return {};
}

}  // namespace hornbeam::run
