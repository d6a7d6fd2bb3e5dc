// SPDX-License-Identifier: Apache-2.0
// Free memory for HDF5, which takes no failed allocation well.
#pragma once

#include <cstdlib>
#include <memory>

namespace hornbeam::io {

/// Memory of the heap that the library finds free. Where an allocation fails HDF5 1.10 and 1.12 crash in what they do
/// to clean up, so that enough is made sure of before each use.
class Hdf5Memory {
 public:
  /// Throws memory::NoRoom.
  Hdf5Memory();

 private:
  struct Free {
    void operator()(void* block) const { std::free(block); }
  };
  std::unique_ptr<void, Free> above_;  ///< keeps the heap from giving back what is free below it
};

}  // namespace hornbeam::io
