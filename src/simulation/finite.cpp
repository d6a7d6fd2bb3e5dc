// SPDX-License-Identifier: Apache-2.0
// Which particle has numbers that are non-finite, and why, see finite.h. All of it costs only where something is wrong.
#define HB_PRECISION HB_DOUBLE  // fields and direct sums are those of fp64
#include "simulation/finite.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <sstream>

#include "dynamics/particle_system.h"
#include "interactions/external/fields.h"
#include "interactions/gravity/host/oracle.h"
#include "simulation/length.h"

namespace hornbeam {
namespace {

constexpr double largest_single = std::numeric_limits<float>::max();

bool is_finite(double x) { return std::isfinite(x); }
bool is_finite(const Vec3& v) { return is_finite(v[0]) && is_finite(v[1]) && is_finite(v[2]); }
/// What is wrong with a particle, the first cause first: a position that is lost spoils the accelerations of others,
/// an acceleration the velocity.
enum class Quantity { position, acceleration, velocity, potential };
constexpr std::array<const char*, 4> quantity_names = {"position", "acceleration", "velocity", "potential"};

struct Found {
  Quantity quantity{};
  std::size_t particle = 0, count = 0;  ///< the first with that quantity; particles with any
};

std::optional<Quantity> wrong_with(const Particles& p, std::size_t i) {
  if (!is_finite(p.position[i])) return Quantity::position;
  if (!p.acceleration.empty() && !is_finite(p.acceleration[i])) return Quantity::acceleration;
  if (!p.velocity.empty() && !is_finite(p.velocity[i])) return Quantity::velocity;
  if (!p.potential.empty() && !is_finite(p.potential[i])) return Quantity::potential;
  return {};
}

std::optional<Found> find_not_finite(const Particles& p) {
  std::optional<Found> found;
  std::size_t count = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const std::optional<Quantity> wrong = wrong_with(p, i);
    if (!wrong) continue;
    ++count;
    if (!found || *wrong < found->quantity) found = {*wrong, i, 0};
  }
  if (found) found->count = count;
  return found;
}

/// "particle 3 (id 17)"
std::string named(const Particles& p, std::size_t i) {
  return "particle " + std::to_string(i) + " (id " + std::to_string(p.id[i]) + ")";
}

Cause cause_of_motion(const GravityOptions& options, const Evaluated& what, std::size_t i) {
  const auto fits = [](const Vec3& v) {
    return std::all_of(v.begin(), v.end(), [](double x) { return std::abs(x) <= largest_single; });
  };
  const Particles& loaded = what.particles;
  const bool fitted = fits(loaded.position[i]) && (loaded.velocity.empty() || fits(loaded.velocity[i]));
  if (options.precision == Precision::single && !fitted) {
    return {"it exceeded single precision from the start", "take precision mixed or double, or other units"};
  }
  const std::string remedy = "take a shorter dt or a larger softening";
  return {"it came too close to another particle or a potential's centre, or steps are too long",
          options.precision == Precision::fp64 ? remedy : remedy + ", or precision double"};
}

/// What surrounds a particle.
struct Surroundings {
  double mass = 0, extent = 0;           ///< of all particles; the farthest one along an axis
  std::optional<std::size_t> neighbour;  ///< the nearest that attracts, of those not at the same place
  double distance = HUGE_VAL;            ///< to it
  bool softened = false;                 ///< whether the two are
};

Surroundings surroundings_of(std::size_t i, const Particles& p, const GravityOptions& options) {
  const auto eps = [&](std::size_t k) { return options.eps >= 0 ? options.eps : p.eps.empty() ? 0.0 : p.eps[k]; };
  Surroundings s;
  for (std::size_t j = 0; j < p.size(); ++j) {
    const Vec3 &a = p.position[i], &b = p.position[j];
    const Vec3 way = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    s.mass += p.mass[j];
    for (const double along : way) s.extent = std::max(s.extent, std::abs(along));
    const double d = length(way);
    if (p.mass[j] > 0 && d > 0 && d < s.distance) {
      s.neighbour = j;
      s.distance = d;
    }
  }
  s.softened = s.neighbour && (eps(i) > 0 || eps(*s.neighbour) > 0);
  return s;
}

/// What all potentials attract at x with, in fp64; of the first that is non-finite there, `singular` gets the name.
Vec3 pull_of_fields(const Evaluated& what, const Vec3& x, double G, std::string& singular) {
  Vec3 sum{};
  const fp64::PresentFields fields = {{what.potentials.begin(), what.potentials.end()}, what.time};
  for (std::size_t k = 0; k < fields.potentials.size(); ++k) {
    const fp64::ExternalPull pull = fp64::external_pull(fp64::field_at(fields, k, G, 1, 1), x[0], x[1], x[2]);
    sum[0] += G * pull.x;
    sum[1] += G * pull.y;
    sum[2] += G * pull.z;
    if (singular.empty() && (!is_finite(sum) || !is_finite(G * pull.potential))) {
      singular = name(fields.potentials[k].kind);
    }
  }
  return sum;
}

/// Whether the acceleration, or what its strongest pair's comes from, is beyond fp32 where the walks compute: in units
/// in which all mass is 1 and the particles span about 2^9. A factor of 1,000 leaves room for that estimate.
bool is_beyond_single(const Particles& p, const Surroundings& s, double pull, double G) {
  const double mass = s.mass > 0 ? s.mass : 1, unit = s.extent > 0 ? 256 / s.extent : 1;
  const double d = s.distance * unit, cube = s.neighbour && !s.softened ? p.mass[*s.neighbour] / mass / d / d / d : 0;
  return !(std::max(cube, pull / G / mass / unit / unit) < 1e-3 * largest_single);
}

/// system: its modules are asked, too; null: there is none.
Cause cause_of_pull(const Particles& present, const GravityOptions& options, const Evaluated& what, std::size_t i,
                    const ParticleSystem* system) {
  std::string singular;
  const Vec3 field = pull_of_fields(what, present.position[i], options.G, singular);
  if (!singular.empty()) {
    return {"the potential " + singular + " gives no finite acceleration there",
            "give it a scale, or keep particles from its centre"};
  }
  std::vector<std::array<double, 4>> direct;
  fp64::sum_directly(detect_instruction_set(), 1, present, {i}, options, direct);
  const Vec3 pull = {direct[0][0] + field[0], direct[0][1] + field[1], direct[0][2] + field[2]};
  const Surroundings s = surroundings_of(i, present, options);
  std::ostringstream close, size;
  const bool is_close = s.neighbour && !s.softened && s.distance < 1e-6 * s.extent;
  if (is_close) close << named(present, *s.neighbour) << ", which is not softened, is " << s.distance << " away";
  size << "in double precision its size is " << length(pull);
  if (!is_finite(s.mass)) return {"the sum of all masses is beyond double precision", "take other units"};
  if (!is_finite(pull) || !is_finite(direct[0][3])) {
    if (is_close) return {close.str(), "give a softening eps"};
    return {"it is beyond double precision, too", "take other units"};
  }
  if (options.precision != Precision::fp64 && is_beyond_single(present, s, length(pull), options.G)) {
    if (length(field) > length(pull) / 2) return {size.str(), "take precision double, or give the potential a scale"};
    if (is_close) return {size.str() + ": " + close.str(), "take precision double, or give a softening eps"};
    return {size.str(), "take precision double, or other units"};
  }
  if (const std::optional<Cause> of_module = system != nullptr ? system->cause(present, i) : std::nullopt) {
    return *of_module;  // gravity alone is finite
  }
  const std::string other_walk = options.walk == Walk::direct ? "" : "walk direct, ";
  const std::string other_precision = options.precision == Precision::fp64 ? "" : "precision double, ";
  return {size.str() + ", but partial sums of walk " + std::string(name(options.walk)) + " overflow precision " +
              std::string(name(options.precision)),
          "take " + other_walk + other_precision + (other_walk.empty() && other_precision.empty() ? "" : "or ") +
              "other units"};
}

[[noreturn]] void report(const Found& found, const Particles& present, const GravityOptions& options,
                         const Evaluated& what, const ParticleSystem* system) {
  const std::size_t i = found.particle;
  const bool moved = found.quantity == Quantity::position || found.quantity == Quantity::velocity;
  const Cause cause = moved ? cause_of_motion(options, what, i) : cause_of_pull(present, options, what, i, system);
  const Vec3& x = present.position[i];
  std::ostringstream problem;
  problem << "the " << quantity_names[static_cast<std::size_t>(found.quantity)] << " of " << named(present, i)
          << " at (" << x[0] << ", " << x[1] << ", " << x[2] << ") is non-finite";
  if (found.count > 1) problem << ", as are those of " << found.count - 1 << " others";
  throw NotFinite(what.subject, problem.str() + ": " + cause.why, cause.remedy);
}

}  // namespace

void report_not_finite(ParticleSystem& system, const Evaluated& what) {
  Particles present = what.particles;
  system.domain().store(present);
  if (const auto found = find_not_finite(present)) {
    report(*found, present, system.options(), what, &system);
  }
  throw NotFinite(what.subject, "the sums over all particles overflow", "take other units, or precision double");
}

void demand_finite(ParticleSystem& system, const Evaluated& what) {
  if (system.leapfrog().not_finite() > 0) report_not_finite(system, what);
}

void demand_finite(const GravityOptions& options, const Evaluated& what) {
  if (const auto found = find_not_finite(what.particles)) report(*found, what.particles, options, what, nullptr);
}

Energies finite_energies(ParticleSystem& system, const Evaluated& what) {
  const Energies e = system.energies();
  if (!is_finite(e.total()) || !is_finite(e.momentum) || !is_finite(e.angular_momentum)) {
    report_not_finite(system, what);
  }
  return e;
}

}  // namespace hornbeam
