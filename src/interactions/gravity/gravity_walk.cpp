// SPDX-License-Identifier: Apache-2.0
// Which walk fits a device. Compiled once a precision (HB_PRECISION).
#include "interactions/gravity/gravity_walk.h"

#include "interactions/gravity/device_walk.h"
#include "interactions/gravity/host/host_walk.h"

HB_OPEN

std::unique_ptr<GravityWalk> make_gravity_walk(Device& device) {
  if (!device.is_host()) return std::make_unique<DeviceWalk>(device);
  return std::make_unique<HostWalk>(static_cast<HostDevice&>(device));
}

HB_CLOSE
