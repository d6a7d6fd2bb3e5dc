// SPDX-License-Identifier: Apache-2.0
// Values of chosen particles, without moving the others to the host. Compiled once a precision.
#pragma once

#include <array>
#include <vector>

#include "tree/device/device_particles.h"

HB_OPEN

class Sample {
 public:
  /// which: indices in the order of the input, ascending, at least one.
  Sample(Device& device, const DeviceParticles& particles, const std::vector<std::size_t>& which);

  [[nodiscard]] std::vector<Motion> motions();
  /// As collisions have them; empty where these are not held.
  [[nodiscard]] std::vector<double> body_masses();
  /// Accelerations and potentials, internal.
  [[nodiscard]] std::vector<std::array<double, 4>> forces();

  [[nodiscard]] i32 count() const { return count_; }
  /// Where they stand, (count).
  [[nodiscard]] const DeviceArray<u32>& places() const { return places_; }

 private:
  /// values(count), by one of the kernels gather_...
  template <class Launch, class T>
  std::vector<T> gather(const DeviceArray<T>& from);

  Device& device_;
  const DeviceParticles& p_;
  i32 count_;
  DeviceArray<u32> places_;
  Buffer gathered_;  ///< real or pos_t
};

HB_CLOSE
