// SPDX-License-Identifier: Apache-2.0
// The list of a run's tables, see records.h.
#include "run/records/records.h"

#include <fmt/format.h>

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

Records::Records(std::filesystem::path folder, Units units, RowCounts counts)
    : folder_(std::move(folder)), units_(std::move(units)), counts_(std::move(counts)) {}

void Records::add(Record record) {
  list_.push_back(std::move(record));
  tables_.emplace_back();
}

std::vector<std::string> Records::open(double until, double last_time) {
  std::vector<std::string> lost;
  for (std::size_t k = 0; k < list_.size(); ++k) {
    const Record& record = list_[k];
    const std::filesystem::path path = folder_ / record.name.file;
    const std::string header = headings({{{"time"}, time_unit_name(units_)}, {{"step"}}}) + headings(record.columns);
    const std::vector<double> last = tables_[k].open(path, header.substr(1), until, record.rows_a_time);
    if (record.resume && !last.empty()) record.resume(last);
    const std::uint64_t written = std::exchange(counts_[record.name.counted_as], tables_[k].kept());
    if (tables_[k].kept() >= written) continue;
    lost.push_back(fmt::format("{}: {} of the {} rows up to t = {:.6g} are lost; the run goes on without them",
                               path.string(), written - tables_[k].kept(), written, last_time));
  }
  return lost;
}

void Records::append(std::size_t k, double time, std::uint64_t step, Writer& writer) {
  const std::vector<std::string> rows = list_[k].rows();
  std::string text;
  for (const std::string& row : rows) text += fmt::format("{},{},{}\n", time, step, row);
  writer.give([table = &tables_[k], text = std::move(text)] { table->append(text); }, {}, false);
  counts_[list_[k].name.counted_as] += rows.size();
}

}  // namespace hornbeam::run
