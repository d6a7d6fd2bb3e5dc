// SPDX-License-Identifier: Apache-2.0
// Writing under adversity: a full disk, no permission, a kill in the middle. The previous file must survive.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <thread>

#include "io/checkpoint.h"
#include "io/files/file.h"
#include "io_support.h"

namespace hornbeam {
namespace {

using namespace test;

const std::vector<std::string> format_names{"hdf5", "tipsy", "gadget1", "gadget2", "csv", "npz", "npy"};

/// Runs `action` in a process of its own that then ends as programs do, and returns its status.
int in_child(const std::function<int()>& action) {
  const pid_t child = ::fork();
  if (child == 0) std::exit(action());
  int status = 0;
  ::waitpid(child, &status, 0);
  return status;
}

class ReplacedFile : public testing::Test {
 protected:
  TemporaryFolder folder_;
};

/// In the child: 0 where writing failed as it should with the disk's own words, 2 where it succeeded.
int write_to_full_disk(const std::function<void()>& write, rlim_t size) {
  std::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{size, size};
  ::setrlimit(RLIMIT_FSIZE, &limit);
  const std::string error = error_of(write);
  if (error.empty()) return 2;
  return error.find("cannot write: File too large (raise the limit of the size of files (ulimit -f))") !=
                 std::string::npos
             ? 0
             : 1;
}

TEST_F(ReplacedFile, AFullDiskLeavesThePreviousFileAndNoOther) {
  Snapshot snapshot = sample(500);
  for (const std::string& name : format_names) {
    const fs::path path = folder_ / "snapshot";
    const FormatSpec format = format_named(name);
    write_snapshot(path, snapshot, format);
    const std::vector<std::byte> before = read_file(path);
    // HDF5 writes its header first and last, the data in between.
    for (const rlim_t size : {rlim_t{0}, rlim_t{500}, rlim_t{20000}, static_cast<rlim_t>(before.size()) - 1}) {
      const int status =
          in_child([&] { return write_to_full_disk([&] { write_snapshot(path, snapshot, format); }, size); });
      EXPECT_EQ(status, 0) << name << " at " << size << " bytes";
      EXPECT_EQ(read_file(path), before) << name;
      EXPECT_EQ(folder_.count_files(), 1u) << name;
    }
  }
}

TEST_F(ReplacedFile, AFullDiskLeavesThePreviousCheckpoint) {
  Checkpoint checkpoint;
  checkpoint.snapshot = sample(500);
  const fs::path path = folder_ / "checkpoint.hdf5";
  write_checkpoint(path, checkpoint);
  const std::vector<std::byte> before = read_file(path);
  for (const rlim_t size : {rlim_t{0}, rlim_t{20000}, static_cast<rlim_t>(before.size()) - 1}) {
    EXPECT_EQ(in_child([&] { return write_to_full_disk([&] { write_checkpoint(path, checkpoint); }, size); }), 0);
    EXPECT_EQ(read_file(path), before);
    EXPECT_EQ(folder_.count_files(), 1u);
  }
}

TEST_F(ReplacedFile, TheSameProcessWritesAgainAfterTheDiskWasFull) {
  const fs::path path = folder_ / "again.hdf5";
  const int status = in_child([&] {
    std::signal(SIGXFSZ, SIG_IGN);
    rlimit limit{20000, RLIM_INFINITY};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    if (error_of([&] { write_snapshot(path, sample(500)); }).empty()) return 1;
    limit.rlim_cur = RLIM_INFINITY;
    ::setrlimit(RLIMIT_FSIZE, &limit);
    write_snapshot(path, sample(500));
    return read_snapshot(path).particles.size() == 3000 ? 0 : 2;
  });
  EXPECT_EQ(status, 0);
}

TEST_F(ReplacedFile, AKillDuringOutputLeavesAWholeFile) {
  const Snapshot snapshot = sample(2000);
  for (const std::string& name : format_names) {
    const fs::path path = folder_ / "snapshot";
    const FormatSpec format = format_named(name);
    write_snapshot(path, snapshot, format);
    const pid_t child = ::fork();
    if (child == 0) {
      for (;;) write_snapshot(path, snapshot, format);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status)) << name;
    EXPECT_EQ(read_snapshot(path, format).particles.size(), snapshot.particles.size()) << name;
  }
}

TEST_F(ReplacedFile, NoPermissionIsAnErrorThatNamesTheFile) {
  const fs::path path = folder_ / "a.csv";
  const int status = in_child([&] {
    fs::permissions(folder_.path(), fs::perms::owner_read | fs::perms::owner_exec | fs::perms::others_exec);
    constexpr uid_t nobody = 65534;
    const bool is_root = ::geteuid() == 0;
    if (is_root && ::seteuid(nobody) != 0) return 3;
    const std::string error = error_of([&] { write_snapshot(path, sample(1)); });
    if (is_root && ::seteuid(0) != 0) return 4;  // LeakSanitizer cannot end a process of another user
    return error == path.string() + ": cannot create a file in its directory: Permission denied" ? 0 : 1;
  });
  fs::permissions(folder_.path(), fs::perms::owner_all);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(folder_.count_files(), 0u);
}

TEST_F(ReplacedFile, AFileWithoutWritePermissionIsNotReplaced) {
  const fs::path path = folder_ / "a.csv";
  write_file(path, std::string("mine"));
  fs::permissions(path, fs::perms::owner_read | fs::perms::others_read);
  fs::permissions(folder_.path(), fs::perms::all);
  const int status = in_child([&] {
    constexpr uid_t nobody = 65534;
    // access() asks for the real user
    if (::getuid() == 0 && ::setuid(nobody) != 0) return 3;
    const std::string error = error_of([&] { write_snapshot(path, sample(1)); });
    return error == path.string() + ": cannot be replaced: Permission denied" ? 0 : 1;
  });
  EXPECT_EQ(status, 0);
  EXPECT_EQ(read_file(path).size(), 4u);
}

TEST_F(ReplacedFile, OddTargetsAreRefusedAndLinksFollowed) {
  EXPECT_EQ(error_of([&] { write_snapshot(folder_.path(), sample(1), format_named("csv")); }),
            folder_.path().string() + ": is a directory (give a file name)");
  EXPECT_EQ(error_of([&] { write_snapshot("/dev/null", sample(1), format_named("csv")); }),
            "/dev/null: is not a regular file");
  EXPECT_EQ(error_of([&] { write_snapshot(folder_ / "none/a.csv", sample(1)); }),
            (folder_ / "none/a.csv").string() + ": cannot create a file in its directory: No such file or directory");
  write_file(folder_ / "target.csv", std::string("old"));
  fs::create_symlink("target.csv", folder_ / "link.csv");
  write_snapshot(folder_ / "link.csv", sample(1));
  EXPECT_TRUE(fs::is_symlink(folder_ / "link.csv"));
  EXPECT_EQ(read_snapshot(folder_ / "target.csv").particles.size(), 6u);
}

TEST_F(ReplacedFile, TheFileThatIsReadIsKnownUnderEveryName) {
  const fs::path file = folder_ / "a.csv";
  write_file(file, std::string("mine"));
  fs::create_symlink("a.csv", folder_ / "soft.csv");
  fs::create_hard_link(file, folder_ / "hard.csv");
  write_file(folder_ / "b.csv", std::string("mine"));
  for (const char* name : {"a.csv", "./a.csv", "soft.csv", "hard.csv"}) {
    EXPECT_THROW(io::refuse_same_file(folder_ / name, {folder_ / "b.csv", file}), UsageError) << name;
  }
  for (const char* name : {"b.csv", "none.csv"}) io::refuse_same_file(folder_ / name, {file, folder_ / "absent.csv"});
}

TEST_F(ReplacedFile, NotCommittedMeansNotThere) {
  {
    io::ReplacedFile file(folder_ / "a");
    io::FileWriter out(file);
    out.write(std::string("half"));
    out.flush();
    EXPECT_EQ(folder_.count_files(), 1u);
    EXPECT_FALSE(fs::exists(folder_ / "a"));
  }
  EXPECT_EQ(folder_.count_files(), 0u);
}

TEST_F(ReplacedFile, SnapshotsThatCannotBeReadBackAreNotWritten) {
  Snapshot snapshot = sample(1);
  snapshot.particles.velocity[2][0] = std::nan("");
  const fs::path path = folder_ / "a.hdf5";
  EXPECT_NE(error_of([&] { write_snapshot(path, snapshot); }).find("particle 2"), std::string::npos);
  EXPECT_EQ(folder_.count_files(), 0u);
}

}  // namespace
}  // namespace hornbeam
