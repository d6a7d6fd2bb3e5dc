// SPDX-License-Identifier: Apache-2.0
// The particles of a domain on its device, in the order of the last sort. Compiled once a precision.
#pragma once

#include <cstdint>

#include "device/device.h"
#include "device/launches.h"
#include "stages/views.h"
#include "tree/store_fields.h"

HB_OPEN

#if HB_PRECISION == HB_DOUBLE
inline constexpr Precision this_precision = Precision::fp64;
#elif HB_PRECISION == HB_SINGLE
inline constexpr Precision this_precision = Precision::single;
#else
inline constexpr Precision this_precision = Precision::mixed;
#endif
/// Kernels that no order of expansions changes.
inline constexpr KernelVariant plain_variant = {this_precision, 0};

/// Arrays that are not used are empty. The rows say what each is.
// NOLINTNEXTLINE(bugprone-reserved-identifier): clang-tidy 14 means the counter of an implicit copy of arrays
struct DeviceParticles {
  explicit DeviceParticles(Device& device);
  /// Makes this a copy of `other`.
  void copy(const DeviceParticles& other, Device& device);
  [[nodiscard]] std::uint64_t bytes() const;
  /// What kernels see as HB_PARTICLES.
  [[nodiscard]] ParticleArrays arrays() const;
  /// soft2 of each particle's eps or, where there are none, of eps_for_all. unit: internal length per length.
  void make_soft2(Device& device, double eps_for_all, double unit);

  i32 n = 0;
  double soft2_unit = 0;  ///< internal length per length when soft2 was made; 0: it was not
  double eps_unit = 1;    ///< length, a power of two, in which eps stay in the range of `real`
#define HB_DEVICE_ARRAY(type, name, held, carried) DeviceArray<type> name;
#define HB_DEVICE_ARRAYS(type, name, parts, held, carried) DeviceArray<type> name[parts];
  HB_STORE_FIELDS(HB_DEVICE_ARRAY, HB_DEVICE_ARRAYS)
#undef HB_DEVICE_ARRAY
#undef HB_DEVICE_ARRAYS
};

/// The particles that an evaluation is for.
struct Targets {
  const DeviceArray<i32>* list;  ///< their numbers, in order; null: all
  i32 count;
};

HB_CLOSE
