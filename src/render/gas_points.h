// SPDX-License-Identifier: Apache-2.0
// Gas with its images on a canvas: where each particle's kernel stands, and how wide it is. After the camera, before
// maps of quantities.
#pragma once

#include "render/camera.h"
#include "render/kernel_hills.h"
#include "render/paint/canvas.h"

namespace hornbeam::render {

struct GasPoints {
  std::vector<Point> points;       ///< their masses are left at 0
  std::vector<float> radii;        ///< pixels
  std::vector<std::uint8_t> hill;  ///< of a slice: which section of the kernel
  std::vector<double> share;       ///< of a slice: of the kernel on the plane, per length
};

/// Whether there is gas whose kernels are known.
bool has_kernels(const Particles& particles);

/// Throws UsageError where there is no gas, or it has no smoothing lengths.
void require_kernels(const Particles& particles);

/// Throws UsageError where the options cut the gas at a plane that no kernel reaches, which says where they stand.
void require_gas_on_plane(const Snapshot& snapshot, const Options& options);

/// All whose kernels touch the canvas, and the plane where the options cut.
GasPoints gas_points(const Snapshot& snapshot, const Options& options, const Camera& camera, const Canvas& canvas,
                     const KernelSections& sections);

}  // namespace hornbeam::render
