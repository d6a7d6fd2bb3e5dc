// SPDX-License-Identifier: Apache-2.0
// External analytic potentials: what acts on all particles besides their own gravity (docs/dynamics.md).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hornbeam/gravity.h"
#include "hornbeam/particles.h"
#include "hornbeam/units.h"

namespace hornbeam {

enum class PotentialKind { point, plummer, hernquist, nfw, logarithmic, miyamoto_nagai };

/// Names as TOML spells them ("miyamoto-nagai", ...).
std::string_view name(PotentialKind);
/// All of them.
std::vector<std::string_view> potential_kinds();

/// One potential, in the particles' units. It feels nothing: total momentum is not conserved with it.
struct ExternalPotential {
  PotentialKind kind = PotentialKind::point;
  double mass = 0.0;          ///< total; nfw: within its scale divided by ln 2 - 1/2; logarithmic: unused
  double speed = 0.0;         ///< logarithmic alone: circular velocity far out
  double scale = 0.0;         ///< a of the equations (point: softening length, plummer: b, logarithmic: core radius)
  double height = 0.0;        ///< miyamoto-nagai alone: b
  double flattening = 1.0;    ///< logarithmic alone: q, the axis ratio along z
  Vec3 centre{}, velocity{};  ///< centre at time 0; it moves on a line

  /// Throws UsageError(subject, ...) for values out of range.
  void validate(std::string_view subject) const;
};

/// What potentials give at a position.
struct ExternalValues {
  double potential = 0.0;  ///< per unit mass
  Vec3 acceleration{};
  double density = 0.0;  ///< infinite at the centre of a cusp or a point, and in a disc without height
};

/// Returns the sum of these potentials at a position and a time, in fp64. G: in their units.
ExternalValues external_values(const std::vector<ExternalPotential>& potentials, const Vec3& position, double G,
                               double time = 0.0);
/// Returns the mass within the distance r of the potential's own centre.
double mass_within(const ExternalPotential& potential, double r, double G);

// Potentials of the Milky Way and of haloes by the numbers that papers give (docs/dynamics.md, "Potentials by name").

/// "bovy14" and "mcmillan17".
std::vector<std::string_view> known_potentials();

/// The potentials whose sum is the one of that name, in these units. Throws UsageError(subject, ...) for another name,
/// and if units are not physical.
std::vector<ExternalPotential> known_potential(std::string_view name, const Units& units, const std::string& subject);

/// The halo of Navarro, Frenk and White that has the mass m200 within r200, where its mean density is 200 times the
/// critical one of today, and the concentration c = r200 / scale. hubble: in km/s/Mpc. Throws UsageError(subject, ...)
/// for numbers that are not above 0, and if units are not physical.
ExternalPotential nfw_with(double m200, double c, const Units& units, const std::string& subject, double hubble = 70.0);

}  // namespace hornbeam
