// SPDX-License-Identifier: Apache-2.0
// A galaxy of disc, bulge, halo and black hole in equilibrium: from options to particles. `galaxy` and `merger` draw
// it.
#pragma once

#include <optional>
#include <vector>

#include "ics/galaxies/disc.h"
#include "ics/galaxies/disc_motion.h"
#include "ics/galaxies/distribution.h"
#include "ics/galaxies/gas_disc.h"
#include "ics/galaxies/spheroid.h"
#include "ics/model.h"
#include "ics/settings.h"

namespace hornbeam::ics {

struct GalaxyShape {
  SpheroidShape halo, bulge;
  DiscShape disc;
  GasDiscShape gas;  ///< sound 0: a twentieth of the circular velocity at two of its scale lengths
  double toomre_q = 1.5, q_radius = 2.5;
  double black_hole_mass = 0.0;
  double eps = 0.0;  ///< softening of the disc's own acceleration and of the black hole's
};

/// How many particles each part has; the black hole is a particle if it has mass.
struct GalaxyNumbers {
  std::size_t halo = 0, disc = 0, bulge = 0, gas = 0, black_hole = 0;
  [[nodiscard]] std::size_t total() const { return halo + disc + bulge + gas + black_hole; }
};

/// Softening lengths of the parts.
struct GalaxySoftening {
  bool is_given = false;  ///< else particles have none
  double halo = 0.0, disc = 0.0, bulge = 0.0, gas = 0.0, black_hole = 0.0;
};

/// How particles are drawn. Copies of a galaxy with different numbers `copy` are independent draws.
struct Drawing {
  Seed seed;
  bool quiet = true;  ///< the disc's stars by a QuietStart, halo and bulge of opposite pairs; else all random
  int copy = 0;
};

/// Options of a galaxy's shape, numbers and drawing, for the models' lists.
std::vector<Option> galaxy_options();
/// Throws UsageError for values out of range.
GalaxyShape galaxy_shape(const Settings& settings, const Units& units = {});
/// Of its gas.
SoundSpeed galaxy_sound(const Settings& settings, const Units& units);
/// Divides n among the parts that have mass; 0: as the options say, which must then name them all.
/// Throws UsageError where numbers and n do not agree.
GalaxyNumbers galaxy_numbers(const Settings& settings, const GalaxyShape& shape, std::size_t n);

/// As the option eps says: one length for all, or each part's near its optimum.
GalaxySoftening galaxy_softening(const Settings& settings, const GalaxyShape& shape, const GalaxyNumbers& numbers);
/// Softens particles[first, first + numbers.total()) as Galaxy::draw() orders them.
void soften(Particles& particles, std::size_t first, const GalaxyNumbers& numbers, const GalaxySoftening& eps);
/// `shape` with the softening with which the disc's own acceleration and the black hole's are taken.
GalaxyShape softened(GalaxyShape shape, const GalaxySoftening& eps);

/// The solved model: fields and distribution functions.
class Galaxy {
 public:
  /// Throws UsageError where no equilibrium exists.
  explicit Galaxy(const GalaxyShape& shape);
  Galaxy(const Galaxy&) = delete;  // its parts refer to one another
  Galaxy& operator=(const Galaxy&) = delete;

  /// Fills particles[begin, begin + numbers.total()): halo, disc, bulge, gas, black hole, each of equal masses, with
  /// the centre of mass at the origin, at rest. Of a quiet start so is that of each part of two or more, and the black
  /// hole exactly, unless all the rest is one particle.
  void draw(Particles& particles, std::size_t begin, const GalaxyNumbers& numbers, const Drawing& drawing) const;

  [[nodiscard]] const Disc& disc() const { return disc_; }
  [[nodiscard]] const DiscMotion& disc_motion() const { return motion_; }
  [[nodiscard]] const std::optional<GasDisc>& gas() const { return gas_; }
  [[nodiscard]] const Spheroid& halo() const { return halo_; }
  [[nodiscard]] const Spheroid& bulge() const { return bulge_; }
  /// The whole galaxy's, the disc spread over spheres.
  [[nodiscard]] const SphericalField& field() const { return field_; }

 private:
  [[nodiscard]] DiscField plane_field();
  void refuse_hot_gas() const;
  /// Velocities above the speed of escape are drawn again: where most are, that has no end.
  void refuse_unbound_disc() const;

  GalaxyShape shape_;
  RadialGrid grid_;
  Spheroid halo_, bulge_;
  Disc disc_, gas_mass_;
  SphericalField field_, spheres_;                    // of everything; of all but the disc
  std::optional<DiscField> stars_field_, gas_field_;  // of each by itself; none: there is no gas
  DiscField disc_field_;
  std::optional<GasDisc> gas_;
  DiscMotion motion_;
  std::optional<IsotropicDistribution> halo_speeds_, bulge_speeds_;
};

}  // namespace hornbeam::ics
