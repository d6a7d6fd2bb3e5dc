// SPDX-License-Identifier: Apache-2.0
// Copies between two CUDA devices of one process, and how the one waits for the other.
#pragma once

#include "device/cuda/cuda_memory.h"

namespace hornbeam {

/// What one device has to do with another.
struct PeerSide {
  int index;
  cudaStream_t stream;
  cudaEvent_t passed;  ///< recorded for the other to wait for
  cudaMemPool_t pool;
};

/// Whether a device may read what the other one has.
inline bool reads_directly(int index, int other) {
  int can = 0;
  return index == other || (cudaDeviceCanAccessPeer(&can, index, other) == cudaSuccess && can != 0);
}

/// Lets device `index` read memory of the other, whose pool has its own right of access. Where the hardware cannot,
/// copies go by way of the host.
inline void let_read(int index, const PeerSide& other) {
  if (index == other.index || !reads_directly(index, other.index)) return;
  const OnDevice here(index);
  if (cudaDeviceEnablePeerAccess(other.index, 0) != cudaSuccess) static_cast<void>(cudaGetLastError());  // it has it
  cudaMemAccessDesc access{};
  access.location.type = cudaMemLocationTypeDevice;
  access.location.id = index;
  access.flags = cudaMemAccessFlagsProtReadWrite;
  HB_CUDA(cudaMemPoolSetAccess(other.pool, &access, 1));
}

/// Work that `waiting` is given later waits for what the other has been given.
inline void wait_for_peer(const PeerSide& waiting, const PeerSide& other) {
  {
    const OnDevice there(other.index);
    HB_CUDA(cudaEventRecord(other.passed, other.stream));
  }
  const OnDevice here(waiting.index);
  HB_CUDA(cudaStreamWaitEvent(waiting.stream, other.passed));
}

/// Behind what is queued on the receiving device.
inline void copy_from_peer(const PeerSide& receiver, void* to, const PeerSide& other, const void* from,
                           std::size_t bytes) {
  const OnDevice here(receiver.index);
  if (reads_directly(receiver.index, other.index)) {
    HB_CUDA(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, receiver.stream));
  } else {
    HB_CUDA(cudaMemcpyPeerAsync(to, receiver.index, from, other.index, bytes, receiver.stream));
  }
}

}  // namespace hornbeam
