// SPDX-License-Identifier: Apache-2.0
// HDF5 files that are huge by their own account, cut, damaged or spread over other files: refused before memory is
// taken, in one line, and without a crash of the HDF5 library.
#include <array>
#include <random>

#include "io_hdf5_editor.h"

namespace hornbeam {
namespace {

using namespace test;

using Hdf5Damage = GadgetHdf5;

TEST_F(Hdf5Damage, HugeDeclarationsAreRefusedBeforeMemoryIsTaken) {
  constexpr hsize_t huge = 1ULL << 50;
  const std::vector<std::uint64_t> counts{0, huge, 0, 0, 0, 0};
  EXPECT_EQ(refusal([&](Editor& e) { e.attribute("Header", "NumPart_ThisFile", H5T_NATIVE_UINT64, counts); }),
            "/PartType1/Coordinates has shape (2, 3): must be (1125899906842624, 3)");
  const auto declare = [&](Editor& e, const std::vector<hsize_t>& chunk) {
    const io::Hdf5Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    if (!chunk.empty()) {
      H5Pset_chunk(properties.id(), 2, chunk.data());
      H5Pset_deflate(properties.id(), 1);
    }
    e.attribute("Header", "NumPart_ThisFile", H5T_NATIVE_UINT64, counts);
    e.dataset("PartType1/Coordinates", H5T_NATIVE_FLOAT, {huge, 3}, nullptr, properties.id());
  };
  const std::string expected =
      "/PartType1/Coordinates declares 1125899906842624 x 3 values, but the file has only 0 bytes of it";
  EXPECT_EQ(refusal([&](Editor& e) { declare(e, {}); }), expected);
  EXPECT_EQ(refusal([&](Editor& e) { declare(e, {1024, 3}); }), expected);
  // 2^16 - 8 values are the most that an attribute of 8 bytes each may hold in the object's header.
  const std::vector<std::uint64_t> many(8000, 1);
  EXPECT_EQ(refusal([&](Editor& e) { e.attribute("Header", "NumPart_ThisFile", H5T_NATIVE_UINT64, many); }),
            "/Header/attribute NumPart_ThisFile has 8000 values: must have 1 to 64");
}

TEST_F(Hdf5Damage, ShapesWhoseProductWrapsAreRefused) {
  constexpr hsize_t wraps = 6148914691236517206;  // times 3 is 2 beyond 2^64
  EXPECT_EQ(
      refusal([&](Editor& e) {
        e.attribute("Header", "NumPart_ThisFile", H5T_NATIVE_UINT64, std::vector<std::uint64_t>{0, wraps, 0, 0, 0, 0});
        e.dataset("PartType1/Coordinates", H5T_NATIVE_DOUBLE, {wraps, 3});
      }),
      "/PartType1/Coordinates declares 6148914691236517206 x 3 values, but the file has only 0 bytes of it");
}

TEST_F(Hdf5Damage, ChunksThatTheFileCannotHoldAreRefused) {
  const std::vector<double> numbers(6, 1);
  const io::Hdf5Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  const std::array<hsize_t, 2> chunk{2, 3};
  H5Pset_chunk(properties.id(), 2, chunk.data());
  H5Pset_deflate(properties.id(), 1);
  EXPECT_EQ(refusal([&](Editor& e) {
              e.dataset("PartType1/Coordinates", H5T_NATIVE_DOUBLE, {2, 3}, numbers.data(), properties.id());
            }),
            "");
  std::vector<std::byte> bytes = read_file(path_);
  const std::array<std::uint32_t, 3> layout{2, 3, 8}, huge{1U << 26, 3, 8};
  const auto wanted = std::as_bytes(std::span(layout)), put = std::as_bytes(std::span(huge));
  const auto at = std::search(bytes.begin(), bytes.end(), wanted.begin(), wanted.end());
  ASSERT_NE(at, bytes.end());
  std::copy(put.begin(), put.end(), at);
  write_file(path_, bytes);
  EXPECT_NE(error_of([&] { read_snapshot(path_); }).find("Coordinates has chunks of 1610612736 bytes, but the file"),
            std::string::npos);
}

TEST_F(Hdf5Damage, DatasetsThatLieInOneAnotherAreRefused) {
  write_snapshot(path_, sample(500));
  const std::string packed = (folder_ / "packed.hdf5").string();
  {
    const io::Hdf5Handle copy(H5Fcreate(packed.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
    const Editor e(path_);
    const io::Hdf5Handle all(H5Pcreate(H5P_OBJECT_COPY), H5Pclose);
    for (const char* name : {"Header", "PartType0"}) {
      ASSERT_GE(H5Ocopy(e.id(), name, copy.id(), name, all.id(), H5P_DEFAULT), 0);
    }
    for (const char* name : {"PartType1", "PartType2", "PartType3", "PartType4", "PartType5"}) {
      ASSERT_GE(H5Lcreate_hard(copy.id(), "PartType0", copy.id(), name, H5P_DEFAULT, H5P_DEFAULT), 0);
    }
  }
  EXPECT_NE(error_of([&] { read_snapshot(packed); }).find("but the file has room for fewer next to its other datasets"),
            std::string::npos);
}

/// Some of these crash HDF5 1.10 or make it loop: that must stay an error.
TEST_F(Hdf5Damage, DamagedFilesAreNoCrash) {
  const std::vector<std::byte> good = read_file(path_);
  std::mt19937_64 random(11);
  for (int trial = 0; trial < 150; ++trial) {
    std::vector<std::byte> bytes = good;
    for (int k = 0; k < 4; ++k) bytes[random() % bytes.size()] = std::byte(random());
    write_file(path_, bytes);
    error_of([&] { read_snapshot(path_); });
  }
}

TEST_F(Hdf5Damage, TruncatedFilesAreRefusedWithoutAWordFromHdf5) {
  const std::vector<std::byte> bytes = read_file(path_);
  testing::internal::CaptureStderr();
  for (std::size_t size = 1; size < bytes.size(); size += 193) {
    write_file(path_, io::Bytes(bytes).first(size));
    const std::string error = error_of([&] { read_snapshot(path_); });
    ASSERT_EQ(error.find(path_.string() + ": "), 0u) << size << ": " << error;
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST_F(Hdf5Damage, DataInFilesThatAreNotBesideItAreNotFollowed) {
  EXPECT_EQ(
      refusal([&](Editor& e) {
        e.remove("PartType1");
        H5Lcreate_external("other.hdf5", "/PartType1", e.id(), "PartType1", H5P_DEFAULT, H5P_DEFAULT);
      }),
      "/PartType1 has its data in 'other.hdf5', which is missing from the folder of this file (move that file into the "
      "folder of this one)");
  EXPECT_NE(refusal([&](Editor& e) {
              e.remove("PartType1");
              H5Lcreate_external("/etc/passwd", "/PartType1", e.id(), "PartType1", H5P_DEFAULT, H5P_DEFAULT);
            }).find("is in another folder's file, '/etc/passwd', which is not followed"),
            std::string::npos);
  EXPECT_EQ(refusal([&](Editor& e) {
              e.remove("PartType1");
              H5Lcreate_soft("/nowhere", e.id(), "PartType1", H5P_DEFAULT, H5P_DEFAULT);
            }),
            "/PartType1 is a link to something that does not exist");
  EXPECT_EQ(refusal([&](Editor& e) {
              const io::Hdf5Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
              H5Pset_external(properties.id(), "/etc/passwd", 0, 48);
              e.dataset("PartType1/Coordinates", H5T_NATIVE_DOUBLE, {2, 3}, nullptr, properties.id());
            }),
            "/PartType1/Coordinates has its data in other files that are not HDF5, which are not read");
}

}  // namespace
}  // namespace hornbeam
