// SPDX-License-Identifier: Apache-2.0
// Which table of kernels an instruction set has, see kernels.h. Compiled once a precision (HB_PRECISION).
#include <string>

#include "device/host/kernels.h"
#include "hornbeam/error.h"
#include "instruction_sets.h"

HB_OPEN

void refuse_memory(u64 bytes) {
  throw Error("memory", std::to_string(bytes) + " more bytes are needed and not available",
              "use fewer particles, smaller groups or neighbourhoods, or a larger machine");
}

const Kernels& kernels_of(InstructionSet isa) {
#define HB_RETURN_KERNELS(name) \
  if (isa == InstructionSet::name) return kernels_##name();
  HB_INSTRUCTION_SETS(HB_RETURN_KERNELS)
#undef HB_RETURN_KERNELS
  throw Error("cpu", "this program has no kernels for the instruction set", "this is a bug of hornbeam");
}

HB_CLOSE
