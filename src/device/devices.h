// SPDX-License-Identifier: Apache-2.0
// Which devices this build and machine have, and how one is opened.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "device/device.h"
#include "hornbeam/device_arrays.h"

namespace hornbeam {

struct DeviceInfo {
  std::string backend;
  std::string device;
  int threads = 0;  ///< of a GPU: its compute units
  std::uint64_t memory_bytes = 0;
};

/// Every device this build and machine can use.
std::vector<DeviceInfo> list_devices();

/// Opens backend "cpu", "cuda", "opencl" or "auto"; Device::backend() names it. "auto" uses the first CUDA device with
/// kept_free_on_device bytes free, otherwise the CPU. Device::choice() lists what it skipped. If devices are not 0 it
/// uses that one only. threads: of the CPU, 0 for all cores. Several devices become one (replicated_device.h); all of
/// the CPU is the CPU. Throws NoDevice for a backend that is not built or has no such device here, DeviceFull if one
/// that was requested cannot be opened, Error where several are of different kinds.
std::unique_ptr<Device> open_device(const std::string& backend, const Devices& devices, int threads = 0);

/// HORNBEAM_RANKS: how often each device is opened, so that one card is tested as several; launches are then shared
/// whatever their number of targets. Its second number, if there is one, is the request at which the last rank fails.
struct TestedRanks {
  bool are_named = false;
  int times = 1, fail_at = 0;
};
TestedRanks ranks_of_environment();

namespace processes {
/// Where a process is among those of its machine that share a run.
struct Place {
  int index = 0, count = 1;
};
/// The device of this process alone: that one of `devices` which has its number. Throws as open_device(), UsageError
/// where there are fewer devices than processes, and for the CPU.
std::unique_ptr<Device> open_own_device(const std::string& backend, const Devices& devices, Place place);
}  // namespace processes

/// The device that "auto" takes next, if `full` was its choice and is full: `why` is the reason. Null for one that was
/// requested by name or number.
std::unique_ptr<Device> open_next_device(const Device& full, const std::string& why);

/// Opens device `index` of those that "auto" may take.
using DeviceOpener = std::function<std::unique_ptr<Device>(int index)>;
/// The first of devices `from` to `count` - 1 that opens with kept_free_on_device bytes free; null where none does.
/// Adds to `note` which it passed over, and why.
std::unique_ptr<Device> first_with_room(int from, int count, const DeviceOpener& open, std::string& note);

/// Throws UsageError where the device's memory is not that of callers (OpenCL).
Lending& lending_of(Device& device);

/// The CUDA device in whose memory this is; none for that of the host. Throws NoDevice where CUDA is not built.
std::optional<int> device_of_memory(const void* memory);

}  // namespace hornbeam
