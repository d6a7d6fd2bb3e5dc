// SPDX-License-Identifier: Apache-2.0
// Streams of a device in addition to its first one, for launches that may overlap (Device::on_queue).
#pragma once

#include <cuda_runtime.h>

#include <vector>

#include "device/cuda/cuda_memory.h"

namespace hornbeam {

/// Of the device that is current in each call. Nothing is made before it is needed.
class OtherStreams {
 public:
  OtherStreams() = default;
  ~OtherStreams() {
    for (const Other& other : others_) {
      cudaStreamDestroy(other.stream);
      cudaEventDestroy(other.is_done);
    }
    if (is_forked_ != nullptr) cudaEventDestroy(is_forked_);
  }
  OtherStreams(const OtherStreams&) = delete;
  OtherStreams& operator=(const OtherStreams&) = delete;

  /// The stream that is taken next waits for what `first` has to do so far.
  void fork(cudaStream_t first) {
    if (is_forked_ == nullptr) HB_CUDA(cudaEventCreateWithFlags(&is_forked_, cudaEventDisableTiming));
    HB_CUDA(cudaEventRecord(is_forked_, first));
  }
  /// number: from 1 on.
  cudaStream_t stream(int number) {
    while (static_cast<int>(others_.size()) < number) {
      Other made{};
      HB_CUDA(cudaStreamCreateWithFlags(&made.stream, cudaStreamNonBlocking));
      HB_CUDA(cudaEventCreateWithFlags(&made.is_done, cudaEventDisableTiming));
      others_.push_back(made);
    }
    const cudaStream_t found = others_[static_cast<std::size_t>(number) - 1].stream;
    HB_CUDA(cudaStreamWaitEvent(found, is_forked_));
    return found;
  }
  /// `first` waits for streams 1 to `last`.
  void join(cudaStream_t first, int last) {
    for (int number = 1; number <= last && number <= static_cast<int>(others_.size()); ++number) {
      const Other& joined = others_[static_cast<std::size_t>(number) - 1];
      HB_CUDA(cudaEventRecord(joined.is_done, joined.stream));
      HB_CUDA(cudaStreamWaitEvent(first, joined.is_done));
    }
  }

 private:
  struct Other {
    cudaStream_t stream;
    cudaEvent_t is_done;
  };
  std::vector<Other> others_;
  cudaEvent_t is_forked_ = nullptr;
};

}  // namespace hornbeam
