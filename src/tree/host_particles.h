// SPDX-License-Identifier: Apache-2.0
// The particles of the CPU's pipeline, in the order of the last sort. Compiled once a precision.
#pragma once

#include <cstdint>

#include "device/host/array.h"
#include "stages/views.h"
#include "tree/store_fields.h"

HB_OPEN

/// Arrays that are not used are empty. The rows say what each is.
// NOLINTNEXTLINE(bugprone-reserved-identifier): clang's own name for its loop over x when it copies one
struct CpuParticles {
#define HB_CPU_ARRAY(type, name, held, carried) Array<type> name;
#define HB_CPU_ARRAYS(type, name, parts, held, carried) Array<type> name[parts];
  HB_STORE_FIELDS(HB_CPU_ARRAY, HB_CPU_ARRAYS)
#undef HB_CPU_ARRAY
#undef HB_CPU_ARRAYS

  [[nodiscard]] i32 n() const { return static_cast<i32>(input.size()); }
  [[nodiscard]] ParticlesView view() const {
    return {x[0].data(), x[1].data(), x[2].data(), mass.data(), soft2.data()};
  }
  [[nodiscard]] std::uint64_t bytes() const;
};

template <class T>
std::uint64_t bytes_of(const Array<T>& v) {
  return v.capacity() * sizeof(T);
}

HB_CLOSE
