// SPDX-License-Identifier: Apache-2.0
// The device kernels as CUDA: compiled once a precision with HB_PLAIN, and once a precision and order with
// HB_EXPANSION, and once each of the orders of HB_HIERARCHY; once a precision with HB_PAIRS.
#include "device/cuda/kernel_table.h"
#include "kernels/all.h"

#define HB_KERNEL_ADDRESS(name) reinterpret_cast<const void*>(&name),

HB_OPEN
#if defined(HB_PLAIN)
KernelTable plain_kernels() {
  static const void* const table[] = {HB_PLAIN_KERNELS(HB_KERNEL_ADDRESS, HB_KERNEL_ADDRESS)};
  return {table, HB_WARPS};
}
#elif defined(HB_PAIRS)
KernelTable pair_kernels() {
  static const void* const table[] = {HB_PAIRS_KERNELS(HB_KERNEL_ADDRESS, HB_KERNEL_ADDRESS)};
  return {table, HB_WARPS};
}
#elif defined(HB_HIERARCHY)
template <>
KernelTable hierarchy_kernels<HB_HIERARCHY>() {
  static const void* const table[] = {HB_HIERARCHY_KERNELS(HB_KERNEL_ADDRESS, HB_KERNEL_ADDRESS)};
  return {table, HB_WARPS};
}
#else
template <>
KernelTable expansion_kernels<HB_EXPANSION>() {
  static const void* const table[] = {HB_EXPANSION_KERNELS(HB_KERNEL_ADDRESS, HB_KERNEL_ADDRESS)};
  return {table, HB_WARPS};
}
#endif
HB_CLOSE
