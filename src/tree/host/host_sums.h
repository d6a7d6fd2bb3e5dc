// SPDX-License-Identifier: Apache-2.0
// Sums over all particles on the CPU, in an order that does not depend on the number of threads. Compiled once a
// precision.
#pragma once

#include "device/host/host_device.h"
#include "tree/particle_sums.h"

HB_OPEN

class HostSums final : public ParticleSums {
 public:
  explicit HostSums(const HostDevice& device) : device_(device) {}
  [[nodiscard]] Energies energies(const DeviceParticles& particles, const ExternalFields& fields,
                                  const SumUnits& units) override;
  [[nodiscard]] PullSums pulls(const DeviceParticles& particles) override;
  [[nodiscard]] NetSums net_forces(const DeviceParticles& particles, const RigidVector& origin, double unit) override;
  [[nodiscard]] RungCensus choose_rungs(DeviceParticles& particles, const RungRule& rule, i32 least, bool known,
                                        i32 tick) override;
  [[nodiscard]] pos_t largest_pull(const DeviceParticles& particles) override;

 private:
  const HostDevice& device_;
};

HB_CLOSE
