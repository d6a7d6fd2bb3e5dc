// SPDX-License-Identifier: Apache-2.0
// Addresses of the compiled kernels, in the order of the generated kernel_list.h. One table a precision, and one a
// precision and order of expansions (0 to 6), one a precision of the visitors of pairs, and one a precision and order
// of the walk from cell to cell (4 to 6).
#pragma once

namespace hornbeam {

struct KernelTable {
  const void* const* kernel;
  int block_warps;  ///< HB_WARPS it was compiled with
};

}  // namespace hornbeam

#define HB_KERNEL_TABLES(space)    \
  namespace hornbeam::space {      \
  KernelTable plain_kernels();     \
  KernelTable pair_kernels();      \
  template <int expansion>         \
  KernelTable expansion_kernels(); \
  template <int order>             \
  KernelTable hierarchy_kernels(); \
  }
HB_KERNEL_TABLES(mixed)
HB_KERNEL_TABLES(single)
HB_KERNEL_TABLES(fp64)
#undef HB_KERNEL_TABLES
