// SPDX-License-Identifier: Apache-2.0
// Net force and torque, see net_force.h. Compiled once a precision (HB_PRECISION).
#include "interactions/gravity/net_force.h"

#include <algorithm>
#include <cmath>
#include <limits>

HB_OPEN
namespace {

Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

double dot(const Vec3& a, const Vec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/// x of A x = b; A: symmetric, by its rows.
Vec3 solved(const Vec3 (&rows)[3], const Vec3& b) {
  const Vec3 minor[3] = {cross(rows[1], rows[2]), cross(rows[2], rows[0]), cross(rows[0], rows[1])};
  const double determinant = dot(rows[0], minor[0]);
  Vec3 x{};
  if (!(determinant > 0)) return x;
  for (int k = 0; k < 3; ++k) x[k] = (minor[0][k] * b[0] + minor[1][k] * b[1] + minor[2][k] * b[2]) / determinant;
  return x;
}

RigidVector vector_of(const Vec3& v) {
  return {static_cast<pos_t>(v[0]), static_cast<pos_t>(v[1]), static_cast<pos_t>(v[2])};
}

}  // namespace

RigidMotion balancing_motion(const NetSums& sums) {
  const double weight = sums[0];
  if (!(weight > 0) || !std::all_of(sums.begin(), sums.end(), [](double s) { return std::isfinite(s); })) return {};
  const Vec3 centre = {sums[1] / weight, sums[2] / weight, sums[3] / weight}, force = {sums[10], sums[11], sums[12]};
  const Vec3 carried = cross(centre, force);  // the torque about the origin that the force has at the centre
  const Vec3 torque = {sums[13] - carried[0], sums[14] - carried[1], sums[15] - carried[2]};
  const double square = sums[4] + sums[5] + sums[6];
  // Rounding of the sums, below which a moment of inertia is none.
  const double least = 32 * std::numeric_limits<pos_t>::epsilon() * square;
  const double trace = square - weight * dot(centre, centre) + least;
  const double xx = sums[4] - weight * centre[0] * centre[0], yy = sums[5] - weight * centre[1] * centre[1],
               zz = sums[6] - weight * centre[2] * centre[2], xy = sums[7] - weight * centre[0] * centre[1],
               xz = sums[8] - weight * centre[0] * centre[2], yz = sums[9] - weight * centre[1] * centre[2];
  const Vec3 inertia[3] = {{trace - xx, -xy, -xz}, {-xy, trace - yy, -yz}, {-xz, -yz, trace - zz}};
  return {vector_of({force[0] / weight, force[1] / weight, force[2] / weight}), vector_of(solved(inertia, torque)),
          vector_of(centre)};
}

HB_CLOSE
