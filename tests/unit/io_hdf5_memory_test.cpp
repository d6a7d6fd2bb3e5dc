// SPDX-License-Identifier: Apache-2.0
// Files of HDF5 where hardly any memory is left: an error, or a whole file, never a crash of the library. Each try is
// in a process of its own, whose heap is filled up to a number of bytes.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <filesystem>

#include "hornbeam/ics.h"
#include "hornbeam/io.h"
#include "io_support.h"

namespace hornbeam {
namespace {

/// Leaves `free` bytes of the heap, in blocks of 4 kB, and allows no more.
void fill_heap(std::size_t free) {
  struct Block {
    Block* next;
  };
  Block* few = nullptr;
  constexpr std::size_t block = 4096;
  for (std::size_t left = free; left >= block; left -= block) {
    auto* const one = static_cast<Block*>(std::malloc(block));
    if (one == nullptr) break;
    one->next = few;
    few = one;
  }
  rlimit limit{};
  getrlimit(RLIMIT_DATA, &limit);
  limit.rlim_cur = 4096;  // the heap is larger already: it grows no more
  setrlimit(RLIMIT_DATA, &limit);
  for (const std::size_t size : {1 << 20, 1 << 16, 1 << 12, 1 << 9, 1 << 6, 1 << 4}) {
    while (std::malloc(size) != nullptr) {
    }
  }
  for (Block* one = few; one != nullptr;) {
    Block* const next = one->next;
    std::free(one);
    one = next;
  }
}

TEST(Hdf5Memory, HasEnoughOrSaysSo) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the sanitizer's heap has no limit of data";
#endif
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("hdf5_memory_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  const Snapshot snapshot = ics::make("plummer", 100, ics::Seed{1}, {}, {});
  int whole = 0, refused = 0;
  for (std::size_t kilobytes = 0; kilobytes <= 6144; kilobytes += 96) {
    const pid_t child = fork();
    if (child == 0) {
      const std::filesystem::path path = folder / "a.hdf5";
      fill_heap(kilobytes << 10);
      try {
        write_snapshot(path, snapshot);
      } catch (const std::exception&) {
        ::_exit(1);
      }
      ::_exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFEXITED(status)) << kilobytes << " kB, signal " << WTERMSIG(status);
    (WEXITSTATUS(status) == 0 ? whole : refused) += 1;
  }
  std::filesystem::remove_all(folder);
  EXPECT_GT(whole, 0);
  EXPECT_GT(refused, 0);
}

}  // namespace
}  // namespace hornbeam
