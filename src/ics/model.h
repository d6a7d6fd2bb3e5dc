// SPDX-License-Identifier: Apache-2.0
// What a model's file gives to the registry, and the loop that draws particles for all of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "hornbeam/ics.h"
#include "ics/centre.h"
#include "ics/random.h"
#include "ics/settings.h"
#include "ics/softening.h"
#include "memory/particles.h"

namespace hornbeam::ics {

/// One request for a model.
struct Request {
  std::size_t n;
  Seed seed;
  const Settings& settings;
  const Reader& reader;
  const Units& units;
};

struct Entry {
  Model model;
  Snapshot (*draw)(const Request&);
  /// Near-optimum softening of n particles; null: `draw` softens them itself.
  double (*eps)(const Settings&, std::size_t n) = nullptr;
  bool in_units = false;  ///< `draw` gives what is in the units requested: with velocities of its own, not those of G
  const char* own_units = nullptr;  ///< the defaults are numbers in these where units are physical; null: of any size
  SoundSpeed (*sound)(const Settings&, const Units&) = nullptr;  ///< null: none, or one of its own for each particle
};

inline constexpr Dimension a_length{.length = 1}, a_mass{.mass = 1}, a_velocity{.velocity = 1};
inline constexpr Dimension a_density{.length = -3, .mass = 1}, a_surface_density{.length = -2, .mass = 1};
inline constexpr Dimension a_pressure{.length = -3, .mass = 1, .velocity = 2}, an_energy{.mass = 1, .velocity = 2};
inline constexpr Dimension an_energy_per_mass{.velocity = 2}, a_frequency{.length = -1, .velocity = 1};
inline constexpr Dimension a_time{.length = 1, .velocity = -1};

/// An option whose value has that dimension.
inline Option measured(const Dimension& dimension, Option option) {
  option.dimension = dimension;
  return option;
}
/// The same where the default is of the model's own box or is none.
inline Option measured_apart(const Dimension& dimension, Option option) {
  option.fits = false;
  return measured(dimension, std::move(option));
}
/// An option that is always in that unit.
inline Option in_unit(const char* unit, Option option) {
  option.unit = unit;
  return option;
}

Entry plummer();
Entry hernquist();
Entry uniform_sphere();
Entry uniform_cube();
Entry lattice();
Entry galaxy();
Entry merger();
Entry ring();
Entry sod();
Entry sedov();
Entry evrard();
Entry polytrope();
Entry collapse();
Entry planet();
Entry impact();
Entry noh();
Entry gresho();
Entry kelvin_helmholtz();
Entry sound_wave();
Entry plane_wave();
Entry glass();
Entry turbulence();
Entry square();
Entry blob();

struct PhasePoint {
  Vec3 position{}, velocity{};
};

/// Where the random numbers of some particles come from: block b of them has the stream `first` + b of the seed.
struct Streams {
  Seed seed;
  std::uint64_t first = 0;
};

/// Fills particles[first, first + n), each of that mass, with draw_one(i, random), i from 0. Each block of
/// particles has a stream of its own, so the bits do not depend on the number of threads.
template <class DrawOne>
void fill_particles(Particles& particles, std::size_t first, std::size_t count, double mass, const Streams& streams,
                    const DrawOne& draw_one) {
  constexpr std::int64_t block_size = 16384;
  const auto n = static_cast<std::int64_t>(count);
#pragma omp parallel for schedule(dynamic)
  for (std::int64_t block = 0; block < (n + block_size - 1) / block_size; ++block) {
    Random random(streams.seed, streams.first + static_cast<std::uint64_t>(block));
    for (std::int64_t i = block * block_size; i < std::min(n, (block + 1) * block_size); ++i) {
      const PhasePoint point = draw_one(i, random);
      const std::size_t place = first + static_cast<std::size_t>(i);
      particles.position[place] = point.position;
      particles.velocity[place] = point.velocity;
      particles.mass[place] = mass;
    }
  }
}

/// Room for n particles. Throws Error where the machine has none.
inline Particles room_for(std::size_t n) {
  memory::demand(n, memory::particles());
  Particles particles;
  particles.resize(n);
  return particles;
}

/// n equal particles of the given total mass at draw_one(i, random), centred.
template <class DrawOne>
Snapshot draw_particles(const Request& request, double total_mass, const DrawOne& draw_one) {
  Snapshot snapshot;
  snapshot.particles = room_for(request.n);
  fill_particles(snapshot.particles, 0, request.n, total_mass / static_cast<double>(request.n), {request.seed},
                 draw_one);
  centre(snapshot.particles);
  return snapshot;
}

}  // namespace hornbeam::ics
