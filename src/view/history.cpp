// SPDX-License-Identifier: Apache-2.0
// Rows of energies, see history.h.
#include "view/history.h"

#include <algorithm>
#include <fstream>
#include <string>

#include "hornbeam/error.h"
#include "hornbeam/units.h"
#include "io/tables/growing_table.h"

namespace hornbeam::view {

namespace {

/// Seconds of the unit in the first heading, "time [Gyr]"; 0 if there is none.
double time_unit_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string heading;
  std::getline(file, heading, ',');
  const std::size_t begin = heading.find('['), end = heading.find(']');
  if (begin == std::string::npos || end == std::string::npos || end < begin) return 0;
  return time_from(heading.substr(begin + 1, end - begin - 1), path.string());
}

}  // namespace

void EnergyHistory::add(const EnergyRow& row) {
  last_ = row;
  if (seen_++ % every_ != 0) return;
  rows_.push_back(row);
  if (rows_.size() <= most) return;
  for (std::size_t k = 1; 2 * k < rows_.size(); ++k) rows_[k] = rows_[2 * k];
  rows_.resize((rows_.size() + 1) / 2);
  every_ *= 2;
}

Json EnergyHistory::json() const {
  Json json = {
      {"time", Json::array()}, {"step", Json::array()}, {"total", Json::array()}, {"relative_error", Json::array()}};
  if (time_s_ > 0) json["time_s"] = time_s_;
  const auto put = [&](const EnergyRow& row) {
    json["time"].push_back(row.time);
    json["step"].push_back(row.step);
    json["total"].push_back(row.total);
    json["relative_error"].push_back(row.relative_error);
  };
  for (const EnergyRow& row : rows_) put(row);
  if (last_ && !rows_.empty() && rows_.back().step != last_->step) put(*last_);
  return json;
}

std::optional<EnergyHistory> read_energies(const std::filesystem::path& path) {
  constexpr std::size_t time = 0, step = 1, total = 4, relative_error = 5;  // its columns
  std::error_code none;
  if (!std::filesystem::is_regular_file(path, none)) return {};
  EnergyHistory history;
  try {
    history.set_time_unit(time_unit_of(path));
    for (const std::vector<double>& row : io::read_rows(path)) {
      if (row.size() > relative_error) history.add({row[time], row[step], row[total], row[relative_error]});
    }
  } catch (const Error&) {
    return {};  // a row is being written: the next look finds it whole
  }
  return history;
}

}  // namespace hornbeam::view
