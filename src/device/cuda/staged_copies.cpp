// SPDX-License-Identifier: Apache-2.0
// Chunks by turns, see staged_copies.h.
#include "device/cuda/staged_copies.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "device/cuda/cuda_memory.h"
#include "device/host/threads.h"

namespace hornbeam {
namespace {

/// By several threads, which also take the faults of pages that are touched for the first time.
void copy_by_threads(std::byte* to, const std::byte* from, std::size_t bytes) {
  constexpr std::size_t part = std::size_t{256} << 10;
  constexpr int enough = 8;  // of memory's speed
  const auto parts = static_cast<std::int64_t>((bytes + part - 1) / part);
  const int threads = std::min(omp_get_max_threads(), static_cast<int>(std::min<std::int64_t>(parts, enough)));
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::int64_t k = 0; k < parts; ++k) {
    const std::size_t begin = static_cast<std::size_t>(k) * part;
    std::memcpy(to + begin, from + begin, std::min(part, bytes - begin));
  }
}

}  // namespace

StagedCopies::~StagedCopies() {
  for (const Chunk& chunk : chunks_) {
    if (chunk.passed != nullptr) cudaEventDestroy(chunk.passed);
    cudaFreeHost(chunk.memory);
  }
}

void StagedCopies::make_chunks() {
  for (Chunk& chunk : chunks_) {
    if (chunk.passed == nullptr) HB_CUDA(cudaEventCreateWithFlags(&chunk.passed, cudaEventDisableTiming));
    if (chunk.memory == nullptr) HB_CUDA(cudaMallocHost(&chunk.memory, chunk_bytes));
  }
}

void StagedCopies::upload(void* to, const void* from, std::size_t bytes, cudaStream_t stream) {
  make_chunks();
  std::size_t turn = 0;
  for (std::size_t begin = 0; begin < bytes; begin += chunk_bytes, ++turn) {
    const Chunk& chunk = chunks_[turn % chunks_.size()];
    const std::size_t size = std::min(chunk_bytes, bytes - begin);
    HB_CUDA(cudaEventSynchronize(chunk.passed));
    copy_by_threads(chunk.memory, static_cast<const std::byte*>(from) + begin, size);
    HB_CUDA(cudaMemcpyAsync(static_cast<std::byte*>(to) + begin, chunk.memory, size, cudaMemcpyHostToDevice, stream));
    HB_CUDA(cudaEventRecord(chunk.passed, stream));
  }
  HB_CUDA(cudaStreamSynchronize(stream));
}

void StagedCopies::download(void* to, const void* from, std::size_t bytes, cudaStream_t stream) {
  make_chunks();
  const std::size_t turns = (bytes + chunk_bytes - 1) / chunk_bytes;
  const auto size_of = [&](std::size_t turn) { return std::min(chunk_bytes, bytes - turn * chunk_bytes); };
  for (std::size_t turn = 0; turn <= turns; ++turn) {
    if (turn < turns) {
      const Chunk& chunk = chunks_[turn % chunks_.size()];
      HB_CUDA(cudaMemcpyAsync(chunk.memory, static_cast<const std::byte*>(from) + turn * chunk_bytes, size_of(turn),
                              cudaMemcpyDeviceToHost, stream));
      HB_CUDA(cudaEventRecord(chunk.passed, stream));
    }
    if (turn == 0) continue;
    const Chunk& before = chunks_[(turn - 1) % chunks_.size()];
    HB_CUDA(cudaEventSynchronize(before.passed));
    copy_by_threads(static_cast<std::byte*>(to) + (turn - 1) * chunk_bytes, before.memory, size_of(turn - 1));
  }
}

}  // namespace hornbeam
