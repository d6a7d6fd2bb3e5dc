// SPDX-License-Identifier: Apache-2.0
// Particles on the host, in input order, and the snapshot that files hold: where every run starts and ends.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hornbeam/boundary.h"
#include "hornbeam/vec3.h"

namespace hornbeam {

/// Particle families, numbered as in Gadget's PartTypeN.
enum class Family : std::uint8_t { gas = 0, halo = 1, disc = 2, bulge = 3, star = 4, black_hole = 5 };
inline constexpr int family_count = 6;
/// As files and the command line spell them.
inline constexpr std::array<std::string_view, family_count> family_names{"gas",   "halo", "disc",
                                                                         "bulge", "star", "black_hole"};

/// N particles as parallel arrays. Arrays marked optional are empty or hold N entries. What is done to all of them goes
/// by the table of fields, src/core/fields.h.
struct Particles {
  std::vector<Vec3> position;             ///< (N, 3), length units
  std::vector<Vec3> velocity;             ///< (N, 3), velocity units
  std::vector<double> mass;               ///< (N), mass units, >= 0; 0 is a tracer that attracts nothing
  std::vector<std::uint64_t> id;          ///< (N), unique
  std::vector<Family> family;             ///< (N)
  std::vector<double> eps;                ///< (N), optional: Plummer-equivalent softening length
  std::vector<double> internal_energy;    ///< (N), optional: per unit mass; meaningful for gas only
  std::vector<double> density;            ///< (N), optional: meaningful for gas only
  std::vector<double> smoothing_length;   ///< (N), optional: meaningful for gas only
  std::vector<double> material;           ///< (N), optional: of gas, as MaterialIDs of WoMa and SWIFT; whole numbers
  std::vector<double> pressure;           ///< (N), optional: meaningful for gas only
  std::vector<double> temperature;        ///< (N), optional: of gas, in K
  std::vector<double> radius;             ///< (N), optional: of bodies that collide
  std::vector<Vec3> spin;                 ///< (N, 3), optional: angular velocity of such bodies, velocity / length
  std::vector<Vec3> acceleration;         ///< (N, 3), optional: -grad phi
  std::vector<double> potential;          ///< (N), optional: per unit mass, negative, without the self term
  std::vector<double> time_step;          ///< (N), optional: length of the step it is on, in snapshots that have it
  std::vector<std::uint8_t> rung;         ///< (N), optional: of block time steps; a longest step has 2^rung of them
  std::vector<std::uint8_t> rung_before;  ///< (N), optional: of the step that has just ended
  std::vector<Vec3> acceleration_before;  ///< (N, 3), optional: when that step began
  // of gas, from one step to the next; 0 of what is none
  std::vector<double> internal_energy_rate;  ///< (N), optional: its change in time
  std::vector<double> viscosity;             ///< (N), optional: alpha
  std::vector<double> velocity_divergence;   ///< (N), optional
  std::vector<double> signal_speed;          ///< (N), optional: the largest to a neighbour
  std::vector<double> grad_h;                ///< (N), optional: Omega
  std::vector<double> softening_zeta;        ///< (N), optional: of softening by H, docs/gas.md eq. 24
  std::vector<Vec3> velocity_stretch;        ///< (N, 3), optional: rates of strain xx, yy, zz
  std::vector<Vec3> velocity_shear;          ///< (N, 3), optional: rates of strain yz, xz, xy
  std::vector<Vec3> pull_begun;              ///< (N, 3), optional: its gravity when its step began; of gas without
                                             ///< the forces of gas
  std::vector<double> step_before;           ///< (N), optional: length of the step that has just ended
  std::vector<double> step_begun;            ///< (N), optional: in a longest step of blocks, in its shortest ones

  [[nodiscard]] std::size_t size() const { return position.size(); }
  /// Sets every mandatory array to n entries; new ids count from 0, new families are halo.
  void resize(std::size_t n);
  /// Empties accelerations and potentials, which are those of where the particles were.
  void forget_forces();
  /// Empties rungs, earlier accelerations and what gas takes from step to step: they mean nothing outside of their run.
  void forget_steps();
  /// Appends the particles of `other`. Optional arrays stay if both sides have them. Missing eps, radii, spins and
  /// materials count as 0, and so do the fields of gas for particles that are not gas.
  void append(const Particles& other);
  /// Throws Error for the first particle (index and id) with a value that is non-finite or not allowed, such as a mass
  /// or eps below 0, and if two arrays disagree in length. subject: names the source.
  void validate(const std::string& subject) const;
};

/// Where one particle is and where it goes.
struct Motion {
  Vec3 position{}, velocity{};
};

/// What one unit is in cgs. G is the gravitational constant in these units; G = 1 systems keep physical = false.
struct Units {
  double length_cm = 1.0;
  double mass_g = 1.0;
  double velocity_cm_per_s = 1.0;
  double G = 1.0;
  bool physical = false;
  /// kpc, 1e10 Msun, km/s: what Gadget's tools assume.
  static Units galactic();

  friend bool operator==(const Units&, const Units&) = default;
};

/// The gas model of a run, or the one for which particles were drawn, as models and files pass it on. Empty or 0: not
/// known.
struct GasParameters {
  std::string kernel, equation_of_state, viscosity;
  double neighbours = 0, gamma = 0, alpha = 0, beta = 0, courant = 0;
  double mean_weight = 0;  ///< of temperatures
};
/// As far as it is known.
bool is_ideal(const GasParameters& gas);
/// Whether pressures and temperatures are those of ideal gas of these energies and this gamma.
bool has_ideal_energies(const GasParameters& gas);

/// Particles at one time, with what a file says of them.
struct Snapshot {
  Particles particles;
  double time = 0.0;
  double box_size = 0.0;  ///< edge of a periodic cube that begins anywhere; 0: none
  Boundary boundary;      ///< in which the particles move, as far as it is known; a cube is in box_size, too
  Units units;
  bool has_units = false;  ///< the file says what they are; else G = 1 was taken
  std::optional<GasParameters> gas;
  /// Notes on what was read: format variant, byte order, where eps came from. For people, one sentence each.
  std::vector<std::string> notes;

  void set_boundary(const Boundary& to) {
    boundary = to;
    box_size = to.cube();
  }
  /// Of a cube; 0: none. Walls that are known become those of that cube. Throws UsageError in a shearing sheet.
  void set_box_size(double edge);
  /// Appends other's particles, and takes its box and what is known of its gas where there is none here. Both must be
  /// in the same units. Returns warnings: of what the two have otherwise, of which ours counts, and of what is lost.
  std::vector<std::string> append(const Snapshot& other);
};

}  // namespace hornbeam
