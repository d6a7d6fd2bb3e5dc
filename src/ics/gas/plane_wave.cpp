// SPDX-License-Identifier: Apache-2.0
// A plane wave along x in a periodic cube under its own gravity, of gas or of collisionless particles, cold or warm
// (docs/periodic.md eq. 16 to 18).
#include <complex>
#include <numbers>

#include "ics/gas/cube.h"
#include "ics/gas/jeans.h"
#include "ics/gas/wave.h"

namespace hornbeam::ics {
namespace {

using std::numbers::pi;

enum Motion : std::size_t { growing, standing, running };
enum Matter : std::size_t { gas, particles };

struct PlaneWave {
  double edge, mass, amplitude, k, sound;
  Motion motion;
  Matter matter;

  explicit PlaneWave(const Settings& s)
      : edge(s.positive("edge")),
        mass(s.positive("mass")),
        amplitude(s.non_negative("amplitude")),
        k(2 * pi * static_cast<double>(whole_of(s, "waves")) / edge),
        sound(s.non_negative("sound-speed")),
        motion(static_cast<Motion>(word_of<3>(s, "motion", {"growing", "standing", "running"}))),
        matter(static_cast<Matter>(word_of<2>(s, "matter", {"gas", "particles"}))) {
    if (!(amplitude < 1)) throw UsageError(s.subject("amplitude"), "is " + shown(amplitude), "give less than 1");
    if (matter == gas && sound == 0) throw UsageError(s.subject("sound-speed"), "is 0", "gas needs more than 0");
    demand_motion(s);
  }

  /// 4 pi G rho, with G = 1.
  [[nodiscard]] double attraction() const { return 4 * pi * mass / (edge * edge * edge); }
  /// omega^2 of gas, and of cold particles.
  [[nodiscard]] double frequency2() const { return k * k * sound * sound - attraction(); }
  /// The rate of a growing wave.
  [[nodiscard]] double rate() const {
    return matter == gas ? std::sqrt(-frequency2()) : warm_growth_rate(k, sound, attraction());
  }

 private:
  /// Throws UsageError for a wave that these lengths and speeds do not have.
  void demand_motion(const Settings& s) const {
    if (motion == growing && !(frequency2() < 0)) {
      throw UsageError(s.subject("motion"), "growing: the wave is shorter than Jeans' length",
                       "give a sound-speed below " + shown(std::sqrt(attraction()) / k) + ", or fewer waves");
    }
    if (motion == running && matter == particles) {
      throw UsageError(s.subject("motion"), "running: particles without collisions have no such wave",
                       "give growing or standing, or matter gas");
    }
    if (motion == running && !(frequency2() > 0)) {
      throw UsageError(s.subject("motion"), "running: the wave is longer than Jeans' length and does not run",
                       "give a sound-speed above " + shown(std::sqrt(attraction()) / k) + ", or more waves");
    }
  }
};

Snapshot draw_gas(const Request& request, const PlaneWave& wave) {
  const double gamma = index_of(request.settings), half = 0.5 * wave.edge;
  const GasWave shape{wave.amplitude, wave.k, -half, half};
  std::vector<Vec3> places = places_in_cube(request, "plane-wave", wave.edge);
  shape.compress(places);
  Snapshot snapshot;
  add_gas(snapshot, places, wave.mass / static_cast<double>(places.size()), 0);
  Particles& p = snapshot.particles;
  shape.heat(p, wave.sound, gamma);
  const double grows = wave.motion == growing ? wave.rate() / wave.k : 0,
               runs = wave.motion == running ? std::sqrt(wave.frequency2()) / wave.k : 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const double phase = wave.k * p.position[i][0];
    p.velocity[i] = {wave.amplitude * (grows * std::cos(phase) + runs * std::sin(phase)), 0, 0};
  }
  return snapshot;
}

/// Of a growing wave each particle has the displacement and the velocity that the wave has given to it on its way:
/// those of the growing mode, to first order in the amplitude (docs/periodic.md eq. 18).
Snapshot draw_particles_of(const Request& request, const PlaneWave& wave) {
  Snapshot snapshot = particles_at(places_in_cube(request, "plane-wave", wave.edge), wave.mass);
  Particles& p = snapshot.particles;
  p.velocity = maxwell_velocities(p.size(), wave.sound, request.seed);
  const double rate = wave.motion == growing ? wave.rate() : 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const double phase = wave.k * p.position[i][0];
    if (wave.motion == standing) {
      p.position[i][0] += wave.amplitude / wave.k * std::cos(phase);
      continue;
    }
    const std::complex<double> passing(rate, wave.k * p.velocity[i][0]),
        velocity = wave.amplitude * wave.attraction() / wave.k * std::polar(1.0, phase) / passing;
    p.position[i][0] += (velocity / passing).real();
    p.velocity[i][0] += velocity.real();
  }
  return snapshot;
}

Snapshot draw_plane_wave(const Request& request) {
  const PlaneWave wave(request.settings);
  Snapshot snapshot = wave.matter == gas ? draw_gas(request, wave) : draw_particles_of(request, wave);
  fill_box(snapshot, {wave.edge, wave.edge, wave.edge});
  return snapshot;
}

}  // namespace

Entry plane_wave() {
  return {{"plane-wave",
           "Plane wave along x in a periodic cube (edge 1, G = M = 1) under its own gravity, of density 1 + A sin k x",
           {measured(a_length, {"edge", "1", "edge length of the cube"}),
            measured(a_mass, {"mass", "1", "total mass"}),
            {"matter", "gas", "what the wave is in: gas, or particles without collisions", "{gas,particles}"},
            {"motion", "growing", "growing: longer than Jeans' length; standing: at rest at first; running: gas only",
             "{growing,standing,running}"},
            {"amplitude", "0.01", "relative amplitude A of the density"},
            {"waves", "1", "number of wavelengths along the edge", "INT"},
            measured_apart(a_velocity, {"sound-speed", "0.4",
                                        "sound speed of gas, or velocity dispersion of particles along an axis, of "
                                        "which 0 is cold"}),
            {"gamma", "1.6666666666666667", "adiabatic index of gas, as gas.gamma"},
            lattice_option("bcc"),
            eps_option()}},
          draw_plane_wave,
          [](const Settings& s, std::size_t n) { return eps_of_uniform(0.5 * s.positive("edge"), n); }};
}

}  // namespace hornbeam::ics
