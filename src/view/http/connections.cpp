// SPDX-License-Identifier: Apache-2.0
// The table of connections and the order in which they are closed, see connections.h.
#include "view/http/connections.h"

#include <algorithm>
#include <exception>
#include <tuple>
#include <utility>

namespace hornbeam::view {

std::size_t Connections::staying() const {
  return static_cast<std::size_t>(
      std::count_if(rows_.begin(), rows_.end(), [](const Row& row) { return !row.leaves; }));
}

void Connections::close(Row& row) {
  row.leaves = true;
  try {
    row.hang_up();
  } catch (const std::exception&) {  // no memory: its own time limit ends it
  }
}

bool Connections::close_next() {
  const auto next = std::min_element(rows_.begin(), rows_.end(), [](const Row& a, const Row& b) {
    return std::tie(a.leaves, a.stage, a.since) < std::tie(b.leaves, b.stage, b.since);
  });
  if (next == rows_.end() || next->leaves) return false;
  close(*next);
  return true;
}

bool Connections::close_one() {
  const std::scoped_lock lock(mutex_);
  return close_next();
}

bool Connections::takes_more() {
  const std::scoped_lock lock(mutex_);
  return rows_.size() < 2 * most;
}

void Connections::make_room() {
  const std::scoped_lock lock(mutex_);
  if (staying() >= most) close_next();
}

Connections::Entry::Entry(Connections& all, std::function<void()> hang_up) : all_(all) {
  const std::scoped_lock lock(all_.mutex_);
  row_ = all_.rows_.emplace(all_.rows_.end());
  row_->hang_up = std::move(hang_up);
  row_->since = Clock::now();
}

Connections::Entry::~Entry() {
  const std::scoped_lock lock(all_.mutex_);
  all_.rows_.erase(row_);
}

void Connections::Entry::progress(Stage stage) {
  const std::scoped_lock lock(all_.mutex_);
  row_->stage = stage;
  row_->since = Clock::now();
  if (stage != Stage::answer) row_->is_large = false;
}

bool Connections::Entry::may_send(std::size_t bytes) {
  if (bytes < large) return true;
  const std::scoped_lock lock(all_.mutex_);
  const Clock::time_point now = Clock::now();
  std::size_t others = 0;
  Row* oldest = nullptr;
  for (Row& row : all_.rows_) {
    if (!row.is_large || row.leaves) continue;
    ++others;
    if (oldest == nullptr || row.large_since < oldest->large_since) oldest = &row;
  }
  if (others >= most_large) {
    if (now - oldest->large_since < longest_large) return false;
    all_.close(*oldest);
  }
  row_->is_large = true;
  row_->large_since = now;
  return true;
}

bool Connections::Entry::leaves() const {
  const std::scoped_lock lock(all_.mutex_);
  return row_->leaves;
}

}  // namespace hornbeam::view
