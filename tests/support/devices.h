// SPDX-License-Identifier: Apache-2.0
// The devices beside the CPU that this machine offers to tests.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "backend/backend.h"
#include "backend/device/device.h"
#include "backend/opencl/opencl_device.h"
#if defined(HORNBEAM_TEST_CUDA)
#include "backend/cuda/cuda_device.h"
#endif

namespace hornbeam {

/// The first device of each backend but the CPU; none: tests say SKIPPED.
inline std::vector<std::string> device_backends() {
  std::vector<std::string> found;
  for (const DeviceInfo& device : list_devices()) {
    const bool known = !found.empty() && found.back() == device.backend;
    if (device.backend != "cpu" && !known) found.push_back(device.backend);
  }
  return found;
}

inline std::unique_ptr<Device> open_device([[maybe_unused]] const std::string& backend) {
#if defined(HORNBEAM_TEST_CUDA)
  if (backend == "cuda") return open_cuda_device(0);
#endif
  return open_opencl_device(0);
}

inline constexpr const char* no_device = "neither an NVIDIA GPU nor an OpenCL device (package pocl-opencl-icd) is here";

}  // namespace hornbeam
