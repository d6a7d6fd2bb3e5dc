// SPDX-License-Identifier: Apache-2.0
// The devices beside the CPU that this machine offers to tests.
#pragma once

#include <string>
#include <vector>

#include "backend/backend.h"
#include "backend/device/device.h"

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

/// The same and the CPU.
inline std::vector<std::string> every_backend() {
  std::vector<std::string> all = device_backends();
  all.push_back("cpu");
  return all;
}

inline constexpr const char* no_device = "neither an NVIDIA GPU nor an OpenCL device (package pocl-opencl-icd) is here";

}  // namespace hornbeam
