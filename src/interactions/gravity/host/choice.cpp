// SPDX-License-Identifier: Apache-2.0
// Which walk fits a device: the CPU has its own. Compiled once a precision (HB_PRECISION).
#include "interactions/gravity/device_walk.h"
#include "interactions/gravity/host/host_walk.h"

HB_OPEN

std::unique_ptr<GravityWalk> make_gravity_walk(Device& device) {
  if (HostDevice* const host = device.host()) return std::make_unique<HostWalk>(*host);
  return std::make_unique<DeviceWalk>(device);
}

HB_CLOSE
