// SPDX-License-Identifier: Apache-2.0
// Reading in a process of its own: what is read comes back, and however the process ends, here it is an error.
#include "io/files/read_apart.h"

#include <sys/stat.h>

#include <csignal>
#include <cstdlib>

#include "io_support.h"

namespace hornbeam {
namespace {

using namespace test;

class ReadApart : public testing::Test {
 protected:
  void SetUp() override { write_file(path_, std::string("x")); }

  /// What reading says where it is done as `read` does, without the file's name.
  std::string refusal(const std::function<void()>& read, const std::optional<io::ReadLimits>& limits = {}) {
    const std::string error = error_of([&] {
      io::read_apart(
          path_,
          [&] {
            read();
            return Checkpoint();
          },
          limits);
    });
    EXPECT_EQ(error.find(path_.string() + ": "), 0u) << error;
    return error.substr(std::min(error.size(), path_.string().size() + 2));
  }

  TemporaryFolder folder_;
  fs::path path_ = folder_ / "a.hdf5";
};

TEST_F(ReadApart, EveryFieldComesBack) {
  Checkpoint there;
  there.snapshot = sample(1000, true);
  there.snapshot.notes = {"one", "", "three"};
  there.snapshot.particles.rung.assign(6000, 5);
  there.step = 7;
  there.configuration = "text";
  const Checkpoint here = io::read_apart(path_, [&] { return there; });
  const Particles &a = here.snapshot.particles, &b = there.snapshot.particles;
  EXPECT_EQ(a.position, b.position);
  EXPECT_EQ(a.id, b.id);
  EXPECT_EQ(a.family, b.family);
  EXPECT_EQ(a.acceleration, b.acceleration);
  EXPECT_EQ(a.rung, b.rung);
  EXPECT_TRUE(a.rung_before.empty());
  EXPECT_EQ(here.snapshot.notes, there.snapshot.notes);
  EXPECT_EQ(here.snapshot.units.G, there.snapshot.units.G);
  EXPECT_TRUE(here.snapshot.units.physical);
  EXPECT_EQ(here.configuration, "text");
  EXPECT_EQ(here.step, 7u);
}

TEST_F(ReadApart, ErrorsAreThrownHereWithTheirWords) {
  EXPECT_EQ(refusal([&] { throw Error(path_.string(), "is odd", "mend it"); }), "is odd (mend it)");
}

TEST_F(ReadApart, ACrashIsAnErrorWithoutNoise) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the sanitizer has something to say of crashes";
#endif
  testing::internal::CaptureStderr();
  EXPECT_EQ(refusal([] { std::raise(SIGSEGV); }),
            "is damaged: the HDF5 library crashes on it (Segmentation fault) (take another copy)");
  EXPECT_EQ(refusal([] { std::abort(); }), "is damaged: the HDF5 library crashes on it (Aborted) (take another copy)");
  EXPECT_EQ(refusal([] { std::_Exit(3); }),
            "is damaged: the process that reads it ended too early (take another copy)");
  EXPECT_EQ(refusal([] { std::raise(SIGKILL); }),
            "the process that reads it was killed (check whether there is enough memory)");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST_F(ReadApart, ALoopWithoutEndIsStopped) {
  io::ReadLimits limits(1);
  limits.seconds = 1;
  volatile std::uint64_t turns = 0;
  EXPECT_EQ(refusal(
                [&] {
                  for (;;) turns = turns + 1;
                },
                limits),
            "is damaged: the HDF5 library takes more than 1 s on it (take another copy)");
}

TEST_F(ReadApart, MemoryWithoutMeasureIsRefused) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "AddressSanitizer needs all addresses";
#endif
  EXPECT_NE(refusal([] { std::vector<char>(std::size_t{4} << 30); }).find("needs more memory"), std::string::npos);
}

TEST_F(ReadApart, FifosAreRefusedAtOnce) {
  ASSERT_EQ(::mkfifo((folder_ / "f.hdf5").c_str(), 0600), 0);
  for (const char* name : {"hdf5", "tipsy", "gadget2", "csv"}) {
    EXPECT_EQ(error_of([&] { read_snapshot(folder_ / "f.hdf5", format_named(name)); }),
              (folder_ / "f.hdf5").string() + ": is not a regular file");
  }
}

}  // namespace
}  // namespace hornbeam
