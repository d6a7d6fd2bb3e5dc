// SPDX-License-Identifier: Apache-2.0
// What a model's file gives to the registry, and the loop that draws particles for all of them.
#pragma once

#include <algorithm>
#include <cstdint>

#include "hornbeam/ics.h"
#include "ics/centre.h"
#include "ics/random.h"
#include "ics/settings.h"

namespace hornbeam::ics {

/// One request for a model.
struct Request {
  std::size_t n;
  Seed seed;
  const Settings& settings;
  const Reader& reader;
};

struct Entry {
  Model model;
  Snapshot (*draw)(const Request&);
};

Entry plummer();
Entry hernquist();
Entry uniform_sphere();
Entry uniform_cube();
Entry lattice();
Entry merger();

struct PhasePoint {
  Vec3 position{}, velocity{};
};

/// n equal particles of the given total mass at draw_one(i, random), centred. Each block of particles has a stream of
/// its own, so the bits do not depend on the number of threads.
template <class DrawOne>
Snapshot draw_particles(const Request& request, double total_mass, const DrawOne& draw_one) {
  constexpr std::int64_t block_size = 16384;
  Snapshot snapshot;
  Particles& particles = snapshot.particles;
  particles.resize(request.n);
  const auto n = static_cast<std::int64_t>(request.n);
#pragma omp parallel for schedule(dynamic)
  for (std::int64_t block = 0; block < (n + block_size - 1) / block_size; ++block) {
    Random random(request.seed, static_cast<std::uint64_t>(block));
    for (std::int64_t i = block * block_size; i < std::min(n, (block + 1) * block_size); ++i) {
      const PhasePoint point = draw_one(i, random);
      particles.position[i] = point.position;
      particles.velocity[i] = point.velocity;
      particles.mass[i] = total_mass / static_cast<double>(n);
    }
  }
  centre(particles);
  return snapshot;
}

}  // namespace hornbeam::ics
