// SPDX-License-Identifier: Apache-2.0
// Options and results of one force evaluation: the middle of the particle's path, bound to walk.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "hornbeam/particles.h"

namespace hornbeam {

enum class Walk { group, stackless, vote, direct };
enum class Mac { bh, offset, offset_box, min_distance, relative };
enum class Softening { plummer, spline };
enum class Curve { hilbert, morton, none };
enum class Precision { mixed, single, fp64 };

/// Names as the command line, TOML and JSON spell them ("offset-box", "double", ...).
std::string_view name(Walk);
std::string_view name(Mac);
std::string_view name(Softening);
std::string_view name(Curve);
std::string_view name(Precision);

/// The value called by `text`; throws UsageError(subject, ...) listing the allowed names.
template <class Enum>
Enum parse(std::string_view subject, std::string_view text);

/// Most particles that a leaf may be asked to hold, of gravity or of neighbour search.
inline constexpr int largest_leaf_size = 1024;
/// Largest values of the options of the same names.
inline constexpr double largest_theta = 2.0, largest_theta_c = 1.0;
inline constexpr int largest_expansion = 6, largest_group_size = 1024;
inline constexpr double largest_accuracy = 0.05;
/// The accuracy of forces for which none is given, where it applies (resolved()): about the error of theta = 0.6.
inline constexpr double usual_accuracy = 7e-4;
/// The smallest accuracy that the arithmetic of a precision can reach.
double least_accuracy(Precision precision);

struct GravityOptions {
  double theta = 0.6;     ///< opening angle of multipoles at particles, [0, 2]; 0 opens everything
  double theta_c = -1.0;  ///< opening angle of local expansions, [0, 1]; negative: as theta (at most 1)
  int order = 2;          ///< multipoles at particles: 0 monopole, 2 quadrupole
  int expansion = 4;      ///< order of the local expansions about groups, 0 (none) to 6
  Mac mac = Mac::offset;
  Softening softening = Softening::plummer;
  double eps = -1.0;  ///< softening length for all; negative: the particles' own, else 0
  Walk walk = Walk::group;
  Curve curve = Curve::hilbert;
  Precision precision = Precision::mixed;
  int leaf_size = 0;   ///< most particles in a leaf (above the deepest level); 0: chosen by the device
  int group_size = 0;  ///< most particles in a group; 0: chosen by the device
  /// Whether the net force and torque of the multipoles are subtracted from the accelerations of all particles. Total
  /// momentum and angular momentum are then conserved to rounding. Accelerations at other positions do not change.
  bool conserve = false;
  /// Above 0: the requested rms error of the accelerations, relative to their size (docs/hierarchy.md). theta, theta_c,
  /// order, expansion and mac then follow from it. 0: they decide. Negative: usual_accuracy where it applies, else 0.
  double accuracy = -1.0;
  bool names_opening = false;  ///< whether one of those five was given: an accuracy is then refused
  double G = 1.0;              ///< gravitational constant in the particles' units

  /// theta_c after its default is applied.
  [[nodiscard]] double effective_theta_c() const;
  /// Throws UsageError with what was received and what is allowed.
  void validate() const;
};

/// `options` with the softening that all particles have in common, where they have one and none is given: evaluations
/// with one length for all are the faster ones.
GravityOptions with_common_eps(GravityOptions options, const Particles& particles);

/// What usual_accuracy depends on next to the options: the particles, the space around them and the request.
struct AccuracyContext {
  bool attracts = true;        ///< particles attract one another
  bool own_eps = false;        ///< their softenings differ, or change with time
  bool finite_images = false;  ///< a shearing sheet, or a periodic box with a given number of images
  bool tides = false;          ///< tidal tensors are requested
  bool refused = false;        ///< the device takes no accuracy for so many particles with their images
};
/// `options` with an accuracy of 0 or above. A negative one becomes usual_accuracy, or 0 where that does not apply: in
/// a context that excludes it, and for options that name an opening, another walk than group or another softening than
/// plummer.
GravityOptions resolved(GravityOptions options, const AccuracyContext& context);

/// Where the softening of an evaluation came from: "option", "file" or "default".
std::string_view eps_source(const GravityOptions& options, const Particles& particles);

/// Seconds of device time by stage of the particle's path.
struct StageSeconds {
  double bound = 0, key = 0, sort = 0, reorder = 0, build = 0, moments = 0, walk = 0;
  double kick_drift = 0, collisions = 0, gas = 0, energy = 0, transfer = 0;  // not part of a force evaluation
  [[nodiscard]] double force() const { return bound + key + sort + reorder + build + moments + walk; }
};

/// Interactions of one evaluation, summed over all particles.
struct Interactions {
  std::uint64_t particle = 0;   ///< particle-particle pairs
  std::uint64_t cell = 0;       ///< multipoles evaluated at particles
  std::uint64_t expansion = 0;  ///< cells expanded about groups (once a group)
};

struct Bytes {
  std::uint64_t particles = 0, tree = 0, scratch = 0;
};

/// Conserved quantities. potential = sum(m phi) / 2; thermal = sum(m u) of gas.
struct Energies {
  double kinetic = 0, potential = 0;
  Vec3 momentum{}, angular_momentum{};
  double thermal = 0;
  [[nodiscard]] double total() const { return kinetic + potential + thermal; }
};

/// Fills particles.acceleration and particles.potential (input order) on the CPU; device choices: Simulation. Throws
/// NotFinite, and fills nothing, where one of them would not be finite.
void accelerations(Particles& particles, const GravityOptions& options, int threads = 0);

}  // namespace hornbeam
