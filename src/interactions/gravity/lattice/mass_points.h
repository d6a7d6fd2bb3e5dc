// SPDX-License-Identifier: Apache-2.0
// Where mass is, as fields far away show it: cells that are small beside their distance are points at their centres of
// mass. Compiled once a precision.
#pragma once

#include "device/device.h"
#include "tree/cells.h"
#include "tree/device/device_particles.h"

HB_OPEN

class MassPoints {
 public:
  explicit MassPoints(Device& device);

  /// edge: of the key cube; widest: the largest distance of a particle from its point; unit: internal length per
  /// length; scale: length of `spread` per length.
  struct Cut {
    double edge, widest, unit, scale;
    i32 moment_stride;
  };
  struct Points {
    i32 n;
    VectorArgument<const pos_t> position;
    ArrayArgument<const real> mass;
    OptionalArgument<const real> spread;  ///< sums of m r^2 of each point's particles about it
  };
  /// Returns points for the particles until the next call: small cells where that makes them few, else the particles.
  /// cells: of the particles where they are now; null: not known.
  [[nodiscard]] Points of(const DeviceParticles& particles, const Cells* cells, const Cut& cut);

  [[nodiscard]] std::uint64_t bytes() const;
  void release();
  /// At most, for so many cells a particle.
  [[nodiscard]] static constexpr double bytes_per_particle(double cells) {
    return (3 * sizeof(pos_t) + 2 * sizeof(real)) / particles_a_point + cells * sizeof(u32);
  }

 private:
  /// Particles for each point at least: to make more points takes as long as the moments that they save.
  static constexpr double particles_a_point = 2;

  Device& device_;
  DeviceArray<u32> counts_;
  DeviceArray<pos_t> position_[3];
  DeviceArray<real> mass_, spread_;
};

HB_CLOSE
