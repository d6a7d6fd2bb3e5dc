// SPDX-License-Identifier: Apache-2.0
// Forces of one's own on a domain: particles come to the host, accelerations go back. Compiled once a precision
// (HB_PRECISION).
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "hornbeam/error.h"
#include "interactions/own/own_module.h"
#include "stages/rungs.h"
#include "tree/particle_domain.h"

HB_OPEN
namespace {

class DomainOwn final : public Module {
 public:
  DomainOwn(ParticleDomain& domain, std::vector<std::shared_ptr<OwnForce>> forces, Surroundings around)
      : domain_(domain),
        device_(domain.device()),
        p_(domain.particles()),
        forces_(std::move(forces)),
        around_(std::move(around)) {}

  void load(const Particles& /*particles*/) override { give_steps(std::vector<pos_t>(domain_.size(), -1)); }
  void at(double time) override { around_.time = time; }
  void set_moment(const StepMoment& moment) override { moment_ = moment; }
  void evaluate() override;
  double step_limit() override;
  bool step_begin(const Kick& kick) override;
  void ask_for_steps(const BlockMoment& block, double stricter) override;
  void add_energies(Energies& energies) override;

 private:
  /// Particles in the order of the input, and where the domain stores each of them.
  struct Rows {
    ForceTargets targets;
    std::vector<u32> index, slot;  ///< index: on input
  };

  template <class T>
  std::vector<T> downloaded(const DeviceArray<T>& array) const {
    std::vector<T> values(domain_.size());
    if (array.bytes() == 0) return {};
    device_.download(values.data(), array, 0, values.size() * sizeof(T));
    return values;
  }
  [[nodiscard]] Rows rows(const std::optional<BlockMoment>& block) const;
  void predict_velocities(Rows& rows) const;
  template <class T>
  std::vector<T> asked(const OwnForce& force, const std::function<std::vector<T>(const ForceTargets&)>& function,
                       const ForceTargets& targets, const char* what) const;
  std::vector<double> steps(const Rows& rows) const;
  /// inverse: by slot, below 0 of what asks for none. Forces that are still missing have a place for them, which they
  /// may never fill.
  void give_steps(const std::vector<pos_t>& inverse);

  ParticleDomain& domain_;
  Device& device_;
  DeviceParticles& p_;
  std::vector<std::shared_ptr<OwnForce>> forces_;
  Surroundings around_;
  StepMoment moment_;
  std::vector<Vec3> begun_with_;  ///< accelerations when each particle's step began, by index on input
};

bool is_finite(double x) { return std::isfinite(x); }
bool is_finite(const Vec3& v) { return std::isfinite(v[0]) && std::isfinite(v[1]) && std::isfinite(v[2]); }

/// All particles, or those that are active in a block.
DomainOwn::Rows DomainOwn::rows(const std::optional<BlockMoment>& block) const {
  const std::vector<u32> input = downloaded(p_.input), rungs = block ? downloaded(p_.rung) : std::vector<u32>();
  std::vector<u32> slot_of(input.size());
  for (std::size_t k = 0; k < input.size(); ++k) slot_of[input[k]] = static_cast<u32>(k);
  Rows found;
  for (std::size_t i = 0; i < slot_of.size(); ++i) {
    if (!rungs.empty() && rung_of(rungs[slot_of[i]]) < block->least) continue;
    found.index.push_back(static_cast<u32>(i));
    found.slot.push_back(slot_of[i]);
  }
  ForceTargets& t = found.targets;
  t.time = around_.time;
  t.position.resize(found.slot.size());
  t.velocity.resize(found.slot.size());
  for (int k = 0; k < 3; ++k) {
    const std::vector<pos_t> x = downloaded(p_.x[k]), v = downloaded(p_.v[k]);
    for (std::size_t i = 0; i < found.slot.size(); ++i) {
      t.position[i][k] = static_cast<double>(x[found.slot[i]]);
      t.velocity[i][k] = v.empty() ? 0 : static_cast<double>(v[found.slot[i]]);
    }
  }
  t.id.assign(found.index.begin(), found.index.end());
  if (!around_.id) return found;
  for (std::size_t i = 0; i < t.id.size(); ++i) t.id[i] = around_.id(found.index[i]);
  return found;
}

/// From where the opening kick left them to the time of the positions, by the accelerations of that kick.
void DomainOwn::predict_velocities(Rows& rows) const {
  if (begun_with_.size() != domain_.size()) return;
  const std::optional<BlockMoment>& block = moment_.block;
  const std::vector<u32> rungs = block ? downloaded(p_.rung) : std::vector<u32>(),
                         begun = block ? downloaded(p_.begun) : std::vector<u32>();
  for (std::size_t i = 0; i < rows.slot.size(); ++i) {
    double since = moment_.since;
    if (block && !begun.empty()) {
      since = std::ldexp(block->longest * (block->tick - begun[rows.slot[i]]), -block->deepest - 1);
    } else if (block) {
      since = std::ldexp(block->longest, -rung_of(rungs[rows.slot[i]]) - 1);
    }
    for (int k = 0; k < 3; ++k) rows.targets.velocity[i][k] += begun_with_[rows.index[i]][k] * since;
  }
}

/// What a function of the caller returns. Whatever it throws, and what is wrong with its values, undoes the step.
template <class T>
std::vector<T> DomainOwn::asked(const OwnForce& force,
                                const std::function<std::vector<T>(const ForceTargets&)>& function,
                                const ForceTargets& targets, const char* what) const {
  try {
    std::vector<T> values = function(targets);
    if (values.size() != targets.id.size()) {
      throw UsageError(force.name,
                       "returned " + std::to_string(values.size()) + " " + what + " for " +
                           std::to_string(targets.id.size()) + " particles",
                       "return one for each position");
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (is_finite(values[i]) || (&function == static_cast<const void*>(&force.step))) continue;
      throw Error(force.name,
                  std::string("returned non-finite ") + what + ", first for particle " + std::to_string(targets.id[i]) +
                      " (its id)",
                  "check the function at that position");
    }
    return values;
  } catch (...) {
    throw StepFailure{std::current_exception()};
  }
}

void DomainOwn::evaluate() {
  if (p_.n == 0) return;
  const StageTimer::Scope timed(domain_.timer(), &StageSeconds::walk);
  Rows active = rows(moment_.block);
  if (moment_.block || moment_.since != 0) predict_velocities(active);
  std::vector<Vec3> sum(active.slot.size());
  for (const auto& force : forces_) {
    if (!force->acceleration) continue;  // Simulation::step() refuses to go on without it
    const std::vector<Vec3> values = asked(*force, force->acceleration, active.targets, "accelerations");
    for (std::size_t i = 0; i < sum.size(); ++i) {
      for (int k = 0; k < 3; ++k) sum[i][k] += values[i][k];
    }
  }
  const double unit = domain_.frame().acceleration();
  for (int k = 0; k < 3; ++k) {
    std::vector<real> all = downloaded(p_.acc[k]);
    for (std::size_t i = 0; i < sum.size(); ++i) all[active.slot[i]] += static_cast<real>(sum[i][k] / unit);
    device_.upload(p_.acc[k], 0, all.data(), all.size() * sizeof(real));
  }
}

/// Keeps the accelerations of the opening kick, as long as the step lasts.
bool DomainOwn::step_begin(const Kick& kick) {
  if (p_.n == 0) return true;
  begun_with_.resize(domain_.size());
  const std::vector<u32> input = downloaded(p_.input), rungs = kick.block ? downloaded(p_.rung) : std::vector<u32>();
  const double unit = domain_.frame().acceleration();
  for (int k = 0; k < 3; ++k) {
    const std::vector<real> acc = downloaded(p_.acc[k]);
    for (std::size_t i = 0; i < acc.size(); ++i) {
      const bool begins = !kick.block || (rung_of(rungs[i]) >= kick.block->least && !is_woken(rungs[i]));
      if (begins) begun_with_[input[i]][k] = static_cast<double>(acc[i]) * unit;
    }
  }
  return true;
}

/// The shortest of all forces for each row.
std::vector<double> DomainOwn::steps(const Rows& rows) const {
  std::vector<double> least(rows.slot.size(), std::numeric_limits<double>::infinity());
  for (const auto& force : forces_) {
    if (!force->step) continue;
    const std::vector<double> values = asked(*force, force->step, rows.targets, "steps");
    for (std::size_t i = 0; i < least.size(); ++i) {
      if (values[i] > 0) {
        least[i] = std::min(least[i], values[i]);
        continue;
      }
      const Error wrong(force->name, "returned a step of " + std::to_string(values[i]),
                        "return steps above 0, or infinity for no limit");
      throw StepFailure{std::make_exception_ptr(wrong)};
    }
  }
  return least;
}

double DomainOwn::step_limit() {
  double least = std::numeric_limits<double>::infinity();
  if (p_.n == 0) return least;
  for (const double step : steps(rows({}))) least = std::min(least, step);
  return least;
}

void DomainOwn::ask_for_steps(const BlockMoment& block, double stricter) {
  if (p_.n == 0 || !any_asks_for_steps(forces_)) return;
  const Rows active = rows(block);
  const std::vector<double> allowed = steps(active);
  std::vector<pos_t> inverse(domain_.size(), -1);
  for (std::size_t i = 0; i < allowed.size(); ++i) {
    if (std::isfinite(allowed[i])) inverse[active.slot[i]] = static_cast<pos_t>(stricter / allowed[i]);
  }
  give_steps(inverse);
}

void DomainOwn::give_steps(const std::vector<pos_t>& inverse) {
  if (p_.asked.bytes() > 0 && p_.n > 0) device_.upload(p_.asked, 0, inverse.data(), inverse.size() * sizeof(pos_t));
}

void DomainOwn::add_energies(Energies& energies) {
  if (p_.n == 0) return;
  const Rows all = rows({});
  const std::vector<real> mass = downloaded(p_.mass);
  for (const auto& force : forces_) {
    if (!force->potential) continue;
    const std::vector<double> potentials = asked(*force, force->potential, all.targets, "potentials");
    for (std::size_t i = 0; i < potentials.size(); ++i) {
      energies.potential += static_cast<double>(mass[all.slot[i]]) / domain_.frame().mass * potentials[i];
    }
  }
}

}  // namespace

std::unique_ptr<Module> make_domain_own(Domain& domain, const std::vector<std::shared_ptr<OwnForce>>& forces,
                                        const Surroundings& around) {
  return std::make_unique<DomainOwn>(static_cast<ParticleDomain&>(domain), forces, around);
}

HB_CLOSE
