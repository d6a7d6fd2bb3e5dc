// SPDX-License-Identifier: Apache-2.0
// The instruction sets that the CPU's kernels are compiled for, and the one that this machine runs.
#pragma once

namespace hornbeam {

enum class InstructionSet { generic, avx2, avx512 };

/// The best instruction set of this machine, or the one named in HORNBEAM_ISA (generic, avx2, avx512).
/// Throws UsageError for another name, NoDevice for one that does not run here.
InstructionSet detect_instruction_set();

}  // namespace hornbeam
