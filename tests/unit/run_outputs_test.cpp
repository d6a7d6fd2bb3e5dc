// SPDX-License-Identifier: Apache-2.0
// Checkpoints of a run and its tables agree at any moment, as the checkpoint of a time is written last.
#include "run/session/outputs.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "hornbeam/error.h"
#include "hornbeam/io.h"
#include "io/checkpoint.h"
#include "io_support.h"
#include "run/config/config.h"
#include "run/folder/saved_run.h"
#include "run/session/loop.h"

namespace hornbeam::run {
namespace {

namespace fs = std::filesystem;

/// Rows of a table up to that time.
std::uint64_t rows_until(const fs::path& table, double time) {
  std::ifstream file(table);
  std::string line;
  std::getline(file, line);
  std::uint64_t rows = 0;
  while (std::getline(file, line)) rows += std::stod(line) <= time ? 1 : 0;
  return rows;
}

/// Compares the checkpoint with the tables before each step, as if a kill came then.
class Looker : public Observer {
 public:
  const char* asks_to_stop() override {
    const fs::path path = folder / "checkpoint.hdf5";
    if (!fs::exists(path)) return nullptr;
    const Checkpoint found = read_checkpoint(path);
    const double time = found.snapshot.time;
    const SoFar s = saved_run(found, path.string()).so_far;
    for (const RecordName& table : record_names) {
      EXPECT_EQ(s.rows.at(table.counted_as), rows_until(folder / table.file, time)) << table.file << " at " << time;
    }
    for (std::uint64_t k = 0; k < s.outputs.value_or(0); ++k) {
      EXPECT_TRUE(fs::exists(folder / ("snapshot_000" + std::to_string(k) + ".hdf5"))) << "at " << time;
    }
    if (rows_until(folder / "ring.csv", time) > 0) {
      EXPECT_EQ(s.ring_time, ring_time(time));
    }
    times += time != last_time ? 1 : 0;
    last_time = time;
    return nullptr;
  }

  /// The last of the rows of ring.csv up to `time`, which are each every_ring.
  [[nodiscard]] double ring_time(double time) const { return std::floor(time / every_ring + 1e-9) * every_ring; }

  fs::path folder;
  double every_ring = 1, last_time = -1;
  int times = 0;  ///< of checkpoints
};

/// Steps wait for the files, so that what is looked at is not being written.
int times_of_checkpoints(const std::string& text, const fs::path& folder, double every_ring = 1) {
  Looker looker;
  looker.folder = folder;
  looker.every_ring = every_ring;
  const RunConfig config = parse_config(text, {"output.directory=" + folder.string()}, "a test");
  ReadyRun ready = prepare(config, {}, looker);
  ready.start.has_room_to_write_beside = false;
  run_to_the_end(std::move(ready), looker);
  return looker.times;
}

constexpr const char* ring =
    "[ic]\nmodel = \"ring\"\nsurface_density = 400\nparticle_density = 400\nradius_min = 1\nradius_max = 4\n"
    "[units]\nsystem = \"si\"\n[gravity]\neps = 0.1\n[boundary]\nkind = \"shear\"\nsize = [30, 30, 0]\nomega = "
    "1.25e-4\n"
    "[collisions]\nlaw = \"bridges\"\nminimum_velocity = 1.3e-4\n[device]\nbackend = \"cpu\"\nthreads = 1\n"
    "[time]\ndt = 64\nend = 1024\n[output]\nevery = 256\nring_every = 128\n";
constexpr const char* galaxy =
    "[ic]\nmodel = \"galaxy\"\nn = 300\nblack_hole_mass = 0.02\n[gravity]\neps = 0.05\n[device]\nbackend = \"cpu\"\n"
    "threads = 1\n[time]\ndt = 0.03125\nend = 0.5\n[output]\nevery = 0.125\nblack_holes_every = 0.0625\n";

TEST(RunOutputs, TablesHaveTheRowsOfACheckpointBeforeIt) {
  const test::TemporaryFolder scratch;
  EXPECT_GE(times_of_checkpoints(ring, scratch / "ring", 128), 4);
  EXPECT_GE(times_of_checkpoints(ring + std::string("checkpoint_every = 192\n"), scratch / "apart", 128), 5);
  EXPECT_GE(times_of_checkpoints(galaxy, scratch / "galaxy"), 4);
  EXPECT_GE(times_of_checkpoints(galaxy + std::string("checkpoint_every = 0.0625\n"), scratch / "often"), 7);
}

}  // namespace
}  // namespace hornbeam::run
