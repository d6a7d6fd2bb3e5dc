// SPDX-License-Identifier: Apache-2.0
// A caller's columns as a device reads and writes them: those in its memory where they lie, those of the host there,
// too, if the device has it in common, else copies. They stay the host's for devices that share no memory with callers,
// which may lack fp64 (OpenCL). Before load, and after walk.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "device/buffer.h"
#include "hornbeam/device_arrays.h"

namespace hornbeam {

class Adopted {
 public:
  explicit Adopted(Device& device) : device_(device) {}

  /// axes: values of a row.
  ArrayOnDevice read(const ArrayOnDevice& column, std::size_t axes);
  std::optional<ArrayOnDevice> read(const std::optional<ArrayOnDevice>& column, std::size_t axes);
  ParticlesOnDevice read(const ParticlesOnDevice& particles);
  /// Memory for so many rows of what is to be found; finish() takes it to `forces`.
  ForcesOnDevice written(const ForcesOnDevice& forces, std::size_t rows);
  void finish();

 private:
  void* copy_for(void* to, std::size_t numbers);

  struct Written {
    void* to;
    std::size_t bytes;
    Buffer copy;
  };
  Device& device_;
  std::vector<Buffer> copies_;
  std::vector<Written> written_;
};

}  // namespace hornbeam
