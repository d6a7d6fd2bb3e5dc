// SPDX-License-Identifier: Apache-2.0
// Builds the parts of a galaxy in one another's fields and draws their particles, see galaxy.h.
#include "ics/galaxies/galaxy.h"

#include <cmath>
#include <numbers>

#include "hornbeam/error.h"
#include "ics/galaxies/quiet_start.h"
#include "ics/model.h"

namespace hornbeam::ics {
namespace {

/// From well inside the smallest part to where the sech of the largest has fallen to 1e-17.
RadialGrid grid_for(const GalaxyShape& shape) {
  double smallest = 1e300, largest = 0.0;
  for (const SpheroidShape* part : {&shape.halo, &shape.bulge}) {
    if (part->mass == 0.0) continue;
    smallest = std::min(smallest, std::min(part->scale, part->truncation));
    largest = std::max(largest, 40.0 * part->truncation);
  }
  if (shape.disc.mass > 0.0) {
    smallest = std::min(smallest, shape.disc.scale);
    largest = std::max(largest, 2.0 * shape.disc.edge());
  }
  if (shape.gas.disc.mass > 0.0) {
    smallest = std::min(smallest, shape.gas.disc.scale);
    largest = std::max(largest, 2.0 * shape.gas.disc.edge());
  }
  constexpr double widest = 1e20;  // tables grow with its logarithm, and what is made of them with the square of that
  if (largest > widest * smallest) {
    throw UsageError("galaxy", "its lengths range from " + shown(smallest) + " to " + shown(largest),
                     "the largest may be at most 1e20 times the smallest; give scales and truncations that are closer");
  }
  return {1e-4 * smallest, largest};
}

std::vector<double> sum(std::vector<double> a, const std::vector<double>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
  return a;
}

std::vector<double> mean_densities(const Disc& disc, const RadialGrid& grid) {
  std::vector<double> values(grid.size());
#pragma omp parallel for schedule(dynamic, 16)
  for (std::size_t i = 0; i < grid.size(); ++i) values[i] = disc.mean_density(grid[i]);
  return values;
}

/// Streams of parts lie 2^40 blocks apart, those of copies 2^44.
enum class Part : std::uint64_t { halo = 0, disc = 1, bulge = 2, quiet_start = 3, gas = 4 };
Streams streams(const Drawing& drawing, Part part) {
  return {drawing.seed, (static_cast<std::uint64_t>(drawing.copy) << 44) + (static_cast<std::uint64_t>(part) << 40)};
}

/// mass_fraction: inside the particle's radius, in (0, 1].
PhasePoint draw_in_spheroid(const Spheroid& spheroid, const IsotropicDistribution& speeds, double mass_fraction,
                            Random& random) {
  const double r = spheroid.radius_of(mass_fraction);
  PhasePoint point;
  point.position = random.direction(r);
  point.velocity = random.direction(speeds.draw_speed(r, random));
  return point;
}

/// Height of the sech^2 profile; up to where the table of vertical motions ends: all but 4e-9 of it.
double draw_height(double scale, double fraction_below, Random& random) {
  while (true) {
    const double z = scale * std::atanh(2.0 * fraction_below - 1.0);
    if (std::abs(z) < 10.0 * scale) return z;
    fraction_below = random.uniform();
  }
}

/// Normal velocities about the mean rotation, below the escape speed.
PhasePoint draw_in_disc(const Disc& disc, const DiscMotion& motion, const SphericalField& field, const DiscStart& start,
                        Random& random) {
  const double R = disc.radius_of(start.mass_fraction);
  const double z = draw_height(disc.shape().height, start.height_fraction, random);
  const double angle = 2.0 * std::numbers::pi * random.uniform();
  const double x = std::cos(angle), y = std::sin(angle);
  const double rotation = motion.mean_rotation(R, z);
  const double most2 = 2.0 * field.depth_at(std::hypot(R, z));
  // What is refused is drawn again as a whole: with v_z kept, stars of large v_z would be as many as without an escape.
  for (bool first = true;; first = false) {
    const double radial = motion.radial_dispersion(R) * random.normal();
    const double azimuthal = rotation + motion.azimuthal_dispersion(R) * random.normal();
    const double vertical =
        motion.vertical_dispersion(R, z) * (first && start.vertical ? *start.vertical : random.normal());
    if (radial * radial + azimuthal * azimuthal + vertical * vertical > most2) continue;
    return {{R * x, R * y, z}, {radial * x - azimuthal * y, radial * y + azimuthal * x, vertical}};
  }
}

/// Centres each part by itself: with all of them together, the few far grains of the halo would move the disc by its
/// height. A part of one particle would land on the black hole, which stays where it is, and goes with its neighbour in
/// the file; a single particle next to a black hole goes with that. Only for quiet starts: the mean of a random halo's
/// far grains would take its dense middle off the disc's.
void centre_parts(Particles& particles, std::size_t first, const GalaxyNumbers& numbers) {
  constexpr std::size_t fewest = 2;
  const std::size_t disc = first + numbers.halo;  // its shift would blur its rings
  balance_in_plane(particles.position, disc, disc + numbers.disc);
  balance_in_plane(particles.velocity, disc, disc + numbers.disc);
  std::vector<std::size_t> bounds = {first};
  std::size_t end = first;
  for (const std::size_t count : {numbers.halo, numbers.disc, numbers.bulge, numbers.gas}) {
    end += count;
    if (end - bounds.back() >= fewest) bounds.push_back(end);
  }
  if (bounds.size() == 1) return static_cast<void>(centre(particles, first, first + numbers.total()));
  bounds.back() = end;
  for (std::size_t i = 1; i < bounds.size(); ++i) centre(particles, bounds[i - 1], bounds[i]);
}

Snapshot draw_galaxy(const Request& request) {
  const GalaxyShape shape = galaxy_shape(request.settings, request.units);
  const GalaxyNumbers numbers = galaxy_numbers(request.settings, shape, request.n);
  Snapshot snapshot;
  snapshot.particles = room_for(numbers.total());
  const GalaxySoftening eps = galaxy_softening(request.settings, shape, numbers);
  Galaxy(softened(shape, eps)).draw(snapshot.particles, 0, numbers, {request.seed, request.settings.truth("quiet")});
  soften(snapshot.particles, 0, numbers, eps);
  return snapshot;
}

}  // namespace

void soften(Particles& particles, std::size_t first, const GalaxyNumbers& numbers, const GalaxySoftening& eps) {
  if (!eps.is_given) return;
  particles.eps.resize(particles.size());
  auto next = particles.eps.begin() + static_cast<std::ptrdiff_t>(first);
  next = std::fill_n(next, numbers.halo, eps.halo);
  next = std::fill_n(next, numbers.disc, eps.disc);
  next = std::fill_n(next, numbers.bulge, eps.bulge);
  next = std::fill_n(next, numbers.gas, eps.gas);
  std::fill_n(next, numbers.black_hole, eps.black_hole);
}

GalaxyShape softened(GalaxyShape shape, const GalaxySoftening& eps) {
  if (eps.is_given) shape.eps = shape.disc.mass > 0.0 ? eps.disc : eps.black_hole;
  return shape;
}

Galaxy::Galaxy(const GalaxyShape& shape)
    : shape_(shape),
      grid_(grid_for(shape)),
      halo_(shape.halo, grid_),
      bulge_(shape.bulge, grid_),
      disc_(shape.disc),
      gas_mass_(shape.gas.disc),
      field_(grid_,
             sum(sum(halo_.densities(), bulge_.densities()),
                 sum(mean_densities(disc_, grid_), mean_densities(gas_mass_, grid_))),
             shape.black_hole_mass, shape.eps),
      spheres_(grid_, sum(halo_.densities(), bulge_.densities()), shape.black_hole_mass, shape.eps),
      disc_field_(plane_field()),
      motion_(disc_, disc_field_, spheres_, shape.toomre_q, shape.q_radius) {
  if (shape_.gas.disc.mass > 0.0) {
    gas_.emplace(shape_.gas, gas_mass_, *stars_field_, *gas_field_, spheres_);
    refuse_hot_gas();
  }
  if (shape.disc.mass > 0.0) refuse_unbound_disc();
  if (shape.halo.mass > 0.0) halo_speeds_.emplace("galaxy.halo", halo_, field_);
  if (shape.bulge.mass > 0.0) bulge_speeds_.emplace("galaxy.bulge", bulge_, field_);
}

/// The field of the discs of stars and gas. The gas is as high as it will stand, near enough for its acceleration along
/// the radius.
DiscField Galaxy::plane_field() {
  DiscField field(disc_, shape_.eps);
  DiscShape& gas = shape_.gas.disc;
  if (gas.mass == 0.0) return field;
  stars_field_.emplace(field);
  if (shape_.gas.sound == 0.0) {
    const double R = 2.0 * gas.scale;
    shape_.gas.sound = 0.05 * std::sqrt(R * field_.pull_at(R));
  }
  gas.height = gas_height(gas, shape_.gas.sound, field, spheres_);
  gas_mass_ = Disc(gas);
  gas_field_.emplace(gas_mass_, shape_.eps);
  field.add(*gas_field_, gas_mass_.edge());
  return field;
}

/// What is held up by its pressure alone is no disc.
void Galaxy::refuse_hot_gas() const {
  const double R = 2.0 * shape_.gas.disc.scale;
  if (gas_->rotation(R) > 0.0) return;
  throw UsageError("galaxy.gas-sound-speed",
                   "the gas cannot rotate in equilibrium: at radius " + shown(R) + " its pressure exceeds the gravity",
                   "give a lower gas-sound-speed or gas-temperature");
}

void Galaxy::refuse_unbound_disc() const {
  constexpr int radii = 64;
  constexpr double fastest = 6.0;  // in speeds of escape: of normal velocities one in some 150 is kept
  for (int i = 0; i <= radii; ++i) {
    const double R = disc_.edge() * i / radii;
    const double radial = motion_.radial_dispersion(R), azimuthal = motion_.azimuthal_dispersion(R);
    const double vertical = motion_.vertical_dispersion(R, 0.0), rotation = motion_.mean_rotation(R, 0.0);
    const double speed2 = radial * radial + azimuthal * azimuthal + vertical * vertical + rotation * rotation;
    const double escape2 = 2.0 * field_.depth_at(R);
    if (speed2 <= fastest * fastest * escape2) continue;  // else, or where it is no number
    throw UsageError("galaxy.disc",
                     "its stars would not be bound: at radius " + shown(R) + " they would have a speed of " +
                         shown(std::sqrt(speed2)) + "; the escape speed is " + shown(std::sqrt(escape2)),
                     vertical > radial ? "give a smaller disc-height" : "give a smaller toomre-q");
  }
}

void Galaxy::draw(Particles& particles, const std::size_t begin, const GalaxyNumbers& numbers,
                  const Drawing& drawing) const {
  std::size_t first = begin;
  const auto part = [&](Part which, Family family, std::size_t count, std::size_t drawn, double mass,
                        const auto& draw_one) {
    if (count == 0) return;
    fill_particles(particles, first, drawn, mass / static_cast<double>(count), streams(drawing, which), draw_one);
    if (drawn < count) mirror(particles, first, drawn, count);
    std::fill_n(particles.family.begin() + static_cast<std::ptrdiff_t>(first), count, family);
    first += count;
  };
  const auto spheroid = [&](Part which, Family family, std::size_t count, const Spheroid& shape,
                            const std::optional<IsotropicDistribution>& speeds) {
    const std::size_t drawn = drawing.quiet ? mirrored_from(count) : count;
    const Streams own = streams(drawing, Part::quiet_start);
    const double shift = Random(own.seed, own.first + 1 + static_cast<std::uint64_t>(which)).uniform();
    part(which, family, count, drawn, shape.shape().mass, [&](std::int64_t i, Random& random) {
      const double fraction = drawing.quiet ? even_fraction(i, shift) : 1.0 - random.uniform();
      return draw_in_spheroid(shape, *speeds, fraction, random);
    });
  };
  spheroid(Part::halo, Family::halo, numbers.halo, halo_, halo_speeds_);
  const Streams shifts = streams(drawing, Part::quiet_start);
  const QuietStart quiet(numbers.disc, Random(shifts.seed, shifts.first));
  part(Part::disc, Family::disc, numbers.disc, numbers.disc, shape_.disc.mass, [&](std::int64_t i, Random& random) {
    const DiscStart start = drawing.quiet ? quiet.star(i, random) : random_start(random);
    return draw_in_disc(disc_, motion_, field_, start, random);
  });
  spheroid(Part::bulge, Family::bulge, numbers.bulge, bulge_, bulge_speeds_);
  if (numbers.gas > 0) {
    particles.internal_energy.resize(particles.size());
    std::fill_n(particles.internal_energy.begin() + static_cast<std::ptrdiff_t>(first), numbers.gas,
                gas_->internal_energy());
    const double shift = Random(drawing.seed, streams(drawing, Part::gas).first).uniform();
    part(Part::gas, Family::gas, numbers.gas, numbers.gas, shape_.gas.disc.mass,
         [&](std::int64_t i, Random&) { return gas_->particle(i, numbers.gas, shift); });
  }
  if (numbers.black_hole > 0) {
    particles.mass[first] = shape_.black_hole_mass;
    particles.family[first] = Family::black_hole;
  }
  if (drawing.quiet) {
    centre_parts(particles, begin, numbers);
  } else {
    centre(particles, begin, begin + numbers.total());
  }
}

Entry galaxy() {
  return {{"galaxy", "Exponential disc, bulge and halo in equilibrium, with a black hole if wanted", galaxy_options()},
          draw_galaxy,
          nullptr,
          false,
          nullptr,
          galaxy_sound};
}

}  // namespace hornbeam::ics
