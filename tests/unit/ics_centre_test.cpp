// SPDX-License-Identifier: Apache-2.0
// Where models stand: the centre of mass at the origin at rest, of a galaxy that of each part, and its black hole
// there.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "hornbeam/ics.h"
#include "hornbeam/units.h"
#include "ics/galaxies/galaxy.h"

namespace hornbeam {
namespace {

using Given = std::map<std::string, std::string>;

double largest_of(const std::vector<Vec3>& vectors) {
  double largest = 0.0;
  for (const Vec3& v : vectors) largest = std::max({largest, std::abs(v[0]), std::abs(v[1]), std::abs(v[2])});
  return largest;
}

Vec3 weighted_mean(const std::vector<Vec3>& vectors, const std::vector<double>& mass,
                   const std::vector<std::size_t>& places) {
  std::array<long double, 3> sum{};
  long double total = 0.0L;
  for (const std::size_t i : places) {
    for (int k = 0; k < 3; ++k) sum[k] += static_cast<long double>(mass[i]) * vectors[i][k];
    total += mass[i];
  }
  return {static_cast<double>(sum[0] / total), static_cast<double>(sum[1] / total),
          static_cast<double>(sum[2] / total)};
}

/// The mean of some particles is `at`, but for the rounding of each of them.
void expect_mean(const std::vector<Vec3>& vectors, const std::vector<double>& mass,
                 const std::vector<std::size_t>& places, const Vec3& at) {
  const Vec3 mean = weighted_mean(vectors, mass, places);
  const double rounding = 4e-16 * largest_of(vectors);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(mean[k], at[k], rounding);
}

std::vector<std::size_t> all_of(const Particles& p) {
  std::vector<std::size_t> places(p.size());
  for (std::size_t i = 0; i < p.size(); ++i) places[i] = i;
  return places;
}

std::vector<std::size_t> places_of(const Particles& p, const std::vector<Family>& families, std::size_t begin,
                                   std::size_t end) {
  std::vector<std::size_t> places;
  for (std::size_t i = begin; i < end; ++i) {
    if (std::find(families.begin(), families.end(), p.family[i]) != families.end()) places.push_back(i);
  }
  return places;
}

void expect_at(const Particles& p, const std::vector<std::size_t>& places, const Vec3& position, const Vec3& velocity) {
  ASSERT_FALSE(places.empty());
  expect_mean(p.position, p.mass, places, position);
  expect_mean(p.velocity, p.mass, places, velocity);
}

/// Each part where it should be; of so few particles that a part has but one, disc and bulge together.
void expect_parts_at(const Particles& p, std::size_t begin, std::size_t end, const Vec3& position,
                     const Vec3& velocity) {
  const bool has_single = places_of(p, {Family::bulge}, begin, end).size() == 1;
  std::vector<std::vector<Family>> parts = {{Family::halo}, {Family::disc}, {Family::bulge}};
  if (has_single) parts = {{Family::halo}, {Family::disc, Family::bulge}};
  for (const std::vector<Family>& part : parts) expect_at(p, places_of(p, part, begin, end), position, velocity);
}

Units kiloparsecs() { return physical_units(3.0857e21, 1.989e43, 1e5); }

TEST(ModelCentre, IsAtTheOriginAtRest) {
  for (const char* model : {"plummer", "hernquist", "uniform-sphere", "uniform-cube", "lattice"}) {
    for (const std::size_t n : {8u, 125u, 8000u}) {
      SCOPED_TRACE(model + (" " + std::to_string(n)));
      const Given options = model == std::string("uniform-sphere") ? Given{{"virial", "1"}} : Given{};
      for (const Units& units : {Units{}, kiloparsecs()}) {
        const Particles p = ics::make(model, n, ics::Seed{3}, options, {}, units).particles;
        expect_at(p, all_of(p), {}, {});
      }
    }
  }
}

TEST(ModelCentre, OfAGalaxyIsThatOfEachPart) {
  const ics::Settings settings({"galaxy", "", ics::galaxy_options()}, {{"black-hole-mass", "0.3"}});
  const ics::GalaxyShape shape = ics::galaxy_shape(settings);
  const ics::Galaxy model(shape);
  for (const std::size_t n : {10u, 11u, 12u, 100u, 1003u, 10000u}) {
    SCOPED_TRACE(n);
    Particles p;
    p.resize(n);
    model.draw(p, 0, ics::galaxy_numbers(settings, shape, n), {ics::Seed{4}});
    ASSERT_EQ(p.family.back(), Family::black_hole);
    EXPECT_EQ(p.position.back(), Vec3{});
    EXPECT_EQ(p.velocity.back(), Vec3{});
    expect_parts_at(p, 0, n - 1, {}, {});
    expect_at(p, all_of(p), {}, {});
    for (std::size_t i = 0; i + 1 < n; ++i) ASSERT_NE(p.position[i], Vec3{});
    model.draw(p, 0, ics::galaxy_numbers(settings, shape, n), {ics::Seed{4}, false});
    expect_at(p, all_of(p), {}, {});
  }
}

TEST(ModelCentre, OfAGalaxyInUnitsStaysExact) {
  const Given options = {{"black-hole-mass", "0.3"}};
  const Particles p = ics::make("galaxy", 1001, ics::Seed{5}, options, {}, kiloparsecs()).particles;
  EXPECT_EQ(p.position.back(), Vec3{});
  EXPECT_EQ(p.velocity.back(), Vec3{});
  expect_parts_at(p, 0, 1000, {}, {});
}

TEST(ModelCentre, IsSharedByABlackHoleAndASingleParticle) {
  const Given options = {{"black-hole-mass", "0.5"}, {"disc-mass", "0"}, {"bulge-mass", "0"}, {"halo-mass", "1"}};
  const Particles p = ics::make("galaxy", 2, ics::Seed{6}, options).particles;
  EXPECT_NE(p.position[0], p.position[1]);
  expect_at(p, all_of(p), {}, {});
}

TEST(ModelCentre, OfGalaxiesInAMergerIsOnTheirOrbit) {
  for (const std::size_t n : {22u, 20000u}) {
    SCOPED_TRACE(n);
    // head on from 12 along x: at -4 and 8 of masses 2 : 1, falling as from infinity
    const Given options = {{"pericentre", "0"},    {"separation", "12"},      {"mass-ratio", "0.5"},
                           {"inclination1", "30"}, {"node1", "70"},           {"inclination2", "110"},
                           {"node2", "-20"},       {"black-hole-mass", "0.5"}};
    const Particles p = ics::make("merger", n, ics::Seed{7}, options).particles;
    ASSERT_EQ(p.size(), n);
    const double speed = std::sqrt(2.0 * 12.0 / 12.0);  // sqrt(2 G M / r) of masses 8 and 4
    const Vec3 x1 = {4.0, 0.0, 0.0}, x2 = {-8.0, 0.0, 0.0};
    const Vec3 v1 = {-speed / 3.0, 0.0, 0.0}, v2 = {2.0 * speed / 3.0, 0.0, 0.0};
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(p.position[n / 2 - 1][k], x1[k], 1e-15);
      EXPECT_NEAR(p.position[n - 1][k], x2[k], 2e-15);
      EXPECT_NEAR(p.velocity[n / 2 - 1][k], v1[k], 2e-16);
      EXPECT_NEAR(p.velocity[n - 1][k], v2[k], 2e-16);
    }
    expect_parts_at(p, 0, n / 2 - 1, p.position[n / 2 - 1], p.velocity[n / 2 - 1]);
    expect_parts_at(p, n / 2, n - 1, p.position[n - 1], p.velocity[n - 1]);
    expect_at(p, all_of(p), {}, {});
  }
}

}  // namespace
}  // namespace hornbeam
