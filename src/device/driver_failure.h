// SPDX-License-Identifier: Apache-2.0
// What a failed call of a GPU's driver means to a user: memory that is used up, limits of the process, graphs that are
// being captured. device/cuda/ sorts the driver's codes into these kinds.
#pragma once

#include <string>

#include "hornbeam/error.h"

namespace hornbeam {

/// A device has too little free memory for what was requested, or cannot be opened for that reason. With backend auto
/// another device is tried then (devices.h).
class DeviceFull : public Error {
 public:
  using Error::Error;
};

enum class DriverFailure {
  memory,     ///< out of memory: of the device, or of the process's limits
  no_device,  ///< no device is found, or the driver does not start
  captured,   ///< another library records the work of streams in a graph
  other
};

/// Throws the error of a call that failed: DeviceFull, NoDevice or Error. call: as it is in the source; words: the
/// driver's.
[[noreturn]] void throw_failure(DriverFailure kind, const std::string& call, const std::string& words);

/// Why no CUDA device is found where a driver is installed and the process's address space is limited; otherwise empty.
std::string limited_driver_note();

}  // namespace hornbeam
