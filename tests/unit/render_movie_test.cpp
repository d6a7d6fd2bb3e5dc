// SPDX-License-Identifier: Apache-2.0
// Movies: which files are shown, and what is written with, without and in spite of ffmpeg. A script is in for it.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "hornbeam/error.h"
#include "hornbeam/ics.h"
#include "hornbeam/render.h"

namespace hornbeam {
namespace {

namespace fs = std::filesystem;

class Movie : public testing::Test {
 protected:
  Movie()
      : folder_(fs::path(testing::TempDir()) / ("hornbeam_movie_" + std::to_string(::getpid()))),
        path_(std::getenv("PATH")) {
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "bin");
    options_.width = 64;
    options_.height = 48;
  }
  ~Movie() override {
    setenv("PATH", path_.c_str(), 1);
    fs::remove_all(folder_);
  }

  void touch(const std::string& name) { std::ofstream(folder_ / name) << "x"; }

  /// Makes a script the only ffmpeg on PATH.
  void install_ffmpeg(const std::string& script) {
    std::ofstream(folder_ / "bin" / "ffmpeg") << "#!/bin/sh\n" << script;
    fs::permissions(folder_ / "bin" / "ffmpeg", fs::perms::owner_all);
    setenv("PATH", (folder_ / "bin").c_str(), 1);
  }

  std::string make(const std::string& name = "out.mp4", const render::MovieOptions& how = {10, {}}) {
    const auto load = [](const fs::path& file) {
      return ics::make("plummer", 200, ics::Seed{file.filename().string().size()});
    };
    return render::movie({"a", "bb", "ccc"}, folder_ / name, load, options_, how,
                         [this](std::size_t done, std::size_t all) {
                           progress_ += std::to_string(done) + "/" + std::to_string(all) + " ";
                         });
  }

  std::string contents(const fs::path& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  fs::path folder_;
  std::string path_, progress_;
  render::Options options_;
};

TEST_F(Movie, ShowsSnapshotsInOrderAndPrefersHdf5) {
  touch("energy.csv");
  touch("checkpoint.hdf5");
  EXPECT_THROW(render::snapshot_files(folder_), Error);
  touch("snapshot_0001.tipsy");
  touch("snapshot_0000.tipsy");
  touch("snapshot_0000.tipsy.param");
  const std::vector<fs::path> tipsy = {folder_ / "snapshot_0000.tipsy", folder_ / "snapshot_0001.tipsy"};
  EXPECT_EQ(render::snapshot_files(folder_), tipsy);
  touch("snapshot_0001.csv");
  EXPECT_EQ(render::snapshot_files(folder_).size(), 2u);  // one of each number
  fs::remove(folder_ / "snapshot_0001.csv");
  touch("snapshot_0002.hdf5");
  touch("snapshot_0001.hdf5");
  const std::vector<fs::path> hdf5 = {folder_ / "snapshot_0001.hdf5", folder_ / "snapshot_0002.hdf5"};
  EXPECT_EQ(render::snapshot_files(folder_), hdf5);
  touch("snapshot_9999.hdf5");
  touch("snapshot_10000.hdf5");
  EXPECT_EQ(render::snapshot_files(folder_).back(), folder_ / "snapshot_10000.hdf5");
  EXPECT_THROW(render::snapshot_files(folder_ / "absent"), Error);
}

TEST_F(Movie, HandsItsFramesToFfmpeg) {
  install_ffmpeg("echo \"$@\" > '" + (folder_ / "arguments").string() +
                 "'\nfor last; do :; done\necho encoded > \"$last\"\n");
  EXPECT_EQ(make("out.mp4", {10, {}, true}), "wrote " + (folder_ / "out.mp4").string() + " (3 frames)");
  EXPECT_EQ(progress_, "1/3 2/3 3/3 ");
  EXPECT_EQ(contents(folder_ / "out.mp4"), "encoded\n");
  for (const std::string frame : {"frame_00000.png", "frame_00001.png", "frame_00002.png"}) {
    EXPECT_TRUE(fs::exists(folder_ / "out_frames" / frame)) << frame;
  }
  const std::string arguments = contents(folder_ / "arguments");
  EXPECT_NE(arguments.find("-framerate 10"), std::string::npos) << arguments;
  EXPECT_NE(arguments.find("-frames:v 3"), std::string::npos) << arguments;
  EXPECT_NE(arguments.find("libx264"), std::string::npos) << arguments;
}

TEST_F(Movie, RemovesItsFramesAndNothingElse) {
  install_ffmpeg("for last; do :; done\necho encoded > \"$last\"\n");
  make();
  EXPECT_FALSE(fs::exists(folder_ / "out_frames"));
  fs::create_directory(folder_ / "out_frames");
  touch("out_frames/mine.png");
  make();
  EXPECT_TRUE(fs::exists(folder_ / "out_frames" / "mine.png"));
  EXPECT_FALSE(fs::exists(folder_ / "out_frames" / "frame_00000.png"));
}

TEST_F(Movie, TriesMpeg4WhereH264IsMissing) {
  install_ffmpeg("case \"$*\" in *libx264*) exit 1;; esac\nfor last; do :; done\necho older > \"$last\"\n");
  make();
  EXPECT_EQ(contents(folder_ / "out.mp4"), "older\n");
}

TEST_F(Movie, FormatIsThatOfTheName) {
  const std::string log = (folder_ / "arguments").string();
  install_ffmpeg("echo \"$@\" >> '" + log + "'\nfor last; do :; done\necho encoded > \"$last\"\n");
  make("out.webm");
  EXPECT_NE(contents(log).find("libvpx-vp9"), std::string::npos) << contents(log);
  fs::remove(log);
  make("out.GIF");
  EXPECT_EQ(contents(folder_ / "out.GIF"), "encoded\n");
  EXPECT_NE(contents(log).find("trim=end_frame=3,palettegen"), std::string::npos) << contents(log);
  EXPECT_NE(contents(log).find("-f gif"), std::string::npos) << contents(log);
  EXPECT_FALSE(fs::exists(folder_ / "out_frames"));
}

TEST_F(Movie, OfFewFramesLastsFiveSecondsWhereNobodySaysHowLong) {
  const std::string log = (folder_ / "arguments").string();
  install_ffmpeg("echo \"$@\" > '" + log + "'\nfor last; do :; done\necho encoded > \"$last\"\n");
  make("out.mp4", {});
  EXPECT_NE(contents(log).find("-framerate 3/5 "), std::string::npos) << contents(log);
}

TEST_F(Movie, TakesTheFfmpegItIsGiven) {
  install_ffmpeg("for last; do :; done\necho given > \"$last\"\n");
  setenv("PATH", "", 1);
  make("out.mp4", {10, folder_ / "bin" / "ffmpeg"});
  EXPECT_EQ(contents(folder_ / "out.mp4"), "given\n");
}

TEST_F(Movie, RepeatsFfmpegsComplaintAndKeepsTheOldMovie) {
  touch("out.mp4");
  install_ffmpeg("echo no such encoder >&2\nexit 1\n");
  try {
    make();
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("no such encoder"), std::string::npos) << error.what();
  }
  EXPECT_EQ(contents(folder_ / "out.mp4"), "x");
}

TEST_F(Movie, WritesAContactSheetWithoutFfmpeg) {
  setenv("PATH", (folder_ / "bin").c_str(), 1);
  const std::string said = make();
  EXPECT_NE(said.find("ffmpeg was not found on PATH"), std::string::npos) << said;
  EXPECT_TRUE(fs::exists(folder_ / "out_sheet.png"));
  EXPECT_NE(said.find("(all 3 snapshots)"), std::string::npos) << said;
  EXPECT_FALSE(fs::exists(folder_ / "out.mp4"));
}

TEST_F(Movie, SheetShowsAllSnapshotsOrSaysHowMany) {
  setenv("PATH", (folder_ / "bin").c_str(), 1);
  std::set<fs::path> drawn;
  const auto sheet = [&](int count) {
    std::vector<fs::path> files;
    for (int i = 0; i < count; ++i) files.emplace_back(std::to_string(i));
    int loads = 0;
    const auto load = [&](const fs::path& file) {
      // The sheet's are the last ones read: after those for cameras, brightness and frames.
      if (++loads > 2 * count + (count - 1) / (1 + count / 8) + 1) drawn.insert(file);
      return ics::make("plummer", 20, ics::Seed{1});
    };
    drawn.clear();
    return render::movie(files, folder_ / "out.mp4", load, options_, {10, {}});
  };
  EXPECT_NE(sheet(13).find("(all 13 snapshots)"), std::string::npos);
  EXPECT_EQ(drawn.size(), 13u);
  EXPECT_NE(sheet(31).find("(30 of 31 snapshots, evenly spread)"), std::string::npos);
  EXPECT_EQ(drawn.size(), 30u);
  EXPECT_TRUE(drawn.contains("0") && drawn.contains("30"));
}

TEST_F(Movie, RefusesFamiliesThatNoSnapshotHolds) {
  options_.families = {Family::gas};
  try {
    make();
    FAIL() << "nothing was thrown";
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(), "ccc: has no particles of the family gas (it has halo)");
  }
}

TEST_F(Movie, RefusesWhatCannotBeShown) {
  const auto never = [](const fs::path&) -> Snapshot { throw Error("file", "must not be read"); };
  EXPECT_THROW(render::movie({}, folder_ / "out.mp4", never, options_), UsageError);
  EXPECT_THROW(render::movie({"a"}, folder_ / "out.mp4", never, options_, {0, {}}), UsageError);
  for (const char* name : {"out.jpg", "out.avi", "out", "out.png"}) {
    EXPECT_THROW(render::movie({"a"}, folder_ / name, never, options_), UsageError) << name;
  }
  EXPECT_THROW(render::refuse_other_pictures("a.jpg"), UsageError);
  EXPECT_THROW(render::refuse_other_pictures("a"), UsageError);
  EXPECT_NO_THROW(render::refuse_other_pictures("a.PNG"));
}

}  // namespace
}  // namespace hornbeam
