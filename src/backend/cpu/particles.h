// SPDX-License-Identifier: Apache-2.0
// The particles of the CPU's pipeline, in the order of the last sort. Compiled once a precision.
#pragma once

#include <cstdint>

#include "backend/cpu/array.h"
#include "stages/views.h"

HB_OPEN

/// Arrays that are not used are empty.
// NOLINTNEXTLINE(bugprone-reserved-identifier): clang's own name for its loop over x when it copies one
struct CpuParticles {
  Array<pos_t> x[3], v[3];
  Array<real> mass, soft2, eps;  ///< eps only where particles differ; in the user's units
  Array<real> acc[4], last;      ///< internal; last: |a| for the relative criterion
  Array<u32> input;              ///< index on input
  Array<u32> rung;               ///< of block steps, as held_rungs() makes them
  Array<real> before[3];         ///< of block steps: accelerations when each particle's step began
  Array<real> earlier[3];        ///< and when the one before did

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
