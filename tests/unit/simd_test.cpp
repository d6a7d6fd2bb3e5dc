// SPDX-License-Identifier: Apache-2.0
// SIMD packs give what scalars give, in every lane, with every instruction set that runs here.
#include <gtest/gtest.h>

#include <string>

#include "hornbeam/error.h"
#include "support/forces.h"
#include "unit/simd_checks.h"

namespace hornbeam {
namespace {

void expect_agreement(const char* isa, PackChecks (*check)()) {
  try {
    const AskedInstructionSet asked(isa);
    (void)detect_instruction_set();
  } catch (const NoDevice& e) {
    GTEST_SKIP() << "SKIPPED: " << e.what();
  }
  const PackChecks checks = check();
  const PackMismatch& m = checks.first;
  EXPECT_EQ(checks.mismatches, 0) << m.operation << " of " << m.lanes << " lanes of " << m.bytes_of_lane
                                  << " bytes, lane " << m.lane << ": " << m.got << " instead of " << m.expected;
  EXPECT_GT(checks.made, 1000);
}

TEST(Simd, Generic) { expect_agreement("generic", check_packs_generic); }
#if defined(HORNBEAM_X86)
TEST(Simd, Avx2) { expect_agreement("avx2", check_packs_avx2); }
TEST(Simd, Avx512) { expect_agreement("avx512", check_packs_avx512); }
#endif

}  // namespace
}  // namespace hornbeam
