// SPDX-License-Identifier: Apache-2.0
// Which backends are compiled in, whatever devices are here (device/devices.h lists these).
#pragma once

#include <string>
#include <vector>

namespace hornbeam {

/// "cpu", "opencl" (whose library is looked for at run time) and, where nvcc was there, "cuda".
std::vector<std::string> built_backends();

}  // namespace hornbeam
