// SPDX-License-Identifier: Apache-2.0
// Plane waves under their own gravity in a lattice, and the starts that draw them: their frequencies and rates of
// growth are those of the dispersion relations (docs/periodic.md eq. 16 and 17).
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <numbers>
#include <string>
#include <vector>

#include "hornbeam/ics.h"
#include "hornbeam/simulation.h"
#include "ics/gas/jeans.h"

namespace hornbeam {
namespace {

using std::numbers::pi;

/// The density's amplitude of the longest wave along x, as sin(2 pi x).
double amplitude(const Particles& p) {
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i) sum += p.mass[i] * std::sin(2 * pi * p.position[i][0]);
  return 2 * sum;
}

/// Sound speed, or velocity dispersion, at which a wave of length 1 in matter of density 1 has so many Jeans lengths.
double sound_of(double lengths) { return 1 / (lengths * std::sqrt(pi)); }

Snapshot wave(std::size_t n, double lengths, const std::string& kind, const std::string& matter) {
  return ics::make("plane-wave", n, ics::Seed{3},
                   {{"motion", kind},
                    {"matter", matter},
                    {"sound-speed", std::to_string(sound_of(lengths))},
                    {"amplitude", matter == "gas" ? "0.01" : "0.02"},
                    {"lattice", matter == "gas" ? "bcc" : "cubic"}});
}

SimulationOptions in_a_cube(double dt) {
  SimulationOptions o;
  o.backend = "cpu";
  o.boundary = {.kind = BoundaryKind::periodic, .size = {1, 1, 1}};
  o.gravity.eps = 0.002;  // k eps of the attraction is missing, to second order
  o.gravity.theta = 0.4;
  o.dt = dt;
  return o;
}

// Rates of growth in the limits, and one in between by the dispersion relation of a hundred digits' program (mpmath).
TEST(JeansWaves, RatesOfGrowth) {
  EXPECT_NEAR(ics::warm_growth_rate(2 * pi, 0, 4 * pi), std::sqrt(4 * pi), 1e-12);
  EXPECT_NEAR(ics::warm_growth_rate(2 * pi, 1e-3, 4 * pi), std::sqrt(4 * pi - 3 * 4 * pi * pi * 1e-6), 1e-6);
  EXPECT_EQ(ics::warm_growth_rate(2 * pi, sound_of(0.99), 4 * pi), 0);
  // gas of the same speeds grows faster: sqrt(4 pi - c^2 k^2)
  EXPECT_LT(ics::warm_growth_rate(2 * pi, sound_of(2), 4 * pi), std::sqrt(4 * pi * 0.75));
}

/// Warm particles start in the growing mode, so that it is an exponential from the first step on. 5 % is the issue's.
void expect_warm_growth(double lengths, double until) {
  SimulationOptions o = in_a_cube(1.0 / 40);
  Simulation s(wave(20 * 20 * 20, lengths, "growing", "particles"), o);
  const double start = amplitude(s.snapshot().particles);
  EXPECT_NEAR(start, 0.02, 1e-3);  // second order, and discrete velocities
  s.run(until);
  const double rate = std::log(amplitude(s.snapshot().particles) / start) / s.time();
  EXPECT_NEAR(rate / ics::warm_growth_rate(2 * pi, sound_of(lengths), 4 * pi), 1, 0.05) << lengths;
}
TEST(JeansWaves, WarmParticlesGrow) {
  expect_warm_growth(1.5, 0.6);
  expect_warm_growth(2, 0.5);
}

/// omega^2 of a standing wave of gas whose amplitude starts at 1 and changes as cos(omega t) or cosh(gamma t).
double frequency2(SimulationOptions o, const Snapshot& start, double until) {
  Simulation s(start, o);
  const double first = amplitude(s.snapshot().particles);
  s.run(until);
  const double ratio = amplitude(s.snapshot().particles) / first, t = s.time();
  return ratio < 1 ? std::pow(std::acos(ratio) / t, 2) : -std::pow(std::acosh(ratio) / t, 2);
}

// What gravity takes from omega^2 is 4 pi G rho, to 0.02 of it (the issue's). c^2 is the lattice's own, measured by the
// same wave without gravity, which SPH overestimates where a wave has few particles. The attraction of
// a lattice of 10 cells a wave lacks 2.3 %, and the error falls with the square of their number.
void expect_gas_waves(const std::vector<double>& all) {
  for (const double lengths : all) {
    const Snapshot start = wave(2 * 13 * 13 * 13, lengths, "standing", "gas");
    SimulationOptions o = in_a_cube(1.0 / 100);
    o.gas.eos = EquationOfState::ideal;
    o.gas.gamma = 5.0 / 3.0;
    o.gas.alpha_start = 0;
    const double frequency = 2 * pi * sound_of(lengths), until = 0.8 / std::max(frequency, 3.5);
    const double with = frequency2(o, start, until);
    o.self_gravity = false;
    const double without = frequency2(o, start, until);
    EXPECT_NEAR((without - with) / (4 * pi), 1, 0.02) << lengths;
    EXPECT_NEAR(without / (frequency * frequency), 1, 0.3) << lengths;  // of some twelve a wavelength
  }
}
TEST(JeansWaves, ShortGasWavesFollowTheDispersionRelation) { expect_gas_waves({0.5}); }
TEST(JeansWaves, LongGasWavesFollowTheDispersionRelation) { expect_gas_waves({2.0}); }
TEST(JeansWaves, GasWavesNearJeansLength) { expect_gas_waves({0.8, 1.25}); }

}  // namespace
}  // namespace hornbeam
