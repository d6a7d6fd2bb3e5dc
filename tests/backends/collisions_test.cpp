// SPDX-License-Identifier: Apache-2.0
// Collisions beside a loop over all pairs and a list resolved one after another: the same velocities, to the bit, on
// every backend; and single collisions against what mechanics says.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "hornbeam/error.h"
#include "hornbeam/simulation.h"
#include "support/bodies.h"
#include "support/devices.h"
#include "support/forces.h"
#include "tree/boundary.h"

namespace hornbeam {
namespace {

std::uint64_t mixed_bits(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

struct Contact {
  std::uint64_t turn;
  std::size_t a, b;
  SourceImage image;
};

Vec3 way_of(const Particles& p, const Contact& c) {
  Vec3 way;
  for (int k = 0; k < 3; ++k) way[k] = (p.position[c.b][k] - p.position[c.a][k]) + c.image.shift[k];
  return way;
}

Vec3 speed_of(const Particles& p, const Contact& c) {
  Vec3 v;
  for (int k = 0; k < 3; ++k) v[k] = (p.velocity[c.b][k] + c.image.velocity[k]) - p.velocity[c.a][k];
  return v;
}

std::vector<Contact> all_contacts(const Particles& p, const std::vector<SourceImage>& images) {
  std::vector<Contact> found;
  for (std::size_t a = 0; a < p.size(); ++a) {
    for (std::size_t b = a + 1; b < p.size(); ++b) {
      for (const SourceImage& image : images) {
        const Contact c{mixed_bits(a << 32 | b), a, b, image};
        const Vec3 way = way_of(p, c);
        const double reach = p.radius[a] + p.radius[b];
        if (dot(way, way) <= reach * reach && dot(speed_of(p, c), way) < 0) found.push_back(c);
      }
    }
  }
  std::sort(found.begin(), found.end(), [](const Contact& x, const Contact& y) { return x.turn < y.turn; });
  return found;
}

/// One after another, in the order of their turns.
std::uint64_t resolve(Particles& p, const std::vector<Contact>& contacts, double restitution, double least) {
  std::uint64_t number = 0;
  for (const Contact& c : contacts) {
    const Vec3 way = way_of(p, c), v = speed_of(p, c);
    const double along = dot(v, way), d2 = dot(way, way);
    if (!(along < 0)) continue;
    const double d = std::sqrt(d2), r1 = p.radius[c.a], r2 = p.radius[c.b];
    const double smaller = std::min(r1, r2), larger = std::max(r1, r2);
    double change = (1 + restitution) * (-along / d);
    change = std::max(change, std::min(least * (1 - (d - larger) / smaller), least * (larger / smaller))) / d;
    const double sum = p.mass[c.a] + p.mass[c.b];
    for (int k = 0; k < 3; ++k) {
      p.velocity[c.b][k] += p.mass[c.a] / sum * (change * way[k]);
      p.velocity[c.a][k] -= p.mass[c.b] / (p.mass[c.b] + p.mass[c.a]) * (change * way[k]);
    }
    ++number;
  }
  return number;
}

using Scene = std::tuple<BoundaryKind, double, double, std::size_t>;  ///< boundary, radii from and to, bodies

void expect_the_bits_of_the_list(const Scene& scene, unsigned seed) {
  const auto [kind, least, most, n] = scene;
  const Vec3 size = {9, 8, kind == BoundaryKind::shear ? 1.5 : 7};
  const Boundary boundary = box(kind, size);
  Particles expected = crowd(n, size, least, most, seed);
  const Particles start = expected;
  CollisionOptions options = constant(0.4);
  options.minimum_velocity = 0.01;
  const auto contacts = all_contacts(expected, neighbouring_images(boundary, 0.3));
  EXPECT_GT(contacts.size(), n / 10) << "too thin to tell anything";
  const std::uint64_t number = resolve(expected, contacts, 0.4, 0.01);
  for (const std::string& backend : every_backend()) {
    CollisionTotals totals;
    const Particles found = collided(backend, start, boundary, options, &totals);
    EXPECT_EQ(totals.number, number) << backend << seed;
    EXPECT_EQ(found.velocity, expected.velocity) << backend << seed;
  }
}

const std::vector<Scene>& scenes() {
  static const std::vector<Scene> all = {
      {BoundaryKind::open, 0.3, 0.3, 700},     {BoundaryKind::open, 0.002, 1.6, 500},
      {BoundaryKind::periodic, 0.3, 0.4, 600}, {BoundaryKind::periodic, 0.001, 1.0, 900},
      {BoundaryKind::shear, 0.25, 0.25, 500},  {BoundaryKind::shear, 0.002, 1.9, 400}};
  return all;
}

TEST(Collisions, AreThoseOfTheListToTheBit) {
  for (const Scene& scene : scenes()) {
    for (unsigned seed = 1; seed <= 2; ++seed) expect_the_bits_of_the_list(scene, seed);
  }
}

TEST(CollisionsLong, AreThoseOfTheListInThousandsOfScenes) {
  for (const Scene& scene : scenes()) {
    for (unsigned seed = 100; seed < 300; ++seed) expect_the_bits_of_the_list(scene, seed);
  }
}

double angular_momentum_z(const Particles& p) {
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    sum += p.mass[i] * (p.position[i][0] * p.velocity[i][1] - p.position[i][1] * p.velocity[i][0]);
  }
  return sum;
}

TEST(Collisions, KeepMomentumAndAngularMomentum) {
  const Particles start = crowd(800, {9, 8, 7}, 0.1, 0.6, 5);
  double mass = 0;
  for (const double m : start.mass) mass += m;
  for (const std::string& backend : every_backend()) {
    const Particles after = collided(backend, start, box(BoundaryKind::open, {}), constant(0.3));
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(momentum(after)[k], momentum(start)[k], 1e-13 * mass) << backend;
    EXPECT_NEAR(angular_momentum_z(after), angular_momentum_z(start), 1e-12 * mass) << backend;
  }
}

TEST(Collisions, HeadOnGrazingAndUnequal) {
  const Boundary open;
  for (const std::string& backend : every_backend()) {
    const auto speeds = [&](const Particles& p, double e) { return collided(backend, p, open, constant(e)).velocity; };
    // equal masses swap their speeds; what is left of the approach is its coefficient
    const auto swapped = speeds(two({2, 0, 0}, {1, 0, 0}, {-3, 0, 0}, 2, 2), 1);
    EXPECT_NEAR(swapped[0][0], -3, 1e-15) << backend;
    EXPECT_NEAR(swapped[1][0], 1, 1e-15) << backend;
    const auto soft = speeds(two({0, 0, 1.9}, {0, 0, 1}, {0, 0, 0}, 1, 3), 0.5);
    EXPECT_NEAR(soft[1][2] - soft[0][2], 0.5, 1e-15) << backend;
    EXPECT_NEAR(soft[0][2] + 3 * soft[1][2], 1, 1e-15) << backend;
    // a wall, nearly
    EXPECT_NEAR(speeds(two({0, 2, 0}, {0, 1, 0}, {0, 0, 0}, 1e-9, 1), 0.8)[0][1], -0.8, 1e-8) << backend;
    // grazing: across the line of centres nothing happens, however fast
    const auto grazed = speeds(two({2, 0, 0}, {0, 5, 0}, {-1e-3, 0, 0}, 1, 1), 0);
    EXPECT_EQ(grazed[0][1], 5) << backend;
    EXPECT_NEAR(grazed[0][0], -5e-4, 1e-18) << backend;
    // parting, or apart
    EXPECT_EQ(speeds(two({1.5, 0, 0}, {0, 0, 0}, {1, 0, 0}, 1, 1), 1)[0][0], 0) << backend;
    EXPECT_EQ(speeds(two({2.0001, 0, 0}, {1, 0, 0}, {0, 0, 0}, 1, 1), 1)[0][0], 1) << backend;
    // tracers of no mass bounce as equals do
    EXPECT_NEAR(speeds(two({2, 0, 0}, {1, 0, 0}, {0, 0, 0}, 0, 0), 1)[1][0], 1, 1e-15) << backend;
  }
}

TEST(Collisions, AcrossTheWallAndWithTheShear) {
  Particles p = two({}, {}, {}, 1, 1);
  p.position = {{4.4, 3.9, 0}, {-4.4, -3.9, 0}};  // across a corner of 9 x 8: 0.2 apart both ways
  p.velocity = {{0.1, 0, 0}, {-0.1, 0, 0}};
  for (const std::string& backend : every_backend()) {
    const auto bounced = collided(backend, p, box(BoundaryKind::periodic, {9, 8, 0}), constant(1)).velocity;
    const double along = 0.1 * 0.2 / std::hypot(0.2, 0.2) * 2;  // of the approach, on the line of centres
    EXPECT_NEAR(bounced[0][0], 0.1 - along * std::sqrt(0.5), 1e-12) << backend;
    // in a sheet the neighbour moves past: bodies at rest in their boxes meet at 1.5 omega size
    Particles still = p;
    const Boundary sheet = box(BoundaryKind::shear, {9, 8, 0});
    const BoxNow now = periodic_box(sheet, 0.3);
    still.position[1][1] = 3.9 + 0.5 - now.drift;  // half a unit ahead of the first, seen from its box
    if (still.position[1][1] < -4) still.position[1][1] += 8;
    if (still.position[1][1] >= 4) still.position[1][1] -= 8;
    still.velocity = {{0, 0, 0}, {0, 0, 0}};
    CollisionTotals totals;
    const auto met = collided(backend, still, sheet, constant(0), &totals).velocity;
    EXPECT_EQ(totals.number, 1U) << backend;
    EXPECT_NEAR(met[0][1] + met[1][1], 0, 1e-12) << backend;
    EXPECT_LT(met[0][1], -0.1) << backend;  // the box beyond falls behind
  }
}

// A row in which each waits for the one before: what comes out is what one after another gives.
TEST(Collisions, ThreeInARowAndLongChains) {
  for (const std::size_t n : {3U, 2000U}) {
    Particles p;
    p.resize(n);
    p.radius.assign(n, 0.5);
    p.mass.assign(n, 1);
    for (std::size_t i = 0; i < n; ++i) {
      p.position[i] = {static_cast<double>(i), 0, 0};
      p.velocity[i] = {i == 0 ? 1.0 : i + 1 == n ? -1.0 : 0.0, 0, 0};
    }
    Particles expected = p;
    for (std::size_t i = 0; i + 1 < n; ++i) p.velocity[i][0] += 1e-3 * static_cast<double>(n - i);  // all approach
    expected = p;
    resolve(expected, all_contacts(expected, one_image), 0.9, 0);
    for (const std::string& backend : every_backend()) {
      EXPECT_EQ(collided(backend, p, Boundary{}, constant(0.9)).velocity, expected.velocity) << backend << n;
    }
  }
}

TEST(Collisions, LawsAreWhatTheySay) {
  const auto coefficient = [](const CollisionOptions& o, double speed) {
    const Particles after = collided("cpu", two({2, 0, 0}, {speed, 0, 0}, {0, 0, 0}, 1, 1), Boundary{}, o);
    return (after.velocity[1][0] - after.velocity[0][0]) / speed;
  };
  CollisionOptions power;
  power.law = CollisionLaw::power;
  power.scale = 0.32;
  power.exponent = -0.234;
  power.speed = 0.01;
  CollisionOptions bridges = power;
  bridges.law = CollisionLaw::bridges;
  bridges.scale = 0.34;
  for (const double v : {1e-5, 3e-4, 0.01, 0.0777, 1.0, 30.0}) {
    EXPECT_NEAR(coefficient(power, v), std::min(1.0, 0.32 * std::pow(v / 0.01, -0.234)), 2e-5) << v;
    EXPECT_NEAR(coefficient(bridges, v), std::min(1.0, 0.34 * std::pow(v / 0.01, -0.234)), 2e-5) << v;
  }
  CollisionOptions table;
  table.law = CollisionLaw::table;
  table.speeds = {1, 2, 4};
  table.coefficients = {0.9, 0.5, 0.1};
  for (const auto& [v, e] : std::vector<std::pair<double, double>>{{0.5, 0.9}, {1.5, 0.7}, {3, 0.3}, {9, 0.1}}) {
    EXPECT_NEAR(coefficient(table, v), e, 1e-14) << v;
  }
}

/// In fp64 with all digits of the masses, of which energies() has those of fp32.
double kinetic(const Particles& p) {
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i) sum += p.mass[i] * dot(p.velocity[i], p.velocity[i]);
  return sum / 2;
}

// Elastic, in a periodic box without gravity: the energy is constant.
TEST(Collisions, ElasticOnesKeepTheEnergy) {
  const Vec3 size = {8, 8, 8};
  Particles p = crowd(200, size, 0.3, 0.6, 9);
  p.eps.assign(p.size(), 0.1);
  for (const std::string& backend : every_backend()) {
    SimulationOptions o;
    o.backend = backend;
    o.boundary = box(BoundaryKind::periodic, size);
    o.collisions = constant(1);
    o.gravity.G = 1e-30;
    o.dt = 0.02;
    Snapshot start;
    start.particles = p;
    Simulation simulation(start, o);
    simulation.run(0.8);
    EXPECT_GT(simulation.collisions().number, 200U) << backend;
    EXPECT_NEAR(kinetic(simulation.snapshot().particles) / kinetic(p), 1, 1e-13) << backend;
  }
}

TEST(Collisions, WhatCannotBeIsRefused) {
  const auto refused = [](const auto& act) {
    try {
      act();
    } catch (const UsageError& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  Particles p = crowd(10, {9, 8, 7}, 0.3, 4.5, 1);
  EXPECT_NE(refused([&] {
              collided("cpu", p, box(BoundaryKind::periodic, {9, 8, 7}), constant(0.5));
            }).find("as large as the largest body"),
            std::string::npos);
  p.radius.clear();
  EXPECT_NE(refused([&] { collided("cpu", p, Boundary{}, constant(0.5)); }).find("no radii"), std::string::npos);
  EXPECT_NE(refused([] { constant(1.1).validate(); }).find("restitution"), std::string::npos);
  EXPECT_NE(refused([] { constant(-0.1).validate(); }).find("restitution"), std::string::npos);
  EXPECT_NE(refused([] { constant(NAN).validate(); }).find("restitution"), std::string::npos);
  CollisionOptions table;
  table.law = CollisionLaw::table;
  EXPECT_NE(refused([&] { table.validate(); }).find("speeds"), std::string::npos);
  table.speeds = {2, 1};
  table.coefficients = {0.5, 0.5};
  EXPECT_NE(refused([&] { table.validate(); }).find("ascend"), std::string::npos);
}

}  // namespace
}  // namespace hornbeam
