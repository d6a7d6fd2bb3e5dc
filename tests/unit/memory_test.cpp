// SPDX-License-Identifier: Apache-2.0
// What is left of memory, as the kernel's files show it (folders made here), and the refusal of what exceeds it.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "hornbeam/error.h"
#include "hornbeam/ics.h"
#include "memory/need.h"
#include "memory/particles.h"
#include "memory/room.h"

namespace hornbeam {
namespace {

namespace fs = std::filesystem;

/// The files that a test writes, below a folder that represents /.
class Kernel : public ::testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::temp_directory_path() / ("hornbeam_memory_" + std::to_string(::getpid()));
    fs::remove_all(root_);
    write("proc/meminfo", "MemTotal:       16000000 kB\nMemFree: 1 kB\nMemAvailable:   8000000 kB\nSwapFree: 0 kB\n");
    write("proc/self/statm", "1000 500 100 10 0 400 0\n");
  }
  void TearDown() override { fs::remove_all(root_); }

  void write(const fs::path& path, const std::string& text) {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }
  void mount_v2(const std::string& shown, const std::string& group) {
    write("proc/self/mountinfo", "30 23 0:25 " + shown +
                                     " /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n"
                                     "22 1 8:1 / / rw - ext4 /dev/sda1 rw\n");
    write("proc/self/cgroup", "0::" + group + "\n");
  }
  void mount_v1(const std::string& shown, const std::string& group) {
    write("proc/self/mountinfo", "35 31 0:32 " + shown + " /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n" +
                                     "36 31 0:33 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n");
    write("proc/self/cgroup", "5:cpu:/elsewhere\n4:memory:" + group + "\n0::/\n");
  }
  [[nodiscard]] memory::Room room() const { return memory::room(root_); }

  fs::path root_;
};

TEST_F(Kernel, TellsOfTheMachine) {
  EXPECT_EQ(room().bytes, 8000000 * 1024.0);
  EXPECT_EQ(room().where, "this machine (16.4 GB)");
  write("proc/meminfo", "MemTotal: 16000000 kB\nMemAvailable: 8000000 kB\nSwapFree: 1000 kB\n");
  EXPECT_EQ(room().bytes, 8001000 * 1024.0);
}

TEST_F(Kernel, TellsNothingWhereItSaysNothing) {
  fs::remove_all(root_);
  EXPECT_TRUE(std::isinf(room().bytes));
}

TEST_F(Kernel, BoundsByTheGroup) {
  mount_v2("/", "/batch/job");
  write("sys/fs/cgroup/batch/job/memory.max", "1000000000\n");
  write("sys/fs/cgroup/batch/job/memory.current", "300000000\n");
  write("sys/fs/cgroup/batch/job/memory.stat", "anon 100\ninactive_file 50000000\nactive_file 20000000\nshmem 9\n");
  EXPECT_EQ(room().bytes, 770e6);
  EXPECT_EQ(room().where,
            "the control group's memory.max = 1.0 GB (" + (root_ / "sys/fs/cgroup/batch/job").string() + ")");
}

TEST_F(Kernel, BoundsByTheGroupsAbove) {
  mount_v2("/", "/batch/job");
  write("sys/fs/cgroup/batch/job/memory.max", "max\n");
  write("sys/fs/cgroup/batch/job/memory.current", "300\n");
  write("sys/fs/cgroup/batch/memory.max", "500000000\n");
  write("sys/fs/cgroup/batch/memory.current", "200000000\n");
  EXPECT_EQ(room().bytes, 300e6);
  write("sys/fs/cgroup/batch/memory.high", "400000000\n");
  EXPECT_EQ(room().bytes, 200e6);
}

TEST_F(Kernel, CountsSwapAsFarAsTheGroupMay) {
  write("proc/meminfo", "MemTotal: 16000000 kB\nMemAvailable: 8000000 kB\nSwapFree: 1000000 kB\n");
  mount_v2("/", "/job");
  write("sys/fs/cgroup/job/memory.max", "500000000\n");
  write("sys/fs/cgroup/job/memory.current", "100000000\n");
  write("sys/fs/cgroup/job/memory.swap.max", "0\n");
  EXPECT_EQ(room().bytes, 400e6);
  write("sys/fs/cgroup/job/memory.swap.max", "60000000\n");
  write("sys/fs/cgroup/job/memory.swap.current", "10000000\n");
  EXPECT_EQ(room().bytes, 450e6);
}

// In a container the group's own folder is mounted, under a name that is known outside alone.
TEST_F(Kernel, FindsTheGroupOfAContainer) {
  mount_v2("/docker/ab12", "/docker/ab12/inner");
  write("sys/fs/cgroup/memory.max", "900000000\n");
  write("sys/fs/cgroup/memory.current", "0\n");
  EXPECT_EQ(room().bytes, 900e6);  // the inner one is not shown
  write("sys/fs/cgroup/inner/memory.max", "700000000\n");
  write("sys/fs/cgroup/inner/memory.current", "0\n");
  EXPECT_EQ(room().bytes, 700e6);
  mount_v2("/", "/../../elsewhere");  // as a namespace of its own shows it
  EXPECT_EQ(room().bytes, 900e6);
}

TEST_F(Kernel, KnowsTheFirstVersion) {
  mount_v1("/", "/slurm/job_7");
  write("sys/fs/cgroup/memory/slurm/job_7/memory.limit_in_bytes", "9223372036854771712\n");
  write("sys/fs/cgroup/memory/slurm/job_7/memory.usage_in_bytes", "400000000\n");
  EXPECT_EQ(room().bytes, 8000000 * 1024.0);
  write("sys/fs/cgroup/memory/slurm/job_7/memory.limit_in_bytes", "1000000000\n");
  write("sys/fs/cgroup/memory/slurm/job_7/memory.stat", "inactive_file 1\ntotal_inactive_file 100000000\n");
  EXPECT_EQ(room().bytes, 700e6);
  EXPECT_NE(room().where.find("memory.limit_in_bytes"), std::string::npos);
  write("sys/fs/cgroup/memory/memory.limit_in_bytes", "500000000\n");
  write("sys/fs/cgroup/memory/memory.usage_in_bytes", "600000000\n");
  EXPECT_EQ(room().bytes, 0);  // never less
}

TEST_F(Kernel, SurvivesNonsense) {
  write("proc/meminfo", "MemAvailable: much\n: 7\n\n");
  write("proc/self/mountinfo", "\n - \n1 2 - cgroup2\n - cgroup2 a b\n");
  write("proc/self/cgroup", "0:\n:::\n");
  write("proc/self/statm", "");
  EXPECT_TRUE(std::isinf(room().bytes));
}

TEST(Memory, OwnLimitsBound) {
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_AS, &before), 0);
  rlimit limit = before;
  limit.rlim_cur = rlim_t{1} << 36;  // far above what the tests take
  ASSERT_EQ(setrlimit(RLIMIT_AS, &limit), 0);
  const memory::Room room = memory::room("/nothing/here"), with_stacks = memory::room("/nothing/here", 1e9);
  const std::string words = memory::address_space_limit();
  setrlimit(RLIMIT_AS, &before);
  EXPECT_EQ(room.bytes, 0x1p36);
  EXPECT_EQ(with_stacks.bytes, 0x1p36 - 1e9);
  EXPECT_EQ(words, room.where);
  EXPECT_EQ(room.where, "the limit ulimit -v (address space) = 68.7 GB");
}

TEST(Memory, ShowsBytes) {
  EXPECT_EQ(memory::shown_bytes(0), "0 MB");
  EXPECT_EQ(memory::shown_bytes(640e6), "640 MB");
  EXPECT_EQ(memory::shown_bytes(1.26e9), "1.3 GB");
  EXPECT_EQ(memory::shown_bytes(1.26e14), "126000 GB");
}

TEST(Memory, NeedsAddUp) {
  const memory::Need need = memory::Need{{"a", 10}, {"b", 5, 100}} + memory::Need{{"c", 0, 1}};
  EXPECT_EQ(need.each(), 15);
  EXPECT_EQ(need.fixed(), 101);
  EXPECT_EQ(need.bytes(2), 131);
  EXPECT_EQ(&memory::larger(10, need, need), &need);
  EXPECT_EQ(need.reserved(), 0);
  EXPECT_EQ((need + memory::Need{{"stacks", 0, 0, 8}}).reserved(), 8);
}

TEST(Memory, IsRefusedByPurpose) {
  try {
    memory::demand(std::uint64_t{1} << 50, memory::particles() + memory::writing());
    FAIL() << "73 PB";
  } catch (const Error& error) {
    const std::string text = error.what();
    EXPECT_EQ(text.find("memory: 1125899906842624 particles need about 82190693 GB (particles 73183494 GB, order in "
                        "the file 9007199 GB), and "),
              0U)
        << text;
    EXPECT_NE(text.find(" (use at most "), std::string::npos) << text;
  }
}

TEST(Memory, AdvisesWhatMakesTheFixedPartLess) {
  try {
    memory::demand(7, {{"picture", 0, 1e18}}, 0, "a smaller one");
    FAIL() << "1e18 bytes";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("(a smaller one, or "), std::string::npos) << error.what();
  }
}

TEST(Memory, CopiesForOutputHoldWhatActs) {
  const memory::Need plain = memory::output_copy({}), gas = memory::output_copy({.gas = true});
  EXPECT_EQ(plain.each(), memory::particle_bytes + memory::eps_bytes + memory::force_bytes);
  EXPECT_EQ(memory::output_copy({.gas = true, .reconstructed = true}).each() - gas.each(), 2 * sizeof(Vec3));
  EXPECT_EQ(memory::output_copy({.gas = true, .softened = true}).each() - gas.each(), sizeof(double));
  EXPECT_EQ(memory::output_copy({.bodies = true}).each() - plain.each(), sizeof(double) + sizeof(Vec3));
  EXPECT_GT(memory::output_copy({.blocks = true}).each(), plain.each());
  EXPECT_GT(memory::output_copy({.blocks = true, .gas = true}).each(),
            memory::output_copy({.blocks = true}).each() + gas.each() - plain.each());  // what both need together
  EXPECT_EQ(memory::state({}).each(), 0);
}

TEST(Memory, ModelsAskBeforeTheyDraw) {
  for (const char* model : {"plummer", "hernquist", "uniform-cube", "galaxy"}) {
    EXPECT_THROW(ics::make(model, std::size_t{1} << 45, ics::Seed{1}, {}, {}), Error) << model;
  }
}

}  // namespace
}  // namespace hornbeam
