// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "backend/backend.h"

namespace hornbeam {

DeviceInfo cpu_device();
/// threads 0: all cores. Throws NoDevice for a device other than 0.
std::unique_ptr<Backend> open_cpu_backend(int device, int threads);

}  // namespace hornbeam
