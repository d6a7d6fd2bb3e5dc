// SPDX-License-Identifier: Apache-2.0
// Loud words about a run that is going wrong: a start far from equilibrium, energy that leaves. session.cpp asks for
// them, and watchdog.cpp, which stops runs, for the likely cause.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "hornbeam/gravity.h"
#include "hornbeam/particles.h"
#include "run/config/config.h"

namespace hornbeam::run {

/// What to say where particles from files are far from equilibrium; empty where they are not. With external potentials
/// the energies do not show.
std::string virial_note(const RunConfig& config, const Energies& energies, const Units& units);

/// Longest step in units of sqrt(eps / |a|) with which leapfrog still follows the closest encounters.
inline constexpr double longest_step = 0.3;

/// sqrt(eps / |a|), the shortest time in which softening lets an acceleration change, of at most so many particles;
/// ascending, without those that are not softened or not accelerated. `state`: with accelerations.
std::vector<double> softening_times(const Particles& state, std::size_t most);

/// What to say where dt is `too_long` times longest_step times these for more than a few of n particles; empty where it
/// is not, and where steps adapt.
std::string long_step_note(const std::vector<double>& times, std::size_t n, const SimulationOptions& options,
                           const ShownTime& shown, double too_long = 1);

/// What to say where gravity will press colliding bodies into one another, as nothing that holds them apart is set to
/// bear it (docs/collisions.md); empty where it will not.
std::string sinking_note(const Particles& start, const SimulationOptions& options);

/// What to say where gas asks for steps that would never bring the run, `way` long, to its end; empty where not.
std::string short_step_note(double time, double step, double way, const ShownTime& shown);

/// What to say where smoothing lengths are bounded by space instead of mass, or most of them by `widest`, the bound
/// that was requested (0: none); empty where not.
std::string bound_note(const GasReport& gas, double widest, double time, const ShownTime& shown);

/// What most likely lets energy leave, and what to change: by the softening, the steps and the opening angle. `state`:
/// with accelerations and the softening that is used.
std::string likely_remedy(const Particles& state, const SimulationOptions& options, const ShownTime& shown);

/// The number of steps in a unit of time that particle i needs, by the softening criterion of block steps and by those
/// of gas (docs/dynamics.md eq. 2, docs/gas.md eq. 15). 0 for a criterion that does not count.
struct StepsWanted {
  double by_softening = 0, by_gas = 0;
};
StepsWanted steps_wanted(const Particles& state, std::size_t i, const SimulationOptions& options);

/// What to change if particle i needs steps that are shorter than those of the deepest rung.
std::string short_rung_remedy(const StepsWanted& wanted, const SimulationOptions& options);

/// What to change if a particle was thrown out by steps that are too long for it.
std::string runaway_remedy(Family family, const SimulationOptions& options);

/// Speaks once beyond 1 % and once beyond 10 %.
class EnergyAlarm {
 public:
  /// Whether such a limit is passed for the first time.
  bool passes(double relative_error);
  /// "WARNING: the energy has changed by 2.3 % of itself by t = 0.4: ...".
  static std::string words(double relative_error, const std::string& time, const std::string& remedy);
  /// For the closing line; empty where the energy has never left.
  static std::string at_the_end(double largest_error);

  static constexpr double first = 0.01, second = 0.1;

 private:
  double said_ = 0.0;
};

}  // namespace hornbeam::run
