// SPDX-License-Identifier: Apache-2.0
// Which tree and targets fit a device. Compiled once a precision (HB_PRECISION).
#include "tree/device/device_targets.h"
#include "tree/host/host_targets.h"

HB_OPEN

std::unique_ptr<Tree> make_tree(Device& device) {
  if (!device.is_host()) return std::make_unique<DeviceTree>(device);
  return std::make_unique<HostTree>(static_cast<HostDevice&>(device));
}

std::unique_ptr<TargetSet> make_target_set(Device& device) {
  if (!device.is_host()) return std::make_unique<DeviceTargets>(device);
  return std::make_unique<HostTargets>(static_cast<HostDevice&>(device));
}

HB_CLOSE
