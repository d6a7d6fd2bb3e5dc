// SPDX-License-Identifier: Apache-2.0
// The hierarchy of block steps, see block_steps.h.
#include "dynamics/block_steps.h"

#include <bit>
#include <chrono>
#include <cmath>
#include <tuple>

#include "dynamics/advance.h"
#include "hornbeam/error.h"

namespace hornbeam {
namespace {

double seconds_since(std::chrono::steady_clock::time_point then) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
}

/// A tree is rebuilt where more than one in so many particles are due.
constexpr std::uint64_t due_for_build = 16;

/// The highest rung whose steps end at `tick` of 2^deepest.
int highest_due(std::uint32_t tick, int deepest) { return deepest - std::min(std::countr_zero(tick), deepest); }

}  // namespace

void TreeAge::reset() {
  first_.fill(0);
  added_ = 0;
}

void TreeAge::count(int least, std::uint64_t due, const Interactions& interactions) {
  const auto targets = static_cast<double>(due);
  // one that met every particle was summed directly: it used no tree
  if (due == 0 || interactions.particle >= due * (particles_ - 1)) return;
  const double cost =
      (static_cast<double>(interactions.particle) + costs_.cell * static_cast<double>(interactions.cell) +
       costs_.expansion * static_cast<double>(interactions.expansion)) /
      targets;
  double& first = first_[static_cast<std::size_t>(least)];
  if (first == 0) first = cost;
  added_ += std::max(0.0, cost - first) * std::max(targets, costs_.least_due);
}

BlockSteps::BlockSteps(const SimulationOptions& options, const ModuleTraits& traits, const TreeCosts& costs,
                       std::uint64_t particles)
    : rule_{options.dt,       options.eta,          options.eta_change,
            options.max_rung, options.self_gravity, traits.replaces_softening},
      may_refuse_(traits.need_copy()),
      age_(costs, particles) {
  report_.rungs.resize(static_cast<std::size_t>(options.max_rung) + 1);
}

void BlockSteps::begin(ParticleSystem& system) { choose(system, 0, 0); }

void BlockSteps::resume(const std::vector<std::uint8_t>& rungs) {
  census_ = {};
  for (const std::uint8_t rung : rungs) ++census_.particles[rung];
}

double BlockSteps::length(std::uint32_t ticks) const { return std::ldexp(rule_.longest * ticks, -rule_.deepest); }

/// A step that a module refuses must be repeated.
bool BlockSteps::remember(ParticleSystem& system) {
  try {
    if (can_give_up_) system.domain().remember();
  } catch (const Error&) {
    if (may_refuse_) throw;
    can_give_up_ = false;
  }
  return can_give_up_;
}

std::optional<double> BlockSteps::step(ParticleSystem& system, const StepContext& context) {
  const bool remembers = (may_refuse_ || context.go_on) && remember(system);
  const Counts before{census_, age_, report_};
  const auto forget = [&] { std::tie(census_, age_, report_) = std::tie(before.census, before.age, before.report); };
  try {
    return undo_if_it_fails(system, context, [&] { return make_step(system, context, remembers, forget); });
  } catch (const StepFailure&) {
    forget();
    throw;
  }
}

std::optional<double> BlockSteps::make_step(ParticleSystem& system, const StepContext& context, bool remembers,
                                            const std::function<void()>& forget) {
  for (stricter_ = 0;; ++stricter_) {
    const Outcome outcome = make_sub_steps(system, context, remembers && context.go_on);
    if (outcome == Outcome::whole) break;
    if (census_.not_finite > 0) context.report_not_finite();
    forget();
    go_back(system, context);
    if (outcome == Outcome::given_up) return {};
    if (stricter_ == rule_.deepest) {
      const StepWords words = refused_->step_words();
      throw Error(words.name, words.refusal + " with steps of every rung", "give a larger time.max_rung");
    }
    report_.repeated += static_cast<std::uint64_t>(stricter_) + 1;
  }
  return rule_.longest;
}

bool BlockSteps::open(ParticleSystem& system, std::uint32_t tick, int least) {
  system.leapfrog().kick_rungs(rule_, least);
  refused_ = system.step_begin({.block = block(tick, least)});
  return refused_ == nullptr;
}

bool BlockSteps::close(ParticleSystem& system, std::uint32_t tick, int least) {
  system.leapfrog().close_rungs(rule_, least, tick);
  refused_ = system.step_end({.block = block(tick, least)});
  return refused_ == nullptr;
}

void BlockSteps::choose(ParticleSystem& system, std::uint32_t tick, int least) {
  system.ask_for_steps(block(tick, least), std::ldexp(1.0, stricter_));
  census_ = system.leapfrog().choose_rungs(rule_, least, tick);
  if (census_.not_finite == 0) system.limit_rungs(block(tick, least), 0, census_);
}

BlockSteps::Outcome BlockSteps::make_sub_steps(ParticleSystem& system, const StepContext& context, bool may_give_up) {
  const double time = context.time;
  const std::uint32_t end = std::uint32_t{1} << rule_.deepest;
  age_.reset();  // the last step ended with a new tree
  if (stricter_ > 0) system.limit_rungs(block(0, 0), stricter_, census_);
  if (!open(system, 0, 0)) return Outcome::refused;
  for (std::uint32_t tick = 0; tick < end;) {
    const auto began = std::chrono::steady_clock::now();
    const std::uint32_t from = tick;
    tick += end >> census_.deepest();
    demand_advance(time + length(from), length(tick - from));
    context.pass(time + length(from), time + length(tick), from);
    system.leapfrog().drift(length(tick - from));
    system.at(time + length(tick));
    const int least = highest_due(tick, rule_.deepest);
    const std::uint64_t due = census_.from(least);
    walk(system, from, tick, least, due);
    if (!close(system, tick, least)) return Outcome::refused;
    choose(system, tick, least);
    if (census_.not_finite > 0) return Outcome::given_up;
    if (tick < end && !open(system, tick, least)) return Outcome::refused;
    RungCost& cost = report_.rungs[static_cast<std::size_t>(least)];
    ++cost.steps;
    cost.due += due;
    cost.seconds += seconds_since(began);  // choose_rungs() has waited for the device
    if (tick < end && context.go_on && !context.go_on(time + length(tick)) && may_give_up) return Outcome::given_up;
  }
  return Outcome::whole;
}

/// Accelerations of the particles that are due. Where all are, at the end of the longest step, the tree is new: a run
/// that goes on from there meets the same one. So it is where many are: those who were neighbours at the build have
/// drifted apart along their velocities since, and errors that follow these do work on the whole.
void BlockSteps::walk(ParticleSystem& system, std::uint32_t from, std::uint32_t tick, int least, std::uint64_t due) {
  const StepMoment moment{.step = length(tick - from), .block = block(tick, least)};
  if (least == 0 || due_for_build * due > census_.from(0) || age_.is_old()) {
    system.build_tree();
    age_.reset();
    ++report_.builds;
  } else {
    system.refit();
    ++report_.refits;
  }
  if (least == 0) {
    system.evaluate(moment);
  } else {
    system.evaluate_due(least, moment);
  }
  const Interactions made = system.interactions();
  age_.count(least, due, made);
  Interactions& sum = report_.rungs[static_cast<std::size_t>(least)].interactions;
  sum.particle += made.particle;
  sum.cell += made.cell;
  sum.expansion += made.expansion;
}

BlockReport BlockSteps::report() const {
  BlockReport report = report_;
  report.beyond = census_.beyond;
  for (std::size_t rung = 0; rung < report.rungs.size(); ++rung) report.rungs[rung].particles = census_.particles[rung];
  const auto unused = [](const RungCost& r) { return r.steps == 0 && r.particles == 0; };
  while (report.rungs.size() > 1 && unused(report.rungs.back())) report.rungs.pop_back();
  return report;
}

std::vector<double> lengths_of(const std::vector<std::uint8_t>& rungs, double longest) {
  std::vector<double> lengths;
  lengths.reserve(rungs.size());
  for (const std::uint8_t rung : rungs) lengths.push_back(std::ldexp(longest, -rung));
  return lengths;
}

void predict(Snapshot& copy, const StepRule& rule, double begin, std::uint32_t tick, double time, double G,
             const ParticleSystem& modules) {
  Particles& p = copy.particles;
  const auto at = [&](std::uint32_t t) { return begin + std::ldexp(rule.longest * t, -rule.deepest); };
  std::vector<double> since(p.size());
  for (std::size_t i = 0; i < p.size(); ++i) {
    const std::uint32_t step = std::uint32_t{1} << (rule.deepest - p.rung[i]), to_tick = tick / step * step + step;
    const auto from_tick = p.step_begun.empty() ? to_tick - step : static_cast<std::uint32_t>(p.step_begun[i]);
    const double from = at(from_tick), to = at(to_tick);
    for (std::size_t k = 0; k < 3; ++k) {
      const double a = p.acceleration[i][k] * G;
      p.position[i][k] += p.velocity[i][k] * (time - at(tick)) - 0.5 * a * (time - from) * (to - time);
      p.velocity[i][k] += a * (time - 0.5 * (from + to));
    }
    since[i] = time - 0.5 * (from + to);
  }
  modules.predict(p, p, since, time - at(tick));
  p.forget_forces();
  p.forget_steps();
  copy.time = time;
}

}  // namespace hornbeam
