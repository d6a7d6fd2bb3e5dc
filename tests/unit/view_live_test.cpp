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
  EXPECT_FALSE(live.frame({}));  // someone looks from now on
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

/// What is thrown while a copy is made, and what the page says of it.
struct Thrown {
  std::function<void()> act;
  const char* words;
};
const std::vector<Thrown>& all_thrown() {
  static const std::vector<Thrown> all{
      {[] { throw std::bad_alloc(); }, "memory: "},
      {[] { throw std::bad_array_new_length(); }, "memory: "},
      {[] { throw Error("t = 3", "numbers are lost"); }, "t = 3: numbers are lost"},
      {[] { throw UsageError("precision", "is too small"); }, "precision: "},
      {[] { throw std::length_error("vector"); }, "vector"},
      {[] { throw std::filesystem::filesystem_error("no file", std::error_code()); }, "filesystem error: no file"},
      {[] { throw std::runtime_error(std::string(100'000, 'x')); }, "xxx"},
      {[] { throw 7; }, "view: "},
      {[] { throw "text"; }, "view: "}};
  return all;
}

TEST(ViewLive, WhateverACopyThrowsIsALineInThePage) {
  for (const Thrown& thrown : all_thrown()) {
    int tries = 0;
    const auto make = [&]() -> Shot {
      ++tries;
      thrown.act();
      return {};
    };
    LiveSource live("test", -1, nothing_to_fetch, 0, 100);
    live.at_work(true);
    for (int k = 0; k < 5; ++k) {
      EXPECT_FALSE(live.frame({}));
      EXPECT_NO_THROW(live.between_steps(true, 1, make, [] { return false; }));
    }
    EXPECT_EQ(tries, 1);  // the next one a second later
    EXPECT_EQ(live.state()["message"].get<std::string>().substr(0, std::strlen(thrown.words)), thrown.words);
    EXPECT_LE(live.state()["message"].get<std::string>().size(), 1000U);
  }
}

TEST(ViewLive, WhateverThrowsAtRestIsALineInThePage) {
  for (const Thrown& thrown : all_thrown()) {
    LiveSource live(
        "test", -1,
        [&](std::uint64_t) -> std::optional<Shot> {
          thrown.act();
          return {};
        },
        0, 100);
    EXPECT_NO_THROW(EXPECT_FALSE(live.frame({})));
    EXPECT_EQ(live.state()["message"].get<std::string>().substr(0, std::strlen(thrown.words)), thrown.words);
  }
}

TEST(ViewLive, ACopyAfterAFailedOneIsShown) {
  Counting counting;
  bool fails = true;
  LiveSource live("test", -1, nothing_to_fetch, 0, 100);
  live.at_work(true);
  const auto make = [&] { return fails ? throw std::bad_alloc() : counting.shot(); };
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  std::optional<FrameFound> found;
  for (; !found && std::chrono::steady_clock::now() < end; fails = false) {
    live.frame({});
    live.between_steps(true, 1, make, [] { return false; });
    EXPECT_TRUE(!fails || live.state()["message"].get<std::string>().starts_with("memory: "));
    found = live.frame({});
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_TRUE(found);
  EXPECT_EQ(live.state()["message"], "");
}

TEST(ViewLive, UnknownColoursAreNoFramesOfTheirOwn) {
  Counting counting;
  LiveSource live(
      "test", -1, [&](std::uint64_t) { return std::optional(counting.shot()); }, 0, 100);
  std::set<std::shared_ptr<const Frame>> frames;
  for (int k = 0; k < 3000; ++k) {
    FrameWish wish;
    wish.colour = k % 3 == 0 ? "speed" : k % 3 == 1 ? "density" : std::string(1000, 'x') + std::to_string(k);
    if (const auto found = live.frame(wish)) frames.insert(found->frame);
  }
  EXPECT_EQ(frames.size(), 2U);  // one by speed and one without a colour
}

TEST(ViewLive, FramesTakeAPartOfTheTimeWhoeverRequestsThem) {
  Counting counting;
  counting.n = 300'000;  // a frame takes some 20 ms
  LiveSource live("test", -1, nothing_to_fetch, 0, 1'000'000);
  live.at_work(true);
  live.frame({});
  counting.between_steps(live);
  std::atomic<std::int64_t> spent{0};
  std::atomic<bool> stop{false};
  const auto look = [&](int which) {
    const auto time = [] {
      timespec now{};
      ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
      return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
    };
    constexpr std::array<const char*, 3> colours{"speed", "mass", ""};
    const std::int64_t begin = time();
    for (int k = which; !stop; ++k) {
      FrameWish wish;
      wish.colour = k % 4 == 3 ? "x" + std::to_string(k) : colours[k % 3];
      live.frame(wish);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    spent += time() - begin;
  };
  std::vector<std::thread> viewers;
  for (int k = 0; k < 6; ++k) viewers.emplace_back(look, k);
  const auto begin = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() - begin < std::chrono::seconds(1)) {
    ++counting.step;  // each copy is another version
    FrameWish newest;
    newest.after = live.state()["version"];
    live.frame(newest);
    counting.between_steps(live);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  stop = true;
  for (std::thread& viewer : viewers) viewer.join();
  const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  EXPECT_LT(1e-9 * static_cast<double>(spent.load()), 0.4 * wall);  // a sixth, a frame, and the requests of six threads
}

TEST(ViewLive, ThoseThatHaveSeenMoreRequestNoCopy) {
  Counting counting;
  LiveSource live("test", -1, nothing_to_fetch, 0, 100);
  live.at_work(true);
  FrameWish later;
  later.after = 1'000'000'000;
  EXPECT_FALSE(live.frame(later));
  counting.between_steps(live);
  EXPECT_EQ(counting.copies, 0);
}

TEST(ViewLive, AForkedChildDoesNotWait) {
  Counting counting;
  LiveSource live("test", -1, nothing_to_fetch, 0, 100);
  live.control(Control::pause);
  const pid_t child = ::fork();
  if (child == 0) {
    counting.between_steps(live);
    ::_exit(7);
  }
  int ended = 0;
  for (int k = 0; k < 500 && ::waitpid(child, &ended, WNOHANG) == 0; ++k) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  ::kill(child, SIGKILL);
  EXPECT_TRUE(WIFEXITED(ended) && WEXITSTATUS(ended) == 7);
}

}  // namespace
}  // namespace hornbeam::view
