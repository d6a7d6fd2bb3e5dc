// SPDX-License-Identifier: Apache-2.0
// Particles on one device with all that acts on them: a domain, its modules, and the leapfrog that moves it. The host
// sees only scalars between load() and store().
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "device/devices.h"
#include "device/driver_failure.h"
#include "dynamics/leapfrog.h"
#include "hornbeam/boundary.h"
#include "interactions/gravity/gravity_module.h"
#include "interactions/module.h"
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
  /// Which devices backend auto, or a small number of particles, passed over, and why; empty: none.
  [[nodiscard]] const std::string& device_note() const { return device_->choice().note; }

  /// `options` with the accuracy that they mean for n particles here (hornbeam::resolved()). own_eps: softenings
  /// differ.
  [[nodiscard]] GravityOptions resolved(const GravityOptions& options, std::uint64_t n, bool own_eps,
                                        bool tides = false) const;
  /// Throws Error where n particles will not fit the device: what is needed by purpose, had, and what to change. A
  /// device that backend auto took gives way to the next one that has room. For callers that have yet to make them;
  /// load() asks by itself.
  void admit(std::uint64_t n, const GravityOptions& options, const Holding& holding);
  /// Releases a full device that backend auto took, with all its memory, and takes the next one. Returns false if the
  /// device was requested by name.
  bool take_next_device(const DeviceFull& full);
  /// What of that comes from the host's memory, with modules of these makers.
  [[nodiscard]] memory::Need host_need(const GravityOptions& options, const Holding& holding,
                                       const ModuleMakers& makers = {}) const;
  /// Takes the particles (validated by the caller) and the options of all evaluations to come. steps: what will be
  /// requested later, rungs or a copy. Throws UsageError for options this device lacks, Error where memory is short
  /// (needed, had, what to change).
  void load(const Particles& particles, const GravityOptions& options, const Holding& steps = {});
  /// The same of arrays that lie on the device, of particles that neither move nor collide nor flow.
  void load(const LentParticles& particles, const GravityOptions& options);
  /// The borders of space as they are at `time`, from now on, through later loads, too.
  void set_boundary(const Boundary& boundary, double time);
  /// What acts from the next load() on next to gravity (null: nothing), and whether particles attract one another.
  void set_modules(ModuleMakers makers, bool self_gravity = true, const Units& units = {});
  /// Whatever moves by itself is where it is at `time`, from now on.
  void at(double time);
  [[nodiscard]] double time() const { return time_; }
  /// As Surroundings::id, from the next load() on.
  void set_id(std::function<std::uint64_t(std::size_t)> id) { id_ = std::move(id); }
  /// Called with particles that have left an open box, before they are taken out.
  void set_departing(Departing departing) { departing_ = std::move(departing); }

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
  void evaluate(const StepMoment& moment = {});
  /// The same for the particles on rung `least` and deeper; the accelerations of others stay.
  void evaluate_due(int least, const StepMoment& moment = {});
  /// Whether there is anything to evaluate.
  [[nodiscard]] bool evaluates() const { return self_gravity_ || traits_of_makers().accelerates; }
  /// Takes accelerations, potentials and rungs that Domain::save() wrote as those of the present positions, instead of
  /// an evaluation: how a resumed run goes on with the same bits. Needs the tree; particles in the order load()
  /// received.
  void restore(const Particles& particles);

  // the hooks of all modules (interactions/module.h)
  /// The shortest limit, and whose it is; null: no module has one.
  [[nodiscard]] std::pair<double, const Module*> step_limit();
  /// The first module that refuses the step; null: none.
  const Module* step_begin(const Kick& kick);
  const Module* step_end(const Kick& kick);
  void ask_for_steps(const BlockMoment& block, double stricter);
  void limit_rungs(const BlockMoment& block, int deeper, RungCensus& census);
  /// What modules do to particles after a step of that length; needs the tree. Returns whether tree and forces are
  /// stale then.
  bool act_after(double length);
  /// Takes out particles that modules have marked, and those that left an open box; whether there were any. The tree is
  /// stale then.
  bool take_out();
  [[nodiscard]] std::vector<Event> events() const;
  /// Of the leapfrog, and what modules add.
  [[nodiscard]] Energies energies();
  [[nodiscard]] bool predicts() const;
  void predict(Particles& copy, const Particles& saved, const std::vector<double>& since, double step) const;
  void describe(Particles& snapshot) const;
  void report(Reports& reports) const;
  [[nodiscard]] std::optional<Cause> cause(const Particles& particles, std::size_t i) const;
  /// The module of that type; null if it does not act.
  template <class Type>
  [[nodiscard]] Type* find() {
    Type* found = nullptr;
    for (const auto& module : made_) found = found != nullptr ? found : dynamic_cast<Type*>(module.get());
    return found;
  }

  [[nodiscard]] Device& hardware() { return *device_; }
  [[nodiscard]] Domain& domain() { return *domain_; }
  [[nodiscard]] Gravity& gravity() { return *gravity_; }
  [[nodiscard]] Leapfrog& leapfrog() { return *leapfrog_; }

  /// Domain::lattice().
  [[nodiscard]] const Vec3& lattice() const { return domain_->lattice(); }
  [[nodiscard]] const GravityOptions& options() const { return gravity_->options(); }
  [[nodiscard]] Interactions interactions() const { return gravity_->interactions(); }
  [[nodiscard]] const StageSeconds& seconds() const { return domain_->seconds(); }
  [[nodiscard]] Bytes bytes() const;

 private:
  void use(Precision precision);
  void choose_ranks(std::uint64_t n);
  void close();
  void place_images();
  template <class Plan>
  void plan_on_any(const Plan& plan);
  void have_moved();
  void make_modules(const Particles& particles, Holding& holding);
  void list_modules();
  [[nodiscard]] ModuleTraits traits_of_makers() const;
  [[nodiscard]] GravityOptions planned(std::size_t n, const GravityOptions& options, const Holding& holding);
  GravityOptions fitting(std::uint64_t n, const GravityOptions& options, const Holding& holding);
  void evaluate_targets(const StepMoment& moment);
  [[nodiscard]] bool acts(const Module* module) const { return module != gravity_.get() || self_gravity_; }
  void wrap();

  std::unique_ptr<Device> device_;  ///< first: what lies on it goes before it
  Boundary boundary_;
  double time_ = 0;
  ModuleMakers makers_;
  bool self_gravity_ = true;
  Units units_;
  std::function<std::uint64_t(std::size_t)> id_;
  Departing departing_;
  bool has_moved_ = false;  ///< particles since build_tree()
  std::unique_ptr<Domain> domain_;
  std::unique_ptr<Gravity> gravity_;           ///< by whose options the tree is made
  std::vector<std::unique_ptr<Module>> made_;  ///< by makers_, in their order
  std::vector<Module*> modules_;               ///< gravity and these
  std::unique_ptr<Leapfrog> leapfrog_;
};

/// On a device as open_device() opens it.
ParticleSystem open_system(const std::string& backend, const Devices& devices, int threads);

}  // namespace hornbeam
