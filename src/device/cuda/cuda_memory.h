// SPDX-License-Identifier: Apache-2.0
// What the CUDA backend asks of the runtime beside kernels: calls that are checked, the device that they go to, memory.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>

#include "hornbeam/error.h"

namespace hornbeam {

inline void check(cudaError_t error, const char* call) {
  if (error == cudaSuccess) return;
  throw Error("cuda", std::string(call) + " failed: " + cudaGetErrorString(error),
              "see nvidia-smi for the state of the device");
}
#define HB_CUDA(call) check((call), #call)

/// Within a scope the calling thread's work goes to device `index`; afterwards to the one of before. What fails here
/// fails again in the call that follows.
class OnDevice {
 public:
  explicit OnDevice(int index) {
    moved_ = cudaGetDevice(&before_) == cudaSuccess && before_ != index && cudaSetDevice(index) == cudaSuccess;
  }
  ~OnDevice() {
    if (moved_) static_cast<void>(cudaSetDevice(before_));
  }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

 private:
  int before_ = 0;
  bool moved_ = false;
};

/// A pool of memory of our own: what is freed stays in it for the next step, whatever others in the process do.
using MemoryPool = std::shared_ptr<std::remove_pointer_t<cudaMemPool_t>>;

inline MemoryPool make_pool(int device) {
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;  // the only kind that there is: memory of the device
  properties.location.type = cudaMemLocationTypeDevice;
  properties.location.id = device;
  cudaMemPool_t pool = nullptr;
  HB_CUDA(cudaMemPoolCreate(&pool, &properties));
  std::uint64_t keep_all = UINT64_MAX;
  const MemoryPool owned(pool, [](cudaMemPool_t p) { cudaMemPoolDestroy(p); });
  HB_CUDA(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep_all));
  return owned;
}

/// For memory of callers (Lending::lend): freed when the device has done all that anybody has asked of it. The pool
/// stays until then: cudaMemPoolDestroy() allows what it gave to live on, but driver 580 crashes in a later
/// cudaDeviceSynchronize().
struct FreeWhenIdle {
  int device;
  MemoryPool pool;
  void operator()(void* memory) const noexcept {
    const OnDevice here(device);
    static_cast<void>(cudaDeviceSynchronize());
    static_cast<void>(cudaFreeAsync(memory, cudaStreamPerThread));
    static_cast<void>(cudaStreamSynchronize(cudaStreamPerThread));  // before the pool may go
  }
};

}  // namespace hornbeam
