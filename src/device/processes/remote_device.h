// SPDX-License-Identifier: Apache-2.0
// The device of another process as the first one sees it: each call becomes a request (requests.h). A call that returns
// nothing does not wait; what has failed is reported by the next one that does.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "device/device.h"
#include "device/processes/team.h"
#include "hornbeam/device_arrays.h"

namespace hornbeam::processes {

/// One device of each process, as one device. Throws as open_device(), and Error where two processes have one card.
std::unique_ptr<Device> open_device_of_team(Team& team, const std::string& backend, const Devices& devices);

/// Index of the device that a process takes: the one of `devices` with its number among those of its machine. Throws
/// UsageError where these are too few.
int index_of_process(Place place, const Devices& devices, int there);

}  // namespace hornbeam::processes
