// SPDX-License-Identifier: Apache-2.0
// src/cli/output/progress.cpp: lines for terminals of any width.
#include "cli/output/progress.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <string>
#include <thread>

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

/// Steps of gas are shorter than time.dt: the rate is that of steps made, the time to go that of the way.
TEST(ProgressLine, CountsStepsThatWereMade) {
  testing::internal::CaptureStdout();
  Progress progress(1, 3, 500);
  const auto began = std::chrono::steady_clock::now();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  progress.output("snapshot 1", 2, 700, 0);
  const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  const std::string line = testing::internal::GetCapturedStdout();
  double rate = 0;
  const std::size_t at = line.find("step 700  ");
  ASSERT_NE(at, std::string::npos) << line;
  std::sscanf(line.c_str() + at, "step 700  %lf steps/s", &rate);
  EXPECT_GT(rate, 0.99 * 200 / elapsed) << line;
  EXPECT_LT(rate, 200 / 0.019) << line;
  EXPECT_NE(line.find("ETA 0:00"), std::string::npos) << line;  // another 20 ms
}

TEST(ProgressLine, OfAFileIsPlainAndComesEverySoOften) {
  EXPECT_EQ(plain_interval(0), 10);
  EXPECT_EQ(plain_interval(300), 30);
  EXPECT_EQ(plain_interval(1e6), 600);
  testing::internal::CaptureStdout();
  Progress progress(1, 3, 0, false);
  EXPECT_FALSE(progress.wants_update());
  progress.update(1.5, 7, -1e-3);
  progress.finish();
  const std::string line = testing::internal::GetCapturedStdout();
  EXPECT_TRUE(line.starts_with("25 %  t = 1.5 of 3  step 7  ")) << line;
  EXPECT_NE(line.find("ETA"), std::string::npos) << line;
  EXPECT_TRUE(line.ends_with("  dE/E = -1.00e-03\n")) << line;
  EXPECT_EQ(line.find('\r'), std::string::npos);
}

}  // namespace
}  // namespace hornbeam::cli
