// SPDX-License-Identifier: Apache-2.0
// Calls of NCCL, see nccl.h. Its ABI is fixed since NCCL 2.7, which has ncclSend().
#include "device/processes/nccl.h"

#include <dlfcn.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "device/lending.h"
#include "hornbeam/error.h"

namespace hornbeam::processes {
namespace {

using Communicator = void*;
constexpr int of_bytes = 0;  ///< ncclInt8

struct Calls {
  bool are_there = false;
  const char* (*words)(int);
  int (*key)(decltype(NcclKey::id)*);  ///< ncclUniqueId is 128 bytes
  int (*join)(Communicator*, int, decltype(NcclKey::id), int);
  int (*leave)(Communicator);  ///< ncclCommAbort(), since ncclCommDestroy() may wait for the others
  int (*begin)();
  int (*end)();
  int (*send)(const void*, std::size_t, int, int, Communicator, void*);
  int (*receive)(void*, std::size_t, int, int, Communicator, void*);
};

template <class Function>
bool find(void* library, const char* name, Function*& function) {
  function = reinterpret_cast<Function*>(dlsym(library, name));
  return function != nullptr;
}

const Calls& calls() {
  static const Calls found = [] {
    // sums in the switch of NVLink ask for memory that few systems grant, and rows are not summed
    setenv("NCCL_NVLS_ENABLE", "0", 0);
    Calls some;
    const char* const wanted = std::getenv("HORNBEAM_NCCL");
    if (wanted != nullptr && std::strcmp(wanted, "off") == 0) return some;
    void* const library = dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    some.are_there = library != nullptr && find(library, "ncclGetErrorString", some.words) &&
                     find(library, "ncclGetUniqueId", some.key) && find(library, "ncclCommInitRank", some.join) &&
                     find(library, "ncclCommAbort", some.leave) && find(library, "ncclGroupStart", some.begin) &&
                     find(library, "ncclGroupEnd", some.end) && find(library, "ncclSend", some.send) &&
                     find(library, "ncclRecv", some.receive);
    return some;
  }();
  return found;
}

void check(int code, const char* call) {
  if (code != 0) throw Error("NCCL", std::string(call) + " failed: " + calls().words(code));
}

class RowsByNccl final : public RowMover {
 public:
  explicit RowsByNccl(Communicator communicator) : communicator_(communicator) {}
  ~RowsByNccl() override { calls().leave(communicator_); }
  RowsByNccl(const RowsByNccl&) = delete;
  RowsByNccl& operator=(const RowsByNccl&) = delete;

  /// In the queue of the device, which goes on at once.
  void move(Device& device, std::span<const Row> rows) override {
    device.lending()->as_current([&] { begin(device, rows); });
  }

 private:
  void begin(Device& device, std::span<const Row> rows) {
    auto* const queue = reinterpret_cast<void*>(device.lending()->queue());  // NOLINT(performance-no-int-to-ptr)
    check(calls().begin(), "ncclGroupStart");
    for (const Row& row : rows) {
      auto* const place = static_cast<std::byte*>(row.array->handle()) + row.offset;
      check(row.goes ? calls().send(place, row.bytes, of_bytes, row.peer, communicator_, queue)
                     : calls().receive(place, row.bytes, of_bytes, row.peer, communicator_, queue),
            row.goes ? "ncclSend" : "ncclRecv");
    }
    check(calls().end(), "ncclGroupEnd");
  }

  Communicator communicator_;
};

}  // namespace

bool has_nccl() { return calls().are_there; }

NcclKey new_nccl_key() {
  NcclKey key;
  if (!has_nccl()) return key;
  check(calls().key(&key.id), "ncclGetUniqueId");
  key.is_set = true;
  return key;
}

namespace {

/// Connections are made by the first rows, which takes some 0.2 s: better now than within a step.
void connect(RowMover& mover, Device& device, int rank, int ranks) {
  Buffer room(device);
  room.reserve(2 * static_cast<std::size_t>(ranks));
  std::vector<Row> rows;
  for (int peer = 0; peer < ranks; ++peer) {
    if (peer == rank) continue;
    const auto at = static_cast<std::size_t>(peer);
    rows.push_back({peer, true, &room, at, 1});
    rows.push_back({peer, false, &room, static_cast<std::size_t>(ranks) + at, 1});
  }
  mover.move(device, rows);
  device.lending()->finish();
}

}  // namespace

std::unique_ptr<RowMover> try_nccl(const NcclKey& key, int rank, int ranks, Device& device) {
  Communicator communicator = nullptr;
  int code = 0;
  device.lending()->as_current([&] { code = calls().join(&communicator, ranks, key.id, rank); });
  if (code != 0) return nullptr;
  auto mover = std::make_unique<RowsByNccl>(communicator);
  connect(*mover, device, rank, ranks);
  return std::make_unique<PackedRows>(std::move(mover));
}

}  // namespace hornbeam::processes
