// SPDX-License-Identifier: Apache-2.0
// A disc's stars in cylindrical coordinates about its own axis: what disc_profile() and bar() bin.
#pragma once

#include <vector>

#include "hornbeam/particles.h"

namespace hornbeam::analysis {

struct DiscStar {
  double R, z, angle;                  ///< about the centre, along and around the axis
  double radial, azimuthal, vertical;  ///< velocity, about the stars' mean
  double mass;
  std::size_t particle;  ///< its index
  Vec3 outwards;         ///< unit vector away from the axis, in the snapshot's axes
};

/// The stars of the family `disc`, else `star`. Throws Error where there are fewer than 100 or none has mass.
std::vector<DiscStar> disc_stars(const Particles& particles);

/// The radius with 99 % of the stars inside.
double outer_radius(const std::vector<DiscStar>& stars);

}  // namespace hornbeam::analysis
