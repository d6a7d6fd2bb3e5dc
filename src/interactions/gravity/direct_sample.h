// SPDX-License-Identifier: Apache-2.0
// Direct sums in fp64 at sampled particles, on a device. Compiled once a precision.
#pragma once

#include <array>
#include <vector>

#include "tree/images.h"
#include "tree/sample.h"

HB_OPEN

/// Accelerations and potentials, internal, of the masses and softenings as the device holds them.
std::vector<std::array<double, 4>> sums_of_sample(Device& device, const DeviceParticles& particles,
                                                  const Sample& sample, const WalkOptions& options,
                                                  const std::vector<SourceImage>& images);

HB_CLOSE
