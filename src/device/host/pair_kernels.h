// SPDX-License-Identifier: Apache-2.0
// The walks over pairs as kernels of the CPU, by precision: those of its instruction set (kernels.h).
#pragma once

#include "device/device.h"
#include "device/host/instruction_set.h"

namespace hornbeam {

/// Runs a walk for all targets or groups of a launch, on at most so many threads.
using HostWalkKernel = void (*)(const Arguments& arguments, InstructionSet isa, int threads);

namespace mixed {
/// Null for kernels that are no walks of the CPU.
HostWalkKernel host_walk_kernel(Kernel kernel);
}  // namespace mixed
namespace single {
HostWalkKernel host_walk_kernel(Kernel kernel);
}
namespace fp64 {
HostWalkKernel host_walk_kernel(Kernel kernel);
}

}  // namespace hornbeam
