// SPDX-License-Identifier: Apache-2.0
// Bodies that collide, for tests.
#pragma once

#include <cmath>
#include <random>

#include "dynamics/particle_system.h"
#include "hornbeam/collisions.h"
#include "hornbeam/particles.h"
#include "interactions/collisions/collision_module.h"
#include "tree/boundary.h"

namespace hornbeam {

inline double dot(const Vec3& a, const Vec3& b) { return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2]; }

inline Boundary box(BoundaryKind kind, const Vec3& size) {
  Boundary b;
  b.kind = kind;
  if (kind != BoundaryKind::open) b.size = size;
  if (kind == BoundaryKind::shear) {
    b.omega = 0.7;
    b.size[2] = 0;
  }
  return b;
}

inline CollisionOptions constant(double restitution) {
  CollisionOptions o;
  o.law = CollisionLaw::constant;
  o.restitution = restitution;
  return o;
}

/// Bodies in a box, dense enough that each touches some; velocities normal.
inline Particles crowd(std::size_t n, const Vec3& size, double least, double most, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::normal_distribution<double> normal;
  Particles p;
  p.resize(n);
  p.radius.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (int k = 0; k < 3; ++k) {
      p.position[i][k] = (uniform(random) - 0.5) * size[k];
      p.velocity[i][k] = normal(random);
    }
    p.radius[i] = least * std::pow(most / least, uniform(random));
    p.mass[i] = std::pow(p.radius[i], 3) * (0.5 + uniform(random));
  }
  return p;
}

/// What the system makes of one round of collisions at time 0.3, after a step dt long. None is taken out.
inline Particles collided(const std::string& backend, Particles p, const Boundary& boundary,
                          const CollisionOptions& options, CollisionTotals* totals = nullptr, double dt = 0) {
  ParticleSystem system = open_system(backend, 0, 0);
  system.set_boundary(boundary, 0.3);
  system.set_modules({collision_maker(options)});
  GravityOptions gravity;
  gravity.eps = 0.1;
  system.load(p, gravity);
  system.build_tree();
  system.act_after(dt);
  Reports reports;
  system.report(reports);
  if (totals != nullptr) *totals = reports.collisions;
  system.domain().store(p);
  return p;
}

inline Vec3 momentum(const Particles& p) {
  Vec3 sum{};
  for (std::size_t i = 0; i < p.size(); ++i) {
    for (int k = 0; k < 3; ++k) sum[k] += p.mass[i] * p.velocity[i][k];
  }
  return sum;
}

inline Particles two(const Vec3& way, const Vec3& v1, const Vec3& v2, double m1, double m2) {
  Particles p;
  p.resize(2);
  p.position = {{0.3, -0.2, 0.1}, {0.3 + way[0], -0.2 + way[1], 0.1 + way[2]}};
  p.velocity = {v1, v2};
  p.mass = {m1, m2};
  p.radius = {1, 1};
  return p;
}

}  // namespace hornbeam
