// SPDX-License-Identifier: Apache-2.0
// The walks of all groups of targets, block by block on the threads, each with scratch memory of its own.
#pragma once

#include <cstdlib>

#include "device/host/kernels.h"
#include "device/host/room.h"
#include "interactions/gravity/host/group_gravity.h"

HB_ISA_OPEN

/// One thread's scratch memory, aligned for packs, made at its first use; freed with the thread's work.
class OwnedScratch {
 public:
  OwnedScratch() = default;
  ~OwnedScratch() {
    if (scratch_ != nullptr) scratch_->~GravityScratch();
    std::free(scratch_);
  }
  OwnedScratch(const OwnedScratch&) = delete;
  OwnedScratch& operator=(const OwnedScratch&) = delete;
  GravityScratch& operator*() {
    constexpr std::size_t bytes = (sizeof(GravityScratch) + 63) / 64 * 64;
    if (scratch_ == nullptr) {
      void* const memory = std::aligned_alloc(64, bytes);
      if (memory == nullptr) throw OutOfRoom{bytes};
      scratch_ = new (memory) GravityScratch;
    }
    return *scratch_;
  }
  [[nodiscard]] InteractionCounts counts() const { return scratch_ ? scratch_->counts : InteractionCounts{}; }

 private:
  GravityScratch* scratch_ = nullptr;
};

/// Formula: what is summed, see sources.h.
template <class Formula>
HB_FN Interactions walk_groups(WalkArrays arrays, const GroupRange* groups, const i32* block_begin, i32 blocks,
                               WalkOptions options) {
  u64 particle = 0, cell = 0, expansion = 0;
  Rescue rescue;
#pragma omp parallel reduction(+ : particle, cell, expansion)
  {
    OwnedScratch scratch;
#pragma omp for schedule(dynamic, 1)
    for (i32 b = 0; b < blocks; ++b) {
      rescue.run([&] {
        walk_block<Formula>(arrays.particles, arrays.targets, arrays.cells, options, arrays.images,
                            groups + block_begin[b], block_begin[b + 1] - block_begin[b], arrays.last_acceleration,
                            arrays.acc, *scratch);
      });
    }
    const InteractionCounts counts = scratch.counts();
    particle += counts.particle;
    cell += counts.cell;
    expansion += counts.expansion;
  }
  rescue.check();
  return {particle, cell, expansion};
}

HB_ISA_CLOSE
