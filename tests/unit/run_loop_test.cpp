// SPDX-License-Identifier: Apache-2.0
// A run as a program other than the command line would make it: told to an observer, printed nowhere.
#include "run/session/loop.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "hornbeam/error.h"
#include "hornbeam/io.h"
#include "io_support.h"
#include "run/session/session.h"

namespace hornbeam::run {
namespace {

namespace fs = std::filesystem;

class Listener : public Observer {
 public:
  void note(const std::string& text) override { notes.push_back(text); }
  void begins(const Session& session, const fs::path& /*directory*/) override {
    particles = session.simulation().size();
  }
  void output(const Output& output) override {
    outputs.push_back(output.at.time);
    EXPECT_TRUE(fs::exists(folder / ("snapshot_000" + std::to_string(output.index) + ".hdf5")));
  }
  void ends(const Ending& ending) override {
    finished = ending.totals.finished;
    by = ending.by == nullptr ? "" : ending.by;
  }
  const char* asks_to_stop() override { return ++asked > stop_after ? "a test" : nullptr; }

  fs::path folder;
  std::size_t stop_after = 1000, asked = 0, particles = 0;  ///< asked before each step
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
  EXPECT_EQ(first.outputs, (std::vector<double>{0.0, 0.25}));
  run(config_in(second.folder), second, RunDirectory::Mode::resume);
  EXPECT_EQ(second.outputs, std::vector<double>{0.5});
  EXPECT_TRUE(second.finished);
}

/// The same with steps that wait for files, as where there is no room for a second copy.
void run_waiting(const RunConfig& config, Listener& listener) {
  ReadyRun ready = prepare(config, {}, listener);
  ready.start.has_room_to_write_beside = false;
  run_to_the_end(std::move(ready), listener);
}

/// Rows without the seconds of the wall, which end them.
std::string without_wall(const fs::path& table) {
  std::ifstream file(table);
  std::string all;
  for (std::string line; std::getline(file, line);) all += line.substr(0, line.rfind(',')) + "\n";
  return all;
}

class WritingBeside : public testing::TestWithParam<const char*> {};

TEST_P(WritingBeside, GivesTheSameFiles) {
  const test::TemporaryFolder scratch;
  const std::string more = std::string("times = [0.05, 0.3, 0.31, 0.32, 0.33]\nenergy_every = 0.125\n") +
                           "checkpoint_every = 0.25\n" + "[watchdog]\ncollapse = false\n";
  const fs::path folder = scratch.path() / "out", other = scratch.path() / "other";
  Listener beside, waiting;
  beside.folder = waiting.folder = folder;
  RunConfig config = config_in(folder, more);
  config.simulation.steps = parse<Steps>("steps", GetParam());
  run(config, beside);
  fs::rename(folder, other);
  run_waiting(config, waiting);
  EXPECT_EQ(beside.outputs, waiting.outputs);
  ASSERT_EQ(waiting.notes.size(), beside.notes.size() + 1);
  EXPECT_EQ(
      waiting.notes.back(),
      "steps wait while snapshots and checkpoints are written: there is too little memory to write them during steps");
  std::size_t compared = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const fs::path name = entry.path().filename();
    EXPECT_TRUE(fs::exists(other / name)) << name;
    if (name.extension() != ".hdf5") continue;
    EXPECT_EQ(test::read_file(entry.path()), test::read_file(other / name)) << name;
    ++compared;
  }
  EXPECT_EQ(compared, 8u + 2u);  // snapshots, and two checkpoints
  EXPECT_EQ(without_wall(folder / "energy.csv"), without_wall(other / "energy.csv"));
}

INSTANTIATE_TEST_SUITE_P(Steps, WritingBeside, testing::Values("shared", "block", "symmetrised"));

TEST(RunLoop, AFileThatCannotBeWrittenEndsItBeforeTheCheckpointOfItsTime) {
  for (const bool beside : {true, false}) {
    const test::TemporaryFolder scratch;
    Listener listener;
    listener.folder = scratch.path() / "out";
    const RunConfig config = config_in(listener.folder, "times = [0.375]\n");
    ReadyRun ready = prepare(config, {}, listener);
    ready.start.has_room_to_write_beside = beside;
    fs::create_directory(listener.folder / "snapshot_0002.hdf5");
    try {
      run_to_the_end(std::move(ready), listener);
      ADD_FAILURE() << "a folder was replaced by a snapshot";
    } catch (const Error& error) {
      EXPECT_EQ(error.what(),
                (listener.folder / "snapshot_0002.hdf5").string() + ": is a directory (give a file name)");
    }
    EXPECT_EQ(listener.outputs, (std::vector<double>{0.0, 0.25}));
    EXPECT_EQ(read_snapshot(listener.folder / "checkpoint.hdf5").time, 0.25);
    EXPECT_FALSE(fs::exists(listener.folder / "snapshot_0003.hdf5"));
    EXPECT_FALSE(fs::exists(listener.folder / "hornbeam.lock"));
  }
}

/// Stops after the snapshot at 0.5, and removes that checkpoint: what a kill while it is written leaves.
void stop_before_last_checkpoint(const RunConfig& config, const fs::path& folder) {
  Listener first;
  first.folder = folder;
  run(config, first);
  fs::remove(folder / "checkpoint.hdf5");
  fs::rename(folder / "checkpoint_previous.hdf5", folder / "checkpoint.hdf5");
}

constexpr const char* many_files =
    "formats = [\"hdf5\", \"npz\", \"csv\"]\ngroups_every = 1\ngroups_linking_fraction = 0.5\n";

TEST(RunLoop, WritesAgainWhatIsMissingOfACutOutput) {
  for (const std::string cut : {"snapshot_0002.hdf5", "snapshot_0002.npz", "snapshot_0002.csv", "groups_0002.hdf5"}) {
    const test::TemporaryFolder scratch;
    Listener again;
    again.folder = scratch / "out";
    const RunConfig config = config_in(again.folder, many_files);
    stop_before_last_checkpoint(config, again.folder);
    const std::vector<std::byte> whole = test::read_file(again.folder / cut);
    fs::remove(again.folder / cut);
    run(config, again, RunDirectory::Mode::resume);
    ASSERT_TRUE(fs::exists(again.folder / cut)) << cut;
    EXPECT_EQ(test::read_file(again.folder / cut), whole) << cut;
    const std::string note = "output 2 is incomplete: " + cut + " is missing; it is written again";
    EXPECT_EQ(std::count(again.notes.begin(), again.notes.end(), note), 1) << cut;
  }
}

TEST(RunLoop, LeavesLaterOutputsThatAreWhole) {
  const test::TemporaryFolder scratch;
  Listener again;
  again.folder = scratch / "out";
  const RunConfig config = config_in(again.folder, many_files);
  stop_before_last_checkpoint(config, again.folder);
  run(config, again, RunDirectory::Mode::resume);
  EXPECT_TRUE(again.outputs.empty());
}

TEST(RunLoop, RemovesLaterOutputsOfOtherSettingsInAllFormats) {
  const test::TemporaryFolder scratch;
  Listener again;
  again.folder = scratch / "out";
  stop_before_last_checkpoint(config_in(again.folder, many_files), again.folder);
  fs::remove(again.folder / "snapshot_0002.hdf5");  // the others are left of it
  RunConfig other = config_in(again.folder, "formats = [\"hdf5\"]\n");
  other.simulation.gravity.theta = 0.3;
  run_to_the_end(prepare(other, {.mode = RunDirectory::Mode::resume, .allow_changes = true}, again), again);
  EXPECT_TRUE(fs::exists(again.folder / "snapshot_0002.hdf5"));
  for (const char* old : {"snapshot_0002.npz", "snapshot_0002.csv", "groups_0002.hdf5"}) {
    EXPECT_FALSE(fs::exists(again.folder / old)) << old;
    EXPECT_TRUE(fs::exists(again.folder / std::string(old).replace(old[0] == 's' ? 12 : 10, 1, "1"))) << old;
  }
}

// A part of a run without snapshots numbers none of those that are there again, nor does the part after it.
TEST(RunLoop, NumbersOnBehindSnapshotsAfterAPartWithoutThem) {
  const test::TemporaryFolder scratch;
  Listener again;
  again.folder = scratch / "out";
  const RunConfig config = config_in(again.folder);
  stop_before_last_checkpoint(config, again.folder);  // of t = 0.25; the snapshot of 0.5 is there
  const std::vector<std::byte> second = test::read_file(again.folder / "snapshot_0002.hdf5");
  RunConfig silent = config;
  silent.output.snapshots = false;
  silent.end = 0.75;
  Observer nobody;
  run_to_the_end(prepare(silent, {.mode = RunDirectory::Mode::resume}, nobody), nobody);
  RunConfig longer = config;
  longer.end = 1;
  run_to_the_end(prepare(longer, {.mode = RunDirectory::Mode::resume}, again), again);
  EXPECT_EQ(test::read_file(again.folder / "snapshot_0002.hdf5"), second);
  EXPECT_EQ(read_snapshot(again.folder / "snapshot_0003.hdf5").time, 1);
  EXPECT_FALSE(fs::exists(again.folder / "snapshot_0004.hdf5"));
}

}  // namespace
}  // namespace hornbeam::run
