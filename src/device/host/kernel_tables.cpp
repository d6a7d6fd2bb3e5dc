// SPDX-License-Identifier: Apache-2.0
// Which table of kernels an instruction set has, see kernels.h. Compiled once a precision (HB_PRECISION).
#include <string>

#include "device/host/kernels.h"
#include "hornbeam/error.h"

HB_OPEN

void refuse_memory(u64 bytes) {
  throw Error("memory", std::to_string(bytes) + " more bytes are needed and not there",
              "use fewer particles, smaller groups or neighbourhoods, or a larger machine");
}

const Kernels& kernels_of(InstructionSet isa) {
#if defined(HORNBEAM_X86)
  if (isa == InstructionSet::avx512) return kernels_avx512();
  if (isa == InstructionSet::avx2) return kernels_avx2();
#endif
  (void)isa;
  return kernels_generic();
}

HB_CLOSE
