// SPDX-License-Identifier: Apache-2.0
// The particle's path on a device with memory of its own, in one precision: owns the arrays and runs the stages in
// order.
#pragma once

#include <memory>

#include "backend/backend.h"
#include "device/device.h"

namespace hornbeam {

/// A backend on `device`, which takes the precision that the last load() asks for.
std::unique_ptr<Backend> make_device_backend(std::unique_ptr<Device> device);

// One pipeline a precision, the same source compiled three times (pipeline.cpp). `device` outlives it.
namespace mixed {
std::unique_ptr<Backend> make_device_pipeline(Device& device);
}
namespace single {
std::unique_ptr<Backend> make_device_pipeline(Device& device);
}
namespace fp64 {
std::unique_ptr<Backend> make_device_pipeline(Device& device);
}

}  // namespace hornbeam
