// SPDX-License-Identifier: Apache-2.0
// The item kernels of device/kernels/ as loops of the CPU, by precision.
#pragma once

#include "device/device.h"

namespace hornbeam {

/// Runs items [0, items) of a kernel, on the threads of the present scope (device/host/threads.h).
using HostKernel = void (*)(std::int64_t items, const Arguments& arguments);

namespace mixed {
/// Null for kernels that are not in HB_HOST_KERNELS.
HostKernel host_kernel(Kernel kernel);
}  // namespace mixed
namespace single {
HostKernel host_kernel(Kernel kernel);
}
namespace fp64 {
HostKernel host_kernel(Kernel kernel);
}

}  // namespace hornbeam
