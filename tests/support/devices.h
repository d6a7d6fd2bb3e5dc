// SPDX-License-Identifier: Apache-2.0
// The devices compared with the CPU that this machine offers to tests, and those that it must offer.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "device/device.h"
#include "dynamics/particle_system.h"

namespace hornbeam {

inline constexpr const char* no_device = "neither an NVIDIA GPU nor an OpenCL device (package pocl-opencl-icd) is here";

/// The backends that must be here: HORNBEAM_TEST_BACKENDS, separated by commas, as `make test` sets it.
inline std::vector<std::string> required_backends() {
  const char* const names = std::getenv("HORNBEAM_TEST_BACKENDS");
  std::istringstream list(names == nullptr ? "" : names);
  std::vector<std::string> required;
  for (std::string name; std::getline(list, name, ',');) required.push_back(name);
  return required;
}

/// What a test says that is skipped because `backend` is absent; fails the test where it must be here.
inline std::string absent(const std::string& backend, const std::string& reason) {
  const std::vector<std::string> required = required_backends();
  if (std::find(required.begin(), required.end(), backend) != required.end()) {
    // fatal, so that the body of a test does not run after its SetUp
    [&] { FAIL() << "HORNBEAM_TEST_BACKENDS asks for " << backend << ": " << reason; }();
  }
  return "SKIPPED: " + reason;
}

/// Whether the devices of these backends are processors, as PoCL's, for which little work is less than for a GPU.
inline bool are_processors(const std::vector<std::string>& backends) {
  return std::all_of(backends.begin(), backends.end(),
                     [](const std::string& backend) { return open_device(backend, 0, 0)->shares_host_memory(); });
}

/// Keeps the first OpenCL device open until the process ends: those that tests open share its programs.
inline void keep_programs() {
  [[maybe_unused]] static const Device* const kept = open_device("opencl", 0, 0).release();
}

/// The first device of each backend but the CPU; none: tests say SKIPPED. One that must be here and is not fails.
inline std::vector<std::string> device_backends() {
  std::vector<std::string> found;
  for (const DeviceInfo& device : list_devices()) {
    const bool known = !found.empty() && found.back() == device.backend;
    if (device.backend == "cpu" || known) continue;
    found.push_back(device.backend);
    if (device.backend == "opencl") keep_programs();
  }
  for (const std::string& name : required_backends()) {
    const bool here = name == "cpu" || std::find(found.begin(), found.end(), name) != found.end();
    if (!here) absent(name, "is not here (OpenCL: package pocl-opencl-icd)");
  }
  return found;
}

/// The same and the CPU; says where that is all.
inline std::vector<std::string> every_backend() {
  std::vector<std::string> all = device_backends();
  if (all.empty()) std::cout << "[  SKIPPED ] on devices: " << no_device << "\n";
  all.push_back("cpu");
  return all;
}

}  // namespace hornbeam
