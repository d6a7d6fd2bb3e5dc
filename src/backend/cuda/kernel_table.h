// SPDX-License-Identifier: Apache-2.0
// Addresses of the compiled kernels, in the order of backend/device/kernels/list.h. One table a precision, and one a
// precision and order of expansions (0 to 6).
#pragma once

#define HB_KERNEL_TABLES(space)           \
  namespace hornbeam::space {             \
  const void* const* plain_kernels();     \
  template <int expansion>                \
  const void* const* expansion_kernels(); \
  }
HB_KERNEL_TABLES(mixed)
HB_KERNEL_TABLES(single)
HB_KERNEL_TABLES(fp64)
#undef HB_KERNEL_TABLES
