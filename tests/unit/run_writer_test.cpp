// SPDX-License-Identifier: Apache-2.0
// The writer compared with a run: order, failures, how much it holds; and HDF5 from several threads.
#include "run/folder/writer.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "hornbeam/error.h"
#include "hornbeam/ics.h"
#include "hornbeam/io.h"
#include "io_support.h"

namespace hornbeam::run {
namespace {

void rest() { std::this_thread::sleep_for(std::chrono::milliseconds(2)); }

TEST(Writer, WorksInOrderAndTellsOnTheGiversThread) {
  for (const bool beside : {false, true}) {
    Writer writer(beside);
    EXPECT_EQ(writer.is_beside(), beside);
    std::vector<int> worked, told;
    const auto here = std::this_thread::get_id();
    for (int k = 0; k < 20; ++k) {
      const auto work = [&, k] {
        EXPECT_EQ(std::this_thread::get_id() != here, beside);
        rest();
        worked.push_back(k);
      };
      writer.give(
          work,
          [&, k] {
            EXPECT_EQ(std::this_thread::get_id(), here);
            told.push_back(k);
          },
          false);
    }
    writer.finish();
    ASSERT_EQ(worked.size(), 20u);
    for (int k = 0; k < 20; ++k) EXPECT_EQ(worked[static_cast<std::size_t>(k)], k);
    EXPECT_EQ(worked, told);
    EXPECT_GT(writer.seconds(), 0.03);
  }
}

TEST(Writer, HoldsNoMoreCopiesThanItSays) {
  const auto copy = std::make_shared<int>();  // its count of uses is that of copies, and this one
  Writer writer(true);
  for (int k = 0; k < 20; ++k) {
    writer.make_room();
    EXPECT_LE(copy.use_count(), static_cast<long>(Writer::most_copies));
    writer.give([copy] { rest(); }, {}, true);
  }
  writer.finish();
  EXPECT_EQ(copy.use_count(), 1);
}

TEST(Writer, AfterAFailureNothingIsWritten) {
  for (const bool beside : {false, true}) {
    Writer writer(beside);
    std::atomic<int> later = 0;
    const auto give_all = [&] {
      writer.give([] { throw Error("a file", "cannot be written"); }, [&] { ++later; }, true);
      for (int k = 0; k < 5; ++k) writer.give([&] { ++later; }, {}, false);
      writer.finish();
    };
    EXPECT_THROW(give_all(), Error);
    EXPECT_THROW(writer.finish(), Error);
    EXPECT_THROW(writer.make_room(), Error);
    EXPECT_EQ(later, 0);
  }
}

TEST(Writer, EndsWhatItWasGiven) {
  std::atomic<int> worked = 0;
  {
    Writer writer(true);
    for (int k = 0; k < 3; ++k) {
      writer.give(
          [&] {
            rest();
            ++worked;
          },
          {}, true);
    }
  }
  EXPECT_EQ(worked, 3);
}

TEST(Writer, LeavesSignalsToOthers) {
  Writer writer(true);
  bool blocked = false;
  writer.give(
      [&] {
        sigset_t now;
        pthread_sigmask(SIG_BLOCK, nullptr, &now);
        blocked = sigismember(&now, SIGINT) == 1 && sigismember(&now, SIGTERM) == 1 && sigismember(&now, SIGSEGV) == 0;
      },
      {}, false);
  writer.finish();
  EXPECT_TRUE(blocked);
  sigset_t here;
  pthread_sigmask(SIG_BLOCK, nullptr, &here);
  EXPECT_EQ(sigismember(&here, SIGINT), 0);
}

TEST(Hdf5, IsWrittenAndReadBySeveralThreadsAtOnce) {
  const test::TemporaryFolder folder;
  const auto work = [&](int number) {
    const Snapshot snapshot = ics::make("plummer", 500, ics::Seed{7});
    for (int k = 0; k < 20; ++k) {
      const auto path = folder / (std::to_string(number) + ".hdf5");
      write_snapshot(path, snapshot);
      if (k % 10 > 0) continue;
      EXPECT_EQ(read_snapshot(path).particles.position.size(), 500u);
    }
  };
  std::vector<std::thread> threads;
  for (int number = 0; number < 4; ++number) threads.emplace_back(work, number);
  for (std::thread& thread : threads) thread.join();
  for (int number = 1; number < 4; ++number) {
    EXPECT_EQ(test::read_file(folder / "0.hdf5"), test::read_file(folder / (std::to_string(number) + ".hdf5")));
  }
}

}  // namespace
}  // namespace hornbeam::run
