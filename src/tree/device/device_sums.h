// SPDX-License-Identifier: Apache-2.0
// Sums over all particles by kernels. Compiled once a precision.
#pragma once

#include <algorithm>
#include <vector>

#include "device/kernels/sizes.h"
#include "tree/particle_sums.h"

HB_OPEN

/// Blocks of HB_BLOCK items for n values.
inline i32 blocks_of(i32 n) { return (n + HB_BLOCK - 1) / HB_BLOCK; }
/// Blocks that reduce n values: no more than fill the device.
inline i32 sum_blocks(i32 n) { return std::min(blocks_of(n), HB_MOST_SUM_BLOCKS); }

class DeviceSums final : public ParticleSums {
 public:
  explicit DeviceSums(Device& device) : device_(device), room_(device) {}
  [[nodiscard]] Energies energies(const DeviceParticles& particles, const ExternalFields& fields,
                                  const SumUnits& units) override;
  [[nodiscard]] PullSums pulls(const DeviceParticles& particles) override;
  [[nodiscard]] NetSums net_forces(const DeviceParticles& particles, const RigidVector& origin, double unit) override;
  [[nodiscard]] RungCensus choose_rungs(DeviceParticles& particles, const RungRule& rule, i32 least, bool known,
                                        i32 tick) override;
  [[nodiscard]] pos_t largest_pull(const DeviceParticles& particles) override;

 private:
  /// What a kernel has left in the room.
  [[nodiscard]] std::vector<pos_t> fetch(std::size_t values);
  /// The sums of all blocks, added up.
  template <class Sums>
  [[nodiscard]] Sums total_of(std::size_t values);

  Device& device_;
  Buffer room_;
};

HB_CLOSE
