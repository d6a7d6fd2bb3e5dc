// SPDX-License-Identifier: Apache-2.0
// Kicks, drifts, rungs and sums on a domain, in its units. Compiled once a precision (HB_PRECISION).
#include "dynamics/finite_limits.h"
#include "dynamics/leapfrog.h"
#include "tree/boundary.h"
#include "tree/particle_domain.h"
#include "tree/particle_sums.h"

HB_OPEN
namespace {

/// The rule in units of a frame.
RungRule internal_rule(const StepRule& rule, const Frame& frame) {
  const double longest = rule.longest / rule.eta, a_unit = frame.acceleration();
  const double change = rule.eta_change > 0 ? 1 / (rule.eta_change * rule.eta_change) : 0;
  return {static_cast<pos_t>(rule.pulls ? longest * longest * a_unit * frame.length : 0),
          static_cast<pos_t>(change),
          static_cast<pos_t>(rule.longest / 2 * a_unit),
          rule.deepest,
          static_cast<pos_t>(rule.longest),
          rule.asked ? 1 : 0};
}

FiniteLimits limits_of(const Frame& frame) {
  return finite_limits(frame.acceleration(), frame.exact_acceleration(), frame.potential(), frame.exact_potential());
}

class DomainLeapfrog final : public Leapfrog {
 public:
  explicit DomainLeapfrog(ParticleDomain& domain)
      : domain_(domain),
        device_(domain.device()),
        p_(domain.particles()),
        sums_(make_particle_sums(domain.device())),
        count_(domain.device()),
        no_fields_(domain.device()) {}

  void kick(double dt) override;
  void drift(double dt) override;
  void drift_epicycles(const Boundary& sheet, double dt) override;
  void forget_forces() override;
  void wrap(const Boundary& boundary, double time) override;
  void mark_outside(const Vec3& size) override;
  RungCensus choose_rungs(const StepRule& rule, int least, std::uint32_t tick) override;
  void kick_rungs(const StepRule& rule, int least) override { kick_rungs(rule, least, 0, nullptr); }
  void close_rungs(const StepRule& rule, int least, std::uint32_t tick) override {
    kick_rungs(rule, least, tick, p_.begun.bytes() > 0 ? &p_.begun : nullptr);
  }
  double largest_pull_over_eps() override;
  Energies energies() override;
  std::uint64_t not_finite() override;

 private:
  void kick_rungs(const StepRule& rule, int least, std::uint32_t tick, const DeviceArray<u32>* begun);
  [[nodiscard]] StageTimer::Scope timed(StageTimer::Stage stage) { return {domain_.timer(), stage}; }

  ParticleDomain& domain_;
  Device& device_;
  DeviceParticles& p_;
  std::unique_ptr<ParticleSums> sums_;
  DeviceArray<u32> count_;
  ExternalFields no_fields_;
};

void DomainLeapfrog::kick(double dt) {
  const StageTimer::Scope scope = timed(&StageSeconds::kick_drift);
  const auto step = static_cast<pos_t>(dt * domain_.frame().acceleration());
  device_.launch(kernels::kick_particles{.acc = p_.acc, .n = p_.n, .step = step, .velocity = p_.v}, plain_variant,
                 p_.n);
}

void DomainLeapfrog::drift(double dt) {
  const StageTimer::Scope scope = timed(&StageSeconds::kick_drift);
  device_.launch(
      kernels::drift_particles{.velocity = p_.v, .n = p_.n, .step = static_cast<pos_t>(dt), .position = p_.x},
      plain_variant, p_.n);
}

void DomainLeapfrog::drift_epicycles(const Boundary& sheet, double dt) {
  const StageTimer::Scope scope = timed(&StageSeconds::kick_drift);
  const SheetStep s = hornbeam::epicycle_step(sheet, dt);
  const EpicycleStep step = {static_cast<pos_t>(s.omega),    static_cast<pos_t>(s.omega_z),
                             static_cast<pos_t>(s.dt),       static_cast<pos_t>(s.sine),
                             static_cast<pos_t>(s.tangent),  static_cast<pos_t>(s.sine_z),
                             static_cast<pos_t>(s.tangent_z)};
  device_.launch(kernels::drift_epicycles{.position = p_.x, .step = step, .n = p_.n, .velocity = p_.v}, plain_variant,
                 p_.n);
  if (p_.spin[0].bytes() == 0) return;
  device_.launch(kernels::turn_spins{.step = step, .n = p_.n, .spin_x = p_.spin[0], .spin_y = p_.spin[1]},
                 plain_variant, p_.n);
}

void DomainLeapfrog::forget_forces() {
  for (const DeviceArray<real>& part : p_.acc) {
    if (p_.n > 0) device_.clear(part, domain_.size() * sizeof(real));
  }
}

void DomainLeapfrog::wrap(const Boundary& boundary, double time) {
  const StageTimer::Scope scope = timed(&StageSeconds::kick_drift);
  const BoxNow b = periodic_box(boundary, time);
  const PeriodicBox box = {static_cast<pos_t>(b.period[0]), static_cast<pos_t>(b.period[1]),
                           static_cast<pos_t>(b.period[2]), static_cast<pos_t>(b.drift), static_cast<pos_t>(b.speed)};
  const bool moves = b.speed != 0 && p_.v[1].bytes() > 0;
  device_.launch(kernels::wrap_positions{.position = p_.x, .box = box, .n = p_.n, .vy = moves ? &p_.v[1] : nullptr},
                 plain_variant, p_.n);
}

void DomainLeapfrog::mark_outside(const Vec3& size) {
  device_.launch(kernels::mark_outside{.position = p_.x,
                                       .half_x = static_cast<pos_t>(size[0] / 2),
                                       .half_y = static_cast<pos_t>(size[1] / 2),
                                       .half_z = static_cast<pos_t>(size[2] / 2),
                                       .n = p_.n,
                                       .gone = p_.gone},
                 plain_variant, p_.n);
}

RungCensus DomainLeapfrog::choose_rungs(const StepRule& rule, int least, std::uint32_t tick) {
  const StageTimer::Scope scope = timed(&StageSeconds::kick_drift);
  const std::size_t n = domain_.size();
  const bool known = p_.rung.bytes() > 0;
  p_.rung.reserve(n * sizeof(u32));
  for (int k = 0; k < 3; ++k) {
    p_.before[k].reserve(n * sizeof(real));
    p_.earlier[k].reserve(n * sizeof(real));
  }
  return sums_->choose_rungs(p_, internal_rule(rule, domain_.frame()), least, known, static_cast<i32>(tick));
}

void DomainLeapfrog::kick_rungs(const StepRule& rule, int least, std::uint32_t tick, const DeviceArray<u32>* begun) {
  const StageTimer::Scope scope = timed(&StageSeconds::kick_drift);
  device_.launch(kernels::kick_rungs{.acc = p_.acc,
                                     .rungs = p_.rung,
                                     .begun = begun,
                                     .tick = static_cast<i32>(tick),
                                     .n = p_.n,
                                     .least = least,
                                     .rule = internal_rule(rule, domain_.frame()),
                                     .velocity = p_.v},
                 plain_variant, p_.n);
}

double DomainLeapfrog::largest_pull_over_eps() {
  const StageTimer::Scope scope = timed(&StageSeconds::kick_drift);
  const Frame& frame = domain_.frame();
  return static_cast<double>(sums_->largest_pull(p_)) * frame.acceleration() * frame.length;
}

Energies DomainLeapfrog::energies() {
  const StageTimer::Scope scope = timed(&StageSeconds::energy);
  const ExternalFields& fields = domain_.fields() != nullptr ? domain_.fields()->present() : no_fields_;
  return sums_->energies(p_, fields, {domain_.frame().potential(), domain_.frame().mass});
}

std::uint64_t DomainLeapfrog::not_finite() {
  const StageTimer::Scope scope = timed(&StageSeconds::energy);
  if (p_.n == 0) return 0;
  u32 count = 0;
  count_.reserve(sizeof count);
  device_.clear(count_, sizeof count);
  device_.launch(kernels::count_not_finite{.most = limits_of(domain_.frame()),
                                           .n = p_.n,
                                           .position = p_.x,
                                           .velocity = p_.v,
                                           .acc = p_.acc,
                                           .count = count_},
                 plain_variant, p_.n);
  device_.download(&count, count_, 0, sizeof count);
  return count;
}

}  // namespace

std::unique_ptr<Leapfrog> make_domain_leapfrog(Domain& domain) {
  return std::make_unique<DomainLeapfrog>(static_cast<ParticleDomain&>(domain));
}

HB_CLOSE
