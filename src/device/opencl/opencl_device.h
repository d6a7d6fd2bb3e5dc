// SPDX-License-Identifier: Apache-2.0
// OpenCL devices as the particle's path sees them. Where the program was built without OpenCL's headers the list is
// empty and opening says so.
#pragma once

#include <memory>
#include <vector>

#include "device/devices.h"

namespace hornbeam {

/// All devices of all platforms, GPUs first: `index` of open_opencl_device(). Silent and empty where there is none.
std::vector<DeviceInfo> list_opencl_devices();

/// Throws NoDevice where there is no such device, Error where it cannot run Hornbeam's kernels.
std::unique_ptr<Device> open_opencl_device(int index);

}  // namespace hornbeam
