// SPDX-License-Identifier: Apache-2.0
// The potential of a particle with all its images in a lattice, in one, two or three axes, in fp64 on the host: Ewald's
// sums (docs/periodic.md). What the far images' coefficients are made of, and what they are tested against.
#pragma once

#include <array>
#include <vector>

#include "hornbeam/vec3.h"

namespace hornbeam {

/// A potential per mass and G, positive where a point attracts, and its gradient: the acceleration per mass and G.
struct PairField {
  double value = 0;
  Vec3 gradient{};
};

/// Potentials of a unit mass at the origin and its images, shifted by all multiples of the periods. With three periods
/// the mean is taken out (a background of density -1 / V). With two the potential is -2 pi |z| / A far away, with one
/// -(2 / L) ln(rho / L).
class PairPotential {
 public:
  /// periods: of each axis, 0 where it is open; at least one is above 0. split: Ewald's alpha times the least period,
  /// which changes rounding errors only.
  explicit PairPotential(const Vec3& periods, double split = 3.5);

  /// Of all images but the near ones (tree/images.h): regular for |r_k| below a period more than these reach.
  [[nodiscard]] PairField far(const Vec3& r) const;
  /// Of all images, Newtonian; r is not that of an image.
  [[nodiscard]] PairField all(const Vec3& r) const;
  /// The value of all images but the one at the origin, there.
  [[nodiscard]] double of_own_images() const;
  /// Factor of the part r^2 of far(), whose Laplacian is not 0: 2 pi / (3 V) with three periods, otherwise 0.
  [[nodiscard]] double background() const;

  [[nodiscard]] const Vec3& periods() const { return periods_; }

 private:
  /// Waves along one axis at one node: sums over n of 2 exp(-k_n^2 / 4 t^2) cos(k_n x), and their derivative.
  struct Waves {
    double sum = 0, slope = 0;
  };
  struct Axis {
    std::vector<int> count;        ///< of waves at each node
    std::vector<double> strength;  ///< node by node, most_ of each
    int most = 0;
  };
  /// The near images' field, without that at the origin where it is not wanted.
  [[nodiscard]] PairField nearest(const Vec3& r, bool own) const;
  void make_nodes(double longest);
  void make_axis(int k);
  void add_near_and_real(const Vec3& r, PairField& field) const;
  void add_waves(const Vec3& r, PairField& field) const;
  void add_mean(const Vec3& r, PairField& field) const;
  void fill_waves(int k, double x, std::vector<Waves>& waves) const;

  Vec3 periods_;
  double alpha_ = 0;
  std::array<int, 3> near_{};          ///< layers of near images
  int dimensions_ = 0;                 ///< axes with a period
  double cell_ = 1;                    ///< product of the periods
  std::vector<double> node_, weight_;  ///< t, and its weight of the integral
  std::array<Axis, 3> axes_;
};

/// Nodes and weights of Gauss and Legendre's rule for [-1, 1].
struct GaussRule {
  std::vector<double> node, weight;
};
GaussRule gauss_rule(int n);

}  // namespace hornbeam
