// SPDX-License-Identifier: Apache-2.0
// Initial conditions: models drawn with a seed that reproduces bits, centred on their centre of mass at rest.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "hornbeam/dimension.h"
#include "hornbeam/particles.h"

namespace hornbeam::ics {

struct Seed {
  std::uint64_t value = 1;
};

/// One settable number or file of a model, as `hornbeam ic MODEL --help` lists it.
struct Option {
  std::string name;            ///< "scale"
  std::string default_value;   ///< "1"; empty: the option must be given, unless its help says otherwise
  std::string help;            ///< with its unit
  std::string type = "FLOAT";  ///< what it takes: "FLOAT", "INT", "{true,false}", "PATH"
  Dimension dimension = {};    ///< none: a pure number, or no number
  bool fits = true;            ///< whether the default fits other units by its dimension
  std::string unit = {};       ///< in which it always is: "K", "deg"
};

struct Model {
  std::string name;
  std::string summary;
  std::vector<Option> options;
};

/// Every model there is, in the order help lists them.
const std::vector<Model>& models();

/// How models that start from files read them: io's read_snapshot, handed in because the core knows no format.
using Reader = std::function<Snapshot(const std::filesystem::path&)>;

/// Whether a model with these options takes particles from files: it needs no number of them then.
bool starts_from_files(const std::map<std::string, std::string>& options);

/// Draws `n` particles of `model`; options not given take their defaults. `merger` with the option galaxy1 takes its
/// particles from files through `reader` and only notes an `n` that differs; without, it draws two galaxies. What is
/// drawn is in `units`: options are lengths and masses in these, and velocities fit their G.
/// Throws UsageError naming the model, option or value and what is allowed.
Snapshot make(const std::string& model, std::size_t n, Seed seed,
              const std::map<std::string, std::string>& options = {}, const Reader& reader = {},
              const Units& units = {});

/// The sound speed (P / rho)^1/2 of a model's gas of one temperature, in `units`, and the option that sets it.
struct SoundSpeed {
  std::string option;     ///< empty: the model has no such gas
  bool is_given = false;  ///< whether an option says it
  double speed = 0;       ///< 0: not known before the model is drawn
  double value = 0;       ///< of the option
  double power = 1;       ///< by which the option grows with the speed

  /// The option's value for another speed.
  [[nodiscard]] double value_for(double other) const;
};
SoundSpeed sound_speed(const std::string& model, const std::map<std::string, std::string>& options, const Units& units);

/// A Kepler orbit of two galaxies taken as point masses, and how each is turned and scaled (docs/models.md).
struct MergerOptions {
  double pericentre = 0.0;                        ///< distance of closest approach, >= 0; 0 needs eccentricity 1
  double separation = 0.0;                        ///< distance at the start, on the way to the pericentre, > 0
  double eccentricity = 1.0;                      ///< 1 parabolic, below bound, above hyperbolic
  double mass_ratio = 0.0;                        ///< second / first; 0: the masses as they are
  double size_exponent = 0.5;                     ///< a galaxy scaled in mass by f is scaled in size by f^size_exponent
  double inclination1 = 0.0, inclination2 = 0.0;  ///< degrees between the z axis of the galaxy and of the orbit
  double node1 = 0.0, node2 = 0.0;                ///< degrees from the pericentre's direction to the ascending node
};

/// Returns two galaxies on their orbit at time 0. The orbital plane is x-y, counter-clockwise. The second galaxy's
/// pericentre is on +x as seen from the first, and the centre of mass rests at the origin. Families and softening are
/// kept, and the second galaxy's ids are offset to stay unique. Throws UsageError for an impossible orbit, Error for
/// galaxies without mass or in different units.
Snapshot merge(const Snapshot& first, const Snapshot& second, const MergerOptions& options);

}  // namespace hornbeam::ics
