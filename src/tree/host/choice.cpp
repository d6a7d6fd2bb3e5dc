// SPDX-License-Identifier: Apache-2.0
// Which tree, targets and sums fit a device: the CPU has its own. Compiled once a precision (HB_PRECISION).
#include "tree/device/device_sums.h"
#include "tree/device/device_targets.h"
#include "tree/host/host_sums.h"
#include "tree/host/host_targets.h"

HB_OPEN
namespace {

/// A Host on the CPU, a Kernels on any other device.
template <class Base, class Host, class Kernels>
std::unique_ptr<Base> make(Device& device) {
  if (HostDevice* const host = device.host()) return std::make_unique<Host>(*host);
  return std::make_unique<Kernels>(device);
}

}  // namespace

std::unique_ptr<Tree> make_tree(Device& device) { return make<Tree, HostTree, DeviceTree>(device); }
std::unique_ptr<TargetSet> make_target_set(Device& device) {
  return make<TargetSet, HostTargets, DeviceTargets>(device);
}
std::unique_ptr<ParticleSums> make_particle_sums(Device& device) {
  return make<ParticleSums, HostSums, DeviceSums>(device);
}

HB_CLOSE
