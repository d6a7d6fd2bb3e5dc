// SPDX-License-Identifier: Apache-2.0
// What the first process asks of the others: the calls of Device, each as a few bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "device/processes/messages.h"

namespace hornbeam::processes {

enum class Request : std::uint8_t {
  open,  ///< a device, as open_device() takes them
  close,
  links,  ///< between the GPUs of all (nccl.h)
  unlink,
  allocate,
  release,
  upload,
  download,
  begin_fetch,
  end_fetch,
  clear,
  copy,
  start_items,
  start_warps,
  sort_pairs,
  exclusive_scan,
  fork_queue,
  use_queue,
  join_queues,
  free_bytes,
  copy_rows,  ///< between processes (rows.h)
  end         ///< of the program, with its exit status
};

/// Number of an array of another process; 0: none.
using ArrayNumber = std::uint64_t;
using DeviceNumber = std::uint32_t;

/// A request within a message, in front of its own values.
struct RequestHeader {
  Request what;
  DeviceNumber device;
  std::uint64_t bytes;  ///< of its values
};

/// How an answer begins: whether the process has done all that was requested of its device so far, or why not.
struct Verdict {
  std::string failure;  ///< empty: none
  bool is_of_usage = false;
};

inline void put(Bytes& bytes, const Verdict& verdict) {
  put(bytes, verdict.failure);
  put(bytes, verdict.is_of_usage);
}
inline Verdict get_verdict(Reader& reader) {
  std::string failure = reader.get_text();
  return {std::move(failure), reader.get<bool>()};
}

}  // namespace hornbeam::processes
