// SPDX-License-Identifier: Apache-2.0
// src/cli/progress.cpp: lines for terminals of any width.
#include "cli/progress.h"

#include <gtest/gtest.h>

namespace hornbeam::cli {
namespace {

const std::vector<LineField> all_fields = {
    {"[##......]", 3}, {"25 %", 1}, {"t = 2.5 of 10", 2}, {"dE/E = -1.23e-05", 4}};

TEST(ProgressLine, HoldsAllThatThereIsRoomFor) {
  EXPECT_EQ(fitted(all_fields, 1000), "[##......]  25 %  t = 2.5 of 10  dE/E = -1.23e-05");
  EXPECT_EQ(fitted(all_fields, 49), "[##......]  25 %  t = 2.5 of 10  dE/E = -1.23e-05");
}

TEST(ProgressLine, DropsWholeFieldsTheLeastImportantFirst) {
  EXPECT_EQ(fitted(all_fields, 48), "[##......]  25 %  t = 2.5 of 10");
  EXPECT_EQ(fitted(all_fields, 30), "25 %  t = 2.5 of 10");
  EXPECT_EQ(fitted(all_fields, 18), "25 %");
  EXPECT_EQ(fitted(all_fields, 3), "");
  EXPECT_EQ(fitted(all_fields, 0), "");
  EXPECT_EQ(fitted({}, 0), "");
}

}  // namespace
}  // namespace hornbeam::cli
