// SPDX-License-Identifier: Apache-2.0
// The kernels of sort.cl and scan.cl and their parameters, see device/kernels/signature.h.
#ifndef HORNBEAM_DEVICE_OPENCL_SORT_PARAMETERS_H
#define HORNBEAM_DEVICE_OPENCL_SORT_PARAMETERS_H
#include "device/kernels/signature.h"

#define HB_SORT_KERNELS(F) F(sort_count) F(sort_scatter) F(scan_tiles) F(add_to_tiles)

#define HB_PARAMETERS_sort_count(FIRST, AND) \
  FIRST(ARRAY, const u64, keys)              \
  AND(VALUE, i64, n)                         \
  AND(VALUE, i32, shift)                     \
  AND(VALUE, u32, mask)                      \
  AND(ARRAY, u32, counts)
#define HB_PARAMETERS_sort_scatter(FIRST, AND) \
  FIRST(ARRAY, const u64, keys)                \
  AND(ARRAY, const u32, values)                \
  AND(VALUE, i64, n)                           \
  AND(VALUE, i32, shift)                       \
  AND(VALUE, i32, bits)                        \
  AND(ARRAY, const u32, offsets)               \
  AND(ARRAY, u64, sorted_keys)                 \
  AND(ARRAY, u32, sorted_values)
#define HB_PARAMETERS_scan_tiles(FIRST, AND) \
  FIRST(ARRAY, u32, values)                  \
  AND(VALUE, i64, first)                     \
  AND(VALUE, i64, n)                         \
  AND(ARRAY, u32, totals)                    \
  AND(VALUE, i64, first_total)
#define HB_PARAMETERS_add_to_tiles(FIRST, AND) \
  FIRST(ARRAY, u32, values)                    \
  AND(VALUE, i64, first)                       \
  AND(VALUE, i64, n)                           \
  AND(ARRAY, const u32, before)                \
  AND(VALUE, i64, first_before)

#endif
