// SPDX-License-Identifier: Apache-2.0
// The looks of the watchdog, see watchdog.h.
#include "run/session/watchdog.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "run/session/alarms.h"

namespace hornbeam::run {
namespace {

constexpr const char* kept = "the last good state is in checkpoint.hdf5, if checkpoints are written";

double speed_of(const Vec3& v) { return std::hypot(v[0], v[1], v[2]); }

std::string describe(const Particles& p, std::size_t i) {
  const Vec3& x = p.position[i];
  return fmt::format("particle {} (id {}) at ({:.6g}, {:.6g}, {:.6g})", i, p.id[i], x[0], x[1], x[2]);
}

/// The particle that `worse` puts last.
template <class Measure>
std::size_t largest_by(const Particles& p, Measure measure) {
  std::size_t worst = 0;
  for (std::size_t i = 1; i < p.size(); ++i) {
    if (measure(i) > measure(worst)) worst = i;
  }
  return worst;
}

[[noreturn]] void report_energy(const Simulation& simulation, const ShownTime& shown, double time, double error,
                                double limit) {
  Snapshot state = simulation.snapshot();
  state.time = time;
  const Particles& p = state.particles;
  const std::size_t i = largest_by(p, [&](std::size_t k) { return speed_of(p.acceleration[k]); });
  throw RunGoneWrong(
      "t = " + shown.text(time),
      fmt::format("the energy has changed by {:.2e} of itself, more than {}; the largest acceleration is of {}", error,
                  limit, p.size() > 0 ? describe(p, i) : "no particle"),
      fmt::format("{}; or raise watchdog.energy; {}", likely_remedy(p, simulation.options(), shown), kept));
}

[[noreturn]] void report_collapse(const Simulation& simulation, const ShownTime& shown, double time,
                                  std::uint64_t beyond) {
  Snapshot state = simulation.snapshot();
  state.time = time;
  const Particles& p = state.particles;
  const SimulationOptions& options = simulation.options();
  const std::size_t i = largest_by(p, [&](std::size_t k) {
    const StepsWanted wanted = steps_wanted(p, k, options);
    return std::max(wanted.by_softening, wanted.by_gas);
  });
  throw RunGoneWrong(
      "t = " + shown.text(time),
      fmt::format("{} particles need steps shorter than dt / 2^max_rung; the shortest step is that of {}", beyond,
                  describe(p, i)),
      fmt::format("{}; or set watchdog.collapse = false; {}", short_rung_remedy(steps_wanted(p, i, options), options),
                  kept));
}

}  // namespace

void Watchdog::begin(const Particles& p) {
  for (std::size_t i = 0; i < p.size(); ++i) {
    const double escape = std::sqrt(2 * std::abs(p.potential[i]));
    // of gas that rests, its pressure makes speeds (2 u)^1/2, and (3 P / rho)^1/2 of gas that keeps no energy
    const double hot = p.internal_energy.empty() ? 0 : std::sqrt(2 * std::max(0.0, p.internal_energy[i]));
    const bool presses = !p.pressure.empty() && !p.density.empty() && p.density[i] > 0;
    const double pressed = presses ? std::sqrt(3 * std::max(0.0, p.pressure[i]) / p.density[i]) : 0;
    usual_speed_ = std::max({usual_speed_, speed_of(p.velocity[i]), escape, hot, pressed});
  }
}

void Watchdog::look(const Simulation& simulation, std::uint64_t step, double relative_error) const {
  look_at_rungs(simulation, simulation.time(), simulation.block_report().beyond);
  if (!wants_energy(step)) return;
  const bool wrong = !std::isfinite(relative_error) || (plan_.energy > 0 && std::abs(relative_error) > plan_.energy);
  if (wrong) report_energy(simulation, shown_, simulation.time(), relative_error, plan_.energy);
}

void Watchdog::look_at_rungs(const Simulation& simulation, double time, std::uint64_t beyond) const {
  if (plan_.collapse && beyond > 0) report_collapse(simulation, shown_, time, beyond);
}

void Watchdog::look_inside(const Simulation& simulation, double time, double relative_error) const {
  if (plan_.every == 0) return;
  const double most = 10 * std::max(1.0, plan_.energy);  // ten times the energy itself, and the limit
  const bool wrong = !std::isfinite(relative_error) || (plan_.energy > 0 && std::abs(relative_error) > most);
  if (wrong) report_energy(simulation, shown_, time, relative_error, most);
}

void Watchdog::look(const Snapshot& state, const SimulationOptions& options) const {
  const Particles& p = state.particles;
  if (plan_.runaway == 0.0 || usual_speed_ == 0.0 || p.size() == 0) return;
  const std::size_t i = largest_by(p, [&](std::size_t k) { return speed_of(p.velocity[k]); });
  const double speed = speed_of(p.velocity[i]);
  if (speed <= plan_.runaway * usual_speed_) return;
  throw RunGoneWrong("t = " + shown_.text(state.time),
                     fmt::format("{} has the speed {:.4g}, {:.3g} times the largest speed or escape speed at the start",
                                 describe(p, i), speed, speed / usual_speed_),
                     fmt::format("{}, or raise watchdog.runaway; {}", runaway_remedy(p.family[i], options), kept));
}

}  // namespace hornbeam::run
