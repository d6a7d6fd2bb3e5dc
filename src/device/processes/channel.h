// SPDX-License-Identifier: Apache-2.0
// Messages between the processes of one run: requests and answers of any length, and rows of arrays of known length.
#pragma once

#include <chrono>
#include <cstddef>
#include <list>
#include <memory>
#include <span>
#include <vector>

#include "device/processes/messages.h"
#include "device/processes/mpi_library.h"

namespace hornbeam::processes {

/// HORNBEAM_PATIENCE, seconds, by default 600. Throws UsageError where that is no number above 0.
double patience();

class Channel {
 public:
  Channel(std::unique_ptr<MpiLibrary> mpi, double patience) : mpi_(std::move(mpi)), patience_(patience) {}

  [[nodiscard]] int rank() { return mpi_->rank(); }
  [[nodiscard]] int size() { return mpi_->size(); }

  /// Returns at once.
  void send(int to, Bytes message);
  /// Waits for a message. A process that does not send one for `patience` seconds ends all of them, with a line that
  /// names it; is_patient: never.
  Bytes receive(int from, bool is_patient = false);

  /// Rows of arrays on their way; their memory is in use until they have been waited for.
  struct Rows {
    int peer;
    std::vector<MpiLibrary::Transfer> parts;
  };
  Rows begin_send(int to, std::span<const std::byte> rows);
  Rows begin_receive(int from, std::span<std::byte> rows);
  void wait(Rows& rows);

  /// Sends what is still on its way and ends MPI, which waits for all processes.
  void finish();

 private:
  struct Sent {
    Bytes first;    ///< the length, and what fits behind it
    Bytes message;  ///< of which the rest is sent from where it lies
    std::vector<MpiLibrary::Transfer> parts;
    int to;
  };
  void wait(MpiLibrary::Transfer transfer, int peer, bool is_patient);
  void forget_what_has_arrived();
  [[noreturn]] void give_up(int peer);

  std::unique_ptr<MpiLibrary> mpi_;
  double patience_;
  std::list<Sent> sent_;
  std::size_t bytes_sent_ = 0;  ///< of sent_
};

}  // namespace hornbeam::processes
