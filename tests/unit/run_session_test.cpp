// SPDX-License-Identifier: Apache-2.0
// The session behind runs in memory: what its observer is told, and that its checkpoints keep what those of a run into
// a folder keep.
#include "run/session/session.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "hornbeam/io.h"
#include "io_support.h"
#include "run/session/changes.h"
#include "run/session/loop.h"

namespace hornbeam::run {
namespace {

constexpr const char* plummer =
    "[ic]\nmodel = \"plummer\"\nn = 64\n[gravity]\neps = 0.1\n[device]\nbackend = \"cpu\"\nthreads = 1\n"
    "[time]\ndt = 0.125\nend = 0.5\n";

class Watcher : public Observer {
 public:
  void note(const std::string& text) override { notes.push_back(text); }
  void between_steps(bool another_follows) override { follows.push_back(another_follows); }
  const char* asks_to_stop() override { return follows.size() > stop_after ? "a test" : nullptr; }

  std::size_t stop_after = 1000;
  std::vector<std::string> notes;
  std::vector<bool> follows;
};

Session session_of(ReadyRun ready, Observer& observer) {
  return {std::move(ready.config), std::move(ready.asked), std::move(ready.start), observer};
}

Session in_memory(Observer& observer) {
  return session_of(prepare_in_memory(parse_config(plummer, {}, "a test", {.end = true}), {}, ""), observer);
}

TEST(Changes, AreNoneWhereOtherDevicesGoOn) {
  const auto on = [](Json device) { return Json{{"device", {{"backend", "cuda"}, {"device", std::move(device)}}}}; };
  for (const Json& then : {Json(0), Json({0, 1}), Json("all")}) {
    for (const Json& now : {Json(2), Json({1, 0, 2}), Json("all")}) {
      EXPECT_TRUE(changes(on(then), on(now)).empty()) << then << " to " << now;
    }
  }
}

TEST(Session, TellsItsObserverBetweenStepsAndStopsWhereItAsks) {
  Watcher watcher;
  Session session = in_memory(watcher);
  EXPECT_EQ(session.run(0.25, 100), 2u);
  EXPECT_EQ(watcher.follows, (std::vector<bool>{true, true, false}));
  EXPECT_EQ(session.run(0.25, 100), 0u);
  watcher.follows.clear();
  EXPECT_EQ(session.run(HUGE_VAL, 3), 3u);
  EXPECT_EQ(watcher.follows, (std::vector<bool>{true, true, true, false}));
  watcher.follows.clear();
  EXPECT_EQ(session.run(HUGE_VAL, 0), 0u);
  EXPECT_EQ(watcher.follows, std::vector<bool>{false});
  watcher.follows.clear();
  watcher.stop_after = 2;
  EXPECT_EQ(session.run(10, 100), 2u);
  EXPECT_EQ(session.steps(), 7u);
}

/// A run into a folder up to 0.5.
void run_into(const std::filesystem::path& folder) {
  Observer nobody;
  const RunConfig config =
      parse_config(plummer, {"output.directory=" + folder.string(), "output.every=0.25"}, "a test");
  run_to_the_end(prepare(config, {}, nobody), nobody);
}

TEST(Session, KeepsInItsCheckpointsWhatARunKeeps) {
  const test::TemporaryFolder scratch;
  run_into(scratch / "out");
  const SavedRun kept = saved_run(read_checkpoint(scratch / "out" / "checkpoint.hdf5"), "the run");
  Watcher watcher;
  Session session = in_memory(watcher);
  session.begin();
  session.run(0.5, 100);
  session.watch_energy(session.relative_error());
  const Checkpoint own = session.checkpoint(session.so_far());
  const SavedRun saved = saved_run(own, "the session");
  EXPECT_EQ(saved.usual_speed, kept.usual_speed);
  EXPECT_GT(saved.usual_speed, 0);
  EXPECT_EQ(saved.start_time, kept.start_time);
  EXPECT_EQ(saved.leaf_size, kept.leaf_size);
  EXPECT_GT(saved.so_far.largest_error, 0);
  EXPECT_EQ(saved.so_far.outputs, 0u);
  EXPECT_EQ(saved.so_far.outputs_until, 0.5);
}

TEST(Session, GoesOnFromARunAndKeepsWhatItsCheckpointTold) {
  const test::TemporaryFolder scratch;
  run_into(scratch / "out");
  const SavedRun kept = saved_run(read_checkpoint(scratch / "out" / "checkpoint.hdf5"), "the run");
  Watcher watcher;
  Session session = session_of(resume_in_memory(scratch / "out", watcher), watcher);
  session.begin();  // errors count from the run's start
  EXPECT_TRUE(session.is_resumed());
  session.run(1, 100);
  const Checkpoint own = session.checkpoint(session.so_far());
  const SavedRun saved = saved_run(own, "the session");
  EXPECT_EQ(own.step, 8u);
  EXPECT_EQ(own.initial_energy, read_checkpoint(scratch / "out" / "checkpoint.hdf5").initial_energy);
  EXPECT_EQ(saved.usual_speed, kept.usual_speed);
  EXPECT_EQ(saved.so_far.rows, kept.so_far.rows);
  EXPECT_EQ(saved.so_far.rows.at(energy_table.counted_as), 3u);
  EXPECT_EQ(saved.so_far.outputs, 3u);
  EXPECT_EQ(saved.so_far.outputs_until, 1);
}

TEST(Session, CountsErrorsFromParticlesThatReplaceItsOwn) {
  Watcher watcher;
  Session session = in_memory(watcher);
  session.begin();
  const double before = session.initial_energy();
  session.run(0.25, 100);
  Snapshot heavier = session.simulation().snapshot();
  for (double& mass : heavier.particles.mass) mass *= 2;
  heavier.particles.forget_forces();
  session.replace(std::move(heavier), session.options().gravity, false);
  session.begin();
  EXPECT_NE(session.initial_energy(), before);
  EXPECT_EQ(session.relative_error(), 0);
  EXPECT_EQ(session.steps(), 2u);
}

}  // namespace
}  // namespace hornbeam::run
