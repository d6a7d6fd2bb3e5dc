// SPDX-License-Identifier: Apache-2.0
// What the CUDA backend asks of the runtime besides kernels: calls that are
// checked, the device that they go to, memory.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>

#include "device/driver_failure.h"

namespace hornbeam {

inline DriverFailure failure_of(cudaError_t error) {
  switch (error) {
    case cudaErrorMemoryAllocation:
      return DriverFailure::memory;
    case cudaErrorNoDevice:
    case cudaErrorInsufficientDriver:
      return DriverFailure::no_device;
    default:
      return error >= cudaErrorStreamCaptureUnsupported && error <= cudaErrorStreamCaptureWrongThread
                 ? DriverFailure::captured
                 : DriverFailure::other;
  }
}

/// Throws for an error. It is forgotten first: CUB takes the last error of the thread, whoever made it, for its own.
inline void check(cudaError_t error, const char* call) {
  if (error == cudaSuccess) return;
  static_cast<void>(cudaGetLastError());
  throw_failure(failure_of(error), call, cudaGetErrorString(error));
}
#define HB_CUDA(call) check((call), #call)

/// Within a scope the calling thread may allocate and synchronise although another library captures a graph: nothing
/// that is done here is part of it.
class BesideCaptures {
 public:
  BesideCaptures() { static_cast<void>(cudaThreadExchangeStreamCaptureMode(&mode_)); }
  ~BesideCaptures() { static_cast<void>(cudaThreadExchangeStreamCaptureMode(&mode_)); }
  BesideCaptures(const BesideCaptures&) = delete;
  BesideCaptures& operator=(const BesideCaptures&) = delete;

 private:
  cudaStreamCaptureMode mode_ = cudaStreamCaptureModeRelaxed;  ///< then that of before
};

/// Throws if the stream takes part in the capture of a graph: what is given to it is recorded and not done.
inline void demand_no_capture(cudaStream_t stream) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  check(cudaStreamIsCapturing(stream, &status), "cudaStreamIsCapturing");
  if (status == cudaStreamCaptureStatusNone) return;
  throw_failure(DriverFailure::captured, "the stream", "its work is only recorded, into a CUDA graph");
}

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
  BesideCaptures beside_;
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
  MemoryPool owned(pool, [](cudaMemPool_t p) { cudaMemPoolDestroy(p); });
  HB_CUDA(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep_all));
  return owned;
}

/// For memory of callers (Lending::lend): freed when the device has done all that anybody has requested of it. The pool
/// stays until then: cudaMemPoolDestroy() allows what it gave to live on, but driver 580 crashes in a later
/// cudaDeviceSynchronize().
struct FreeWhenIdle {
  int device;
  MemoryPool pool;
  void operator()(void* memory) const noexcept {
    const OnDevice here(device);
    if (cudaDeviceSynchronize() != cudaSuccess) {  // during a capture: it may still be read, and stays for good
      static_cast<void>(cudaGetLastError());
      static_cast<void>(new (std::nothrow) MemoryPool(pool));
      return;
    }
    static_cast<void>(cudaFreeAsync(memory, cudaStreamPerThread));
    static_cast<void>(cudaStreamSynchronize(cudaStreamPerThread));  // before the pool may go
  }
};

}  // namespace hornbeam
