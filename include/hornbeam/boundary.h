// SPDX-License-Identifier: Apache-2.0
// The borders of space (docs/dynamics.md).
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "hornbeam/vec3.h"

namespace hornbeam {

/// open: none, or walls at which particles are removed. periodic: particles that leave on one side come back on the
/// other, and images of all particles attract, too. shear: the same in a patch that orbits with a ring (Hill's
/// equations); its neighbours along x drift past it.
enum class BoundaryKind { open, periodic, shear };
/// Names as TOML spells them.
std::string_view name(BoundaryKind);

struct Boundary {
  BoundaryKind kind = BoundaryKind::open;
  Vec3 size{};                   ///< edges of the box, whose centre is the origin; an axis of size 0 is open, endless
  std::array<int, 3> n_ghost{};  ///< images that attract, on either side along each axis: 2 makes 5 boxes in a row
  double omega = 0;              ///< shear: angular frequency of the orbit, > 0; x points outwards, y ahead
  double omega_z = 0;            ///< shear: of the motion through the plane; 0: omega

  friend bool operator==(const Boundary&, const Boundary&) = default;

  /// Throws UsageError, naming the key of [boundary], for values out of range.
  void validate() const;
  /// Edge of a periodic box that is a cube, 0 of any other boundary: all that most files have a place for.
  [[nodiscard]] double cube() const {
    return kind == BoundaryKind::periodic && size[0] == size[1] && size[1] == size[2] ? size[0] : 0;
  }
};

/// "periodic box of 2 x 0.125 x 0.125", "shear box of 60 x 80 x 0, omega 0.00013".
std::string in_words(const Boundary& boundary);
/// Whether walls and orbit are the same, but for the rounding of other units and of few digits; images may differ.
bool same_walls(const Boundary& a, const Boundary& b);

}  // namespace hornbeam
