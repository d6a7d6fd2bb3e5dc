// SPDX-License-Identifier: Apache-2.0
// Tests over every backend say where there is none but the CPU, and fail where HORNBEAM_TEST_BACKENDS asks for more.
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include "support/devices.h"
#include "support/environment.h"

namespace hornbeam {
namespace {

TEST(RequiredBackends, FailWhereTheyAreAbsent) {
  const EnvironmentVariable required("HORNBEAM_TEST_BACKENDS", "cpu,abacus");
  EXPECT_FATAL_FAILURE(device_backends(), "asks for abacus");
  EXPECT_FATAL_FAILURE(every_backend(), "asks for abacus");
  EXPECT_FATAL_FAILURE(absent("abacus", "it is out of beads"), "asks for abacus: it is out of beads");
}

TEST(RequiredBackends, AreSkippedWhereNobodyAsksForThem) {
  const EnvironmentVariable required("HORNBEAM_TEST_BACKENDS", "cpu");
  EXPECT_EQ(absent("abacus", "it is out of beads"), "SKIPPED: it is out of beads");
  EXPECT_EQ(every_backend().back(), "cpu");
}

}  // namespace
}  // namespace hornbeam
