// SPDX-License-Identifier: Apache-2.0
// Multipole and local expansions of orders 1 to 6: their derivatives against finite differences, moments of parents
// against direct sums, and the field against that of the particles, whose error must fall with the right power of
// distance.
#define HB_PRECISION HB_DOUBLE
#include "physics/expansion.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <string>
#include <vector>

HB_OPEN
namespace {

/// The functions of one order, as values.
struct Order {
  int p;
  void (*m2l)(double, double, double, double, double, const double*, double*);
  std::array<double, 4> (*l2p)(const double*, double, double, double);
  void (*p2m)(double, double, double, double, double*);
  void (*m2m)(double, const double*, double, double, double, double*);
};
#define HB_ORDER(P)                                         \
  Order {                                                   \
    P, &m2l_##P<double>,                                    \
        [](const double* L, double x, double y, double z) { \
          std::array<double, 4> acc{};                      \
          l2p_##P<double>(L, x, y, z, acc.data());          \
          return acc;                                       \
        },                                                  \
        &p2m_##P<double>, &m2m_##P<double>                  \
  }
const Order orders[] = {HB_ORDER(1), HB_ORDER(2), HB_ORDER(3), HB_ORDER(4), HB_ORDER(5), HB_ORDER(6)};
#undef HB_ORDER

using Power = std::array<int, 3>;
/// Multi-indices of orders lowest to p as coefficients and moments stand: by order, then xx xy xz yy yz zz.
std::vector<Power> powers(int p, int lowest = 0) {
  std::vector<Power> all;
  for (int n = lowest; n <= p; ++n) {
    for (int a = n; a >= 0; --a) {
      for (int b = n - a; b >= 0; --b) all.push_back({a, b, n - a - b});
    }
  }
  return all;
}
std::size_t place(const std::vector<Power>& all, Power t) {
  return static_cast<std::size_t>(std::find(all.begin(), all.end(), t) - all.begin());
}

using Vec = std::array<double, 3>;
struct Point {
  Vec x;
  double mass;
};

/// Particles in a unit cube with unequal masses, about their centre of mass.
std::vector<Point> cell(std::uint64_t seed, int n = 60) {
  std::mt19937_64 engine(seed);
  const auto uniform = [&] { return static_cast<double>(engine() >> 11) * 0x1p-53; };
  std::vector<Point> points;
  Vec com{};
  double mass = 0;
  for (int i = 0; i < n; ++i) {
    const double m = 0.5 + uniform();
    points.push_back({{uniform(), uniform() * uniform(), uniform()}, m});
    for (int k = 0; k < 3; ++k) com[k] += m * points.back().x[k];
    mass += m;
  }
  for (Point& q : points) {
    for (int k = 0; k < 3; ++k) q.x[k] -= com[k] / mass;
  }
  return points;
}

double mass_of(const std::vector<Point>& points) {
  double mass = 0;
  for (const Point& q : points) mass += q.mass;
  return mass;
}

std::vector<double> moments(const Order& order, const std::vector<Point>& points) {
  std::vector<double> M(std::max(HB_MOMENTS(order.p), 1), 0);
  for (const Point& q : points) order.p2m(q.mass, q.x[0], q.x[1], q.x[2], M.data());
  return M;
}

std::array<double, 4> exact(const std::vector<Point>& points, Vec at, double eps2) {
  Field<double> f{};
  for (const Point& q : points) f = pull_plummer(q.x[0] - at[0], q.x[1] - at[1], q.x[2] - at[2], q.mass, eps2, f);
  return {f.x, f.y, f.z, f.w};
}

class Expansions : public ::testing::TestWithParam<Order> {};
INSTANTIATE_TEST_SUITE_P(All, Expansions, ::testing::ValuesIn(orders),
                         [](const auto& info) { return "order" + std::to_string(info.param.p); });

TEST(ExpansionSizes, AreThoseOfTheirPowers) {
  for (int p = 1; p <= HB_MAX_ORDER; ++p) {
    EXPECT_EQ(powers(p).size(), static_cast<std::size_t>(HB_COEFFICIENTS(p)));
    EXPECT_EQ(powers(p, 2).size(), static_cast<std::size_t>(HB_MOMENTS(p)));
  }
}

/// Derivatives D_t of (r^2 + eps^2)^(-1/2): the local coefficients of a unit mass without further moments, but for the
/// sign.
std::vector<double> derivatives(const Order& order, Vec x, double eps2) {
  const std::vector<double> none(std::max(HB_MOMENTS(order.p), 1), 0);
  std::vector<double> L(HB_COEFFICIENTS(order.p), 0);
  order.m2l(x[0], x[1], x[2], eps2, 1, none.data(), L.data());
  for (double& l : L) l = -l;
  return L;
}

TEST_P(Expansions, DerivativesAgreeWithFiniteDifferences) {
  const Order& order = GetParam();
  const auto all = powers(order.p);
  const double h = 1e-4;
  for (const double eps2 : {0.0, 0.3}) {
    for (const Vec x : {Vec{1.1, -0.7, 0.4}, Vec{-0.2, 0.9, 1.3}, Vec{0.0, 0.0, 1.5}}) {
      const std::vector<double> D = derivatives(order, x, eps2);
      EXPECT_NEAR(D[0], 1 / std::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + eps2), 1e-15);
      const double r = std::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + eps2);
      for (int axis = 0; axis < 3; ++axis) {
        Vec up = x, down = x;
        up[axis] += h, down[axis] -= h;
        const std::vector<double> above = derivatives(order, up, eps2), below = derivatives(order, down, eps2);
        for (std::size_t i = 0; i < all.size(); ++i) {
          Power t = all[i];
          const int n = t[0] + t[1] + t[2];
          if (n == order.p) continue;
          ++t[axis];
          // D of order n is of size n! / r^(n + 1); a central difference loses h^2 / 6 of the third derivative and
          // 1e-16 / h
          const double size = std::tgamma(n + 2.0) / std::pow(r, n + 2);
          EXPECT_NEAR((above[i] - below[i]) / (2 * h), D[place(all, t)], 1e-6 * size)
              << "order " << n << " axis " << axis;
        }
      }
    }
  }
}

TEST_P(Expansions, MomentsAreWeightedPowers) {
  const Order& order = GetParam();
  const auto points = cell(1);
  const std::vector<double> M = moments(order, points);
  const auto all = powers(order.p, 2);
  for (std::size_t i = 0; i < all.size(); ++i) {
    double sum = 0;  // (-1)^n / (a! b! c!) sum m x^a y^b z^c
    for (const Point& q : points) {
      sum += q.mass * std::pow(-q.x[0], all[i][0]) * std::pow(-q.x[1], all[i][1]) * std::pow(-q.x[2], all[i][2]);
    }
    sum /= std::tgamma(all[i][0] + 1.0) * std::tgamma(all[i][1] + 1.0) * std::tgamma(all[i][2] + 1.0);
    EXPECT_NEAR(M[i], sum, 1e-13 * mass_of(points)) << i;  // 60 terms below 1 each
  }
}

TEST_P(Expansions, MomentsOfAParentAreThoseOfItsParticles) {
  const Order& order = GetParam();
  std::vector<Point> everything;
  struct Child {
    std::vector<double> M;
    double mass;
    Vec at;
  };
  std::vector<Child> children;
  Vec com{};
  double mass = 0;
  for (int k = 0; k < 8; ++k) {
    const auto points = cell(10 + k, 5 + k);
    const Vec at = {(k & 1) - 0.3, ((k >> 1) & 1) * 1.1, ((k >> 2) & 1) + 0.2 * k};
    children.push_back({moments(order, points), mass_of(points), at});
    for (Point q : points) {
      for (int a = 0; a < 3; ++a) q.x[a] += at[a], com[a] += q.mass * q.x[a];
      mass += q.mass;
      everything.push_back(q);
    }
  }
  for (double& c : com) c /= mass;
  for (Point& q : everything) {
    for (int a = 0; a < 3; ++a) q.x[a] -= com[a];
  }
  std::vector<double> M(std::max(HB_MOMENTS(order.p), 1), 0);
  for (const Child& c : children) {
    order.m2m(c.mass, c.M.data(), c.at[0] - com[0], c.at[1] - com[1], c.at[2] - com[2], M.data());
  }
  const std::vector<double> direct = moments(order, everything);
  for (int i = 0; i < HB_MOMENTS(order.p); ++i)
    EXPECT_NEAR(M[i], direct[i], 1e-13 * mass) << i;  // rounding of 70 terms
}

/// rms relative errors of acceleration and potential at targets within 0.5 of a centre at distance d from the cell.
std::array<double, 2> errors(const Order& order, double d, double eps2) {
  const auto points = cell(3);
  const std::vector<double> M = moments(order, points);
  std::mt19937_64 engine(4);
  const auto uniform = [&] { return static_cast<double>(engine() >> 11) * 0x1p-53 - 0.5; };
  double acceleration = 0, potential = 0;
  const int trials = 200;
  for (int trial = 0; trial < trials; ++trial) {
    Vec c = {uniform(), uniform(), uniform()};
    const double size = std::hypot(c[0], c[1], c[2]);
    for (double& v : c) v *= d / size;
    std::vector<double> L(HB_COEFFICIENTS(order.p), 0);
    order.m2l(c[0], c[1], c[2], eps2, mass_of(points), M.data(), L.data());
    const Vec r = {uniform(), uniform(), uniform()};
    const auto got = order.l2p(L.data(), r[0], r[1], r[2]);
    const auto want = exact(points, {c[0] + r[0], c[1] + r[1], c[2] + r[2]}, eps2);
    acceleration += std::pow(std::hypot(got[0] - want[0], got[1] - want[1], got[2] - want[2]), 2) /
                    std::pow(std::hypot(want[0], want[1], want[2]), 2);
    potential += std::pow(got[3] / want[3] - 1, 2);
  }
  return {std::sqrt(acceleration / trials), std::sqrt(potential / trials)};
}

TEST_P(Expansions, ErrorFallsWithTheRightPowerOfDistance) {
  const Order& order = GetParam();
  for (const double eps2 : {0.0, 1.0}) {
    SCOPED_TRACE(eps2);
    const auto near = errors(order, 12, eps2), far = errors(order, 24, eps2);
    // Terms r^k b^n / d^(k + n + 1) of the potential with n + k > p are missing: relative to M / d an error d^-(p + 1),
    // and for the acceleration, relative to M / d^2, d^-p. Higher terms bend the line by less than 0.15 at these
    // distances.
    EXPECT_NEAR(std::log2(near[0] / far[0]), order.p, 0.15);
    EXPECT_NEAR(std::log2(near[1] / far[1]), order.p + 1, 0.15);
    EXPECT_LT(far[0], std::pow(1.0 / 24, order.p));  // and the first missing term has a factor below 1
  }
}

TEST_P(Expansions, LocalAccelerationIsMinusTheGradientOfItsPotential) {
  const Order& order = GetParam();
  const auto points = cell(5);
  std::vector<double> L(HB_COEFFICIENTS(order.p), 0);
  order.m2l(2, 3, -1, 0.1, mass_of(points), moments(order, points).data(), L.data());
  const double h = 1e-5;
  const Vec x = {0.2, -0.3, 0.4};
  const auto acc = order.l2p(L.data(), x[0], x[1], x[2]);
  for (int axis = 0; axis < 3; ++axis) {
    Vec up = x, down = x;
    up[axis] += h, down[axis] -= h;
    const double slope =
        (order.l2p(L.data(), up[0], up[1], up[2])[3] - order.l2p(L.data(), down[0], down[1], down[2])[3]) / (2 * h);
    EXPECT_NEAR(acc[axis], -slope, 1e-8 * mass_of(points));  // h^2 of a third derivative, 1e-16 / h
  }
}

TEST_P(Expansions, AddToWhatIsThere) {
  const Order& order = GetParam();
  const auto points = cell(6);
  const std::vector<double> M = moments(order, points);
  std::vector<double> once(HB_COEFFICIENTS(order.p), 0);
  order.m2l(3, 1, 2, 0, mass_of(points), M.data(), once.data());
  std::vector<double> twice = once;
  order.m2l(3, 1, 2, 0, mass_of(points), M.data(), twice.data());
  for (std::size_t i = 0; i < once.size(); ++i) EXPECT_DOUBLE_EQ(twice[i], 2 * once[i]);
}

std::array<double, 4> quadrupole_pull(const std::vector<Point>& points, Vec at, double eps2) {
  const std::vector<double> M = moments(orders[1], points);
  const Field<double> f = pull_quadrupole(-at[0], -at[1], -at[2], mass_of(points), M.data(), eps2, Field<double>{});
  return {f.x, f.y, f.z, f.w};
}

TEST(Quadrupole, AccelerationIsMinusTheGradientOfItsPotential) {
  const auto points = cell(7);
  const double h = 1e-5;
  for (const double eps2 : {0.0, 0.5}) {
    const Vec x = {1.2, -0.8, 0.9};
    const auto acc = quadrupole_pull(points, x, eps2);
    for (int axis = 0; axis < 3; ++axis) {
      Vec up = x, down = x;
      up[axis] += h, down[axis] -= h;
      const double slope = (quadrupole_pull(points, up, eps2)[3] - quadrupole_pull(points, down, eps2)[3]) / (2 * h);
      EXPECT_NEAR(acc[axis], -slope, 1e-8 * mass_of(points));  // h^2 of a third derivative, 1e-16 / h
    }
  }
}

TEST(Quadrupole, PotentialIsThatOfTheExpansionAtItsCentre) {
  const auto points = cell(8);
  const Vec x = {1.2, -0.8, 0.9};
  std::vector<double> L(HB_COEFFICIENTS(2), 0);
  m2l_2<double>(x[0], x[1], x[2], 0.4, mass_of(points), moments(orders[1], points).data(), L.data());
  EXPECT_NEAR(quadrupole_pull(points, x, 0.4)[3] / L[0], 1, 1e-14);  // the same terms in another order
}

TEST(Quadrupole, ErrorFallsWithTheCubeOfDistance) {
  const auto points = cell(9);
  for (const double eps2 : {0.0, 1.0}) {
    const auto error = [&](double d) {
      double sum = 0;
      for (const Vec at : {Vec{d, 0, 0}, Vec{0, 0.6 * d, -0.8 * d}, Vec{-0.48 * d, 0.64 * d, 0.6 * d}}) {
        const auto got = quadrupole_pull(points, at, eps2), want = exact(points, at, eps2);
        sum += std::hypot(got[0] - want[0], got[1] - want[1], got[2] - want[2]) / std::hypot(want[0], want[1], want[2]);
      }
      return sum;
    };
    EXPECT_NEAR(std::log2(error(20) / error(40)), 3, 0.15);  // the octopole is missing; the next term bends the line
  }
}

}  // namespace
HB_CLOSE
