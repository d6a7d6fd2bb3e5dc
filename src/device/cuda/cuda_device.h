// SPDX-License-Identifier: Apache-2.0
// NVIDIA GPUs through the CUDA runtime, which is linked in and finds the driver, if there is one, by itself.
#pragma once

#include <memory>
#include <vector>

#include "device/devices.h"

namespace hornbeam {

/// Every CUDA device; empty, and silent, where there is no driver.
std::vector<DeviceInfo> list_cuda_devices();

/// Throws NoDevice naming what there is.
std::unique_ptr<Device> open_cuda_device(int index);

}  // namespace hornbeam
