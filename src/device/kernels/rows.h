// SPDX-License-Identifier: Apache-2.0
// Structures in memory, aligned by 16 bytes, that are read, written and copied in a few wide pieces.
//
// hb_read_row(from)           the structure there; hb_write_row(to, row)
// hb_copy_ahead(to, from)     begins to copy a Real4 to local memory; hb_copies_begun() closes a batch of them, and
// after
//                             hb_copies_wait(n) all batches but the last n are there for the lane that began them
#ifndef HORNBEAM_DEVICE_KERNELS_ROWS_H
#define HORNBEAM_DEVICE_KERNELS_ROWS_H
#include "device/kernels/language.h"

#if !defined(__CUDACC__)
#define hb_read_row(from) (*(from))
#define hb_write_row(to, row) (*(to) = (row))
#define hb_copy_ahead(to, from) (*(to) = *(from))
#define hb_copies_begun()
#define hb_copies_wait(n)
#else
HB_KERNELS_OPEN

template <class Row>
__device__ __forceinline__ Row hb_read_row(const Row* from) {
  static_assert(sizeof(Row) % sizeof(int4) == 0 && alignof(Row) % alignof(int4) == 0);
  int4 words[sizeof(Row) / sizeof(int4)];
#pragma unroll
  for (u32 k = 0; k < sizeof(Row) / sizeof(int4); ++k) words[k] = reinterpret_cast<const int4*>(from)[k];
  Row row;
  memcpy(&row, words, sizeof row);
  return row;
}
template <class Row>
__device__ __forceinline__ void hb_write_row(Row* to, const Row& row) {
  int4 words[sizeof(Row) / sizeof(int4)];
  memcpy(words, &row, sizeof row);
#pragma unroll
  for (u32 k = 0; k < sizeof(Row) / sizeof(int4); ++k) reinterpret_cast<int4*>(to)[k] = words[k];
}
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
__device__ __forceinline__ void hb_copy_ahead(Real4* to, const Real4* from) {
  const auto place = static_cast<u32>(__cvta_generic_to_shared(to));
#pragma unroll
  for (i32 part = 0; part < static_cast<i32>(sizeof(Real4)); part += 16) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(place + part),
                 "l"(reinterpret_cast<const char*>(from) + part)
                 : "memory");
  }
}
__device__ __forceinline__ void hb_copies_begun() { asm volatile("cp.async.commit_group;" ::: "memory"); }
#define hb_copies_wait(n) asm volatile("cp.async.wait_group %0;" ::"n"(n) : "memory")
#else
__device__ __forceinline__ void hb_copy_ahead(Real4* to, const Real4* from) { *to = *from; }
__device__ __forceinline__ void hb_copies_begun() {}
#define hb_copies_wait(n)
#endif

HB_KERNELS_CLOSE
#endif

#endif
