// SPDX-License-Identifier: Apache-2.0
// What a picture is made of, before its colours: each family's map of surface density, and the stars in front of it.
#pragma once

#include "render/camera.h"
#include "render/stars.h"
#include "render/surface_density.h"

namespace hornbeam::render {

struct FamilyMap {
  Map map;               ///< surface density in `unit`, so that single precision holds masses in any units; empty: none
  double unit = 0.0;     ///< mass per area
  double peak = 0.0;     ///< mass per area of full brightness if shown by itself
  bool tracers = false;  ///< all masses are 0: numbers are shown instead
};

struct Layers {
  std::array<FamilyMap, family_count> families;
  std::array<bool, family_count> shown{};  ///< requested, and there are some, if outside of the picture
  LightMap stars;
};

/// Maps and stars, those only where requested.
Layers layers_of(const Particles& particles, const Options& options, const Camera& camera, bool with_stars);

/// How a family looks next to the others that are shown.
Look look_of(Family family, const Layers& layers);

}  // namespace hornbeam::render
