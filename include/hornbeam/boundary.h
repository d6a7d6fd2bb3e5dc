// SPDX-License-Identifier: Apache-2.0
// The borders of space (docs/dynamics.md).
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "hornbeam/vec3.h"

namespace hornbeam {

/// open: none, or walls at which particles are removed.
/// periodic: particles that leave on one side come back on the other. Images of all particles attract, too. They are an
/// infinite lattice, or as many as are given.
/// shear: the same in a patch that orbits with a ring (Hill's equations). Its neighbours along x drift past it.
enum class BoundaryKind { open, periodic, shear };
/// Names as TOML spells them.
std::string_view name(BoundaryKind);

struct Boundary {
  BoundaryKind kind = BoundaryKind::open;
  Vec3 size{};  ///< edges of the box, whose centre is the origin; an axis of size 0 is open, endless
  /// Images that attract, on either side along each axis: 2 makes 5 boxes in a row; below 0: not given. A periodic box
  /// of which none is given attracts as the infinite lattice does (docs/periodic.md).
  std::array<int, 3> n_ghost{not_given, not_given, not_given};
  double omega = 0;    ///< shear: angular frequency of the orbit, > 0; x points outwards, y ahead
  double omega_z = 0;  ///< shear: of the motion through the plane; 0: omega

  static constexpr int not_given = -1;

  friend bool operator==(const Boundary&, const Boundary&) = default;

  /// Whether gravity is that of the infinite lattice.
  [[nodiscard]] bool is_lattice() const { return kind == BoundaryKind::periodic && !names_images(); }
  /// Whether a number of images is given.
  [[nodiscard]] bool names_images() const {
    return std::any_of(n_ghost.begin(), n_ghost.end(), [](int n) { return n >= 0; });
  }
  /// Whether images are those of a shearing sheet, or as many as are given.
  [[nodiscard]] bool is_finite_sum() const { return kind != BoundaryKind::open && !is_lattice(); }
  /// Images of a finite sum on either side along an axis.
  [[nodiscard]] int images(std::size_t axis) const { return std::max(n_ghost[axis], 0); }
  /// Whether a finite number of images attracts.
  [[nodiscard]] bool has_images() const { return images(0) + images(1) + images(2) > 0; }

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
