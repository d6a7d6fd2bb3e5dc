// SPDX-License-Identifier: Apache-2.0
// Which devices this build and machine have, and how one is opened.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "device/device.h"

namespace hornbeam {

struct DeviceInfo {
  std::string backend;
  std::string device;
  int threads = 0;  ///< of a GPU: its compute units
  std::uint64_t memory_bytes = 0;
};

/// Every device this build and machine can use.
std::vector<DeviceInfo> list_devices();

/// Opens backend "cpu", "cuda", "opencl" or "auto" (cuda where there is a device, else cpu; Device::backend() says
/// which); threads: of the CPU, 0 for all cores. Throws NoDevice for a backend that is not built or has no such device
/// here.
std::unique_ptr<Device> open_device(const std::string& backend, int device, int threads = 0);

/// Throws UsageError where the device's memory is not that of callers (OpenCL).
Lending& lending_of(Device& device);

/// The CUDA device in whose memory this is; none for that of the host. Throws NoDevice where CUDA is not built.
std::optional<int> device_of_memory(const void* memory);

}  // namespace hornbeam
