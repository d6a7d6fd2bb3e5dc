// SPDX-License-Identifier: Apache-2.0
// How a kernel is written so that CUDA and OpenCL C 1.2 both compile it: what an item, a block and a warp are. The CPU
// runs those of items (device/host/language.h).
//
// HB_KERNEL(name) { ... }     one item a work item, in blocks of HB_BLOCK; items beyond the last return at once. Begins
//                             with hb_item() or hb_block_item(). Its parameters are listed in parameters.inc
// HB_HEAVY_KERNEL(name)       the same, with so many values at hand that registers are short
// HB_BLOCK_KERNEL(name)       the same, with HB_BLOCK_ARRAYs and hb_block_sync(): none returns before the last one
// HB_CROWDED_KERNEL(name)     an HB_BLOCK_KERNEL of which three blocks are to share a multiprocessor, so that
//                             arithmetic waits for nothing
// HB_WARP_KERNEL(name)        one warp of 32 lanes an item; begins with HB_MAKE_WARP. Lanes work together through the
//                             warp_...() functions below, which all lanes must reach: none is in a branch that
//                             only some of them take. parameters.inc says of these that they are launched by the warp
// HB_GATHER_KERNEL(name)      the same, of which local memory lets HB_GATHERING_WARPS share a multiprocessor
// HB_LIGHT_WARP_KERNEL(name)  the same with few values at hand, of which more share a multiprocessor
// HB_WARP_IF(condition)       a branch around warp_...() functions, taken by all lanes or none. OpenCL goes through it
//                             either way, so it must do nothing where the condition is false: PoCL 3.1 copies all that
//                             follows a barrier in a branch once more for each such branch, or refuses the kernel
// hb_all_go_on(condition)     the condition of a loop with barriers that may make no turn. Thanks to a barrier in it
//                             compilers make no branch around the loop: PoCL compiles gas in a quarter of the time
// HB_WARP_BRANCH(condition)   a branch that may not be gone through otherwise: to PoCL a loop of one turn or none
// hb_block_sync()             all see what the block wrote to local memory; hb_block_sync_global(): to arrays, too
// warp_sync()                 what lanes wrote to local memory before is seen by all; warp_sync_global(): arrays, too
// HB_RETURN_IF_UNIFORM(condition)  leaves a function of a warp, if it may: the same rule as for HB_WARP_IF
// HB_LEAVE_SURPLUS(condition) warps beyond the last return; OpenCL starts none (no barrier may follow a return)
// Scalars and structs without pointers are passed by value, arrays as HB_GLOBAL pointers; views are flat lists of them.
#ifndef HORNBEAM_DEVICE_KERNELS_LANGUAGE_H
#define HORNBEAM_DEVICE_KERNELS_LANGUAGE_H
#include "device/kernels/signature.h"
#include "device/kernels/sizes.h"
#include "stages/views.h"

#if defined(__OPENCL_VERSION__) && !defined(HB_PTX)
#define HB_WARP_IF(condition)
#define HB_WARP_WHILE(condition)
#define HB_RETURN_IF_UNIFORM(condition)
#define hb_all_go_on(condition) (barrier(CLK_LOCAL_MEM_FENCE), (condition))
#define HB_WARP_BRANCH(condition) for (i32 hb_turn = 0; hb_all_go_on(hb_turn < ((condition) ? 1 : 0)); ++hb_turn)
#else
#define HB_WARP_IF(condition) if (condition)
#define HB_WARP_WHILE(condition) while (condition)
#define HB_RETURN_IF_UNIFORM(condition) \
  if (condition) return
#define hb_all_go_on(condition) (condition)
#define HB_WARP_BRANCH(condition) if (condition)
#endif

#if defined(__OPENCL_VERSION__)
// ---------------------------------------------------------------------------------------------------- OpenCL C 1.2
#define HB_KERNELS_OPEN
#define HB_KERNELS_CLOSE
// Inlined by force: of local arrays given to a function that it leaves standing, PoCL 3.1 makes one for all work
// groups, and groups on several threads then overwrite each other's.
#define HB_DEVICE_FN static inline __attribute__((always_inline))
#define HB_KERNEL(name) __kernel __attribute__((reqd_work_group_size(HB_BLOCK, 1, 1))) void name(HB_SIGNATURE(name))
#define HB_BLOCK_KERNEL(name) HB_KERNEL(name)
#define HB_HEAVY_KERNEL(name) HB_KERNEL(name)
#define HB_CROWDED_KERNEL(name) HB_KERNEL(name)
#define HB_WARP_KERNEL(name) __kernel __attribute__((reqd_work_group_size(HB_WARP, 1, 1))) void name(HB_SIGNATURE(name))
#define HB_GATHER_KERNEL(name) HB_WARP_KERNEL(name)
#define HB_LIGHT_WARP_KERNEL(name) HB_WARP_KERNEL(name)
#define hb_item() ((i32)get_global_id(0))
#define hb_block_item() ((i32)get_local_id(0))
#define hb_block() ((i32)get_group_id(0))
#define hb_block_sync() barrier(CLK_LOCAL_MEM_FENCE)
#define hb_block_sync_global() barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#define HB_BLOCK_ARRAY(type, name, size) __local type name[size]
#define HB_WARP_ARRAY(type, name, size) __local type name[size]
#define hb_popcount(x) ((i32)popcount((u32)(x)))
#define hb_lowest_bit(x) (hb_popcount(((u32)(x) & (0u - (u32)(x))) - 1u))
#define hb_not_ahead(x) (x)
#define hb_kept(x) (x)
#define hb_least(a, b) fmin((real)(a), (real)(b))
#define hb_most(a, b) fmax((real)(a), (real)(b))
#define hb_atomic_or(p, v) atomic_or(p, v)
#define hb_atomic_add(p, v) atomic_add(p, v)
#define hb_atomic_min(p, v) atomic_min(p, v)

#if HB_PRECISION == HB_DOUBLE
typedef double4 Real4;
#else
typedef float4 Real4;
#endif
#define hb_real4(x, y, z, w) ((Real4)(x, y, z, w))

#define hb_warp_item() ((i32)get_group_id(0))
#define HB_LEAVE_SURPLUS(condition)

HB_DEVICE_FN void warp_sync(void) { barrier(CLK_LOCAL_MEM_FENCE); }
HB_DEVICE_FN void warp_sync_global(void) { barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); }

#if defined(HB_PTX)
/// One warp: a work group of its own, on a driver that takes NVIDIA's assembly (OpenCL 1.2 has no such functions).
typedef struct {
  i32 lane;
} Warp;
#define HB_MAKE_WARP(warp) \
  Warp warp;               \
  warp.lane = (i32)get_local_id(0)

HB_DEVICE_FN u32 warp_ballot(Warp w, i32 bit) {
  u32 bits;
  __asm__ volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; vote.sync.ballot.b32 %0, p, 0xffffffff; }"
                   : "=r"(bits)
                   : "r"(bit));
  return bits;
}

/// v of the lane `step` before this one; of itself where there is none.
HB_DEVICE_FN u32 lane_before(u32 v, u32 step) {
  u32 word;
  __asm__ volatile("shfl.sync.up.b32 %0, %1, %2, 0, 0xffffffff;" : "=r"(word) : "r"(v), "r"(step));
  return word;
}

/// v of the lane whose number differs by the bits of `mask`.
HB_DEVICE_FN u32 lane_across(u32 v, u32 mask) {
  u32 word;
  __asm__ volatile("shfl.sync.bfly.b32 %0, %1, %2, 31, 0xffffffff;" : "=r"(word) : "r"(v), "r"(mask));
  return word;
}

HB_DEVICE_FN float float_across(float v, u32 mask) { return as_float(lane_across(as_uint(v), mask)); }
#if HB_PRECISION != HB_SINGLE
HB_DEVICE_FN double double_across(double v, u32 mask) {
  const uint2 halves = as_uint2(v);
  return as_double((uint2)(lane_across(halves.x, mask), lane_across(halves.y, mask)));
}
#endif
#if HB_PRECISION == HB_DOUBLE
#define real_across double_across
#else
#define real_across float_across
#endif
#if HB_PRECISION == HB_SINGLE
#define position_across float_across
#else
#define position_across double_across
#endif

HB_DEVICE_FN i32 warp_exclusive_scan(Warp w, i32 v, i32* total) {
  i32 sum = v;
  for (i32 step = 1; step < HB_WARP; step *= 2) {
    const i32 before = (i32)lane_before((u32)sum, (u32)step);
    sum += w.lane >= step ? before : 0;
  }
  u32 last;
  __asm__ volatile("shfl.sync.idx.b32 %0, %1, 31, 31, 0xffffffff;" : "=r"(last) : "r"((u32)sum));
  *total = (i32)last;
  return sum - v;
}

HB_DEVICE_FN i32 warp_least_index(Warp w, i32 v) {
  for (u32 mask = HB_WARP / 2; mask > 0; mask /= 2) {
    const i32 other = (i32)lane_across((u32)v, mask);
    v = hb_min(v, other);
  }
  return v;
}

HB_DEVICE_FN pos_t warp_least(Warp w, pos_t v) {
  for (u32 mask = HB_WARP / 2; mask > 0; mask /= 2) {
    const pos_t other = position_across(v, mask);
    v = hb_min(v, other);
  }
  return v;
}

HB_DEVICE_FN real warp_sum(Warp w, real v) {
  for (u32 mask = HB_WARP / 2; mask > 0; mask /= 2) v += real_across(v, mask);
  return v;
}

#else
/// One warp: a work group of its own, whose lanes talk through local memory.
typedef struct {
  i32 lane;
  __local u32* word;  ///< HB_WARP of them
  __local pos_t* value;
} Warp;
#define HB_MAKE_WARP(warp)             \
  __local u32 warp##_word[HB_WARP];    \
  __local pos_t warp##_value[HB_WARP]; \
  Warp warp;                           \
  warp.lane = (i32)get_local_id(0);    \
  warp.word = warp##_word;             \
  warp.value = warp##_value

HB_DEVICE_FN u32 warp_ballot(Warp w, i32 bit) {
  barrier(CLK_LOCAL_MEM_FENCE);
  w.word[w.lane] = bit ? 1u : 0u;
  barrier(CLK_LOCAL_MEM_FENCE);
  u32 bits = 0;
  for (i32 k = 0; k < HB_WARP; ++k) bits |= w.word[k] << k;
  barrier(CLK_LOCAL_MEM_FENCE);
  return bits;
}

/// Sum of v over the lanes before this one; *total: over all.
HB_DEVICE_FN i32 warp_exclusive_scan(Warp w, i32 v, i32* total) {
  barrier(CLK_LOCAL_MEM_FENCE);
  w.word[w.lane] = (u32)v;
  barrier(CLK_LOCAL_MEM_FENCE);
  i32 before = 0, sum = 0;
  for (i32 k = 0; k < HB_WARP; ++k) {
    before = k == w.lane ? sum : before;
    sum += (i32)w.word[k];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  *total = sum;
  return before;
}

HB_DEVICE_FN i32 warp_least_index(Warp w, i32 v) {
  barrier(CLK_LOCAL_MEM_FENCE);
  w.word[w.lane] = (u32)v;
  barrier(CLK_LOCAL_MEM_FENCE);
  i32 least = v;
  for (i32 k = 0; k < HB_WARP; ++k) least = hb_min(least, (i32)w.word[k]);
  barrier(CLK_LOCAL_MEM_FENCE);
  return least;
}

HB_DEVICE_FN pos_t warp_least(Warp w, pos_t v) {
  barrier(CLK_LOCAL_MEM_FENCE);
  w.value[w.lane] = v;
  barrier(CLK_LOCAL_MEM_FENCE);
  pos_t least = v;
  for (i32 k = 0; k < HB_WARP; ++k) least = hb_min(least, w.value[k]);
  barrier(CLK_LOCAL_MEM_FENCE);
  return least;
}

HB_DEVICE_FN real warp_sum(Warp w, real v) {
  barrier(CLK_LOCAL_MEM_FENCE);
  w.value[w.lane] = v;
  barrier(CLK_LOCAL_MEM_FENCE);
  real sum = 0;
  for (i32 k = 0; k < HB_WARP; ++k) sum += (real)w.value[k];
  barrier(CLK_LOCAL_MEM_FENCE);
  return sum;
}
#endif

HB_DEVICE_FN i32 warp_any(Warp w, i32 bit) { return warp_ballot(w, bit) != 0; }

HB_DEVICE_FN i32 warp_sum_index(Warp w, i32 v) {
  i32 total;
  warp_exclusive_scan(w, v, &total);
  return total;
}

#elif !defined(__CUDACC__)
#include "device/host/language.h"
#else
// ------------------------------------------------------------------------------------------------------------- CUDA
// Kernels have internal linkage: every precision and order of expansion compiles its own.
#define HB_KERNELS_OPEN HB_OPEN namespace {
#define HB_KERNELS_CLOSE \
  }                      \
  HB_CLOSE
/// Warps of a block of warp kernels: a block has 48 KiB of local memory, and high orders in fp64 need most of it for
/// one warp. HB_RESIDENT_WARPS: those a multiprocessor is to hold at least, which limits their registers.
#if defined(HB_PAIRS)
#define HB_WARPS 2
#elif HB_PRECISION == HB_DOUBLE
#define HB_WARPS 1
#elif (defined(HB_EXPANSION) && HB_EXPANSION > 4) || (defined(HB_HIERARCHY) && HB_HIERARCHY > 4)
#define HB_WARPS 2
#else
#define HB_WARPS 4
#endif
#if defined(HB_PAIRS)
#define HB_RESIDENT_WARPS 24
#else
#define HB_RESIDENT_WARPS (HB_PRECISION == HB_DOUBLE ? 8 : 16)
#endif
#define HB_LIGHT_WARPS (HB_PRECISION == HB_DOUBLE ? 8 : 20)
#define HB_GATHERING_WARPS 16
#define HB_DEVICE_FN __device__ __forceinline__
#define HB_KERNEL(name) __global__ void __launch_bounds__(HB_BLOCK) name(HB_SIGNATURE(name))
#define HB_BLOCK_KERNEL(name) HB_KERNEL(name)
#define HB_HEAVY_KERNEL(name) \
  __global__ void __launch_bounds__(HB_BLOCK, HB_PRECISION == HB_DOUBLE ? 1 : 2) name(HB_SIGNATURE(name))
#define HB_CROWDED_KERNEL(name) \
  __global__ void __launch_bounds__(HB_BLOCK, HB_PRECISION == HB_DOUBLE ? 1 : 3) name(HB_SIGNATURE(name))
#define HB_WARP_KERNEL(name) \
  __global__ void __launch_bounds__(HB_WARPS* HB_WARP, HB_RESIDENT_WARPS / HB_WARPS) name(HB_SIGNATURE(name))
#define HB_LIGHT_WARP_KERNEL(name) \
  __global__ void __launch_bounds__(HB_WARPS* HB_WARP, HB_LIGHT_WARPS / HB_WARPS) name(HB_SIGNATURE(name))
#define HB_GATHER_KERNEL(name) \
  __global__ void __launch_bounds__(HB_WARPS* HB_WARP, HB_GATHERING_WARPS / HB_WARPS) name(HB_SIGNATURE(name))
#define hb_block() (static_cast<i32>(blockIdx.x))
#define hb_block_sync() __syncthreads()
#define hb_block_sync_global() __syncthreads()
#define HB_BLOCK_ARRAY(type, name, size) __shared__ type name[size]
#define HB_WARP_ARRAY(type, name, size)            \
  __shared__ type name##_of_block[HB_WARPS][size]; \
  type* const name = name##_of_block[threadIdx.x / HB_WARP]
#define hb_popcount(x) (__popc(x))
#define hb_lowest_bit(x) (__ffs(static_cast<i32>(x)) - 1)
#define hb_atomic_or(p, v) atomicOr(p, v)
#define hb_atomic_add(p, v) atomicAdd(p, v)
#define hb_atomic_min(p, v) atomicMin(p, v)

HB_KERNELS_OPEN

struct alignas(4 * sizeof(real)) Real4 {
  real x, y, z, w;
};
/// The lesser of two numbers, of which none is NaN: one instruction where hb_min() takes two.
__device__ __forceinline__ real hb_least(real a, real b) {
  return sizeof(real) == sizeof(float) ? fminf(static_cast<float>(a), static_cast<float>(b)) : hb_min(a, b);
}
/// The greater one.
__device__ __forceinline__ real hb_most(real a, real b) {
  return sizeof(real) == sizeof(float) ? fmaxf(static_cast<float>(a), static_cast<float>(b)) : hb_max(a, b);
}
/// x, of which nothing is computed ahead of where it stands: addresses of what is seldom read would fill registers.
__device__ __forceinline__ i32 hb_not_ahead(i32 x) {
  asm volatile("" : "+r"(x));
  return x;
}
/// x, held in a register rather than computed again where it is used.
__device__ __forceinline__ float hb_kept(float x) {
  asm volatile("" : "+f"(x));
  return x;
}
__device__ __forceinline__ double hb_kept(double x) {
  asm volatile("" : "+d"(x));
  return x;
}
__device__ __forceinline__ Real4 hb_real4(real x, real y, real z, real w) { return {x, y, z, w}; }

struct Warp {
  i32 lane;
};
/// Kernels of a stream are set up while the one before still ends (CudaDevice::start); none goes on from here before
/// that has ended and what it wrote is seen.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define HB_AFTER_KERNEL_BEFORE               \
  cudaTriggerProgrammaticLaunchCompletion(); \
  cudaGridDependencySynchronize()
#else
#define HB_AFTER_KERNEL_BEFORE
#endif
__device__ __forceinline__ i32 hb_item() {
  HB_AFTER_KERNEL_BEFORE;
  return static_cast<i32>(blockIdx.x * HB_BLOCK + threadIdx.x);
}
__device__ __forceinline__ i32 hb_block_item() {
  HB_AFTER_KERNEL_BEFORE;
  return static_cast<i32>(threadIdx.x);
}
#define HB_MAKE_WARP(warp) \
  HB_AFTER_KERNEL_BEFORE;  \
  const Warp warp { static_cast<i32>(threadIdx.x % HB_WARP) }
#define hb_warp_item() (static_cast<i32>(blockIdx.x * HB_WARPS + threadIdx.x / HB_WARP))
#define HB_LEAVE_SURPLUS HB_RETURN_IF_UNIFORM

constexpr u32 all_lanes = 0xffffffffu;

__device__ __forceinline__ void warp_sync() { __syncwarp(); }
__device__ __forceinline__ void warp_sync_global() { __syncwarp(); }
__device__ __forceinline__ u32 warp_ballot(Warp, i32 bit) { return __ballot_sync(all_lanes, bit); }
__device__ __forceinline__ i32 warp_any(Warp, i32 bit) { return __any_sync(all_lanes, bit); }
__device__ __forceinline__ i32 warp_exclusive_scan(Warp, i32 v, i32* total) {
  i32 sum = v;
#pragma unroll
  for (i32 step = 1; step < HB_WARP; step *= 2) {
    // the shuffle itself says whether there is a lane `step` before this one: two instructions instead of four
    asm volatile(
        "{ .reg .s32 before; .reg .pred is;"
        "  shfl.sync.up.b32 before|is, %0, %1, 0, 0xffffffff;"
        "  @is add.s32 %0, %0, before; }"
        : "+r"(sum)
        : "r"(step));
  }
  *total = __shfl_sync(all_lanes, sum, HB_WARP - 1);
  return sum - v;
}
template <class T>
__device__ __forceinline__ T warp_least(Warp, T v) {
#pragma unroll
  for (i32 step = HB_WARP / 2; step > 0; step /= 2) v = hb_min(v, __shfl_xor_sync(all_lanes, v, step));
  return v;
}
__device__ __forceinline__ i32 warp_least_index(Warp w, i32 v) { return warp_least(w, v); }
template <class T>
__device__ __forceinline__ T warp_sum(Warp, T v) {
#pragma unroll
  for (i32 step = HB_WARP / 2; step > 0; step /= 2) v += __shfl_xor_sync(all_lanes, v, step);
  return v;
}
__device__ __forceinline__ i32 warp_sum_index(Warp w, i32 v) { return warp_sum(w, v); }

HB_KERNELS_CLOSE
#endif

#endif  // HORNBEAM_DEVICE_KERNELS_LANGUAGE_H
