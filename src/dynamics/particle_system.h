// SPDX-License-Identifier: Apache-2.0
// Particles on one device with all that acts on them: a domain, its modules, and the leapfrog that moves it. The host
// sees only scalars between load() and store().
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "device/devices.h"
#include "device/driver_failure.h"
#include "dynamics/leapfrog.h"
#include "hornbeam/boundary.h"
#include "interactions/collisions/collision_module.h"
#include "interactions/external/external_module.h"
#include "interactions/gravity/gravity_module.h"
#include "interactions/sph/gas_module.h"
#include "memory/need.h"
#include "tree/domain.h"

namespace hornbeam {

/// Not thread-safe; several may live in one process.
class ParticleSystem {
 public:
  explicit ParticleSystem(std::unique_ptr<Device> device) : device_(std::move(device)) {}

  [[nodiscard]] std::string name() const { return device_->backend(); }  ///< "cpu", "cuda", "opencl"
  [[nodiscard]] std::string device() const { return device_->description(); }
  [[nodiscard]] int threads() const { return device_->threads(); }
  /// Which devices backend auto passed over, and why; empty: none.
  [[nodiscard]] const std::string& device_note() const { return device_->choice().note; }

  /// Throws Error where n particles will not fit the device: what is needed by purpose, had, and what to change. A
  /// device that backend auto took gives way to the next one that has room. For callers that have yet to make them;
  /// load() asks by itself.
  void admit(std::uint64_t n, const GravityOptions& options, const Holding& holding);
  /// Gives up a device that backend auto took and that is full, with all that lies on it, for the next one that auto
  /// takes; false if the device was requested by name.
  bool take_next_device(const DeviceFull& full);
  /// What of that comes from the host's memory.
  [[nodiscard]] memory::Need host_need(const GravityOptions& options, const Holding& holding) const;
  /// Takes the particles (validated by the caller) and the options of all evaluations to come. steps: what will be
  /// asked for later, rungs or a copy. Throws UsageError for options this device lacks, Error where memory is short
  /// (needed, had, what to change).
  void load(const Particles& particles, const GravityOptions& options, const Holding& steps = {});
  /// The same of arrays that lie on the device, of particles that neither move nor collide nor flow.
  void load(const LentParticles& particles, const GravityOptions& options);
  /// Potentials that act from now on, through later loads, too, as they stand at `time`. Best called before load(),
  /// which chooses a unit of mass that fits particles and potentials.
  void set_external(const std::vector<ExternalPotential>& potentials, double time);

  /// The borders of space as they stand at `time`, from now on, through later loads, too.
  void set_boundary(const Boundary& boundary, double time);
  /// How particles collide from the next load() on; before: what is counted on from.
  void set_collisions(const CollisionOptions& options, const CollisionTotals& before = {}) {
    collision_options_ = options;
    collided_ = before;
  }
  /// How gas flows from the next load() on, and whether particles pull one another.
  /// Opens its materials in units of that size.
  void set_gas(const GasOptions& options, bool self_gravity, const Units& units = {});

  /// bound, key, sort, reorder, build, moments: the tree of the present positions, back in the box if it is periodic.
  void build_tree();
  /// Moments and boxes of the present positions; order, cells and groups stay those of the last build_tree().
  void refit();
  /// Other positions of the same particles, in the order load() received: refit() with them.
  void move(const std::vector<Vec3>& position);
  void move(const ArrayOnDevice& position);
  /// Options that ask for no other tree than the one there is: theta, theta_c (not from or to 0), mac, softening and
  /// conserve.
  /// The next evaluation is as the first one.
  void set_accuracy(const GravityOptions& options);
  /// Accelerations and potentials at the present positions; needs the tree.
  void evaluate();
  /// The same for the particles on rung `least` and deeper; the accelerations of others stay.
  void evaluate_due(int least);
  /// Takes accelerations, potentials and rungs that Domain::save() wrote as those of the present positions, instead of
  /// an evaluation: how a resumed run goes on with the same bits. Needs the tree; particles in the order load()
  /// received.
  void restore(const Particles& particles);
  /// Finds the bodies that meet at the end of a step of length dt, or within it, and what becomes of them; needs the
  /// tree. Returns whether some that are pulled stay elsewhere now: the tree and forces are stale then.
  bool collide(double dt);
  /// Takes out those that merged into others, and those that left an open box; whether there were any. The tree is
  /// stale then.
  bool take_out();

  [[nodiscard]] Device& hardware() { return *device_; }
  [[nodiscard]] Domain& domain() { return *domain_; }
  [[nodiscard]] Gravity& gravity() { return *gravity_; }
  [[nodiscard]] Leapfrog& leapfrog() { return *leapfrog_; }
  /// Null where no gas flows.
  [[nodiscard]] Gas* gas() { return gas_.get(); }
  [[nodiscard]] const Materials& materials() const { return materials_; }
  /// What collisions have done.
  [[nodiscard]] CollisionTotals collisions() const { return collisions_ ? collisions_->totals() : collided_; }
  /// The pairs that met in the last step, where that halts the run: indices on input, ascending, each pair once.
  [[nodiscard]] std::vector<IndexPair> met() const {
    return collisions_ ? collisions_->met() : std::vector<IndexPair>();
  }

  [[nodiscard]] const GravityOptions& options() const { return gravity_->options(); }
  [[nodiscard]] Interactions interactions() const { return gravity_->interactions(); }
  [[nodiscard]] const StageSeconds& seconds() const { return domain_->seconds(); }
  [[nodiscard]] Bytes bytes() const;

 private:
  void use(Precision precision);
  void close();
  template <class Plan>
  void plan_on_any(const Plan& plan);
  void have_moved();
  void use_collisions(const Particles& particles);
  void use_gas(const Particles& particles, bool blocks);
  void leave_gas();
  [[nodiscard]] GravityOptions planned(std::size_t n, const GravityOptions& options, const Holding& holding);
  void evaluate_targets();
  /// By one another or by external potentials.
  [[nodiscard]] bool is_pulled() const { return self_gravity_ || !potentials_.empty(); }

  std::unique_ptr<Device> device_;  ///< first: what lies on it goes before it
  std::vector<ExternalPotential> potentials_;
  double potentials_time_ = 0;
  Boundary boundary_;
  double boundary_time_ = 0;
  CollisionOptions collision_options_;
  CollisionTotals collided_;  ///< before load()
  GasOptions gas_options_;
  Materials materials_{{}};
  bool self_gravity_ = true;
  bool has_moved_ = false;  ///< particles since build_tree()
  std::unique_ptr<Domain> domain_;
  std::unique_ptr<Gravity> gravity_;
  std::unique_ptr<External> external_;
  std::unique_ptr<Collisions> collisions_;  ///< null where particles do not collide
  std::unique_ptr<Gas> gas_;                ///< null where no gas flows
  std::vector<Module*> modules_;            ///< in the order of their evaluation
  std::unique_ptr<Leapfrog> leapfrog_;
};

/// On a device as open_device() opens it.
ParticleSystem open_system(const std::string& backend, int device, int threads);

}  // namespace hornbeam
