// SPDX-License-Identifier: Apache-2.0
// Which format a path, a name or a content represents, and foreign files given to every reader.
#include "io/formats.h"
#include "io_support.h"

namespace hornbeam {
namespace {

using namespace test;

fs::path folder_of(const TemporaryFolder& folder, const std::string& format) {
  return folder / ("snapshot_0000" + io::usual_extension(format));
}

TEST(Formats, ExtensionsChooseTheFormat) {
  const std::vector<std::pair<std::string, Format>> known{
      {"a.hdf5", Format::hdf5}, {"a.h5", Format::hdf5},       {"a.tipsy", Format::tipsy}, {"a.std", Format::tipsy},
      {"a.tip", Format::tipsy}, {"a.gadget", Format::gadget}, {"a.g2", Format::gadget},   {"a.gad", Format::gadget},
      {"a.csv", Format::csv},   {"a.txt", Format::csv},       {"A.HDF5", Format::hdf5},   {"a.b/c.h5", Format::hdf5}};
  for (const auto& [path, format] : known) EXPECT_EQ(format_of(path).format, format) << path;
  EXPECT_TRUE(format_of("a.std").swapped);
  EXPECT_FALSE(format_of("a.tipsy").swapped);
}

TEST(Formats, UnknownExtensionsAndNamesListTheKnownOnes) {
  EXPECT_EQ(
      error_of([] { format_of("a.dat"); }),
      "a.dat: unknown extension .dat (known: .hdf5 .h5 .tipsy .tip .std .gadget .g2 .gad .csv .txt .npz .npy .ecsv)");
  EXPECT_EQ(error_of([] { format_of("galaxy"); }).find("galaxy: has no extension that names its format"), 0u);
  EXPECT_EQ(error_of([] {
              format_named("tipsi");
            }).find("tipsi: is not a known format (known: hdf5, hdf5-stars, tipsy, tipsy-native"),
            0u);
  EXPECT_THROW(format_of("a.dat"), UsageError);
  EXPECT_THROW(format_named("hdf"), UsageError);
  EXPECT_THROW(write_snapshot("a.dat", sample(1)), UsageError);
  EXPECT_FALSE(fs::exists("a.dat"));
}

TEST(Formats, NamesChooseTheVariant) {
  EXPECT_EQ(format_named("tipsy-standard-unpadded").format, Format::tipsy);
  EXPECT_TRUE(format_named("tipsy-standard").swapped);
  EXPECT_FALSE(format_named("tipsy-standard-unpadded").padded);
  EXPECT_TRUE(format_named("tipsy").bonsai_ids);
  EXPECT_EQ(format_named("gadget1-swapped").gadget_version, 1);
  EXPECT_TRUE(format_named("gadget2-double").double_precision);
  EXPECT_EQ(format_named("galactics").columns, Columns::galactics);
}

TEST(Formats, ContentTellsTheFormatWhereTheExtensionDoesNot) {
  const TemporaryFolder folder;
  for (const char* name : {"hdf5", "tipsy", "tipsy-standard", "gadget1", "gadget2-swapped", "csv", "npz", "npy"}) {
    write_snapshot(folder / "snapshot", sample(1), format_named(name));
    EXPECT_EQ(read_snapshot(folder / "snapshot").particles.size(), 6u) << name;
  }
}

TEST(Formats, WhatARunWritesIsKnownByItsName) {
  const TemporaryFolder folder;
  const std::vector<std::string> names{"hdf5",
                                       "hdf5-stars",
                                       "tipsy",
                                       "tipsy-native",
                                       "tipsy-native-unpadded",
                                       "tipsy-standard",
                                       "tipsy-standard-unpadded",
                                       "gadget1",
                                       "gadget1-double",
                                       "gadget1-swapped",
                                       "gadget2",
                                       "gadget2-double",
                                       "gadget2-swapped",
                                       "csv",
                                       "galactics",
                                       "agama",
                                       "npz",
                                       "npy"};
  for (const std::string& name : names) {
    const fs::path path = folder_of(folder, name);
    EXPECT_FALSE(fs::exists(path)) << name;  // no two have one name
    write_snapshot(path, sample(1), format_named(name));
    EXPECT_EQ(read_snapshot(path).particles.size(), 6u) << name;
    EXPECT_NEAR(read_snapshot(path).particles.mass[3], sample(1).particles.mass[3], 1e-6) << name;
  }
}

/// Every extension with a content of each kind that does not belong to it.
TEST(Formats, ForeignContentIsRefusedByEveryReader) {
  const TemporaryFolder folder;
  const std::string png("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\x8\2\0\0\0", 29);
  const std::vector<std::pair<std::string, std::string>> contents{
      {"empty", ""},
      {"one byte", "x"},
      {"png", png},
      {"text", "To be, or not to be, that is the question:\nWhether 'tis nobler in the mind to suffer\n"},
      {"zeros", std::string(4096, '\0')},
      {"ones", std::string(4096, '\xff')}};
  for (const char* extension : {"hdf5", "tipsy", "gadget", "csv", "npz", "npy"}) {
    for (const auto& [what, content] : contents) {
      const fs::path path = folder / (std::string("a.") + extension);
      write_file(path, content);
      const std::string error = error_of([&] { read_snapshot(path); });
      EXPECT_EQ(error.find(path.string() + ": "), 0u) << extension << " with " << what << ": " << error;
      EXPECT_EQ(error == path.string() + ": is empty (0 bytes)", what == "empty") << extension << " with " << what;
    }
  }
}

TEST(Formats, FilesOfEachOtherAreRefused) {
  const TemporaryFolder folder;
  const std::vector<std::string> names{"hdf5", "tipsy", "gadget2", "csv", "npz"};
  for (const std::string& written : names) {
    write_snapshot(folder / "a", sample(2), format_named(written));
    for (const std::string& read : names) {
      if (read == written) continue;
      const std::string error = error_of([&] { read_snapshot(folder / "a", format_named(read)); });
      EXPECT_EQ(error.find((folder / "a").string() + ": "), 0u) << written << " as " << read << ": " << error;
    }
  }
}

TEST(Formats, OddPathsAreRefused) {
  const TemporaryFolder folder;
  EXPECT_EQ(error_of([&] { read_snapshot(folder / "none.csv"); }),
            (folder / "none.csv").string() + ": cannot open: No such file or directory");
  EXPECT_EQ(error_of([&] { read_snapshot(folder / "none.hdf5"); }),
            (folder / "none.hdf5").string() + ": cannot open: No such file or directory");
  EXPECT_EQ(error_of([&] { read_snapshot(folder / "none"); }),
            (folder / "none").string() + ": cannot open: No such file or directory");
  EXPECT_EQ(error_of([&] { read_snapshot(folder.path(), format_named("tipsy")); }),
            folder.path().string() + ": is a folder (name files in it, such as " + folder.path().string() +
                "/snapshot_*.hdf5)");
}

}  // namespace
}  // namespace hornbeam
