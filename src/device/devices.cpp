// SPDX-License-Identifier: Apache-2.0
// Which backends this program has, and which of them a name means.
#include "device/devices.h"

#include <unistd.h>

#include <atomic>
#include <utility>

#include "device/built.h"
#include "device/host/host_device.h"
#include "device/opencl/opencl_device.h"
#include "device/threads.h"
#include "hornbeam/error.h"
#if defined(HORNBEAM_CUDA)
#include "device/cuda/cuda_device.h"
#endif

namespace hornbeam {
namespace {

std::vector<DeviceInfo> cuda_devices() {
#if defined(HORNBEAM_CUDA)
  return list_cuda_devices();
#else
  return {};
#endif
}

std::unique_ptr<Device> open_cuda([[maybe_unused]] int device) {
#if defined(HORNBEAM_CUDA)
  return open_cuda_device(device);
#else
  throw NoDevice("backend = cuda", "is not built into this program", "build where nvcc is, or use cpu or auto");
#endif
}

/// Drivers do not survive fork(): calls into them fail or wait for ever.
void check_process(const std::string& backend) {
  static std::atomic<pid_t> opener = 0;
  pid_t none = 0;
  if (!opener.compare_exchange_strong(none, getpid()) && none != getpid()) {
    throw Error("backend = " + backend,
                "was opened by process " + std::to_string(none) + ", from which this one was forked",
                "make processes by spawn or forkserver, or use cpu here");
  }
}

std::unique_ptr<Device> open_driver(const std::string& backend, int device) {
  check_process(backend);
  return backend == "cuda" ? open_cuda(device) : open_opencl_device(device);
}

}  // namespace

Lending& lending_of(Device& device) {
  if (Lending* const lending = device.lending()) return *lending;
  throw UsageError("backend = " + device.backend(), "has no memory in common with callers", "use backend cuda or cpu");
}

std::optional<int> device_of_memory([[maybe_unused]] const void* memory) {
#if defined(HORNBEAM_CUDA)
  return cuda_device_of(memory);
#else
  throw NoDevice("backend = cuda", "is not built into this program", "build where nvcc is, or use arrays of the host");
#endif
}

std::vector<std::string> built_backends() {
#if defined(HORNBEAM_CUDA)
  return {"cpu", "opencl", "cuda"};
#else
  return {"cpu", "opencl"};
#endif
}

std::vector<DeviceInfo> list_devices() {
  std::vector<DeviceInfo> devices = cuda_devices();
  for (DeviceInfo& device : list_opencl_devices()) devices.push_back(std::move(device));
  devices.push_back(host_info());
  return devices;
}

std::unique_ptr<Device> open_device(const std::string& backend, int device, int threads) {
  check_threads(threads, "threads = " + std::to_string(threads));
  const bool automatic = backend == "auto";
  if (backend == "cuda" || (automatic && !cuda_devices().empty())) return open_driver("cuda", device);
  if (backend == "opencl") return open_driver(backend, device);
  if (backend != "cpu" && !automatic) {
    throw UsageError("backend = " + backend, "is not a backend", "use auto, cpu, cuda or opencl");
  }
  if (device != 0) throw NoDevice("device = " + std::to_string(device), "the CPU is device 0", "leave device out");
  return open_host_device(threads);
}

}  // namespace hornbeam
