// SPDX-License-Identifier: Apache-2.0
// The one file that knows three languages: C++20, CUDA and OpenCL C 1.2. Everything in physics/ and stages/ is written
// in the subset that all three compile; it names only pos_t, real and sum_t, never float or double.
//
// HB_PRECISION chooses what those are: HB_MIXED (fp64 positions, fp32 differences), HB_SINGLE, HB_DOUBLE.
// HB_FN       a helper; takes and returns values
// HB_FORMULA  a helper that is also evaluated on SIMD packs: in C++ a template over `real`
// HB_GLOBAL   address space of arrays on the device, HB_LOCAL of what a group of its items shares
// HB_SUM_FORMULA, HB_WORD_FORMULA  the same over `sum_t` and over `u32`
// HB_C(x)     a literal of type real, inside HB_FORMULA functions
// HB_MASK(real)   what comparing two reals gives
// HB_FIELD(real)  acceleration and potential at one point, physics/softening.h
// HB_REALS(Name, real a; real b;)  a structure Name of reals, which formulas take as HB_OF(Name, real)
// HB_SUM_MEMBER   makes a member of such a structure of each of a list of sums S(how, name)
// f32, f64    what arrays of callers hold (stages/lent.h), whatever the precision
// hb_four(p)  four reals that stand together, aligned as such
// HB_LANES    neighbouring particles that one call takes together where a compiler makes SIMD of it: 1 on devices
// HB_UNROLL(n)    ahead of a loop whose turns are better under way n at a time
#ifndef HORNBEAM_PHYSICS_PORTABLE_H
#define HORNBEAM_PHYSICS_PORTABLE_H

#define HB_SUM_MEMBER(how, name) real name;

#define HB_MIXED 0
#define HB_SINGLE 1
#define HB_DOUBLE 2
#ifndef HB_PRECISION
#define HB_PRECISION HB_MIXED
#endif

/// One name of two. Templates (*.inc) are included once for each visitor, of whose name they make their own.
#define HB_JOIN(a, b) HB_JOIN_OF(a, b)
#define HB_JOIN_OF(a, b) a##b

#if defined(__OPENCL_VERSION__)
// ---------------------------------------------------------------------------------------------------- OpenCL C 1.2
#pragma OPENCL FP_CONTRACT OFF
#if HB_PRECISION != HB_SINGLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double f64;
#else
typedef float f64;  // never looked at: OpenCL takes no arrays of callers
#endif
typedef float f32;

#define HB_OPEN
#define HB_CLOSE
#define HB_FN static inline
#define HB_FORMULA static inline
#define HB_SUM_FORMULA static inline
#define HB_WORD_FORMULA static inline
#define HB_GLOBAL __global
#define HB_LOCAL __local

typedef ulong u64;
typedef uchar u8;
typedef uint u32;
typedef int i32;
typedef long i64;
#if HB_PRECISION == HB_DOUBLE
typedef double real;
#else
typedef float real;
#endif
#define HB_C(x) ((real)(x))
#if HB_PRECISION == HB_SINGLE
typedef float pos_t;
typedef float sum_t;
#else
typedef double pos_t;
typedef double sum_t;
#endif

#define hb_fma(a, b, c) fma(a, b, c)
#define hb_max(a, b) ((a) > (b) ? (a) : (b))
#define hb_min(a, b) ((a) < (b) ? (a) : (b))
#define hb_abs(a) fabs(a)
#define hb_floor(a) floor(a)
#define hb_sqrt(a) sqrt(a)
#define hb_select(condition, a, b) ((condition) ? (a) : (b))
#define hb_both(a, b) ((a) && (b))
#define hb_either(a, b) ((a) || (b))
#define hb_not(a) (!(a))
#define HB_MASK(real) int
#define HB_FIELD(real) Field
#define HB_REALS(Name, MEMBERS) \
  typedef struct {              \
    MEMBERS                     \
  } Name;
#define HB_OF(Name, real) Name
#define HB_LANES 1
#define HB_UNROLL(n) HB_PRAGMA(unroll n)
#define HB_PRAGMA(text) _Pragma(#text)
#define hb_leading_zeros(x) ((i32)clz((ulong)(x)))
#if HB_PRECISION == HB_DOUBLE
typedef double4 Four;
#else
typedef float4 Four;
#endif
static inline Four hb_four(__global const real* p) { return *(__global const Four*)p; }
#define hb_count_up(p) atomic_add(p, 1u)
#define hb_lower(p, v) atomic_min(p, v)
#define hb_peek(p) (*(volatile __global const u32*)(p))
#define hb_poke(p, v) (*(volatile __global u32*)(p) = (v))
#if defined(HB_STRICT)
static inline real hb_rsqrt(real x) { return 1 / sqrt(x); }
#else
static inline real hb_rsqrt(real x) { return rsqrt(x); }
#endif
static inline real hb_rsqrt0(real x) { return x > 0 ? hb_rsqrt(x) : 0; }
#if defined(HB_STRICT) || HB_PRECISION == HB_DOUBLE
static inline real hb_root(real x, real inverse) { return x * inverse; }
#else
static inline real hb_root(real x, real inverse) {
  const real root = x * inverse;
  return fma(fma(-root, root, x), 0.5f * inverse, root);
}
#endif
#if defined(HB_PTX) && HB_PRECISION == HB_MIXED
static inline real hb_narrow(pos_t x) {
  real narrowed;
  __asm__("cvt.rn.f32.f64 %0, %1;" : "=f"(narrowed) : "d"(x));
  return narrowed;
}
#else
static inline real hb_narrow(pos_t x) { return (real)x; }
#endif

#else
// ---------------------------------------------------------------------------------------------------- C++ and CUDA
#include <cmath>
#include <cstdint>

#if HB_PRECISION == HB_DOUBLE
#define HB_OPEN namespace hornbeam::fp64 {
#elif HB_PRECISION == HB_SINGLE
#define HB_OPEN namespace hornbeam::single {
#else
#define HB_OPEN namespace hornbeam::mixed {
#endif
#define HB_CLOSE }

#if defined(__CUDACC__)
#define HB_FN static __host__ __device__ __forceinline__
#else
// static: each instruction set compiles its own copy, and the linker must not merge them
#define HB_FN [[maybe_unused]] static inline
#endif
#define HB_FORMULA      \
  template <class real> \
  HB_FN
#define HB_SUM_FORMULA   \
  template <class sum_t> \
  HB_FN
#define HB_WORD_FORMULA \
  template <class u32>  \
  HB_FN
#define HB_GLOBAL
#define HB_LOCAL

HB_OPEN
typedef std::uint64_t u64;
typedef std::uint8_t u8;
typedef std::uint32_t u32;
typedef std::int32_t i32;
typedef std::int64_t i64;
typedef float f32;
typedef double f64;
#if HB_PRECISION == HB_DOUBLE
typedef double real;
#else
typedef float real;
#endif
#if HB_PRECISION == HB_SINGLE
typedef float pos_t;
typedef float sum_t;
#else
typedef double pos_t;
typedef double sum_t;
#endif

/// The scalar behind `real`: float or double; SIMD packs specialise it.
template <class T>
struct hb_scalar {
  typedef T type;
  typedef bool mask;
};
#define HB_C(x) (static_cast<typename hb_scalar<real>::type>(x))
#define HB_MASK(real) typename hb_scalar<real>::mask
#define HB_FIELD(real) Field<real>
#define HB_REALS(Name, MEMBERS) \
  template <class real>         \
  struct Name {                 \
    MEMBERS                     \
  };
#define HB_OF(Name, real) Name<real>
#if defined(__CUDACC__)
#define HB_LANES 1
#else
#define HB_LANES 16
#endif
#if defined(__CUDACC__) || defined(__clang__)
#define HB_UNROLL(n) HB_PRAGMA(unroll n)
#else
#define HB_UNROLL(n) HB_PRAGMA(GCC unroll n)
#endif
#define HB_PRAGMA(text) _Pragma(#text)

HB_FN float hb_fma(float a, float b, float c) {
#if defined(__FMA__) || defined(__CUDA_ARCH__) || defined(HB_STRICT) || defined(__aarch64__)
  return fmaf(a, b, c);
#else
  return a * b + c;  // a library call otherwise: 20 times slower than the two instructions
#endif
}
HB_FN double hb_fma(double a, double b, double c) {
#if defined(__FMA__) || defined(__CUDA_ARCH__) || defined(HB_STRICT) || defined(__aarch64__)
  return fma(a, b, c);
#else
  return a * b + c;
#endif
}
template <class T>
HB_FN T hb_max(T a, T b) {
  return a > b ? a : b;
}
template <class T>
HB_FN T hb_min(T a, T b) {
  return a < b ? a : b;
}
HB_FN float hb_abs(float a) { return fabsf(a); }
HB_FN double hb_abs(double a) { return fabs(a); }
HB_FN float hb_floor(float a) { return floorf(a); }
HB_FN double hb_floor(double a) { return floor(a); }
HB_FN float hb_sqrt(float a) { return sqrtf(a); }
HB_FN double hb_sqrt(double a) { return sqrt(a); }
template <class T>
HB_FN T hb_select(bool condition, T a, T b) {
  return condition ? a : b;
}
HB_FN bool hb_both(bool a, bool b) { return a && b; }
HB_FN bool hb_either(bool a, bool b) { return a || b; }
HB_FN bool hb_not(bool a) { return !a; }
HB_FN i32 hb_leading_zeros(u64 x) {
#if defined(__CUDA_ARCH__)
  return __clzll(static_cast<long long>(x));
#else
  return __builtin_clzll(x);
#endif
}
struct alignas(4 * sizeof(real)) Four {
  real x, y, z, w;
};
HB_FN Four hb_four(const real* p) { return *reinterpret_cast<const Four*>(p); }
/// *p += 1 by one of many threads; what was there before.
HB_FN u32 hb_count_up(u32* p) {
#if defined(__CUDA_ARCH__)
  return atomicAdd(p, 1u);
#else
  return __atomic_fetch_add(p, 1u, __ATOMIC_RELAXED);
#endif
}
/// *p = min(*p, v) by one of many threads; what was there before.
HB_FN u32 hb_lower(u32* p, u32 v) {
#if defined(__CUDA_ARCH__)
  return atomicMin(p, v);
#else
  u32 old = __atomic_load_n(p, __ATOMIC_RELAXED);
  while (v < old && !__atomic_compare_exchange_n(p, &old, v, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
  return old;
#endif
}
/// *p, and *p = v, where other threads may change it at any time.
HB_FN u32 hb_peek(const u32* p) {
#if defined(__CUDA_ARCH__)
  return *static_cast<const volatile u32*>(p);
#else
  return __atomic_load_n(p, __ATOMIC_RELAXED);
#endif
}
HB_FN void hb_poke(u32* p, u32 v) {
#if defined(__CUDA_ARCH__)
  *static_cast<volatile u32*>(p) = v;
#else
  __atomic_store_n(p, v, __ATOMIC_RELAXED);
#endif
}
/// 1 / sqrt(x) for x > 0.
HB_FN float hb_rsqrt(float x) {
#if defined(__CUDA_ARCH__) && !defined(HB_STRICT)
  return rsqrtf(x);
#else
  return 1.0f / sqrtf(x);
#endif
}
HB_FN double hb_rsqrt(double x) {
#if defined(__CUDA_ARCH__) && !defined(HB_STRICT)
  return rsqrt(x);
#else
  return 1.0 / sqrt(x);
#endif
}
/// The same, and 0 at x = 0, so that coincident unsoftened particles do not attract one another.
HB_FN float hb_rsqrt0(float x) { return x > 0.0f ? hb_rsqrt(x) : 0.0f; }
HB_FN double hb_rsqrt0(double x) { return x > 0.0 ? hb_rsqrt(x) : 0.0; }
/// sqrt(x) from inverse = hb_rsqrt0(x), which GPUs have to one or two units in the last place of fp32: a step of
/// Newton's brings it back to rounding. Sums that nearly cancel show the difference (docs/gas-tests.md, sound-wave).
template <class T>
HB_FN T hb_root(T x, T inverse) {
  const T root = x * inverse;
#if defined(__CUDA_ARCH__) && !defined(HB_STRICT)
  if constexpr (sizeof(T) == sizeof(float)) return hb_fma(hb_fma(-root, root, x), 0.5f * inverse, root);
#endif
  return root;
}
/// The nearest real. A cast would flush what is denormal where the arithmetic does, for two instructions more.
HB_FN real hb_narrow(pos_t x) {
#if defined(__CUDA_ARCH__) && HB_PRECISION == HB_MIXED
  real narrowed;
  asm("cvt.rn.f32.f64 %0, %1;" : "=f"(narrowed) : "d"(x));
  return narrowed;
#else
  return static_cast<real>(x);
#endif
}
HB_CLOSE
#endif

#endif  // HORNBEAM_PHYSICS_PORTABLE_H
