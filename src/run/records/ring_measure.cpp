// SPDX-License-Identifier: Apache-2.0
// A ring's state as JSON, see ring_measure.h.
#include "run/records/ring_measure.h"

#include <cmath>

#include "hornbeam/ring.h"

namespace hornbeam::run {

Json ring_measure(const Snapshot& snapshot, const Boundary& sheet, bool self_gravity) {
  const Particles& p = snapshot.particles;
  const RingState s = measure_ring(p, sheet, snapshot.units.G);
  const RingOverlap overlap = ring_overlap(p, sheet, snapshot.time);
  const double G = self_gravity ? snapshot.units.G : 0;
  const WakePitch wake = wake_pitch(p, sheet, G);
  const bool trails = G > 0 && wake.contrast > 0;  // otherwise the direction is that of noise
  const double depth = photometric_depth(p, sheet, snapshot.time);
  return {{"bodies", s.bodies},
          {"optical_depth", s.optical_depth},
          {"photometric_depth", std::isfinite(depth) ? Json(depth) : Json()},  // no light comes through
          {"radial_dispersion", s.dispersion[0]},
          {"azimuthal_dispersion", s.dispersion[1]},
          {"vertical_dispersion", s.dispersion[2]},
          {"filling_factor", s.filling_factor},
          {"translational_viscosity", s.translational_viscosity},
          {"gravitational_viscosity", gravitational_viscosity(p, sheet, G, snapshot.time)},
          {"toomre_q", s.toomre_q},
          {"wake_pitch", trails ? Json(wake.angle) : Json()},
          {"wake_contrast", wake.contrast},
          {"overlapping_pairs", overlap.pairs},
          {"mean_overlap", overlap.mean},
          {"largest_overlap", overlap.largest}};
}

}  // namespace hornbeam::run
