// SPDX-License-Identifier: Apache-2.0
// Each module's fields in a checkpoint: without one of them a run goes on from the checkpoint before, and says so.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "io/checkpoint.h"
#include "io/hdf5/hdf5.h"
#include "io_hdf5_editor.h"
#include "run/session/loop.h"

namespace hornbeam::run {
namespace {

namespace fs = std::filesystem;

class Notes : public Observer {
 public:
  void note(const std::string& text) override { all.push_back(text); }
  void ends(const Ending& ending) override { finished = ending.totals.finished; }
  std::vector<std::string> all;
  bool finished = false;
};

struct RunOfModules {
  const char* name;
  const char* text;
  std::vector<std::string> fields;  ///< some of those that its modules store
};

std::ostream& operator<<(std::ostream& out, const RunOfModules& run) { return out << run.name; }

const std::vector<RunOfModules> runs_of_modules = {
    {"shared",
     "[ic]\nmodel = \"plummer\"\nn = 20\n[gravity]\neps = 0.1\n[time]\n",
     {"eps", "acceleration", "potential"}},
    {"block",
     "[ic]\nmodel = \"plummer\"\nn = 20\n[gravity]\neps = 0.1\n[watchdog]\ncollapse = false\n[time]\nsteps = "
     "\"block\"\n",
     {"rung", "rung_before", "acceleration_before"}},
    {"collisions",
     "[ic]\nmodel = \"ring\"\nsurface_density = 400\nparticle_density = 400\nradius_min = 1\nradius_max = 4\n"
     "[units]\nsystem = \"si\"\n[gravity]\neps = 0.1\n[boundary]\nkind = \"shear\"\nsize = [20, 20, 0]\nomega = 1e-4\n"
     "[collisions]\nlaw = \"constant\"\nrestitution = 0.5\ntangential_restitution = 0.5\n[time]\n",
     {"radius", "spin"}},
    {"gas",
     "[ic]\nmodel = \"evrard\"\nn = 100\n[gas]\neos = \"ideal\"\nsoftening = \"adaptive\"\nreconstruct = true\n"
     "[watchdog]\ncollapse = false\n[gravity]\neps = 0.1\nsoftening = \"spline\"\n[time]\nsteps = \"block\"\n",
     {"internal_energy", "density", "smoothing_length", "viscosity", "grad_h", "softening_zeta", "velocity_shear",
      "step_before", "pull_begun"}}};

/// The list of fields in a checkpoint.
std::vector<std::string> listed(const fs::path& checkpoint) {
  const io::Hdf5File file = io::Hdf5File::open(checkpoint);
  const std::vector<std::uint8_t> text = file.root().open("Checkpoint").read_bytes("fields");
  std::istringstream names(std::string(text.begin(), text.end()));
  return {std::istream_iterator<std::string>(names), {}};
}

class CheckpointFields : public testing::TestWithParam<RunOfModules> {
 protected:
  CheckpointFields() {
    const std::string more =
        "dt = 0.0625\nend = 0.125\n[output]\nevery = 0.0625\n[device]\nbackend = \"cpu\"\nthreads = 1\n";
    config_ = parse_config(GetParam().text + more, {"output.directory=" + folder_.string()}, "a test");
    Notes notes;
    run_to_the_end(prepare(config_, {}, notes), notes);
  }

  /// Resumes without that field in the newest checkpoint, nor in its list where it has none.
  void resume_without(const std::string& field, bool has_list, Notes& notes) {
    fs::copy_file(whole_, newest_, fs::copy_options::overwrite_existing);
    {
      test::Editor editor(newest_);
      editor.remove(("Checkpoint/" + field).c_str());
      if (!has_list) editor.remove("Checkpoint/fields");
    }
    test::reseal(newest_, [](std::vector<std::byte>&) {});
    run_to_the_end(prepare(config_, {.mode = RunDirectory::Mode::resume}, notes), notes);
  }

  test::TemporaryFolder scratch_;
  fs::path folder_ = scratch_ / "out", newest_ = folder_ / "checkpoint.hdf5", whole_ = scratch_ / "whole.hdf5";
  RunConfig config_;
};

TEST_P(CheckpointFields, AreNamedWhereTheyAreMissingAndTheCheckpointBeforeIsTaken) {
  fs::copy_file(newest_, whole_);
  const fs::path previous = folder_ / "checkpoint_previous.hdf5", kept = scratch_ / "kept.hdf5";
  fs::copy_file(previous, kept);
  const std::vector<std::string> stored = listed(whole_);
  for (const std::string& field : GetParam().fields) {
    EXPECT_EQ(std::count(stored.begin(), stored.end(), field), 1) << field;
  }
  for (const std::string& field : stored) {
    for (const bool has_list : {true, false}) {
      if (field == "eps" && !has_list) continue;  // gravity.eps has it for all
      SCOPED_TRACE(field + (has_list ? "" : ", without a list of fields"));
      fs::copy_file(kept, previous, fs::copy_options::overwrite_existing);
      Notes notes;
      resume_without(field, has_list, notes);
      EXPECT_TRUE(notes.finished);
      const bool is_told = std::any_of(notes.all.begin(), notes.all.end(), [&](const std::string& note) {
        return note.find(field) != std::string::npos && note.ends_with("; resuming from " + previous.string());
      });
      EXPECT_TRUE(is_told) << (notes.all.empty() ? "" : notes.all.front());
    }
  }
}

// Other types round, cut or change the meaning of what was stored.
TEST_P(CheckpointFields, AreRefusedInOtherTypes) {
  fs::copy_file(newest_, whole_);
  const fs::path previous = folder_ / "checkpoint_previous.hdf5", kept = scratch_ / "kept.hdf5";
  fs::copy_file(previous, kept);
  const std::size_t n = read_checkpoint(whole_).snapshot.particles.size();
  const auto resumed_after = [&](const std::function<void(test::Editor&)>& edit, const std::string& name) {
    fs::copy_file(kept, previous, fs::copy_options::overwrite_existing);
    fs::copy_file(whole_, newest_, fs::copy_options::overwrite_existing);
    {
      test::Editor editor(newest_);
      edit(editor);
    }
    test::reseal(newest_, [](std::vector<std::byte>&) {});
    Notes notes;
    run_to_the_end(prepare(config_, {.mode = RunDirectory::Mode::resume}, notes), notes);
    EXPECT_TRUE(!notes.all.empty() && notes.all.front().find(name) != std::string::npos &&
                notes.all.front().ends_with("; resuming from " + previous.string()))
        << name << ": " << (notes.all.empty() ? "nothing" : notes.all.front());
  };
  for (const char* name : {"position", "velocity"}) {
    resumed_after(
        [&](test::Editor& e) {
          e.dataset((std::string("Checkpoint/") + name).c_str(), H5T_IEEE_F32LE, {n, 3}, nullptr);
        },
        name);
  }
  resumed_after([&](test::Editor& e) { e.dataset("Checkpoint/id", H5T_STD_U8LE, {n}, nullptr); }, "id");
  for (const char* name : {"time", "initial_energy", "G"}) {
    resumed_after([&](test::Editor& e) { e.attribute<std::uint64_t>("Checkpoint", name, H5T_NATIVE_UINT64, {1}); },
                  name);
    resumed_after([&](test::Editor& e) { e.attribute<float>("Checkpoint", name, H5T_NATIVE_FLOAT, {1}); }, name);
  }
}

INSTANTIATE_TEST_SUITE_P(Modules, CheckpointFields, testing::ValuesIn(runs_of_modules),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace hornbeam::run
