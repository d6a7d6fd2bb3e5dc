// SPDX-License-Identifier: Apache-2.0
// The merger's orbit, turning and scaling against two-body mechanics.
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>

#include "hornbeam/error.h"
#include "hornbeam/ics.h"

namespace hornbeam {
namespace {

Vec3 minus(const Vec3& a, const Vec3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
double dot(const Vec3& a, const Vec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

// Two equal particles that circle each other in x-y, counter-clockwise, 2 apart: an equilibrium galaxy of mass 2.
Snapshot binary() {
  Snapshot snapshot;
  Particles& p = snapshot.particles;
  p.resize(2);
  p.mass = {1.0, 1.0};
  p.position = {{6.0, 0.0, 0.0}, {4.0, 0.0, 0.0}};  // not centred: merge() must do it
  p.velocity = {{1.0, 0.5, 0.0}, {1.0, -0.5, 0.0}};
  p.id = {100, 200};
  p.family = {Family::halo, Family::star};
  p.eps = {0.1, 0.2};
  return snapshot;
}

struct Body {
  Vec3 position{}, velocity{};
  double mass = 0.0;
};

Body body(const Particles& p, std::size_t begin, std::size_t end) {
  Body all;
  for (std::size_t i = begin; i < end; ++i) {
    for (int k = 0; k < 3; ++k) {
      all.position[k] += p.mass[i] * p.position[i][k];
      all.velocity[k] += p.mass[i] * p.velocity[i][k];
    }
    all.mass += p.mass[i];
  }
  for (int k = 0; k < 3; ++k) {
    all.position[k] /= all.mass;
    all.velocity[k] /= all.mass;
  }
  return all;
}

Vec3 spin(const Particles& p, std::size_t begin, std::size_t end) {
  const Body all = body(p, begin, end);
  Vec3 sum{};
  for (std::size_t i = begin; i < end; ++i) {
    const Vec3 l = cross(minus(p.position[i], all.position), minus(p.velocity[i], all.velocity));
    for (int k = 0; k < 3; ++k) sum[k] += p.mass[i] * l[k];
  }
  return sum;
}

constexpr double rounding = 1e-12;

class MergerOrbit : public testing::TestWithParam<double> {};

TEST_P(MergerOrbit, HasTheElementsAskedFor) {
  ics::MergerOptions options;
  options.pericentre = 3.0;
  options.separation = 5.0;
  options.eccentricity = GetParam();
  options.mass_ratio = 0.25;
  const Particles p = ics::merge(binary(), binary(), options).particles;
  const Body first = body(p, 0, 2), second = body(p, 2, 4), all = body(p, 0, 4);
  const Vec3 r = minus(second.position, first.position), v = minus(second.velocity, first.velocity);
  const double mu = first.mass + second.mass;

  EXPECT_NEAR(first.mass, 2.0, rounding);
  EXPECT_NEAR(second.mass, 0.5, rounding);
  EXPECT_NEAR(std::sqrt(dot(r, r)), 5.0, rounding);
  EXPECT_LT(dot(r, v), 0.0) << "must approach";
  // Specific energy mu (e - 1) / 2q, angular momentum^2 mu q (1 + e), and the eccentricity vector along +x.
  EXPECT_NEAR(0.5 * dot(v, v) - mu / 5.0, mu * (GetParam() - 1.0) / 6.0, rounding);
  const Vec3 h = cross(r, v);
  EXPECT_NEAR(h[2], std::sqrt(mu * 3.0 * (1.0 + GetParam())), rounding);
  const Vec3 vh = cross(v, h);
  EXPECT_NEAR(vh[0] / mu - r[0] / 5.0, GetParam(), rounding);
  EXPECT_NEAR(vh[1] / mu - r[1] / 5.0, 0.0, rounding);
  EXPECT_LT(std::sqrt(dot(all.position, all.position)), rounding);
  EXPECT_LT(std::sqrt(dot(all.velocity, all.velocity)), rounding);
}

INSTANTIATE_TEST_SUITE_P(Eccentricities, MergerOrbit, testing::Values(0.5, 1.0, 2.0));

TEST(Merger, FallsStraightWithoutPericentre) {
  ics::MergerOptions options;
  options.separation = 8.0;
  const Particles p = ics::merge(binary(), binary(), options).particles;
  const Body first = body(p, 0, 2), second = body(p, 2, 4);
  EXPECT_NEAR(second.position[0], -4.0, rounding);
  EXPECT_NEAR(second.velocity[0] - first.velocity[0], std::sqrt(2.0 * 4.0 / 8.0), rounding);
  EXPECT_NEAR(second.velocity[1], first.velocity[1], rounding);
}

TEST(Merger, StartsACircularOrbit) {
  ics::MergerOptions options;
  options.pericentre = options.separation = 4.0;
  options.eccentricity = 0.0;
  const Particles p = ics::merge(binary(), binary(), options).particles;
  const Body first = body(p, 0, 2), second = body(p, 2, 4);
  EXPECT_NEAR(second.velocity[1] - first.velocity[1], 1.0, rounding);  // sqrt(4 / 4)
}

TEST(Merger, TurnsEachGalaxy) {
  ics::MergerOptions options;
  options.pericentre = 1.0;
  options.separation = 50.0;
  options.inclination1 = 180.0;
  options.inclination2 = 90.0;
  options.node2 = 90.0;
  const Particles p = ics::merge(binary(), binary(), options).particles;
  const Vec3 retrograde = spin(p, 0, 2), polar = spin(p, 2, 4);
  EXPECT_NEAR(retrograde[2], -1.0, rounding);
  // Inclination 90 about the node's line (y after turning the node by 90 degrees): the spin points to +x.
  EXPECT_NEAR(polar[0], 1.0, rounding);
  EXPECT_NEAR(polar[2], 0.0, rounding);
}

TEST(Merger, ScalesAGalaxyInEquilibrium) {
  ics::MergerOptions options;
  options.pericentre = 1.0;
  options.separation = 50.0;
  options.mass_ratio = 0.25;
  options.size_exponent = 0.5;
  const Particles p = ics::merge(binary(), binary(), options).particles;
  const Vec3 apart = minus(p.position[2], p.position[3]);
  EXPECT_NEAR(std::sqrt(dot(apart, apart)), 1.0, rounding);  // 2 sqrt(1/4)
  const Vec3 relative = minus(p.velocity[2], p.velocity[3]);
  EXPECT_NEAR(dot(relative, relative), (p.mass[2] + p.mass[3]) / 1.0, rounding);  // still circular: v^2 = M / r
  EXPECT_EQ(p.eps[0], 0.1);
  EXPECT_NEAR(p.eps[2], 0.05, rounding);
}

TEST(Merger, KeepsFamiliesAndMakesIdsUnique) {
  ics::MergerOptions options;
  options.pericentre = 1.0;
  options.separation = 5.0;
  Snapshot galaxy = binary();
  galaxy.time = 7.0;
  galaxy.particles.potential = {-1.0, -1.0};
  const Snapshot merged = ics::merge(galaxy, galaxy, options);
  const Particles& p = merged.particles;
  EXPECT_EQ(p.id, (std::vector<std::uint64_t>{100, 200, 301, 401}));
  EXPECT_EQ(p.family, (std::vector<Family>{Family::halo, Family::star, Family::halo, Family::star}));
  EXPECT_TRUE(p.potential.empty());
  EXPECT_EQ(merged.time, 0.0);
  ASSERT_EQ(merged.notes.size(), 1u);
  EXPECT_NE(merged.notes[0].find("plus 201"), std::string::npos);
}

template <class Exception>
std::string message(const Snapshot& first, const Snapshot& second, const ics::MergerOptions& options) {
  try {
    ics::merge(first, second, options);
  } catch (const Exception& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(Merger, RefusesImpossibleOrbits) {
  ics::MergerOptions options;
  options.pericentre = 2.0;
  options.separation = 1.0;
  EXPECT_EQ(message<UsageError>(binary(), binary(), options),
            "merger.separation: received 1 (the orbit reaches from 2 outwards)");
  options.separation = 10.0;
  options.eccentricity = 0.5;
  EXPECT_EQ(message<UsageError>(binary(), binary(), options),
            "merger.separation: received 10 (the orbit reaches from 2 to 6)");
  options.pericentre = 0.0;
  EXPECT_EQ(message<UsageError>(binary(), binary(), options),
            "merger.eccentricity: received 0.5 (must be 1 when the pericentre is 0)");
  options.pericentre = -1.0;
  EXPECT_EQ(message<UsageError>(binary(), binary(), options),
            "merger.pericentre: received -1 (must be a finite number, 0 or above)");
}

TEST(Merger, RefusesUnfitGalaxies) {
  ics::MergerOptions options;
  options.pericentre = 1.0;
  options.separation = 5.0;
  EXPECT_EQ(message<Error>(binary(), Snapshot{}, options), "merger: the second galaxy has no mass");
  Snapshot physical = binary();
  physical.units = Units::galactic();
  EXPECT_EQ(message<Error>(binary(), physical, options), "merger: the two galaxies have different units");
  Snapshot full = binary();
  full.particles.id[0] = ~std::uint64_t{0};
  EXPECT_EQ(
      message<Error>(binary(), full, options),
      "merger: the ids of the two galaxies cannot be made distinct within 64 bits (give one of them smaller ids)");
}

TEST(Merger, IsAModelThatReadsItsGalaxies) {
  std::set<std::string> read;
  const ics::Reader reader = [&](const std::filesystem::path& path) {
    read.insert(path.string());
    return binary();
  };
  std::map<std::string, std::string> options = {{"galaxy1", "a.tipsy"}, {"pericentre", "1"}, {"separation", "9"}};
  const Snapshot twice = ics::make("merger", 0, ics::Seed{1}, options, reader);
  EXPECT_EQ(read, (std::set<std::string>{"a.tipsy"}));
  EXPECT_EQ(twice.particles.size(), 4u);
  EXPECT_EQ(twice.notes.size(), 1u);
  options["galaxy2"] = "b.tipsy";
  options["mass-ratio"] = "0.5";
  const Snapshot two = ics::make("merger", 5, ics::Seed{1}, options, reader);
  EXPECT_EQ(read, (std::set<std::string>{"a.tipsy", "b.tipsy"}));
  EXPECT_NEAR(two.particles.mass[3], 0.5, rounding);
  EXPECT_EQ(two.notes.back(), "n = 5 was not used, as the galaxy files have 4 particles");
  EXPECT_THROW(ics::make("merger", 0, ics::Seed{1}, options), UsageError);  // no reader
  options.erase("pericentre");
  EXPECT_THROW(ics::make("merger", 0, ics::Seed{1}, options, reader), UsageError);
}

TEST(Merger, DrawsItsGalaxiesWhereNoFilesAreGiven) {
  const std::map<std::string, std::string> options = {
      {"pericentre", "3"}, {"separation", "40"}, {"mass-ratio", "0.25"}, {"black-hole-mass", "0.1"}};
  const Particles p = ics::make("merger", 4003, ics::Seed{1}, options).particles;
  ASSERT_EQ(p.size(), 4003u);  // 2,002 and 2,001
  const Body first = body(p, 0, 2002), second = body(p, 2002, 4003);
  EXPECT_NEAR(first.mass, 7.6, 1e-9);
  EXPECT_NEAR(second.mass, 1.9, 1e-9);
  const Vec3 apart = minus(second.position, first.position);
  EXPECT_NEAR(std::sqrt(dot(apart, apart)), 40.0, 1e-9);
  EXPECT_EQ(p.family[2001], Family::black_hole);
  EXPECT_EQ(p.family[4002], Family::black_hole);
  EXPECT_NEAR(p.mass[4002], 0.025, 1e-12);
  // Not the same galaxy twice: the second one's particles are its own.
  const Vec3 a = minus(p.position[0], first.position), b = minus(p.position[2002], second.position);
  EXPECT_GT(std::abs(a[0] / b[0] - 2.0), 1e-3);  // sizes are as 2 : 1
  for (std::size_t i = 0; i < p.size(); ++i) ASSERT_EQ(p.id[i], i);
}

TEST(Merger, StartsBothDiscsQuietOrNeither) {
  std::map<std::string, std::string> options = {{"pericentre", "3"},
                                                {"separation", "40"},
                                                {"disc-number", "500"},
                                                {"bulge-number", "100"},
                                                {"halo-number", "500"}};
  const auto sorted_discs = [&](const std::string& quiet) {  // stars of a quiet disc stand from its centre outwards
    options["quiet"] = quiet;
    const Particles p = ics::make("merger", 2200, ics::Seed{1}, options).particles;
    int sorted = 0;
    for (const std::size_t begin : {0u, 1100u}) {
      const Vec3 centre = body(p, begin, begin + 1100).position;
      const auto radius = [&](std::size_t i) {
        return std::hypot(p.position[i][0] - centre[0], p.position[i][1] - centre[1]);
      };
      std::size_t inside = 0;
      for (std::size_t i = begin + 500; i < begin + 600; ++i) inside += radius(i) < radius(i + 400) ? 1 : 0;
      sorted += inside == 100 ? 1 : 0;
    }
    return sorted;
  };
  EXPECT_EQ(sorted_discs("true"), 2);
  EXPECT_EQ(sorted_discs("false"), 0);
}

TEST(Merger, TakesItsNumbersFromThoseOfTheParts) {
  std::map<std::string, std::string> options = {
      {"pericentre", "3"}, {"separation", "40"}, {"disc-number", "30"}, {"bulge-number", "20"}, {"halo-number", "100"}};
  EXPECT_EQ(ics::make("merger", 0, ics::Seed{1}, options).particles.size(), 300u);
  EXPECT_EQ(ics::make("merger", 300, ics::Seed{1}, options).particles.size(), 300u);
  EXPECT_THROW(ics::make("merger", 301, ics::Seed{1}, options), UsageError);
  options.erase("halo-number");
  EXPECT_THROW(ics::make("merger", 0, ics::Seed{1}, options), UsageError);
  options["galaxy2"] = "b.tipsy";
  EXPECT_THROW(ics::make("merger", 300, ics::Seed{1}, options), UsageError);  // where is the first?
}

}  // namespace
}  // namespace hornbeam
