// SPDX-License-Identifier: Apache-2.0
// Opening criteria: when a cell is far enough for its multipole at a particle, or for an expansion about a group.
// Used by moments (what is known of a cell alone) and by every walk.
#ifndef HORNBEAM_PHYSICS_OPENING_H
#define HORNBEAM_PHYSICS_OPENING_H
#include "physics/portable.h"
#include "physics/softening.h"
HB_OPEN

#define HB_MAC_BH 0
#define HB_MAC_OFFSET 1
#define HB_MAC_OFFSET_BOX 2
#define HB_MAC_MIN_DISTANCE 3
#define HB_MAC_RELATIVE 4

/// Represents "never far" where a squared distance must be above it, for "always weak" where an error must be below:
/// more than either is in internal units.
#if HB_PRECISION == HB_DOUBLE
#define HB_NEVER ((real)1e305)
#else
#define HB_NEVER ((real)1e37f)
#endif

/// Returns the squared radius of a cell for the opening criterion. d^2 > opening_size2 is far for bh, offset (Nakasato
/// 2012 eq. 2) and offset-box. For min-distance d is taken to the box. For relative it is the squared edge. A cell of
/// zero extent is exact at any distance.
HB_FN real opening_size2(i32 mac, real theta, real edge, real delta, real box_edge, real box_delta) {
  if (box_edge == 0) return 0;
  if (mac == HB_MAC_RELATIVE) return edge * edge;
  if (theta == 0) return HB_NEVER;
  const real inv_theta = 1 / theta;
  real radius = edge * inv_theta;
  if (mac == HB_MAC_OFFSET) radius += delta;
  if (mac == HB_MAC_OFFSET_BOX) radius = hb_fma(box_edge, inv_theta, box_delta);
  return radius * radius;
}

/// Error budget of the relative criterion in units of |a|. At theta = 0.33 (Plummer, N = 2^20, quadrupoles, group walk)
/// its 99 % error is 5e-4, as that of `offset` at 0.57.
HB_FN real relative_tolerance(i32 order, real theta) {
  const real t2 = theta * theta;
  return order == 0 ? (real)0.02f * t2 : (real)0.1f * t2 * t2;
}

/// What typical_pull() averages.
HB_FN real eighth_root(real a) { return hb_sqrt(hb_sqrt(hb_sqrt(a))); }

/// What |a| usually is among targets: from the mean of their eighth roots, which one extreme value hardly moves. The
/// mean of |a| itself would be that of a star next to a black hole, and errors far too large for all others.
HB_FN real typical_pull(real mean_root) {
  const real r2 = mean_root * mean_root, r4 = r2 * r2;
  return r4 * r4;
}

/// |a| to which the errors of a group are held: the least of its targets, but no less than an eighth of what is usual
/// among them. A particle where all accelerations cancel, such as a black hole at the centre, would else have its group
/// open the whole tree.
HB_FN real demanding_pull(real least, real typical) { return hb_max(least, typical / 8); }

/// Whether the multipole of the cell may be evaluated at a particle, or at all particles of a group.
/// d2: squared distance to the centre of mass (of the group's box: the least); b2: the squared distance from there that
/// no particle of the cell exceeds; box2: as d2, to the cell's box (min-distance alone asks for it);
/// size2: opening_size2; accuracy: relative_tolerance |a|; order: of the multipole.
/// relative: Gadget-2 (Springel 2005) eq. 18, with (l / d)^4 for quadrupoles, and never from among the cell's
/// particles.
HB_FORMULA HB_MASK(real)
    far_enough(i32 mac, i32 order, real d2, real b2, real box2, real size2, real mass, real accuracy) {
  if (mac == HB_MAC_MIN_DISTANCE) return box2 > size2;
  if (mac == HB_MAC_RELATIVE) {
    const real bound = accuracy * d2 * d2;
    const real error = mass * size2;
    const real among = b2 * HB_C(1.0001);  // b is the distance of a particle, which must not pass by rounding
    if (order == 0) return hb_both(error<bound, d2> among);
    return hb_both(error * size2<bound * d2, d2> among);
  }
  return d2 > size2;
}

/// How far from its particles a cell (or group) is not yet its multipole because of softening; mean of its eps^2 / 2
/// and the spline reach of its largest eps are given. Spline: that reach. Plummer: the multipole is that of the mean
/// eps, so cells of unequal eps keep the same distance, and those of equal eps none.
HB_FORMULA real softened_reach(i32 softening, real soft2, real reach) {
  if (softening == HB_SPLINE) return reach;
  return hb_select(soft2 * HB_C(2 * 2.8 * 2.8) < reach * reach * HB_C(0.999), reach, HB_C(0) * reach);
}

/// An expansion about a group takes the mean of its targets' eps^2. Where these are unequal (Plummer; reach: of
/// softened_reach(), 0 where they are equal) the acceleration from distance d is wrong by up to (3/4) (largest eps /
/// d)^2, that of all cells to the same side. Within this distance of the group's box cells are not expanded, so that it
/// stays below HB_SOFTENING_ERROR theta_c^3.
#define HB_SOFTENING_ERROR 0.03f
HB_FN real expansion_reach(i32 softening, real reach, real theta_c) {
  const real error = (real)HB_SOFTENING_ERROR * theta_c * theta_c * theta_c;
  return softening == HB_SPLINE ? reach : hb_max(reach, reach / (real)HB_SPLINE_REACH * hb_sqrt((real)0.75f / error));
}

/// Limits the error of a single cell to a small part of the target's |a|. The estimate M / d^2 (size / d)^n, with n the
/// first order left out (Dehnen 2014 eq. 13), stays below these fractions of theta^n |a|, with the smaller of theta and
/// theta_c. Without that the 99 % error of halo particles at small N, and of those near the centre of a uniform sphere,
/// is three to four times larger (docs/theory.md eq. 11).
#define HB_DOMINANCE_EXPANSION 0.001
#define HB_DOMINANCE_MULTIPOLE 0.02

/// Whether the quadrupole error of a cell at squared distance d2 is below `bound` = HB_DOMINANCE_MULTIPOLE theta^3 |a|.
HB_FORMULA HB_MASK(real) is_weak(real d2, real b, real mass, real bound) {
  return mass * (b * b * b) * hb_rsqrt0(d2) < bound * (d2 * d2);
}

#define HB_WIDEST 1048576.0f

/// Whether a cell may be expanded about the group's centre at squared distance d2: reach < theta_c d (design: local
/// expansion), and its error is weak. reach = b + r_group; theta2 = theta_c^2;
/// bound = HB_DOMINANCE_EXPANSION theta_c^4 |a|. Cells and groups of more than 2^20 in size, which only outliers make,
/// are not: the sixth power of places in them would leave the range of fp32.
HB_FORMULA HB_MASK(real) expandable(real d2, real reach, real theta2, real mass, real bound) {
  const real reach2 = reach * reach;
  return hb_both(reach2 < hb_min(theta2 * d2, HB_C(HB_WIDEST * HB_WIDEST)),
                 mass * (reach2 * reach2) < bound * (d2 * d2 * d2));
}

HB_CLOSE
#endif
