// SPDX-License-Identifier: Apache-2.0
// Gravity of gas that is softened by its H: what its pairs attract more than walks have found. A part of the gas of a
// domain (domain_gas.cpp). Compiled once a precision.
#pragma once

#include "interactions/gathering.h"
#include "walk/gather.h"

HB_OPEN

class GasPulls {
 public:
  /// Of gas whose H has just been found.
  struct Gas {
    const PairPoints& points;
    GatherFrame frame;
    GasRule rule;
    DeviceArray<real>&places, &states;  ///< rows, see walk/gather.h
    const DeviceArray<pos_t>& due_mass;
    GatherTargets targets;
  };

  explicit GasPulls(ParticleDomain& domain)
      : domain_(domain), device_(domain.device()), p_(domain.particles()), spread_(device_), gathering_(device_) {}

  /// How far each of it is softened, and a row of that for the sums.
  void soften(const Gas& gas);
  [[nodiscard]] const DeviceArray<pos_t>& spread() const { return spread_; }
  /// Adds to accelerations and potentials. cell_reach: the largest of spread() in each cell; images: within that.
  /// Throws UsageError for an image that gravity does not see.
  void add(const Gas& gas, const DeviceArray<pos_t>& cell_reach, const DeviceArray<pos_t>& images,
           const std::vector<SourceImage>& within);
  [[nodiscard]] std::uint64_t bytes() const { return spread_.bytes() + gathering_.bytes(); }

 private:
  void demand_images(const std::vector<SourceImage>& within) const;

  ParticleDomain& domain_;
  Device& device_;
  DeviceParticles& p_;
  DeviceArray<pos_t> spread_;
  Gathering gathering_;
};

HB_CLOSE
