// SPDX-License-Identifier: Apache-2.0
// Copies between a device and pageable memory of the host by way of pinned memory.
#pragma once

#include <cuda_runtime.h>

#include <array>
#include <cstddef>

namespace hornbeam {

/// Copies pageable memory to the device with several threads: they fill one chunk while the other one is under way. The
/// driver itself uses one thread, at a third of the bus's speed. Not thread-safe; for the device current at its making.
class StagedCopies {
 public:
  StagedCopies() = default;
  ~StagedCopies();
  StagedCopies(const StagedCopies&) = delete;
  StagedCopies& operator=(const StagedCopies&) = delete;

  /// Whether so many bytes are worth it.
  [[nodiscard]] static bool suit(std::size_t bytes) { return bytes >= chunk_bytes / 2; }
  /// Behind what is queued on `stream`; all is done when they return.
  void upload(void* to, const void* from, std::size_t bytes, cudaStream_t stream);
  void download(void* to, const void* from, std::size_t bytes, cudaStream_t stream);

 private:
  static constexpr std::size_t chunk_bytes = std::size_t{4} << 20;
  struct Chunk {
    std::byte* memory = nullptr;  ///< pinned
    cudaEvent_t passed = nullptr;
  };
  void make_chunks();

  std::array<Chunk, 2> chunks_;
};

}  // namespace hornbeam
