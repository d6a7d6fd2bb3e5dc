// SPDX-License-Identifier: Apache-2.0
// A sample of the particles on a device: their motions, or a walk's forces with their direct sums. Compiled once a
// precision.
#pragma once

#include <vector>

#include "backend/backend.h"
#include "tree/device_tree.h"

HB_OPEN

class DeviceCheck {
 public:
  DeviceCheck(Device& device, Precision precision);

  /// Backend::sample() in internal units. Direct sums are of the masses and softenings as the device holds them, and
  /// left out in `single`, whose positions are not fp64.
  ForceSample run(const DeviceParticles& particles, const std::vector<std::size_t>& which, const WalkOptions& options);
  /// Backend::motions().
  std::vector<Motion> motions(const DeviceParticles& particles, const std::vector<std::size_t>& which);

 private:
  using Forces = std::vector<std::array<double, 4>>;

  void find_places(const DeviceParticles& particles, const std::vector<std::size_t>& which);
  [[nodiscard]] Forces walked(const DeviceParticles& particles, i32 count);
  [[nodiscard]] Forces direct(const DeviceParticles& particles, i32 count, const WalkOptions& options);
  [[nodiscard]] double momentum(const DeviceParticles& particles);

  Device& device_;
  KernelVariant variant_;
  DeviceArray<u32> places_, wanted_;
  Buffer gathered_;                              ///< real or pos_t
  DeviceArray<pos_t> mass_, soft2_, own_soft2_;  ///< widened: sum_sampled is that of fp64
  DeviceArray<pos_t> sums_;
};

HB_CLOSE
