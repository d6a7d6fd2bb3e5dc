// SPDX-License-Identifier: Apache-2.0
// Which backends this program has, and which of them a name means.
#include "device/devices.h"

#include <utility>

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

}  // namespace

std::optional<int> device_of_memory([[maybe_unused]] const void* memory) {
#if defined(HORNBEAM_CUDA)
  return cuda_device_of(memory);
#else
  throw NoDevice("backend = cuda", "is not built into this program", "build where nvcc is, or use arrays of the host");
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
  if (backend == "cuda" || (automatic && !cuda_devices().empty())) return open_cuda(device);
  if (backend == "opencl") return open_opencl_device(device);
  if (backend != "cpu" && !automatic) {
    throw UsageError("backend = " + backend, "is not a backend", "use auto, cpu, cuda or opencl");
  }
  if (device != 0) throw NoDevice("device = " + std::to_string(device), "the CPU is device 0", "leave device out");
  return open_host_device(threads);
}

}  // namespace hornbeam
