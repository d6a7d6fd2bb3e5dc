// SPDX-License-Identifier: Apache-2.0
// Particles of one mass on spherical shells, about as far from one another along the radius as across it (Kegerreis et
// al. 2019, SEAGen): what a planet's profile becomes.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "hornbeam/particles.h"
#include "ics/random.h"

namespace hornbeam::ics {

/// n points on the unit sphere, evenly: a spiral of golden angles, turned at random.
std::vector<Vec3> sphere_points(std::size_t n, Random& random);

/// Radius and density where that part of a layer's mass lies below.
struct LayerPlace {
  double radius = 0, density = 0;
};

/// How many particles each shell of a layer of n has, and its radius, that of half its mass.
struct Shell {
  std::size_t n = 0;
  double radius = 0, part = 0;  ///< part: of the layer's mass below
};
std::vector<Shell> shells_of(std::size_t n, double layer_mass, const std::function<LayerPlace(double)>& at);

}  // namespace hornbeam::ics
