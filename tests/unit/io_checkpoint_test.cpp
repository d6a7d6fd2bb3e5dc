// SPDX-License-Identifier: Apache-2.0
// Checkpoints: the same bits come back, and damage is seen.
#include "io/checkpoint.h"

#include <limits>
#include <random>

#include "io/files/file.h"
#include "io/files/seal.h"
#include "io/hdf5/hdf5.h"
#include "io_hdf5_editor.h"
#include "io_support.h"

namespace hornbeam {
namespace {

using namespace test;

Checkpoint some_checkpoint() {
  Checkpoint checkpoint;
  checkpoint.snapshot = sample(3, true);
  Particles& p = checkpoint.snapshot.particles;
  for (std::size_t i = 0; i < p.size(); ++i) p.family[i] = static_cast<Family>((7 * i) % family_count);  // mixed order
  p.position[1][0] = 0.1;  // not representable: the bits count
  p.velocity[2][1] = std::numeric_limits<double>::denorm_min();
  p.acceleration[0][2] = -0.0;
  p.id[4] = std::numeric_limits<std::uint64_t>::max();
  p.density.clear();
  p.rung.assign(p.size(), 3);
  p.rung[2] = 30;
  p.rung_before.assign(p.size(), 2);
  p.acceleration_before = p.acceleration;
  checkpoint.step = (1ULL << 60) + 1;
  checkpoint.initial_energy = -0.25;
  checkpoint.configuration = "[time]\ndt = 0.1\n";
  checkpoint.dt = 0.1;
  return checkpoint;
}

class CheckpointFile : public testing::Test {
 protected:
  TemporaryFolder folder_;
  fs::path path_ = folder_ / "checkpoint.hdf5";
};

TEST_F(CheckpointFile, EveryBitComesBackInInputOrder) {
  const Checkpoint start = some_checkpoint();
  write_checkpoint(path_, start);
  const Checkpoint found = read_checkpoint(path_);
  const Particles& f = found.snapshot.particles;
  const Particles& s = start.snapshot.particles;
  EXPECT_EQ(f.position, s.position);
  EXPECT_EQ(f.velocity, s.velocity);
  EXPECT_EQ(f.acceleration, s.acceleration);
  EXPECT_TRUE(std::signbit(f.acceleration[0][2]));
  EXPECT_EQ(f.mass, s.mass);
  EXPECT_EQ(f.id, s.id);
  EXPECT_EQ(f.family, s.family);
  EXPECT_EQ(f.eps, s.eps);
  EXPECT_EQ(f.potential, s.potential);
  EXPECT_EQ(f.rung, s.rung);
  EXPECT_EQ(f.rung_before, s.rung_before);
  EXPECT_EQ(f.acceleration_before, s.acceleration_before);
  EXPECT_EQ(f.internal_energy, s.internal_energy);
  EXPECT_TRUE(f.density.empty());
  EXPECT_EQ(found.step, start.step);
  EXPECT_EQ(found.dt, start.dt);
  EXPECT_EQ(found.initial_energy, start.initial_energy);
  EXPECT_EQ(found.configuration, start.configuration);
  EXPECT_EQ(found.snapshot.time, start.snapshot.time);
  EXPECT_EQ(found.snapshot.box_size, start.snapshot.box_size);
  EXPECT_EQ(found.snapshot.units.G, start.snapshot.units.G);
  EXPECT_TRUE(found.snapshot.units.physical);
}

TEST_F(CheckpointFile, NoParticlesAndNoConfiguration) {
  write_checkpoint(path_, {});
  EXPECT_EQ(read_checkpoint(path_).snapshot.particles.size(), 0u);
}

TEST_F(CheckpointFile, LongConfigurationsAreKept) {
  Checkpoint start;
  start.configuration.assign(200000, '#');  // more than an HDF5 attribute may hold
  write_checkpoint(path_, start);
  EXPECT_EQ(read_checkpoint(path_).configuration, start.configuration);
}

TEST_F(CheckpointFile, IsReadAsASnapshotToo) {
  const Checkpoint start = some_checkpoint();
  write_checkpoint(path_, start);
  const Snapshot found = read_snapshot(path_);
  EXPECT_EQ(found.particles.position, start.snapshot.particles.position);
  EXPECT_TRUE(contains(found.notes, "a checkpoint"));
}

TEST_F(CheckpointFile, ADamagedByteOfDataIsSeen) {
  const Checkpoint start = some_checkpoint();
  write_checkpoint(path_, start);
  const std::vector<std::byte> good = read_file(path_);
  for (const double value : {start.snapshot.particles.position[1][0], start.snapshot.particles.mass[2]}) {
    std::vector<std::byte> bytes = good;
    const auto wanted = io::to_bytes(value, false);
    const auto at = std::search(bytes.begin(), bytes.end(), wanted.begin(), wanted.end());
    ASSERT_NE(at, bytes.end());
    *at ^= std::byte{1};
    write_file(path_, bytes);
    EXPECT_EQ(error_of([&] { read_checkpoint(path_); }), path_.string() + ": is damaged: its checksum is wrong");
  }
}

/// Replaces the first bytes that are as `from` by those of `to`.
template <class T>
void replace_first(std::vector<std::byte>& bytes, const T& from, const T& to) {
  const auto wanted = std::as_bytes(std::span(from)), put = std::as_bytes(std::span(to));
  const auto at = std::search(bytes.begin(), bytes.end(), wanted.begin(), wanted.end());
  ASSERT_NE(at, bytes.end());
  std::copy(put.begin(), put.end(), at);
}

TEST_F(CheckpointFile, DamageIsSeenWhereverItIs) {
  write_checkpoint(path_, some_checkpoint());
  const std::vector<std::byte> good = read_file(path_);
  for (std::size_t at = 0; at < good.size(); at += at < io::seal_size ? 7 : 101) {
    std::vector<std::byte> bytes = good;
    bytes[at] ^= std::byte{0x80};
    write_file(path_, bytes);
    const std::string error = error_of([&] { read_checkpoint(path_); });
    EXPECT_NE(error, "") << at;
    if (at >= io::seal_size) {
      EXPECT_EQ(error, path_.string() + ": is damaged: its checksum is wrong") << at;
    }
  }
}

/// Two of the same flips cancel in sums that only multiply and add.
TEST_F(CheckpointFile, TwoFlippedSignsAreSeen) {
  std::vector<std::byte> bytes(4096);
  const std::uint64_t sum = io::checksum(bytes);
  bytes[1007] ^= std::byte{0x80};
  bytes[2007] ^= std::byte{0x80};
  EXPECT_NE(io::checksum(bytes), sum);
}

TEST_F(CheckpointFile, RubbishUnderAGoodSealIsNoCrash) {
  write_checkpoint(path_, some_checkpoint());
  const std::vector<std::byte> good = read_file(path_);
  std::mt19937_64 random(5);
  for (int trial = 0; trial < 100; ++trial) {
    write_file(path_, good);
    reseal(path_, [&](std::vector<std::byte>& bytes) {
      for (int k = 0; k < 8; ++k)
        bytes[io::seal_size + random() % (bytes.size() - io::seal_size)] = std::byte(random());
    });
    error_of([&] { read_checkpoint(path_); });
  }
}

TEST_F(CheckpointFile, ContentsThatNoRunCanHaveAreRefused) {
  const Checkpoint start = some_checkpoint();
  const auto refusal = [&](const std::function<void(std::vector<std::byte>&)>& change) {
    write_checkpoint(path_, start);
    reseal(path_, change);
    return error_of([&] { read_checkpoint(path_); });
  };
  const std::vector<std::uint8_t> rungs = start.snapshot.particles.rung, beyond(rungs.size(), 40);
  EXPECT_NE(refusal([&](auto& bytes) { replace_first(bytes, rungs, beyond); }).find("rung = 40: must be 0 to 30"),
            std::string::npos);
  std::vector<Vec3> forces = start.snapshot.particles.acceleration;
  forces[3][1] = std::nan("");
  EXPECT_NE(refusal([&](auto& bytes) {
              replace_first(bytes, start.snapshot.particles.acceleration, forces);
            }).find("particle 3 (id"),
            std::string::npos);
  const std::vector<double> energy{start.initial_energy}, infinite{HUGE_VAL};
  EXPECT_EQ(refusal([&](auto& bytes) { replace_first(bytes, energy, infinite); }),
            path_.string() + ": initial energy = inf: must be finite");
  Checkpoint bad = start;
  bad.snapshot.particles.rung[0] = 40;
  EXPECT_THROW(write_checkpoint(path_, bad), Error);
}

TEST_F(CheckpointFile, EarlierLayoutsAreRefusedSayingSo) {
  const auto write = [&](std::uint64_t version) {
    io::ReplacedFile file(path_);
    io::Hdf5File hdf5 = io::Hdf5File::create(file);
    hdf5.root().create("Checkpoint").write_attribute("version", version);
    hdf5.close();
    file.commit();
  };
  write(3);
  EXPECT_EQ(error_of([&] { read_checkpoint(path_); }),
            path_.string() + ": is a checkpoint of layout 3: must be 4 (resume with the version that wrote it)");
  EXPECT_NE(error_of([&] { read_snapshot(path_); }).find("is a checkpoint of an earlier layout"), std::string::npos);
  write(4);
  EXPECT_EQ(error_of([&] { read_checkpoint(path_); }),
            path_.string() + ": is damaged: the checksum in its first lines is missing");
}

TEST_F(CheckpointFile, IsKnownByItsContent) {
  write_checkpoint(path_, some_checkpoint());
  fs::rename(path_, folder_ / "state");
  EXPECT_EQ(read_snapshot(folder_ / "state").particles.size(), 18u);
}

TEST_F(CheckpointFile, OtherFilesAreRefused) {
  const auto refusal = [&] {
    const std::string error = error_of([&] { read_checkpoint(path_); });
    EXPECT_EQ(error.find(path_.string() + ": "), 0u) << error;
    return error.substr(path_.string().size() + 2);
  };
  EXPECT_EQ(refusal(), "cannot open: No such file or directory");
  write_snapshot(path_, sample(1));
  EXPECT_EQ(refusal(), "is HDF5, but no checkpoint: group /Checkpoint is missing");
  write_file(path_, std::string());
  EXPECT_EQ(refusal(), "is empty (0 bytes)");
  write_file(path_, std::string("text\n"));
  EXPECT_NE(refusal().find("is not an HDF5 file, or is incomplete"), std::string::npos);
}

TEST_F(CheckpointFile, EveryTruncationIsRefused) {
  write_checkpoint(path_, some_checkpoint());
  const std::vector<std::byte> bytes = read_file(path_);
  for (std::size_t size = 0; size < bytes.size(); size += 61) {
    write_file(path_, io::Bytes(bytes).first(size));
    EXPECT_NE(error_of([&] { read_checkpoint(path_); }), "") << size;
  }
}

}  // namespace
}  // namespace hornbeam
