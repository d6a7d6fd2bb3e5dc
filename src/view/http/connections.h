// SPDX-License-Identifier: Apache-2.0
// Which connections there are, and which one is closed for another: slow and silent ones keep no one out, and hold only
// a few frames. http.cpp makes an entry for each connection.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <list>
#include <mutex>

namespace hornbeam::view {

class Connections {
 public:
  static constexpr std::size_t most = 64;                     ///< beyond it one is closed for each that comes
  static constexpr std::size_t large = std::size_t{1} << 20;  ///< bytes from which an answer counts as large
  static constexpr std::size_t most_large = 8;                ///< large answers that are sent at the same time
  /// A large answer that has been sent for this long ends if another one waits for its place.
  static constexpr auto longest_large = std::chrono::seconds(5);

  /// What a connection does, in the order in which they are closed for others: it has not sent its first request yet,
  /// nor its next one; it receives an answer; its answer is being made.
  enum class Stage { first_request, next_request, answer, wait };

  class Entry;

  /// Returns whether another connection may be taken: those that are closed are still there for a moment.
  bool takes_more();
  /// For one that has come and has no entry yet: closes one if there are `most`.
  void make_room();
  /// Closes the one that is next in order. Returns whether there was one.
  bool close_one();

 private:
  using Clock = std::chrono::steady_clock;

  struct Row {
    std::function<void()> hang_up;
    Stage stage = Stage::first_request;
    Clock::time_point since;        ///< of its last progress
    Clock::time_point large_since;  ///< of a large answer
    bool is_large = false, leaves = false;
  };

  void close(Row& row);
  bool close_next();
  [[nodiscard]] std::size_t staying() const;

  std::mutex mutex_;  ///< of the rows
  std::list<Row> rows_;
};

/// One connection, for as long as it lives.
class Connections::Entry {
 public:
  /// hang_up: ends the connection, from any thread and soon.
  Entry(Connections& all, std::function<void()> hang_up);
  ~Entry();
  Entry(const Entry&) = delete;
  Entry& operator=(const Entry&) = delete;

  /// It begins that, or makes progress with it.
  void progress(Stage stage);
  /// Returns whether an answer of so many bytes may be sent now.
  bool may_send(std::size_t bytes);
  /// Returns whether it has been closed for another one.
  [[nodiscard]] bool leaves() const;

 private:
  Connections& all_;
  std::list<Row>::iterator row_;
};

}  // namespace hornbeam::view
