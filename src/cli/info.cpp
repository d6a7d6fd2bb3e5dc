// SPDX-License-Identifier: Apache-2.0
// `hornbeam info`: version, backends, devices, memory.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/common.h"
#include "device/built.h"
#include "device/devices.h"
#include "hornbeam/version.h"

namespace hornbeam::cli {
namespace {

Json device_json(const DeviceInfo& device) {
  return {{"backend", device.backend},
          {"device", device.device},
          {"threads", device.threads},
          {"memory_bytes", device.memory_bytes}};
}

void print_info(bool json) {
  const std::vector<DeviceInfo> devices = list_devices();
  if (json) {
    Json answer = {
        {"version", version}, {"commit", commit}, {"backends", built_backends()}, {"devices", Json::array()}};
    for (const DeviceInfo& device : devices) answer["devices"].push_back(device_json(device));
    fmt::print("{}\n", answer.dump(2));
    return;
  }
  fmt::print("hornbeam {} ({})\n", version, commit);
  constexpr double gib = 1024.0 * 1024.0 * 1024.0;
  for (const DeviceInfo& device : devices) {
    fmt::print("{}: {}, {} {}, {:.1f} GiB\n", device.backend, device.device, device.threads,
               device.backend == "cpu" ? "threads" : "compute units", static_cast<double>(device.memory_bytes) / gib);
  }
  for (const std::string& backend : built_backends()) {
    const auto is_of = [&](const DeviceInfo& device) { return device.backend == backend; };
    if (std::none_of(devices.begin(), devices.end(), is_of)) fmt::print("{}: compiled in, no device here\n", backend);
  }
}

}  // namespace

void add_info(CLI::App& program) {
  CLI::App* command = program.add_subcommand("info", "Version, backends, devices and memory");
  const auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "print one JSON object");
  command->callback([json] { print_info(*json); });
}

}  // namespace hornbeam::cli
