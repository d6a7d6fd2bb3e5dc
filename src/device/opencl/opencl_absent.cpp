// SPDX-License-Identifier: Apache-2.0
// In place of the OpenCL backend where its headers were missing when the program was built; empty elsewhere.
#include "device/opencl/opencl_device.h"
#include "hornbeam/error.h"

#if !defined(HORNBEAM_OPENCL)
namespace hornbeam {

std::vector<DeviceInfo> list_opencl_devices() { return {}; }

std::unique_ptr<Device> open_opencl_device(int /*index*/) {
  throw NoDevice("backend = opencl", "is not built into this program",
                 "install opencl-c-headers and build again, or use cpu or auto");
}

}  // namespace hornbeam
#endif
