// SPDX-License-Identifier: Apache-2.0
// Gadget-2 binary: both formats, byte orders and widths, the mass table, and files that are refused.
#include "io/gadget/binary.h"

#include <limits>

#include "io/gadget/binary_layout.h"
#include "io_support.h"

namespace hornbeam {
namespace {

using namespace test;

/// A file put together record by record, apart from the writer under test.
class FileOfRecords {
 public:
  explicit FileOfRecords(bool swapped = false) : swapped_(swapped) {}

  template <class T>
  FileOfRecords& record(const std::vector<T>& values) {
    const auto size = static_cast<std::uint32_t>(values.size() * sizeof(T));
    put(size);
    for (const T value : values) put(value);
    put(size);
    return *this;
  }
  FileOfRecords& header(io::gadget_binary::FileHeader header) {
    if (swapped_) header = io::gadget_binary::byte_swapped(header);
    put(std::uint32_t{256});
    const auto bytes = std::as_bytes(std::span(&header, 1));
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    put(std::uint32_t{256});
    return *this;
  }
  [[nodiscard]] const std::vector<std::byte>& bytes() const { return bytes_; }

 private:
  template <class T>
  void put(T value) {
    const auto bytes = io::to_bytes(value, swapped_);
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }

  bool swapped_;
  std::vector<std::byte> bytes_;
};

Snapshot parse(const std::vector<std::byte>& bytes) { return io::parse_gadget_binary(bytes, "x.gadget"); }

class GadgetBinary : public testing::Test {
 protected:
  std::vector<std::byte> bytes_of(const Snapshot& snapshot, const std::string& variant) {
    write_snapshot(folder_ / "written", snapshot, format_named(variant));
    return read_file(folder_ / "written");
  }

  TemporaryFolder folder_;
};

TEST_F(GadgetBinary, MassTableAndMassBlockAreMixedByType) {
  for (const bool swapped : {false, true}) {
    io::gadget_binary::FileHeader header;
    header.count[1] = 2;
    header.count[2] = 1;
    header.count[4] = 1;
    header.mass[1] = 0.5;
    header.time = 3;
    const std::vector<float> vectors(12, 1.0F);
    const auto bytes = FileOfRecords(swapped)
                           .header(header)
                           .record(vectors)
                           .record(vectors)
                           .record(std::vector<std::uint32_t>{9, 8, 7, 6})
                           .record(std::vector<float>{2.5F, 3.5F})
                           .bytes();
    const Snapshot found = parse(bytes);
    EXPECT_EQ(found.particles.mass, (std::vector<double>{0.5, 0.5, 2.5, 3.5}));
    EXPECT_EQ(found.particles.id, (std::vector<std::uint64_t>{9, 8, 7, 6}));
    EXPECT_EQ(found.particles.family[2], Family::disc);
    EXPECT_EQ(found.time, 3.0);
    EXPECT_TRUE(contains(found.notes, swapped ? "format 1, big-endian" : "format 1, little-endian"));
  }
}

TEST_F(GadgetBinary, WideNumbersAndIdsAreToldByTheRecordLengths) {
  io::gadget_binary::FileHeader header;
  header.count[0] = 2;
  header.mass[0] = 1;
  const std::vector<double> positions{0.1, 0.2, 0.3, 0.4, 0.5, 0.6};
  const auto bytes = FileOfRecords()
                         .header(header)
                         .record(positions)
                         .record(std::vector<double>(6, 2.0))
                         .record(std::vector<std::uint64_t>{1ULL << 40, 5})
                         .record(std::vector<double>{0.7, 0.8})
                         .record(std::vector<double>{10.0, 11.0})
                         .bytes();
  const Particles found = parse(bytes).particles;
  EXPECT_EQ(found.position[1], (Vec3{0.4, 0.5, 0.6}));
  EXPECT_EQ(found.id[0], 1ULL << 40);
  EXPECT_EQ(found.internal_energy, (std::vector<double>{0.7, 0.8}));
  EXPECT_EQ(found.density, (std::vector<double>{10, 11}));
  EXPECT_TRUE(found.smoothing_length.empty());
}

TEST_F(GadgetBinary, IdsThatNeedThemAreWrittenWide) {
  Snapshot start = sample(1);
  start.particles.id[3] = 1ULL << 50;
  for (const char* variant : {"gadget1", "gadget2-swapped"}) {
    EXPECT_EQ(parse(bytes_of(start, variant)).particles.id, start.particles.id);
  }
}

TEST_F(GadgetBinary, FilesWithoutIdsAreNumberedWithANote) {
  io::gadget_binary::FileHeader header;
  header.count[1] = 2;
  header.mass[1] = 1;
  const std::vector<float> vectors(6, 1.0F);
  const Snapshot found = parse(FileOfRecords().header(header).record(vectors).record(vectors).bytes());
  EXPECT_EQ(found.particles.id, (std::vector<std::uint64_t>{0, 1}));
  EXPECT_TRUE(contains(found.notes, "no ids"));
}

TEST_F(GadgetBinary, UnknownBlocksOfFormat2AreSkippedWithANote) {
  std::vector<std::byte> bytes = bytes_of(sample(1), "gadget2");
  const std::string name = "POT ";
  const auto text = std::as_bytes(std::span(name));
  const auto at = std::search(bytes.begin(), bytes.end(), text.begin(), text.end());
  ASSERT_NE(at, bytes.end());
  *at = std::byte{'X'};
  const Snapshot found = parse(bytes);
  EXPECT_TRUE(found.particles.potential.empty());
  EXPECT_FALSE(found.particles.acceleration.empty());
  EXPECT_TRUE(contains(found.notes, "block XOT  is not read"));
  *at = std::byte{1};
  EXPECT_EQ(error_of([&] { parse(bytes); }), "x.gadget: is damaged: a block name is not text");
}

TEST_F(GadgetBinary, SaysWhatItCannotHold) {
  const std::vector<std::string> one = write_snapshot(folder_ / "a.gad", sample(1), format_named("gadget1"));
  for (const char* part : {"single precision", "per-particle softening is dropped", "units are not stored",
                           "potentials are dropped", "accelerations are dropped"}) {
    EXPECT_TRUE(contains(one, part)) << part;
  }
  const std::vector<std::string> two = write_snapshot(folder_ / "a.gad", sample(1), format_named("gadget2-double"));
  EXPECT_FALSE(contains(two, "single precision"));
  EXPECT_FALSE(contains(two, "potentials"));
}

TEST_F(GadgetBinary, EveryTruncationIsRefused) {
  const Snapshot start = sample(1);
  for (const char* variant : {"gadget1", "gadget2-swapped"}) {
    const std::vector<std::byte> bytes = bytes_of(start, variant);
    std::size_t whole_records = 0;
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      const std::vector<std::byte> cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
      const std::string error = error_of([&] { parse(cut); });
      // Between two optional blocks at the end nothing can be seen to be missing.
      if (error.empty()) {
        ++whole_records;
      } else {
        ASSERT_EQ(error.find("x.gadget: "), 0u) << error;
      }
    }
    // After MASS: format 1 may end before U, RHO and HSML, format 2 before POT and ACCE, too.
    EXPECT_EQ(whole_records, std::string(variant) == "gadget1" ? 3u : 5u) << variant;
  }
}

TEST_F(GadgetBinary, WrongGuardsAreRefused) {
  const std::vector<std::byte> good = bytes_of(sample(1), "gadget1");
  std::vector<std::byte> bytes = good;
  overwrite(bytes, 260, std::uint32_t{255});
  EXPECT_EQ(error_of([&] { parse(bytes); }),
            "x.gadget: is damaged: record header at byte 0 begins with length 256 and ends with 255");
  bytes = good;
  overwrite(bytes, 264, std::uint32_t{0xffffffff});
  EXPECT_NE(error_of([&] { parse(bytes); }).find("passes the end of the file"), std::string::npos);
  bytes = good;
  overwrite(bytes, 0, std::uint32_t{257});
  EXPECT_NE(error_of([&] { parse(bytes); }).find("is not a Gadget-2 binary file"), std::string::npos);
}

TEST_F(GadgetBinary, HeadersThatTheBlocksContradictAreRefused) {
  const std::vector<std::byte> good = bytes_of(sample(1), "gadget1");
  const auto with = [&](std::size_t offset, auto value) {
    std::vector<std::byte> bytes = good;
    overwrite(bytes, 4 + offset, value);
    return error_of([&] { parse(bytes); });
  };
  EXPECT_NE(with(4, std::int32_t{-1}).find("npart[1] = -1 is negative"), std::string::npos);
  EXPECT_NE(with(4, std::int32_t{0x7fffffff}).find("for the 2147483652 particles of the header"), std::string::npos);
  EXPECT_NE(with(4, std::int32_t{0}).find("numbers: must be"), std::string::npos);
  EXPECT_EQ(with(124, std::int32_t{4}), "");  // all particles of the total are here
}

TEST_F(GadgetBinary, AHeaderThatCountsNothingOfWhatFollowsIsRefused) {
  for (const char* name : {"gadget1", "gadget2"}) {
    const fs::path path = folder_ / name;
    write_snapshot(path, sample(2), format_named(name));
    std::vector<std::byte> bytes = read_file(path);
    const std::size_t header = std::string(name) == "gadget1" ? 4 : 20;
    for (std::size_t f = 0; f < 6; ++f) overwrite(bytes, header + 4 * f, std::int32_t{0});
    write_file(path, bytes);
    EXPECT_NE(error_of([&] { read_snapshot(path, format_named(name)); }).find("its header counts 0 particles, but"),
              std::string::npos);
  }
}

TEST_F(GadgetBinary, DamagedFormat2IsRefused) {
  const std::vector<std::byte> good = bytes_of(sample(1), "gadget2");
  std::vector<std::byte> bytes = good;
  bytes[4] = std::byte{'X'};
  EXPECT_NE(error_of([&] { parse(bytes); }).find("its first block is not HEAD"), std::string::npos);
  const auto rename = [&](const std::string& from, const std::string& to) {
    bytes = good;
    const auto text = std::as_bytes(std::span(from));
    const auto at = std::search(bytes.begin(), bytes.end(), text.begin(), text.end());
    const auto replacement = std::as_bytes(std::span(to));
    std::copy(replacement.begin(), replacement.end(), at);
    return error_of([&] { parse(bytes); });
  };
  EXPECT_EQ(rename("VEL ", "POS "), "x.gadget: holds block POS  twice");
  EXPECT_EQ(rename("VEL ", "VOL "), "x.gadget: has no block VEL ");
  EXPECT_EQ(rename("POS ", "PAS "), "x.gadget: has no block POS ");
}

TEST_F(GadgetBinary, NegativeMassesInTheTableNameTheParticle) {
  io::gadget_binary::FileHeader header;
  header.count[1] = 1;
  header.mass[1] = -1;
  const std::vector<float> vectors(3, 1.0F);
  const fs::path path = folder_ / "negative.gadget";
  write_file(path, FileOfRecords().header(header).record(vectors).record(vectors).bytes());
  EXPECT_EQ(error_of([&] { read_snapshot(path); }),
            path.string() + ": particle 0 (id 0): mass = -1: must be 0 or more");
  header.mass[1] = 1;
  header.time = std::numeric_limits<double>::quiet_NaN();
  write_file(path, FileOfRecords().header(header).record(vectors).record(vectors).bytes());
  EXPECT_EQ(error_of([&] { read_snapshot(path); }), path.string() + ": has a non-finite time");
}

}  // namespace
}  // namespace hornbeam
