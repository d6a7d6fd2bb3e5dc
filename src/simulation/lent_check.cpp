// SPDX-License-Identifier: Apache-2.0
// A look at particles in a caller's arrays, see lent_check.h. Compiled with HB_PRECISION = HB_DOUBLE.
#include "simulation/lent_check.h"

#include <algorithm>
#include <string>

#include "hornbeam/error.h"
#include "tree/lent_numbers.h"

namespace hornbeam {

using namespace fp64;

namespace {

void demand_rows(const char* name, const std::optional<ArrayOnDevice>& array, std::size_t rows) {
  if (!array || array->rows == rows) return;
  throw UsageError(name, "has " + std::to_string(array->rows) + " entries for " + std::to_string(rows) + " positions",
                   "give one each");
}

void check_rows(const ParticlesOnDevice& arrays) {
  demand_rows("mass", arrays.mass, arrays.position.rows);
  demand_rows("eps", arrays.eps, arrays.position.rows);
  demand_rows("target_eps", arrays.target_eps, arrays.targets ? arrays.targets->rows : 0);
  constexpr std::size_t most = std::size_t{1} << 30;
  const std::size_t all = arrays.position.rows;
  if (all > most) throw Error("particles", std::to_string(all) + " are more than 2^30", "use fewer");
}

}  // namespace

Particles fetched_particles(Device& device, const ParticlesOnDevice& arrays) {
  Particles particles;
  particles.resize(arrays.position.rows);
  particles.position = fetched_vectors(device, arrays.position);
  particles.mass = fetched(device, arrays.mass);
  if (arrays.eps) particles.eps = fetched(device, *arrays.eps);
  return particles;
}

LentParticles looked_at(Device& device, const ParticlesOnDevice& arrays, GravityOptions& options) {
  check_rows(arrays);
  const Survey places = survey(device, 3, arrays.position), masses = survey(device, 1, arrays.mass);
  const Survey lengths = survey(device, 1, arrays.eps);
  if (places.not_finite + masses.not_finite + lengths.not_finite > 0 || masses.least < 0 || lengths.least < 0) {
    fetched_particles(device, arrays).validate("particles");
    throw Error("particles", "the arrays changed during validation", "synchronise the stream that writes them");
  }
  LentParticles particles{arrays};
  particles.mass = masses.sum;
  particles.extent = places.extent();
  if (arrays.eps && options.eps < 0) {
    particles.own_eps = lengths.least < lengths.largest;
    particles.least_eps = lengths.least;
    if (!particles.own_eps) options.eps = lengths.least;
  }
  return particles;
}

}  // namespace hornbeam
