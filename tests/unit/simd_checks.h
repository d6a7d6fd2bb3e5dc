// SPDX-License-Identifier: Apache-2.0
// What simd_test.cpp and simd_checks.cpp, compiled once an instruction set, say to each other. Plain data only: the
// linker would merge library code that was compiled with different instruction sets.
#pragma once

namespace hornbeam {

struct PackMismatch {
  const char* operation = "";
  int bytes_of_lane = 0, lanes = 0, lane = 0;
  double got = 0, expected = 0;
};

/// Compares every operation of every pack with scalars. Returns how many comparisons were made; `mismatches` counts
/// those that failed and `first` is the first of them.
struct PackChecks {
  int made = 0, mismatches = 0;
  PackMismatch first;
};
PackChecks check_packs_generic();
PackChecks check_packs_avx2();
PackChecks check_packs_avx512();

}  // namespace hornbeam
