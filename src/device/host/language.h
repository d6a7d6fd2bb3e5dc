// SPDX-License-Identifier: Apache-2.0
// How kernels are written (device/kernels/language.h), for the CPU: an item kernel is a function of its item and its
// parameters, which kernels/item_kernels.cpp calls in a loop. Kernels of blocks and warps have no meaning here: the
// CPU has its own forms of these steps.
#ifndef HORNBEAM_DEVICE_HOST_LANGUAGE_H
#define HORNBEAM_DEVICE_HOST_LANGUAGE_H

#define HB_KERNELS_OPEN HB_OPEN namespace host_kernels {
#define HB_KERNELS_CLOSE \
  }                      \
  HB_CLOSE
#define HB_DEVICE_FN HB_FN
#define HB_KERNEL(name) HB_FN void name([[maybe_unused]] const i32 hb_this_item, HB_SIGNATURE(name))
#define hb_item() hb_this_item
#define hb_atomic_or(p, v) __atomic_fetch_or(p, v, __ATOMIC_RELAXED)
#define hb_atomic_add(p, v) __atomic_fetch_add(p, v, __ATOMIC_RELAXED)

// Declared, so that headers with kernels of both kinds compile; never launched.
#define HB_BLOCK_KERNEL(name) HB_KERNEL(name)
#define hb_block_item() 0
#define hb_block() 0
#define hb_block_sync() static_cast<void>(0)
#define HB_BLOCK_ARRAY(type, name, size) type name[size]

#endif
