// SPDX-License-Identifier: Apache-2.0
// Sums over all particles by kernels. Compiled once a precision.
#pragma once

#include <vector>

#include "tree/particle_sums.h"

HB_OPEN

class DeviceSums final : public ParticleSums {
 public:
  explicit DeviceSums(Device& device) : device_(device), room_(device) {}
  [[nodiscard]] Energies energies(const DeviceParticles& particles, const ExternalFields& fields,
                                  const SumUnits& units) override;
  [[nodiscard]] PullSums pulls(const DeviceParticles& particles) override;
  [[nodiscard]] RungCensus choose_rungs(DeviceParticles& particles, const RungRule& rule, i32 least,
                                        bool known) override;
  [[nodiscard]] pos_t largest_pull(const DeviceParticles& particles) override;

 private:
  /// What a kernel has left in the room.
  [[nodiscard]] std::vector<pos_t> fetch(std::size_t values);

  Device& device_;
  Buffer room_;
};

HB_CLOSE
