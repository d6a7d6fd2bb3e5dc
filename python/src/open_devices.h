// SPDX-License-Identifier: Apache-2.0
// What calls with arrays share: options by name, and devices that stay open.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "binding.h"
#include "device/device.h"
#include "hornbeam/forces.h"
#include "hornbeam/neighbours.h"
#include "run/config/config.h"

namespace hornbeam::python {

/// Sets the options of these sections; others are errors that name the nearest.
void set_options(const nb::dict& options, const std::vector<std::string_view>& sections, const std::string& prefix,
                 run::RunConfig& config);

/// Of a search in a periodic cube (0: none) with the options of [device].
NeighbourOptions search_options(double box, const nb::dict& options);
/// In a box of these edges, 0 of an open axis.
NeighbourOptions search_options(const Vec3& box, const nb::dict& options);

/// backend, device, threads
using DeviceName = std::tuple<std::string, Devices, int>;

/// Devices that are open, with some memory: one is opened for every call at the same time, and kept for the next.
class OpenDevices {
 public:
  static OpenDevices& all();
  ForceEvaluator take(const DeviceName& name);
  /// Large ones are let go: no one may ask again.
  void put_back(const DeviceName& name, ForceEvaluator evaluator);
  /// The same of devices on which arrays are searched where they lie; bytes: what their memory has held at once.
  std::unique_ptr<Device> take_device(const std::string& backend, int number);
  void put_back(const std::string& backend, int number, std::unique_ptr<Device> device, std::uint64_t bytes);
  /// Lets all go that nobody uses.
  void close();
  /// In a process that fork() has made: none may be used there, nor closed.
  void forget();

 private:
  std::mutex mutex_;
  std::vector<std::pair<DeviceName, ForceEvaluator>> idle_;
  std::vector<std::pair<DeviceName, std::unique_ptr<Device>>> idle_devices_;
};

}  // namespace hornbeam::python
