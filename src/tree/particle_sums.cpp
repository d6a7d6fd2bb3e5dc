// SPDX-License-Identifier: Apache-2.0
// Which sums fit a device, and the census as the host reads it. Compiled once a precision (HB_PRECISION).
#include "tree/particle_sums.h"

#include <algorithm>

#include "tree/device/device_sums.h"
#include "tree/host/host_sums.h"

HB_OPEN

std::unique_ptr<ParticleSums> make_particle_sums(Device& device) {
  if (!device.is_host()) return std::make_unique<DeviceSums>(device);
  return std::make_unique<HostSums>(static_cast<HostDevice&>(device));
}

RungCensus census_of(const u32* counts) {
  RungCensus census;
  std::copy_n(counts, census.particles.size(), census.particles.begin());
  census.beyond = counts[HB_CENSUS_BEYOND];
  census.not_finite = counts[HB_CENSUS_NOT_FINITE];
  return census;
}

HB_CLOSE
