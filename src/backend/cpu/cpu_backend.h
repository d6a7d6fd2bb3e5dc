// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "backend/backend.h"

namespace hornbeam {

DeviceInfo cpu_device();
/// threads 0: all cores.
std::unique_ptr<Backend> open_cpu_backend(int threads);

}  // namespace hornbeam
