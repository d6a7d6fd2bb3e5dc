// SPDX-License-Identifier: Apache-2.0
// How many steps a longest step may be divided into: 2^deepest_rung.
#pragma once

namespace hornbeam {

constexpr int deepest_rung = 30;  ///< HB_DEEPEST_RUNG of stages/rungs.h, where compilers of kernels read it

}  // namespace hornbeam
