// SPDX-License-Identifier: Apache-2.0
// What a boundary does to particles: where their images stand, and where they come back.
#pragma once

#include <vector>

#include "hornbeam/boundary.h"
#include "hornbeam/collisions.h"
#include "tree/images.h"

namespace hornbeam {

/// The images that the walk visits at a time: those that attract or, of a lattice, the nearest (images.h). The
/// particles themselves come first, the others by their distance in boxes, so that what is added last is least.
std::vector<SourceImage> images_of(const Boundary& boundary, double time);
/// The box and those around it: all that bodies smaller than a quarter of the box can touch.
std::vector<SourceImage> neighbouring_images(const Boundary& boundary, double time);

/// Whether particles may be taken out: an open box with walls, or bodies that merge.
inline bool takes_out(const Boundary& boundary, const CollisionOptions& collisions) {
  return (boundary.kind == BoundaryKind::open && boundary.size != Vec3{}) || collisions.law == CollisionLaw::merge;
}
/// All that comes within `reach` of the box.
std::vector<SourceImage> images_within(const Boundary& boundary, double time, double reach);

/// As PeriodicBox of stages/wrap.h.
struct BoxNow {
  Vec3 period{};
  double drift = 0, speed = 0;
};
/// Periods and, of a shearing sheet, how far its neighbours have drifted at a time.
BoxNow periodic_box(const Boundary& boundary, double time);

/// Puts particles back into the box, as Leapfrog::wrap() does.
void wrap(std::vector<Vec3>& positions, std::vector<Vec3>& velocities, const Boundary& boundary, double time);

/// As EpicycleStep of physics/epicycle.h.
struct SheetStep {
  double omega, omega_z, dt, sine, tangent, sine_z, tangent_z;
};
/// The motion of free particles in a shearing sheet for dt.
SheetStep epicycle_step(const Boundary& boundary, double dt);
/// That motion, and what it makes of spins.
void drift_epicycles(Particles& particles, const Boundary& boundary, double dt);

}  // namespace hornbeam
