// SPDX-License-Identifier: Apache-2.0
// Rows of arrays that go from the device of one process to that of another: through the memory of the hosts and MPI, or
// from GPU to GPU (nccl.h).
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "device/device.h"
#include "device/processes/channel.h"

namespace hornbeam::processes {

/// Bytes of an array of this process that go to another one, or come from it.
struct Row {
  int peer;
  bool goes;
  const Buffer* array;
  std::size_t offset, bytes;
};

/// All of a process at once: rows of a pair of processes are in the same order on both sides.
class RowMover {
 public:
  virtual ~RowMover() = default;
  virtual void move(Device& device, std::span<const Row> rows) = 0;
};

/// One message for each pair of processes, in each direction.
class RowsOverHosts final : public RowMover {
 public:
  explicit RowsOverHosts(Channel& channel) : channel_(channel) {}
  void move(Device& device, std::span<const Row> rows) override;

 private:
  /// Kept, since new memory costs more than the copy.
  struct Room {
    Bytes memory;
    std::size_t used = 0;
    [[nodiscard]] std::span<std::byte> rows() { return std::span(memory).first(used); }
  };
  using Rooms = std::map<int, Room>;  ///< by process
  static void make_room(Rooms& rooms, std::span<const Row> rows, bool going);

  Channel& channel_;
  Rooms going_, coming_;
};

/// Joins the rows for a process in one array of the device, so that they go as one: runs of a shared launch are many,
/// and each would cost a copy to the host, or a start of NCCL's.
class PackedRows final : public RowMover {
 public:
  explicit PackedRows(std::unique_ptr<RowMover> mover) : mover_(std::move(mover)) {}
  void move(Device& device, std::span<const Row> rows) override;

 private:
  /// Rows of one direction with their places in the rooms of their processes, which are made.
  struct Packed {
    const Row* row;
    Buffer* room;
    std::size_t at;
  };
  using Rooms = std::map<int, Buffer>;  ///< by process
  static std::vector<Packed> pack(Device& device, std::span<const Row> rows, bool going, Rooms& rooms,
                                  std::vector<Row>& joined);

  std::unique_ptr<RowMover> mover_;
  Rooms going_, coming_;
};

/// Over the hosts. Rows are packed where the device copies its own memory fast, and where that is tested.
std::unique_ptr<RowMover> rows_over_hosts(Channel& channel, const Device& device);

}  // namespace hornbeam::processes
