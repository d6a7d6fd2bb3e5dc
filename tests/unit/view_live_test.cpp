// SPDX-License-Identifier: Apache-2.0
// The live view of a simulation: copies, pauses, frames at a pace, and what fails while it is shown.
#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <functional>
#include <new>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "hornbeam/error.h"
#include "unit/view_support.h"

namespace hornbeam::view {
namespace {

TEST(ViewLive, CostsNothingWhereNobodyLooks) {
  Counting counting;
  LiveSource live("test", -1, nothing_to_fetch, 0, 100);
  live.at_work(true);
  for (; counting.step < 100; ++counting.step) {
    counting.between_steps(live);
  }
  EXPECT_EQ(counting.copies, 0);
  EXPECT_FALSE(live.frame({}));  // somebody looks from now on
  counting.between_steps(live);
  const auto found = live.frame({});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->more["step"], 100);
  EXPECT_EQ(counting.copies, 1);
  FrameWish later;
  later.after = found->more["version"];
  EXPECT_FALSE(live.frame(later));
  counting.between_steps(live);
  EXPECT_EQ(counting.copies, 1);  // nothing has changed
}

TEST(ViewLive, IsFetchedAtRest) {
  Counting counting;
  LiveSource live(
      "test", -1,
      [&](std::uint64_t known) { return known == 1 + counting.step ? std::optional<Shot>() : counting.shot(); }, 0,
      100);
  const auto found = live.frame({});
  ASSERT_TRUE(found);
  FrameWish later;
  later.after = found->more["version"];
  EXPECT_FALSE(live.frame(later));
  counting.step = 5;
  std::this_thread::sleep_for(std::chrono::milliseconds(20));  // copies take a sixth of the time
  ASSERT_TRUE(live.frame(later));
  EXPECT_EQ(live.frame(later)->more["step"], 5);
}

TEST(ViewLive, StepsWaitWhilePaused) {
  Counting counting;
  LiveSource live("test", -1, nothing_to_fetch, 0, 100);
  std::atomic<std::uint64_t> made{0};
  std::atomic<bool> stop{false};
  live.control(Control::pause);
  std::thread simulation([&] {
    for (; made < 1000 && !stop; ++made) {
      live.between_steps(
          true, 1 + made, [&] { return counting.shot(); }, [&] { return stop.load(); });
      if (stop) break;
    }
  });
  const auto settled = [&](std::uint64_t steps) {
    for (int k = 0; k < 200 && made != steps; ++k) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    return made == steps;
  };
  EXPECT_TRUE(settled(0));
  EXPECT_EQ(live.state()["status"], "paused");
  live.control(Control::step);
  EXPECT_TRUE(settled(1));
  live.control(Control::step);
  live.control(Control::step);
  EXPECT_TRUE(settled(3));
  live.control(Control::go_on);
  EXPECT_TRUE(settled(1000));
  simulation.join();
  live.control(Control::pause);
  std::thread waiting([&] {
    live.between_steps(
        true, 0, [&] { return counting.shot(); }, [&] { return stop.load(); });
  });
  stop = true;  // Ctrl-C
  waiting.join();
  std::thread ended([&] {
    live.between_steps(
        true, 0, [&] { return counting.shot(); }, [] { return false; });
  });
  live.end();
  ended.join();
}

}  // namespace
}  // namespace hornbeam::view
