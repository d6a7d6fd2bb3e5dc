// SPDX-License-Identifier: Apache-2.0
// Takes and frees the memory, see hdf5_memory.h.
#include "io/hdf5/memory.h"

#include <array>
#include <cstddef>

#include "memory/room.h"

namespace hornbeam::io {

/// 3 MB, of which files of ours take 1.1 at most, in blocks of a size that comes from the heap and not from a mapping
/// of its own: freed again they are one piece, of which the library takes what it needs.
Hdf5Memory::Hdf5Memory() {
  constexpr std::size_t block_bytes = std::size_t{64} << 10, blocks = 48;
  std::array<std::unique_ptr<void, Free>, blocks> all;
  for (auto& block : all) {
    block.reset(std::malloc(block_bytes));
    if (block == nullptr) {
      constexpr auto bytes = static_cast<double>(block_bytes * blocks);
      throw memory::NoRoom(
          "HDF5 files need " + memory::shown_bytes(bytes) + " of memory to be read or written, which is not available",
          "use fewer particles, or raise the limits of memory", bytes);
    }
    *static_cast<volatile char*>(block.get()) = 0;  // otherwise the compiler leaves out what is only freed
  }
  above_ = std::move(all.back());
}

}  // namespace hornbeam::io
