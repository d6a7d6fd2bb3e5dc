// SPDX-License-Identifier: Apache-2.0
// The words for each kind of failure, see driver_failure.h.
#include "device/driver_failure.h"

#include <filesystem>

#include "memory/room.h"

namespace hornbeam {
namespace {

constexpr const char* more_address_space =
    "raise ulimit -v: CUDA reserves address space for the memory of the host and of all cards; or use cpu";

/// "cudaMalloc" of "cudaMalloc(&memory, bytes)".
std::string name_of(const std::string& call) { return call.substr(0, call.find('(')); }

/// ", under the limit ulimit -v ...", or nothing where there is none.
std::string under_limit() {
  const std::string limit = memory::address_space_limit();
  return limit.empty() ? "" : ", under " + limit;
}

}  // namespace

void throw_failure(DriverFailure kind, const std::string& call, const std::string& words) {
  const std::string limit = under_limit(), failed = name_of(call) + " failed: " + words;
  switch (kind) {
    case DriverFailure::memory:
      if (!limit.empty()) throw DeviceFull("device memory", failed + limit, more_address_space);
      throw DeviceFull("device memory", failed,
                       "end other programs on this card (nvidia-smi lists them), or use another device or cpu");
    case DriverFailure::no_device:
      throw NoDevice("backend = cuda", "no NVIDIA device or driver was found" + limit,
                     limit.empty() ? "use cpu or auto" : more_address_space);
    case DriverFailure::captured:
      throw Error("cuda", failed + ", while another library captures a CUDA graph",
                  "call Hornbeam outside of the capture");
    default:
      throw Error("cuda", failed, "see nvidia-smi for the state of the device");
  }
}

std::string limited_driver_note() {
  std::error_code trouble;
  if (!std::filesystem::exists("/dev/nvidiactl", trouble)) return "";
  const std::string limit = memory::address_space_limit();
  return limit.empty() ? "" : "an NVIDIA driver is installed, but finds no device under " + limit;
}

}  // namespace hornbeam
