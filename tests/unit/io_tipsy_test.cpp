// SPDX-License-Identifier: Apache-2.0
// Tipsy: which variant a file is, Bonsai's ids, units compared with the file, and files that are refused.
#include "io/tipsy.h"

#include <sys/stat.h>

#include <cmath>

#include "io_support.h"

namespace hornbeam {
namespace {

using namespace test;

class Tipsy : public testing::Test {
 protected:
  /// The bytes of `snapshot` in a variant.
  std::vector<std::byte> bytes_of(const Snapshot& snapshot, const std::string& variant) {
    write_snapshot(folder_ / "written", snapshot, format_named(variant));
    return read_file(folder_ / "written");
  }
  static Snapshot parse(const std::vector<std::byte>& bytes) { return io::parse_tipsy(bytes, "x.tipsy"); }

  TemporaryFolder folder_;
};

TEST_F(Tipsy, NotesNameTheVariantFound) {
  const Snapshot start = sample(2);
  EXPECT_TRUE(contains(parse(bytes_of(start, "tipsy")).notes, "little-endian, 32-byte header, Bonsai's 32-bit ids"));
  EXPECT_TRUE(contains(parse(bytes_of(start, "tipsy-native")).notes, "little-endian, 32-byte header, no ids"));
  EXPECT_TRUE(contains(parse(bytes_of(start, "tipsy-native-unpadded")).notes, "little-endian, 28-byte header"));
  EXPECT_TRUE(contains(parse(bytes_of(start, "tipsy-standard")).notes, "big-endian (standard), 32-byte header"));
  EXPECT_TRUE(contains(parse(bytes_of(start, "tipsy-standard-unpadded")).notes, "big-endian (standard), 28-byte"));
}

TEST_F(Tipsy, RecordsStandWhereTheFormatSaysTheyDo) {
  Snapshot start;
  start.time = 0.5;
  start.particles.resize(2);
  start.particles.position = {{1, 2, 3}, {4, 5, 6}};
  start.particles.velocity = {{7, 8, 9}, {10, 11, 12}};
  start.particles.mass = {13, 14};
  start.particles.eps = {0.25, 0.75};
  start.particles.id = {200000000, 100000000};
  start.particles.family[1] = Family::star;
  const std::vector<std::byte> bytes = bytes_of(start, "tipsy");
  ASSERT_EQ(bytes.size(), 32u + 36u + 44u);
  EXPECT_EQ(io::load<double>(bytes, 0, false), 0.5);
  EXPECT_EQ(io::load<std::int32_t>(bytes, 8, false), 2);   // bodies
  EXPECT_EQ(io::load<std::int32_t>(bytes, 12, false), 3);  // dimensions
  EXPECT_EQ(io::load<std::int32_t>(bytes, 20, false), 1);  // dark
  EXPECT_EQ(io::load<std::int32_t>(bytes, 24, false), 1);  // star
  EXPECT_EQ(io::load<float>(bytes, 32, false), 13.0F);     // dark: mass, position, velocity, eps, id
  EXPECT_EQ(io::load<float>(bytes, 32 + 12, false), 3.0F);
  EXPECT_EQ(io::load<float>(bytes, 32 + 16, false), 7.0F);
  EXPECT_EQ(io::load<float>(bytes, 32 + 28, false), 0.25F);
  EXPECT_EQ(io::load<std::int32_t>(bytes, 32 + 32, false), 200000000);
  EXPECT_EQ(io::load<float>(bytes, 68 + 24, false), 12.0F);  // star: two unused numbers before eps and id
  EXPECT_EQ(io::load<float>(bytes, 68 + 36, false), 0.75F);
  EXPECT_EQ(io::load<std::int32_t>(bytes, 68 + 40, false), 100000000);
}

TEST_F(Tipsy, PaddingMayHoldAnything) {
  std::vector<std::byte> bytes = bytes_of(sample(2), "tipsy");
  overwrite(bytes, 28, std::int32_t{0x7f26});  // as Bonsai leaves it
  EXPECT_EQ(parse(bytes).particles.id[0], sample(2).particles.id[0]);
  overwrite(bytes, 28, std::int32_t{2});  // announces 64-bit ids: eps and id together are as unique
  EXPECT_TRUE(contains(parse(bytes).notes, "64-bit ids"));
}

TEST_F(Tipsy, IdsAbove31BitsTakeThePlaceOfSoftening) {
  Snapshot start = sample(2);
  start.particles.id[5] = 0x123456789abcdefULL;
  const std::vector<std::string> sentences = write_snapshot(folder_ / "wide.tipsy", start);
  EXPECT_TRUE(contains(sentences, "take the place of softening"));
  const Snapshot found = read_snapshot(folder_ / "wide.tipsy");
  EXPECT_EQ(found.particles.id, start.particles.id);
  EXPECT_EQ(read_file(folder_ / "wide.tipsy").size(), 32u + 2 * 48 + 2 * 36 + 8 * 44);
  // Gas keeps its softening: its last 8 bytes are metals and potential.
  EXPECT_EQ(found.particles.eps[0], static_cast<double>(static_cast<float>(start.particles.eps[0])));
  EXPECT_EQ(found.particles.eps[4], 0.0);
}

TEST_F(Tipsy, PotentialsThatRepeatOrAreNegativeAreNotTakenForIds) {
  Snapshot start = sample(2);
  start.particles.potential.assign(start.particles.size(), 0.0);
  EXPECT_TRUE(parse(bytes_of(start, "tipsy-native")).particles.potential.empty());
  start.particles.potential[3] = -1e-30;
  const Particles found = parse(bytes_of(start, "tipsy-native")).particles;
  EXPECT_EQ(found.id[3], 3u);
  EXPECT_EQ(found.potential[3], static_cast<double>(-1e-30F));
}

TEST_F(Tipsy, SaysWhatItCannotHold) {
  const Snapshot start = sample(2);
  const std::vector<std::string> sentences = write_snapshot(folder_ / "a.tipsy", start);
  for (const char* part : {"single precision", "6 disc, bulge and black-hole particles became stars", "potentials",
                           "accelerations", "internal energies", "smoothing lengths", "box size"}) {
    EXPECT_TRUE(contains(sentences, part)) << part;
  }
}

TEST_F(Tipsy, NumbersBeyondSinglePrecisionAreRefused) {
  Snapshot start = sample(1);
  start.particles.position[2][0] = 1e39;
  EXPECT_EQ(error_of([&] { write_snapshot(folder_ / "a.tipsy", start); }),
            (folder_ / "a.tipsy").string() +
                ": the value 1e+39 is beyond single precision (3.4e38) (choose a format with double "
                "precision, such as hdf5)");
  EXPECT_EQ(folder_.count_files(), 0u);
}

TEST_F(Tipsy, EveryTruncationIsRefused) {
  for (const char* variant : {"tipsy", "tipsy-standard-unpadded"}) {
    const std::vector<std::byte> bytes = bytes_of(sample(2), variant);
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      const std::vector<std::byte> cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
      const std::string error = error_of([&] { parse(cut); });
      ASSERT_EQ(error.find("x.tipsy: is "), 0u) << size << ": " << error;
    }
    std::vector<std::byte> longer = bytes;
    longer.resize(bytes.size() + 2);
    EXPECT_NE(error_of([&] { parse(longer); }), "");
  }
}

TEST_F(Tipsy, HeadersThatContradictThemselvesAreRefused) {
  const std::vector<std::byte> good = bytes_of(sample(2), "tipsy");
  const auto with = [&](std::size_t offset, std::int32_t value) {
    std::vector<std::byte> bytes = good;
    overwrite(bytes, offset, value);
    return error_of([&] { parse(bytes); });
  };
  EXPECT_NE(with(8, 13).find("is not a Tipsy file"), std::string::npos);   // bodies
  EXPECT_NE(with(12, 2).find("is not a Tipsy file"), std::string::npos);   // dimensions
  EXPECT_NE(with(16, -2).find("is not a Tipsy file"), std::string::npos);  // gas
  std::vector<std::byte> huge = good;
  overwrite(huge, 8, std::int32_t{0x7fffffff});
  overwrite(huge, 20, std::int32_t{0x7fffffff - 10});
  EXPECT_EQ(error_of([&] { parse(huge); }),
            "x.tipsy: is truncated or damaged: its Tipsy header counts 2147483647 particles, which need 77309411408 or "
            "77309411412 bytes, but it has " +
                std::to_string(good.size()));
}

TEST_F(Tipsy, NotFiniteCoordinatesNameTheParticle) {
  std::vector<std::byte> bytes = bytes_of(sample(1), "tipsy");
  overwrite(bytes, 32 + 48 + 8, std::nanf(""));  // y of the second particle
  write_file(folder_ / "nan.tipsy", bytes);
  const std::string error = error_of([&] { read_snapshot(folder_ / "nan.tipsy"); });
  EXPECT_EQ(error, (folder_ / "nan.tipsy").string() + ": particle 1 (id 8919): position y = nan: must be finite");
}

TEST_F(Tipsy, UnitsComeFromTheParamFileBesideIt) {
  write_snapshot(folder_ / "a.tipsy", sample(1));
  EXPECT_FALSE(read_snapshot(folder_ / "a.tipsy").units.physical);
  write_file(folder_ / "other.param", "# a run\ndKpcUnit = 2.5  # kpc\n dMsolUnit=1e9\nnSteps = 3\n");
  const Units units = read_snapshot(folder_ / "a.tipsy").units;
  EXPECT_TRUE(units.physical);
  EXPECT_EQ(units.G, 1.0);
  EXPECT_NEAR(units.length_cm / (2.5 * 3.0856775814913673e21), 1.0, 1e-15);
  // v = sqrt(G M / L) = sqrt(4.30091e-6 * 1e9 / 2.5) km/s
  EXPECT_NEAR(units.velocity_cm_per_s, 1e5 * std::sqrt(4.30091e-6 * 1e9 / 2.5), 10.0);  // six digits
  write_file(folder_ / "a.param", "dKpcUnit = 1\ndMsolUnit = zero\n");
  EXPECT_EQ(error_of([&] { read_snapshot(folder_ / "a.tipsy"); }),
            (folder_ / "a.param").string() + ": dMsolUnit = zero: must be a positive number");
}

TEST_F(Tipsy, PhysicalSnapshotsShareOneParamFile) {
  write_snapshot(folder_ / "a.tipsy", sample(1, true));
  EXPECT_TRUE(fs::exists(folder_ / "a.param"));
  EXPECT_TRUE(write_snapshot(folder_ / "b.tipsy", sample(1, true)).size() > 0);
  EXPECT_FALSE(fs::exists(folder_ / "b.param"));  // yt opens no folder with two of them
  EXPECT_TRUE(read_snapshot(folder_ / "b.tipsy").units.physical);
  EXPECT_TRUE(contains(write_snapshot(folder_ / "c.tipsy", sample(1)), "readers will apply the units of a.param"));
}

TEST_F(Tipsy, AParamFileOfSomebodyElseIsLeftAlone) {
  const std::string theirs = "dKpcUnit = 2.5\ndMsolUnit = 1e9\nnSteps = 300\n";
  for (const std::string& text : {theirs, std::string("nSteps = 3\n")}) {
    write_file(folder_ / "a.param", text);
    EXPECT_EQ(error_of([&] { write_snapshot(folder_ / "a.tipsy", sample(1, true)); }),
              (folder_ / "a.tipsy").string() + ": its units file, " + (folder_ / "a.param").string() +
                  ", exists, is another program's and has other units (rename one of the two)");
    EXPECT_EQ(read_file(folder_ / "a.param").size(), text.size());
    EXPECT_FALSE(fs::exists(folder_ / "a.tipsy"));
  }
  EXPECT_THROW(write_snapshot(folder_ / "b.param", sample(1), format_named("tipsy")), UsageError);
}

TEST_F(Tipsy, UnitsAreNotLostBetweenTwoParamFiles) {
  write_snapshot(folder_ / "a.tipsy", sample(1, true));
  write_file(folder_ / "other.param", std::string("dKpcUnit = 2.5\ndMsolUnit = 1e9\n"));
  EXPECT_TRUE(contains(write_snapshot(folder_ / "c.tipsy", sample(1, true)), "yt cannot open a directory with two"));
  EXPECT_TRUE(read_snapshot(folder_ / "c.tipsy").units.physical);
}

TEST_F(Tipsy, AFifoBesideItIsNotWaitedFor) {
  write_snapshot(folder_ / "a.tipsy", sample(1));
  ASSERT_EQ(::mkfifo((folder_ / "x.param").c_str(), 0600), 0);
  EXPECT_EQ(read_snapshot(folder_ / "a.tipsy").particles.size(), 6u);
  ASSERT_EQ(::mkfifo((folder_ / "a.param").c_str(), 0600), 0);
  EXPECT_NE(error_of([&] { read_snapshot(folder_ / "a.tipsy"); }).find("is not a regular file"), std::string::npos);
}

TEST_F(Tipsy, TheRealGalaxyIsReadAsItsOriginSays) {
  const fs::path path = fs::path(HORNBEAM_EXAMPLES) / "data" / "model3_child_compact.tipsy";
  const Snapshot galaxy = read_snapshot(path);
  const Particles& p = galaxy.particles;
  ASSERT_EQ(p.size(), 22000u);
  EXPECT_EQ(p.family[19999], Family::halo);
  EXPECT_EQ(p.family[20000], Family::star);
  EXPECT_EQ(p.id.front(), 200000000u);
  EXPECT_EQ(p.id[20000], 100000000u);
  EXPECT_EQ(p.eps.size(), 22000u);
  double mass = 0;
  for (const double m : p.mass) mass += m;
  EXPECT_NEAR(mass, 97.3, 0.05);  // its description gives three digits
  const std::vector<std::byte> original = read_file(path);
  std::vector<std::byte> written = bytes_of(galaxy, "tipsy");
  std::copy_n(original.begin() + 28, 4, written.begin() + 28);  // the padding, which means nothing
  EXPECT_EQ(written, original);
}

}  // namespace
}  // namespace hornbeam
