// SPDX-License-Identifier: Apache-2.0
// Sums over an infinite lattice: closed forms, and how exactly expansions between parts of a box give them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "hornbeam/error.h"
#include "interactions/gravity/lattice/pair_potential.h"
#include "interactions/gravity/lattice/reference.h"
#include "interactions/gravity/lattice/transfers.h"
#include "tree/images.h"

namespace hornbeam {
namespace {

using std::numbers::pi;

const std::vector<Vec3>& shapes() {
  static const std::vector<Vec3> all = {{1, 1, 1},   {1, 2, 4}, {10, 1, 1}, {1, 1, 0}, {0, 3, 1},
                                        {2, 0, 1.5}, {1, 0, 0}, {0, 2, 0},  {0, 0, 3}};
  return all;
}

Vec3 drawn(std::mt19937_64& random, const Vec3& periods) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  Vec3 r{};
  for (int k = 0; k < 3; ++k) r[k] = uniform(random) * (periods[k] > 0 ? periods[k] : 2);
  return r;
}

double distance(const PairField& a, const PairField& b) {
  double most = std::abs(a.value - b.value);
  for (int k = 0; k < 3; ++k) most = std::max(most, std::abs(a.gradient[k] - b.gradient[k]));
  return most;
}

// Where Ewald's split lies changes nothing but rounding: the real sums, waves and means are those of one function.
TEST(Lattice, DoesNotDependOnTheSplit) {
  for (const Vec3& periods : shapes()) {
    std::mt19937_64 random(1);
    const PairPotential one(periods), other(periods, 2.9), third(periods, 4.2);
    for (int i = 0; i < 60; ++i) {
      const Vec3 r = i == 0 ? Vec3{} : drawn(random, periods);
      const PairField found = one.far(r);
      // 27 terms of up to 8 each, summed in fp64
      EXPECT_LT(distance(found, other.far(r)), 2e-13) << periods[0] << " " << periods[1] << " " << periods[2];
      EXPECT_LT(distance(found, third.far(r)), 2e-13) << periods[0] << " " << periods[1] << " " << periods[2];
    }
  }
}

TEST(Lattice, GradientIsThatOfTheValue) {
  constexpr double h = 1e-4;
  for (const Vec3& periods : shapes()) {
    std::mt19937_64 random(2);
    const PairPotential pair(periods);
    for (int i = 0; i < 20; ++i) {
      const Vec3 r = drawn(random, periods);
      const PairField found = pair.far(r);
      for (std::size_t k = 0; k < 3; ++k) {
        Vec3 before = r, after = r;
        before[k] -= h;
        after[k] += h;
        const double slope = (pair.far(after).value - pair.far(before).value) / (2 * h);
        EXPECT_NEAR(found.gradient[k], slope, 1e-7);  // h^2 times third derivatives of order 10
      }
    }
  }
}

// docs/periodic.md eq. 2: -2.837297 / L of the images of one particle in a cube (Wigner's constant).
TEST(Lattice, OneParticleInACube) {
  EXPECT_NEAR(PairPotential({1, 1, 1}).of_own_images(), -2.837297479480620, 1e-12);
  EXPECT_NEAR(PairPotential({3, 3, 3}).of_own_images(), -2.837297479480620 / 3, 1e-12);
}

// Madelung's constant of rock salt: a sublattice, face-centred in a cube of edge 2 d, at the other's places and its
// own.
TEST(Lattice, RockSalt) {
  const PairPotential pair({2, 2, 2});
  const std::vector<Vec3> faces = {{0, 0, 0}, {0, 1, 1}, {1, 0, 1}, {1, 1, 0}};
  double own = pair.of_own_images(), other = 0;
  for (std::size_t i = 0; i < faces.size(); ++i) {
    if (i > 0) own += pair.all(faces[i]).value;
    other += pair.all({faces[i][0] + 1, faces[i][1], faces[i][2]}).value;
  }
  EXPECT_NEAR(other - own, 1.747564594633182, 1e-12);
}

// Far from a slab and from a line: those of a sheet and of a wire of the same mass, with the zero that the page names.
TEST(Lattice, SlabAndLine) {
  const PairPotential slab({2, 0, 3}), line({0, 2, 0});
  for (const double z : {-30.0, 12.0, 40.0}) {  // waves are exp(-2 pi z / 3) of it, 1e-11
    const PairField far = slab.all({0.7, z, -1.1});
    EXPECT_NEAR(far.value, -2 * pi * std::abs(z) / 6, 1e-10);
    EXPECT_NEAR(far.gradient[1], -2 * pi * std::copysign(1, z) / 6, 1e-10);
    const PairField beyond = line.all({0.6 * z, 0.3, 0.8 * z});
    EXPECT_NEAR(beyond.value, -std::log(std::abs(z) / 2), 1e-10);
    EXPECT_NEAR(beyond.gradient[2], -0.8 / z, 1e-10);
  }
}

// The mean over a cube is 0: by the middles of 12^3 cells, of which the pole is not one.
TEST(Lattice, MeanIsTakenOut) {
  const PairPotential pair({1, 1, 1});
  constexpr int n = 12;
  double far = 0, harmonic = 0;
  for (int a = 0; a < n; ++a) {
    for (int b = 0; b < n; ++b) {
      for (int c = 0; c < n; ++c) {
        const Vec3 r = {(a + 0.5) / n - 0.5, (b + 0.5) / n - 0.5, (c + 0.5) / n - 0.5};
        far += pair.all(r).value / (n * n * n);
      }
    }
  }
  // the same sum is 1 / n of that of a lattice of edge 1 / n at the middle of its cell
  harmonic = PairPotential({1.0 / n, 1.0 / n, 1.0 / n}).all({0.5 / n, 0.5 / n, 0.5 / n}).value / (n * n * n);
  EXPECT_NEAR(far, harmonic, 1e-12);
}

/// Errors of expansions of a unit mass in a corner of the box, at targets all over it and in the opposite corner.
struct PairErrors {
  double rms = 0, most = 0, rms_potential = 0;
};

PairErrors errors_of(const Vec3& periods, int order) {
  constexpr std::size_t targets = 100;
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> uniform(-0.5, 0.5);
  Particles p;
  p.resize(targets);
  p.mass[0] = 1;
  std::vector<std::size_t> which;
  for (std::size_t i = 0; i < targets; ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      const double edge = periods[k] > 0 ? periods[k] : 1.5;
      p.position[i][k] = edge * (i == 0 ? 0.4999 : i == 1 ? -0.4999 : uniform(random));
    }
    which.push_back(i);
  }
  std::vector<std::array<double, 4>> expanded(targets), exact(targets);
  fp64::add_far_images(p, which, 1, periods, order, expanded);
  fp64::add_far_images(p, which, 1, periods, 0, exact);
  PairErrors errors;
  for (std::size_t i = 0; i < targets; ++i) {
    double error2 = 0;
    for (int k = 0; k < 3; ++k) error2 += std::pow(expanded[i][k] - exact[i][k], 2);
    errors.rms += error2 / targets;
    errors.most = std::max(errors.most, std::sqrt(error2));
    errors.rms_potential += std::pow(expanded[i][3] - exact[i][3], 2) / targets;
  }
  errors.rms = std::sqrt(errors.rms);
  errors.rms_potential = std::sqrt(errors.rms_potential);
  return errors;
}

// The table of docs/periodic.md: what orders leave out in a cube. Bounds are some 1.5 times what is measured.
TEST(Lattice, OrdersOfACube) {
  const PairErrors of_6 = errors_of({1, 1, 1}, 6), of_10 = errors_of({1, 1, 1}, 10);
  EXPECT_LT(of_6.most, 5e-3);
  EXPECT_LT(of_10.most, 8e-5);
  EXPECT_LT(of_10.rms, 3e-5);
  EXPECT_LT(of_10.rms_potential, 3e-6);
}

// fp64's order, and that of references.
TEST(Lattice, HighOrdersOfACube) {
  EXPECT_LT(errors_of({1, 1, 1}, 22).most, 8e-10);
  EXPECT_LT(errors_of({1, 1, 1}, fp64::reference_order).most, 1e-11);
}

// Near-cubes about their own centres, and parts along open axes as far as particles are.
TEST(Lattice, OtherShapes) {
  for (const Vec3& periods :
       {Vec3{1, 2, 4}, Vec3{1, 1.3, 0}, Vec3{0, 1, 0}, Vec3{1, 10, 3}, Vec3{1, 10, 10}, Vec3{10, 0, 1}}) {
    EXPECT_LT(errors_of(periods, 10).most, 1e-4) << periods[0] << " " << periods[1] << " " << periods[2];
  }
}

// Trees in the boxes that came last share coefficients, and those of a box that has gone are made again.
TEST(Lattice, CoefficientsAreTheSameForEveryTree) {
  const auto coefficients_of = [](const Vec3& periods, int order) {
    return LatticeTransfers().of(plan_lattice(periods, {}, order));
  };
  std::vector<std::vector<double>> first;
  for (const Vec3& periods : shapes()) first.push_back(coefficients_of(periods, 4));
  for (std::size_t i = shapes().size(); i-- > 0;) {
    EXPECT_EQ(coefficients_of(shapes()[i], 4), first[i]) << i;
    EXPECT_NE(coefficients_of(shapes()[i], 6).size(), first[i].size()) << i;
  }
  const Vec3 larger = {3, 3, 3};  // the same shape: pure numbers
  const std::vector<double> of_larger = coefficients_of(larger, 4);
  // up to 1e3, from sums in fp64
  for (std::size_t k = 0; k < of_larger.size(); ++k) EXPECT_NEAR(of_larger[k], first[0][k], 1e-10);
}

TEST(Lattice, PartsAreNearlyCubes) {
  const LatticePlan plan = plan_lattice({1, 1, 10}, {}, 10);
  EXPECT_EQ(plan.parts, (std::array<int, 3>{2, 2, 20}));
  EXPECT_NEAR(plan.edge[2], 0.5, 1e-15);
  const LatticePlan slab = plan_lattice({2, 3, 0}, {{0, 0, 5}, {0, 0, 8.5}}, 10);
  EXPECT_EQ(slab.parts, (std::array<int, 3>{2, 3, 4}));
  EXPECT_NEAR(slab.low[2], 6.75 - 2, 1e-15);
}

// Of 800 small parts each would attract each: larger ones take more near images along the short axis.
TEST(Lattice, PartsOfLongBoxesAreLarger) {
  EXPECT_EQ(near_images_of({1, 1, 10}).layers, (std::array<int, 3>{1, 1, 1}));
  const NearImages near = near_images_of({1, 10, 10});
  EXPECT_EQ(near.layers, (std::array<int, 3>{3, 1, 1}));
  EXPECT_EQ(near.parts, (std::array<int, 3>{1, 7, 7}));
  EXPECT_EQ(near_images_of({0, 20, 2}).parts, (std::array<int, 3>{1, 10, 1}));
}

TEST(Lattice, RefusesWhatIsTooLong) {
  EXPECT_THROW(static_cast<void>(plan_lattice({1, 1, 40}, {}, 10)), Error);
  try {
    static_cast<void>(plan_lattice({1, 1, 0}, {{0, 0, -100}, {0, 0, 100}}, 10));
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("32 times the shortest period along z"), std::string::npos);
  }
}

}  // namespace
}  // namespace hornbeam
