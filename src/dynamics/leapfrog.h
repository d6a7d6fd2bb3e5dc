// SPDX-License-Identifier: Apache-2.0
// Kicks and drifts of a domain's particles, their rungs, and what is summed over them. The class behind it is compiled
// once a precision (dynamics/domain_leapfrog.cpp).
#pragma once

#include <cstdint>
#include <memory>

#include "dynamics/step_rule.h"
#include "hornbeam/boundary.h"
#include "hornbeam/gravity.h"
#include "tree/rung_census.h"

namespace hornbeam {

class Domain;

class Leapfrog {
 public:
  virtual ~Leapfrog() = default;

  /// v += a dt.
  virtual void kick(double dt) = 0;
  /// x += v dt; the tree is stale afterwards.
  virtual void drift(double dt) = 0;
  /// Free motion in a shearing sheet; the tree is stale afterwards.
  virtual void drift_epicycles(const Boundary& sheet, double dt) = 0;
  /// Sets accelerations and potentials to 0: those there are belong to other places, or to none.
  virtual void forget_forces() = 0;
  /// Puts particles back into a periodic box as it is at a time. The tree is stale afterwards.
  virtual void wrap(const Boundary& box, double time) = 0;

  /// Marks particles beyond the walls of a box about the origin as removed; an axis of size 0 has none.
  virtual void mark_outside(const Vec3& size) = 0;

  /// Sets the rungs of the particles from `least` on, after their closing kick. Without rungs it sets all of them, from
  /// the present accelerations. Corrects the velocities after the first step of another length (docs/dynamics.md eq.
  /// 5). Returns the census of all particles. tick: of the longest step, now.
  virtual RungCensus choose_rungs(const StepRule& rule, int least, std::uint32_t tick) = 0;
  /// v += a dt / 2 for the particles from `least` on, dt the step of each one's rung.
  virtual void kick_rungs(const StepRule& rule, int least) = 0;
  /// The same with dt the time since each one's step began, where the domain stores that: modules may have cut it
  /// short.
  virtual void close_rungs(const StepRule& rule, int least, std::uint32_t tick) = 0;
  /// The largest |a| / eps of all particles with eps > 0: the softening criterion's shortest step is eta over its root.
  virtual double largest_pull_over_eps() = 0;

  /// Sums over all particles in fp64, in an order that does not depend on the number of threads.
  virtual Energies energies() = 0;
  /// Particles whose position, velocity, acceleration or potential is non-finite, after a walk; as the domain would
  /// store or save them.
  virtual std::uint64_t not_finite() = 0;
};

std::unique_ptr<Leapfrog> make_leapfrog(Domain& domain);

}  // namespace hornbeam
