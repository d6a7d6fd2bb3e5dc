// SPDX-License-Identifier: Apache-2.0
// Causes by what is seen, see alarms.h.
#include "run/session/alarms.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "hornbeam/analysis.h"
#include "hornbeam/units.h"
#include "run/records/figures.h"
#include "run/setup/some_of.h"
#include "stages/gas.h"

namespace hornbeam::run {
namespace {

double size_of(const Vec3& v) { return std::hypot(v[0], v[1], v[2]); }

/// sqrt(eps / |a|) of particle i; infinite where it is not softened or nothing attracts it.
double softening_time(const Particles& p, std::size_t i) {
  if (i >= p.acceleration.size() || i >= p.eps.size()) return std::numeric_limits<double>::infinity();
  return std::sqrt(p.eps[i] / size_of(p.acceleration[i]));
}

/// Of gas the signal speed, or where that is not stored the sound speed of ideal gas of this pressure.
double signal_of(const Particles& p, std::size_t i, double gamma) {
  if (i < p.signal_speed.size()) return p.signal_speed[i];
  if (i >= p.pressure.size() || i >= p.density.size() || !(p.density[i] > 0)) return 0;
  return std::sqrt(gamma * std::max(0.0, p.pressure[i]) / p.density[i]);
}

}  // namespace

std::string virial_note(const RunConfig& config, const Energies& energies, const Units& units) {
  constexpr double least = 0.1, most = 10.0;
  const double ratio = analysis::virial_ratio(energies);
  const bool is_drawn = config.ic && !ics::starts_from_files(config.ic->options);
  const bool tells = !is_drawn && config.conserves_energy() && config.simulation.potentials.empty() &&
                     energies.kinetic > 0 && energies.potential < 0;
  if (!tells || (ratio >= least && ratio <= most)) return "";
  return fmt::format(
      "WARNING: 2K/|W| = {:.3g} at the start, and 1 in equilibrium. The likely cause is units: the numbers are read "
      "in "
      "{}; if they have other units, set [units]",
      ratio, units.physical ? described(units) : "units with G = 1");
}

std::vector<double> softening_times(const Particles& state, std::size_t most) {
  std::vector<double> times;
  for (const std::size_t i : some_of(state, most)) {
    const double time = softening_time(state, i);
    if (time > 0 && std::isfinite(time)) times.push_back(time);
  }
  std::sort(times.begin(), times.end());
  return times;
}

std::string long_step_note(const std::vector<double>& times, std::size_t n, const SimulationOptions& options,
                           const ShownTime& shown, double too_long) {
  constexpr double few = 0.02;  // the advised step is too long for a hundredth
  if (options.steps != Steps::shared || options.gas.adapts() || !options.self_gravity) return "";
  const auto share_below = [&](double time) {
    return static_cast<double>(std::lower_bound(times.begin(), times.end(), time) - times.begin()) /
           static_cast<double>(std::max<std::size_t>(times.size(), 1));
  };
  if (share_below(options.dt / (too_long * longest_step)) <= few) return "";
  const double share = share_below(options.dt / longest_step);
  return fmt::format(
      "WARNING: steps of {} sqrt(eps / |a|) follow close encounters, and dt is longer than this for {} ({:.2g} %): "
      "take time.dt = {}, steps = \"block\", or a larger eps",
      longest_step, counted(static_cast<std::size_t>(std::llround(share * static_cast<double>(n))), "particle"),
      100 * share, shown.value(longest_step * times[times.size() / 100]));
}

std::string sinking_note(const Particles& start, const SimulationOptions& options) {
  constexpr double far_below = 0.01;  // of radius / dt; a tenth bears weight (the table of docs/collisions.md)
  const CollisionOptions& collisions = options.collisions;
  const bool bounce = collisions.law != CollisionLaw::none && collisions.law != CollisionLaw::merge &&
                      collisions.law != CollisionLaw::halt;
  if (!bounce || !options.self_gravity || start.radius.empty()) return "";
  std::vector<double> radius = start.radius;
  const auto middle = radius.begin() + static_cast<std::ptrdiff_t>(radius.size() / 2);
  std::nth_element(radius.begin(), middle, radius.end());
  const double share = collisions.minimum_velocity * options.dt / *middle;
  if (!(*middle > 0) || share >= far_below) return "";
  return fmt::format(
      "WARNING: gravity will press resting bodies into one another: collisions.minimum_velocity "
      "= {:.3g} is {:.2g} of the median radius over dt (set it to {:.2g}, with a shorter dt; see docs/collisions.md)",
      collisions.minimum_velocity, share, 0.2 * *middle / options.dt);
}

std::string short_step_note(double time, double step, double way, const ShownTime& shown) {
  constexpr double absurd = 1e-9;
  if (step >= absurd * way) return "";
  return fmt::format(
      "WARNING: t = {}: the gas needs steps of {}, {:.1g} of them until the end: check for gas particles "
      "at one position, or for internal energies in other units",
      shown.text(time), shown.text(step), way / step);
}

std::string bound_note(const GasReport& gas, double widest, double time, const ShownTime& shown) {
  if (gas.at_limits == 0) return "";
  constexpr double rounding = 1e-6;
  if (widest > 0 && gas.largest_h >= (1 - rounding) * widest) {  // some were asked to be bounded
    if (2 * gas.at_limits <= gas.sought) return "";
    return fmt::format(
        "t = {}: gas.max_smoothing_length = {} limits H of {} of {}: they have fewer neighbours than their "
        "kernels require, and those without neighbours feel no pressure",
        shown.text(time), widest, gas.at_limits, counted(gas.sought, "gas particle"));
  }
  return fmt::format(
      "t = {}: {} of the gas cannot have the requested neighbours, and their smoothing lengths are at a limit "
      "(docs/gas.md). There are too few of them, many are at one position, or some are far from all others",
      shown.text(time), counted(gas.at_limits, "particle"));
}

StepsWanted steps_wanted(const Particles& state, std::size_t i, const SimulationOptions& options) {
  StepsWanted wanted;
  const double a = i < state.acceleration.size() ? size_of(state.acceleration[i]) : 0,
               eps = i < state.eps.size() ? state.eps[i] : 0;
  const bool is_gas = options.gas.flows() && state.family[i] == Family::gas;
  if (options.self_gravity && eps > 0 && !(is_gas && options.gas.adapts()))
    wanted.by_softening = std::sqrt(a / eps) / options.eta;
  if (!is_gas || i >= state.smoothing_length.size()) return wanted;
  const bool has_rate = i < state.internal_energy_rate.size() && i < state.internal_energy.size();
  wanted.by_gas =
      mixed::inverse_gas_step(state.smoothing_length[i], signal_of(state, i, options.gas.gamma), a,
                              has_rate ? state.internal_energy[i] : 0, has_rate ? state.internal_energy_rate[i] : 0,
                              options.gas.courant, options.gas.force_step, options.gas.is_heat() ? 1 : 0);
  return wanted;
}

std::string short_rung_remedy(const StepsWanted& wanted, const SimulationOptions& options) {
  if (wanted.by_gas > wanted.by_softening) {
    return fmt::format(
        "its gas needs them, with gas.courant = {} and gas.force_step = {}: raise time.max_rung, or check for gas "
        "particles at one position or internal energies in other units",
        options.gas.courant, options.gas.force_step);
  }
  if (!options.self_gravity) return "raise time.max_rung or time.eta_change";
  return "raise time.max_rung, time.eta or gravity.eps";
}

std::string runaway_remedy(Family family, const SimulationOptions& options) {
  if (options.gas.flows() && family == Family::gas) {
    return fmt::format("the steps were too long for its gas: take gas.courant = {:.2g} or a shorter time.dt",
                       options.gas.courant / 2);
  }
  if (!options.self_gravity) return "the steps were too long for it: take a shorter time.dt";
  return "it passed another particle too closely for this dt and eps: take a shorter time.dt or a larger gravity.eps";
}

std::string likely_remedy(const Particles& state, const SimulationOptions& options, const ShownTime& shown) {
  const bool is_gas = std::all_of(state.family.begin(), state.family.end(), [](Family f) { return f == Family::gas; });
  const char* const exactness = options.gravity.accuracy > 0 ? "accuracy" : "theta";
  if (options.gas.flows() && is_gas) {  // which chooses its steps itself
    return fmt::format("take gas.courant = {:.2g}, with which gas takes shorter steps{}", options.gas.courant / 2,
                       options.self_gravity ? fmt::format(", or a smaller gravity.{}", exactness) : "");
  }
  if (!options.self_gravity) {
    return options.gas.flows() ? fmt::format("take gas.courant = {:.2g} or a shorter time.dt", options.gas.courant / 2)
                               : "take a shorter time.dt";
  }
  const bool is_soft = std::any_of(state.eps.begin(), state.eps.end(), [](double eps) { return eps > 0; });
  if (!is_soft) {
    return "the softening is 0, with which close pairs need very short steps: set gravity.eps, or take a shorter "
           "time.dt";
  }
  const std::vector<double> times = softening_times(state, state.size());
  const double time = times.empty() ? std::numeric_limits<double>::infinity() : times.front();
  if (options.steps == Steps::shared && !options.gas.adapts() && options.dt > longest_step * time) {
    return fmt::format(
        "the steps are too long for the softening: take time.dt = {} or shorter (or steps = \"block\"), or a "
        "larger "
        "gravity.eps",
        shown.value(0.2 * time));
  }
  if (options.steps != Steps::shared && options.eta > longest_step) {
    return fmt::format("the steps are too long: take time.eta = 0.2 or below, or a shorter time.dt than {}",
                       shown.value(options.dt));
  }
  if (options.gravity.accuracy > 0) {
    return "take a shorter time.dt, more gravity.eps or a smaller gravity.accuracy; where the start is far from "
           "equilibrium, check its units";
  }
  constexpr double usual_theta = 0.6;
  if (options.gravity.theta > usual_theta || options.gravity.effective_theta_c() > usual_theta) {
    return "the opening angle is large: take gravity.theta = 0.5 or smaller, or a shorter time.dt";
  }
  return "take a shorter time.dt, a larger gravity.eps or a smaller gravity.theta; if the start is far from "
         "equilibrium, check its units";
}

bool EnergyAlarm::passes(double relative_error) {
  const double error = std::abs(relative_error);
  const double limit = error > second ? second : error > first ? first : 0.0;
  if (limit <= said_) return false;
  said_ = limit;
  return true;
}

std::string EnergyAlarm::words(double relative_error, const std::string& time, const std::string& remedy) {
  const double percent = 100 * relative_error;
  const std::string shown = fmt::format(fmt::runtime(std::abs(percent) < 99.5 ? "{:.2g}" : "{:.0f}"), percent);
  return fmt::format("WARNING: the energy has changed by {} % of itself by t = {}: {}", shown, time, remedy);
}

std::string EnergyAlarm::at_the_end(double largest_error) {
  if (!(largest_error > first)) return "";
  return fmt::format("WARNING: the energy has changed by up to {:.2g} % of itself: do not trust this run",
                     100 * largest_error);
}

}  // namespace hornbeam::run
