// SPDX-License-Identifier: Apache-2.0
// What a user can set of a galaxy, and the counts of its particles, see galaxy.h.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "hornbeam/error.h"
#include "ics/galaxies/galaxy.h"
#include "ics/softening.h"

namespace hornbeam::ics {
namespace {

SpheroidShape spheroid_shape(const Settings& s, const std::string& part) {
  SpheroidShape shape;
  shape.mass = s.non_negative(part + "-mass");
  shape.scale = s.positive(part + "-scale");
  shape.truncation = s.positive(part + "-truncation");
  shape.inner_slope = s.non_negative(part + "-inner-slope");
  shape.outer_slope = s.positive(part + "-outer-slope");
  if (shape.inner_slope >= 2.0) {
    throw UsageError(s.subject(part + "-inner-slope"), "received " + s.text(part + "-inner-slope"),
                     "must be in [0, 2); at 2 and above the central potential is infinite");
  }
  if (shape.outer_slope <= shape.inner_slope) {
    throw UsageError(s.subject(part + "-outer-slope"), "received " + s.text(part + "-outer-slope"),
                     "must be above the inner slope");
  }
  return shape;
}

DiscShape disc_shape(const Settings& s) {
  DiscShape shape;
  shape.mass = s.non_negative("disc-mass");
  shape.scale = s.positive("disc-scale");
  shape.height = s.positive("disc-height");
  shape.truncation = s.has("disc-truncation") ? s.positive("disc-truncation") : 6.0 * shape.scale;
  shape.taper = s.has("disc-taper") ? s.positive("disc-taper") : std::min(0.5 * shape.scale, 0.5 * shape.truncation);
  if (shape.height < 0.005 * shape.scale || shape.height > 2.0 * shape.scale) {
    throw UsageError(
        s.subject("disc-height"), "received " + s.text("disc-height"),
        "must be from 0.005 to 2 of disc-scale, " + s.text("disc-scale") + "; anything thicker is not a disc");
  }
  if (shape.truncation < 0.04 * shape.scale) {
    throw UsageError(s.subject("disc-truncation"), "received " + s.text("disc-truncation"),
                     "must be at least 0.04 of disc-scale, " + s.text("disc-scale"));
  }
  if (shape.taper < 0.02 * shape.scale || shape.taper > 0.5 * shape.truncation) {
    throw UsageError(s.subject("disc-taper"), "received " + s.text("disc-taper"),
                     "must be at least 0.02 of disc-scale, and at most half of disc-truncation; a wider cut would "
                     "reach the centre");
  }
  return shape;
}

/// Speeds are those of G = 1, which models are drawn with.
GasDiscShape gas_shape(const Settings& s, const Units& units) {
  GasDiscShape gas;
  gas.disc.mass = s.non_negative("gas-mass");
  gas.gamma = s.positive("gas-gamma");
  gas.disc.scale = s.has("gas-scale") ? s.positive("gas-scale") : s.positive("disc-scale");
  gas.disc.height = 0.1 * gas.disc.scale;
  gas.disc.truncation = 6.0 * gas.disc.scale;
  gas.disc.taper = 0.5 * gas.disc.scale;
  if (!(gas.gamma > 1)) throw UsageError(s.subject("gas-gamma"), "received " + shown(gas.gamma), "give more than 1");
  if (s.has("gas-temperature") && s.has("gas-sound-speed")) {
    throw UsageError(s.subject("gas-temperature"), "and gas-sound-speed are both given", "give one of them");
  }
  if (s.has("gas-sound-speed")) gas.sound = s.positive("gas-sound-speed") / std::sqrt(units.G);
  if (s.has("gas-temperature")) {
    if (!units.physical) {
      throw UsageError(s.subject("gas-temperature"), "is in K, which needs physical units",
                       "give units, or gas-sound-speed instead");
    }
    constexpr double boltzmann = 1.380649e-16, proton = 1.67262192e-24;
    const double cgs = std::sqrt(boltzmann * s.positive("gas-temperature") / (s.positive("gas-mean-weight") * proton));
    gas.sound = cgs / units.velocity_cm_per_s / std::sqrt(units.G);
  }
  return gas;
}

/// A number of particles as the user gave it; none: to be shared out.
std::optional<std::size_t> given_number(const Settings& s, const std::string& part) {
  const std::string name = part + "-number";
  if (!s.has(name)) return {};
  const double number = s.non_negative(name);
  if (number != std::floor(number) || number > 1e12) {
    throw UsageError(s.subject(name), "received " + s.text(name), "must be a whole number");
  }
  return static_cast<std::size_t>(number);
}

struct PartNumber {
  std::string name;
  double mass;
  double share;         // of n by default
  std::size_t& number;  // to find
};

}  // namespace

std::vector<Option> galaxy_options() {
  return {
      measured(a_mass, {"disc-mass", "1", "mass of the disc, as of every part in units with G = 1; 0: no disc"}),
      measured(a_length, {"disc-scale", "1", "scale length of the disc's exponential surface density"}),
      measured(a_length, {"disc-height", "0.1", "height z_d of the disc's vertical profile sech^2(z / z_d)"}),
      measured(a_length,
               {"disc-truncation", "", "radius at which a smooth cut halves the disc; not given: 6 disc-scale"}),
      measured(a_length, {"disc-taper", "",
                          "width of the disc's cut; not given: 0.5 disc-scale, at most half of disc-truncation"}),
      {"toomre-q", "1.5",
       "Toomre's Q at q-radius: larger is hotter; sigma_R falls outwards as exp(-R / (2 disc-scale))"},
      measured(a_length,
               {"q-radius", "", "radius at which Q is toomre-q; not given: 2.5 disc-scale, near which Q is least"}),
      measured(a_mass, {"bulge-mass", "0.5", "mass of the bulge; 0: no bulge"}),
      measured(a_length,
               {"bulge-scale", "0.2", "radius at which the bulge's density turns from the inner to the outer slope"}),
      measured(a_length, {"bulge-truncation", "2", "radius beyond which the bulge's density falls exponentially"}),
      {"bulge-inner-slope", "1", "inner slope of the bulge: density as r to the minus this, in [0, 2)"},
      {"bulge-outer-slope", "4", "slope of the bulge beyond bulge-scale; 4 with inner slope 1: Hernquist"},
      measured(a_mass, {"halo-mass", "6", "mass of the halo; 0: no halo"}),
      measured(a_length,
               {"halo-scale", "2.5", "radius at which the halo's density turns from the inner to the outer slope"}),
      measured(a_length, {"halo-truncation", "25", "radius beyond which the halo's density falls exponentially"}),
      {"halo-inner-slope", "1", "inner slope of the halo: density as r to the minus this, in [0, 2)"},
      {"halo-outer-slope", "4", "slope of the halo beyond halo-scale; 3 with inner slope 1: NFW"},
      measured(a_mass, {"gas-mass", "0", "mass of the disc of gas; 0: no gas"}),
      measured(a_length, {"gas-scale", "", "scale length of the gas' disc; not given: disc-scale"}),
      in_unit("K", {"gas-temperature", "", "temperature of the gas in K; needs physical units"}),
      measured(a_velocity, {"gas-sound-speed", "",
                            "sound speed (P / rho)^1/2, in place of the temperature; neither: a twentieth of the "
                            "circular velocity at two gas-scale"}),
      {"gas-mean-weight", "0.6",
       "mean mass of the gas' particles in proton masses, for the temperature, as gas.mean_weight"},
      {"gas-gamma", "1.6666666666666667", "adiabatic index, as gas.gamma"},
      measured(a_mass, {"black-hole-mass", "0", "mass of one particle at rest in the centre; 0: none"}),
      measured_apart(a_length, {"eps", "",
                                "softening length of all particles, also in the balance of the disc; not given: for "
                                "each part near its optimum (docs/models.md); 0: none"}),
      {"disc-number", "", "number of disc particles; parts without a number share the rest of n, 3 : 1 : 6", "INT"},
      {"bulge-number", "", "number of bulge particles", "INT"},
      {"halo-number", "", "number of halo particles", "INT"},
      {"gas-number", "", "number of gas particles; without it the gas shares the rest of n as the disc does", "INT"},
      {"quiet", "true",
       "whether the disc is drawn evenly in radius, height and v_z, and spheres in opposite pairs; false: random",
       "{true,false}"}};
}

SoundSpeed galaxy_sound(const Settings& settings, const Units& units) {
  const GasDiscShape gas = gas_shape(settings, units);
  if (gas.disc.mass == 0.0) return {};
  const char* const option = settings.has("gas-temperature") ? "gas-temperature" : "gas-sound-speed";
  SoundSpeed sound{option, gas.sound > 0.0, gas.sound * std::sqrt(units.G)};
  if (sound.is_given) sound.value = settings.positive(option);
  return sound;
}

GalaxyShape galaxy_shape(const Settings& settings, const Units& units) {
  GalaxyShape shape;
  shape.halo = spheroid_shape(settings, "halo");
  shape.bulge = spheroid_shape(settings, "bulge");
  shape.disc = disc_shape(settings);
  shape.gas = gas_shape(settings, units);
  shape.toomre_q = settings.positive("toomre-q");
  shape.q_radius = settings.has("q-radius") ? settings.positive("q-radius") : 2.5 * shape.disc.scale;
  shape.black_hole_mass = settings.non_negative("black-hole-mass");
  const bool by_parts = settings.has("eps") && settings.text("eps") == near_optimum;
  if (settings.has("eps") && !by_parts) shape.eps = settings.non_negative("eps");
  if (shape.q_radius > shape.disc.truncation) {
    throw UsageError(settings.subject("q-radius"), "is larger than disc-truncation", "give a radius inside the disc");
  }
  if (shape.halo.mass == 0.0 && shape.bulge.mass == 0.0 && shape.disc.mass == 0.0 && shape.gas.disc.mass == 0.0) {
    throw UsageError(settings.subject("disc-mass"), "no part has mass",
                     "give the disc, the bulge, the halo or the gas a mass");
  }
  return shape;
}

GalaxySoftening galaxy_softening(const Settings& settings, const GalaxyShape& shape, const GalaxyNumbers& numbers) {
  GalaxySoftening eps;
  if (!settings.has("eps")) return eps;
  eps.is_given = true;
  const auto of_spheroid = [](const SpheroidShape& part, std::size_t n) {
    constexpr double cuspy = 0.5;  // inner slope
    const double scale = std::min(part.scale, part.truncation);
    return part.inner_slope > cuspy ? eps_of_cusp(scale, n) : eps_of_core(scale, n);
  };
  eps.halo = eps_asked(settings, of_spheroid(shape.halo, numbers.halo));
  eps.bulge = eps_asked(settings, of_spheroid(shape.bulge, numbers.bulge));
  eps.disc = eps_asked(settings, eps_of_disc(shape.disc.scale, shape.disc.height, numbers.disc));
  eps.gas = eps_asked(settings, eps_of_disc(shape.gas.disc.scale, shape.gas.disc.height, numbers.gas));
  double least = eps.halo;  // the black hole's is that of what moves about it
  if (numbers.disc > 0) least = eps.disc;
  if (numbers.bulge > 0) least = std::min(least, eps.bulge);
  eps.black_hole = eps_asked(settings, least);
  return eps;
}

GalaxyNumbers galaxy_numbers(const Settings& settings, const GalaxyShape& shape, std::size_t n) {
  GalaxyNumbers numbers;
  // Between equal masses and equal numbers: the disc must be fine enough to show, and the grains of the halo heat it.
  std::array<PartNumber, 4> parts = {
      PartNumber{"disc", shape.disc.mass, 3.0, numbers.disc}, PartNumber{"bulge", shape.bulge.mass, 1.0, numbers.bulge},
      PartNumber{"gas", shape.gas.disc.mass, 3.0, numbers.gas}, PartNumber{"halo", shape.halo.mass, 6.0, numbers.halo}};
  numbers.black_hole = shape.black_hole_mass > 0.0 ? 1 : 0;
  double shares = 0.0;
  std::vector<PartNumber*> open;
  for (PartNumber& part : parts) {
    const auto given = given_number(settings, part.name);
    part.number = given.value_or(0);
    if (part.mass == 0.0 && part.number > 0) {
      throw UsageError(settings.subject(part.name + "-number"), "the part has particles and no mass",
                       "give it a mass, or 0 particles");
    }
    if (part.mass == 0.0 || given) continue;
    shares += part.share;
    open.push_back(&part);
  }
  const std::size_t taken = numbers.total();
  if (n == 0 && open.empty()) return numbers;
  if (n < taken || (n > taken && open.empty())) {
    throw UsageError(settings.subject("n"), "received " + std::to_string(n),
                     "must be the sum of the particles of all parts and the black hole, " + std::to_string(taken));
  }
  std::size_t left = n - taken;
  for (PartNumber* part : open) {
    part->number =
        part == open.back()
            ? left
            : std::min(left, static_cast<std::size_t>(std::llround(static_cast<double>(left) * part->share / shares)));
    left -= part->number;
    shares -= part->share;
  }
  for (const PartNumber& part : parts) {
    if (n == 0 || part.mass == 0.0 || part.number > 0) continue;
    throw UsageError(settings.subject(part.name + "-number"), "is 0, though the part has mass",
                     "give a larger n, or set " + part.name + "-mass to 0");
  }
  return numbers;
}

}  // namespace hornbeam::ics
