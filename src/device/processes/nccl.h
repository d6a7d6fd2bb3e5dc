// SPDX-License-Identifier: Apache-2.0
// Rows from GPU to GPU of several processes by NVIDIA's NCCL, which is opened at run time where it is installed.
#pragma once

#include <array>
#include <memory>

#include "device/processes/rows.h"

namespace hornbeam::processes {

/// What the processes of one device have in common to find one another (ncclUniqueId).
struct NcclKey {
  bool is_set = false;  ///< else NCCL is not installed
  std::array<char, 128> id{};
};

/// False with HORNBEAM_NCCL=off, too.
bool has_nccl();
NcclKey new_nccl_key();
/// Connects the GPUs of all processes, each with its own. Returns when all have called it; null where NCCL fails.
std::unique_ptr<RowMover> try_nccl(const NcclKey& key, int rank, int ranks, Device& device);

}  // namespace hornbeam::processes
