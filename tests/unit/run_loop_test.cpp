// SPDX-License-Identifier: Apache-2.0
// A run as a program other than the command line would make it: told to an observer, printed nowhere.
#include "run/loop.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "hornbeam/error.h"
#include "unit/io_support.h"

namespace hornbeam::run {
namespace {

namespace fs = std::filesystem;

class Listener : public Observer {
 public:
  void note(const std::string& text) override { notes.push_back(text); }
  void begins(const Beginning& beginning) override { particles = beginning.simulation.size(); }
  void output(const Output& output) override {
    outputs.push_back(output.at.time);
    if (output.is_snapshot) EXPECT_TRUE(fs::exists(folder / ("snapshot_000" + std::to_string(output.index) + ".hdf5")));
  }
  void ends(const Ending& ending) override {
    finished = ending.totals.finished;
    by = ending.by == nullptr ? "" : ending.by;
  }
  const char* asks_to_stop() override { return outputs.size() >= stop_after ? "a test" : nullptr; }

  fs::path folder;
  std::size_t stop_after = 1000, particles = 0;
  std::vector<std::string> notes;
  std::vector<double> outputs;
  bool finished = false;
  std::string by;
};

RunConfig config_in(const fs::path& folder, const std::string& more = "") {
  return parse_config("[ic]\nmodel = \"plummer\"\nn = 64\n[gravity]\neps = 0.1\n[device]\nbackend = \"cpu\"\n" +
                          ("threads = 1\n[time]\ndt = 0.125\nend = 0.5\n[output]\nevery = 0.25\n" + more),
                      {"output.directory=" + folder.string()}, "a test");
}

void run(const RunConfig& config, Listener& listener, RunDirectory::Mode mode = RunDirectory::Mode::fresh) {
  run_to_the_end(prepare(config, {.mode = mode}, listener), listener);
}

TEST(RunLoop, TellsAnObserverAndPrintsNothing) {
  const test::TemporaryFolder scratch;
  Listener listener;
  listener.folder = scratch.path() / "out";
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  run(config_in(listener.folder), listener);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(listener.particles, 64u);
  EXPECT_EQ(listener.outputs, (std::vector<double>{0.0, 0.25, 0.5}));
  EXPECT_TRUE(listener.finished);
  EXPECT_TRUE(fs::exists(listener.folder / "run.json"));
}

TEST(RunLoop, StopsWhereItsObserverAsksAndGoesOn) {
  const test::TemporaryFolder scratch;
  Listener first, second;
  first.folder = second.folder = scratch.path() / "out";
  first.stop_after = 2;
  run(config_in(first.folder), first);
  EXPECT_FALSE(first.finished);
  EXPECT_EQ(first.by, "a test");
  run(config_in(second.folder), second, RunDirectory::Mode::resume);
  EXPECT_EQ(second.outputs, std::vector<double>{0.5});
  EXPECT_TRUE(second.finished);
}

}  // namespace
}  // namespace hornbeam::run
