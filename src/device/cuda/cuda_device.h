// SPDX-License-Identifier: Apache-2.0
// NVIDIA GPUs through the CUDA runtime, which is linked in and finds the driver, if there is one, by itself.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "device/devices.h"

namespace hornbeam {

/// Every CUDA device; empty, and silent, where there is no driver.
std::vector<DeviceInfo> list_cuda_devices();

/// The device in whose memory this is; none for that of the host, or of none.
std::optional<int> cuda_device_of(const void* memory);

/// Throws NoDevice naming what there is.
std::unique_ptr<Device> open_cuda_device(int index);

}  // namespace hornbeam
