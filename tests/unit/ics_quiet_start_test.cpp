// SPDX-License-Identifier: Apache-2.0
// The quiet start of a disc: its sequences, its rings against the model's and against random ones, its bits.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <numbers>
#include <set>
#include <string>
#include <vector>

#include "ics/galaxies/galaxy.h"
#include "ics/galaxies/quiet_start.h"

namespace hornbeam::ics {
namespace {

double normal_fraction(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }

TEST(RadicalInverse, MirrorsTheDigits) {
  const std::vector<double> base2 = {0.0, 0.5, 0.25, 0.75, 0.125, 0.625}, base3 = {0.0, 3.0, 6.0, 1.0, 4.0, 7.0};
  for (std::size_t i = 0; i < base2.size(); ++i) {
    EXPECT_EQ(radical_inverse(i, 2), base2[i]);
    EXPECT_EQ(radical_inverse(i, 3), base3[i] / 9.0);
  }
  EXPECT_EQ(radical_inverse((std::uint64_t{1} << 40) - 1, 2), 1.0 - 0x1p-40);  // more stars than any disc has
  EXPECT_LT(radical_inverse(1000000000000, 3), 1.0);
}

TEST(NormalQuantile, InvertsTheErrorFunction) {
  for (const double x : {-8.0, -5.0, -3.0, -1.0, -0.1, 0.0, 0.5, 2.0}) {
    EXPECT_NEAR(normal_quantile(normal_fraction(x)), x, 1e-9);
  }
  for (const double p : {0x1p-30, 0.125, 0.375}) EXPECT_EQ(normal_quantile(1.0 - p), -normal_quantile(p));
  EXPECT_NEAR(normal_quantile(0.0), -8.29, 0.01);  // that of 2^-54: no infinite velocities
  EXPECT_EQ(normal_quantile(1.0), -normal_quantile(0.0));
}

/// How many of `count` consecutive stars lie in different ones of as many parts of [0, 1), counted from the first
/// star's.
template <class Value>
std::size_t parts_filled(const QuietStart& quiet, std::int64_t from, std::int64_t count, const Value& value) {
  Random random(Seed{9}, 0);
  const double shift = value(quiet.star(0, random));
  std::set<std::int64_t> filled;
  for (std::int64_t i = from; i < from + count; ++i) {
    const double x = value(quiet.star(i, random)) - shift + 1.0;
    // a hundred-thousandth of a part off its lower edge, where rounding would decide
    filled.insert(static_cast<std::int64_t>((x - std::floor(x)) * static_cast<double>(count) + 1e-5) % count);
  }
  return filled.size();
}

TEST(QuietStart, FillsEveryPartOfEachRange) {
  const QuietStart quiet(100003, Random(Seed{1}, 0));
  const auto height = [](const DiscStart& start) { return start.height_fraction; };
  const auto speed = [](const DiscStart& start) { return normal_fraction(*start.vertical); };
  for (const std::int64_t from : {0, 7, 51234}) {
    EXPECT_EQ(parts_filled(quiet, from, 1024, height), 1024u);
    EXPECT_EQ(parts_filled(quiet, from, 729, speed), 729u);
  }
}

TEST(QuietStart, GivesEachStarItsPartOfTheMass) {
  Random random(Seed{2}, 0);
  for (const std::int64_t n : {1, 2, 10007}) {
    const QuietStart quiet(static_cast<std::size_t>(n), Random(Seed{1}, 0));
    for (std::int64_t i = 0; i < n; ++i) {
      const DiscStart start = quiet.star(i, random);
      ASSERT_GT(start.mass_fraction * static_cast<double>(n), static_cast<double>(i) - 1e-9);
      ASSERT_LT(start.mass_fraction * static_cast<double>(n), static_cast<double>(i + 1) + 1e-9);
      ASSERT_TRUE(start.height_fraction >= 0.0 && start.height_fraction < 1.0);
      ASSERT_LT(std::abs(*start.vertical), 8.3);
    }
  }
}

/// Halo and bulge of n particles each.
Particles spheres(std::size_t n, bool quiet) {
  static const Galaxy model(galaxy_shape(Settings({"galaxy", "", galaxy_options()}, {})));
  Particles p;
  p.resize(2 * n);
  model.draw(p, 0, {.halo = n, .bulge = n}, {Seed{3}, quiet});
  return p;
}

TEST(QuietSpheres, AreOfOppositePairs) {
  for (const std::size_t n : {2u, 3u, 7u, 32768u, 40001u}) {
    const Particles p = spheres(n, true);
    const std::size_t drawn = n / 2, pairs = n % 2 == 0 ? drawn : drawn - 1;
    for (const std::size_t first : {std::size_t{0}, n}) {
      for (std::size_t i = first; i < first + pairs; ++i) {
        for (int k = 0; k < 3; ++k) {
          ASSERT_NEAR(p.position[i][k], -p.position[i + drawn][k], 1e-13);  // centring takes the rounding of the others
          ASSERT_NEAR(p.velocity[i][k], -p.velocity[i + drawn][k], 1e-15);
        }
      }
      const auto length = [](const Vec3& x) { return std::hypot(x[0], x[1], x[2]); };
      for (std::size_t i = first + pairs + drawn; i < first + n; ++i) {  // the last of an odd number, and its two sides
        const std::size_t last = first + pairs;
        EXPECT_NEAR(length(p.position[i]) / length(p.position[last]), 1.0, 1e-12);
        EXPECT_NEAR(length(p.velocity[i]) / length(p.velocity[last]), 1.0, 1e-12);
      }
      for (std::size_t i = first; i < first + n; ++i) ASSERT_EQ(p.mass[i], p.mass[first]);
    }
  }
}

TEST(QuietSpheres, AreRandomWhereAsked) {
  const Particles p = spheres(1000, false);
  EXPECT_NE(p.position[0][0], -p.position[500][0]);
  EXPECT_GT(std::abs(p.position[0][0] + p.position[500][0]), 1e-3);
}

struct Star {
  double R, z, vertical, speed;
};

Galaxy galaxy(const std::map<std::string, std::string>& options = {}) {
  return Galaxy(galaxy_shape(Settings({"galaxy", "", galaxy_options()}, options)));
}

const Galaxy& default_galaxy() {
  static const Galaxy model = galaxy();
  return model;
}

Particles disc(std::size_t n, const Drawing& drawing, const Galaxy& model = default_galaxy()) {
  Particles p;
  p.resize(n);
  model.draw(p, 0, {.disc = n}, drawing);
  return p;
}

/// From the inside out.
std::vector<Star> stars(const Particles& p) {
  std::vector<Star> all;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const Vec3 &x = p.position[i], &v = p.velocity[i];
    all.push_back({std::hypot(x[0], x[1]), x[2], v[2], std::hypot(v[0], v[1], v[2])});
  }
  std::sort(all.begin(), all.end(), [](const Star& a, const Star& b) { return a.R < b.R; });
  return all;
}

/// <v_z^2> of the default galaxy at R, over all heights.
double vertical2(double R) {
  double sum = 0.0;
  const int heights = 256;
  for (int j = 0; j < heights; ++j) {
    const double z = 0.1 * std::atanh((2 * j + 1.0) / heights - 1.0);
    sum += std::pow(default_galaxy().disc_motion().vertical_dispersion(R, z), 2);
  }
  return sum / heights;
}

constexpr std::size_t in_ring = 1000;
const double height2 = std::pow(0.1 * std::numbers::pi, 2) / 12.0;  // <z^2> of sech^2 with z_d = 0.1

/// Rms over rings of 1,000 stars of what they differ from the model by, in units of it.
struct Scatter {
  double height = 0.0, median_height = 0.0, speed = 0.0;
};

Scatter scatter(const std::vector<Star>& disc) {
  Scatter sum;
  const std::size_t rings = disc.size() / in_ring;
  for (std::size_t ring = 0; ring < rings; ++ring) {
    double zz = 0.0, vv = 0.0, model = 0.0;
    std::vector<double> heights;
    for (std::size_t i = ring * in_ring; i < (ring + 1) * in_ring; ++i) {
      const Star& star = disc[i];
      zz += star.z * star.z / in_ring;
      vv += star.vertical * star.vertical / in_ring;
      if (i % 50 == 25) model += vertical2(star.R) * 50.0 / in_ring;
      heights.push_back(std::abs(star.z));
    }
    std::nth_element(heights.begin(), heights.begin() + in_ring / 2, heights.end());
    sum.height += std::pow(std::sqrt(zz / height2) - 1.0, 2);
    sum.median_height += std::pow(heights[in_ring / 2] / (0.1 * std::atanh(0.5)) - 1.0, 2);
    sum.speed += std::pow(std::sqrt(vv / model) - 1.0, 2);
  }
  const auto rms = [=](double squares) { return std::sqrt(squares / static_cast<double>(rings)); };
  return {rms(sum.height), rms(sum.median_height), rms(sum.speed)};
}

TEST(QuietDisc, HasRingsOfTheModelsHeightAndSpeed) {
  for (const std::uint64_t seed : {1, 2, 3, 4}) {
    const Scatter quiet = scatter(stars(disc(40009, {Seed{seed}})));
    EXPECT_LT(quiet.height, 0.006);         // the few stars far above the plane; at random 0.028
    EXPECT_LT(quiet.median_height, 0.003);  // one star more or less below it: 0.002; at random 0.036
    EXPECT_LT(quiet.speed, 0.003);          // as the height; at random 0.022
  }
  const Scatter random = scatter(stars(disc(40009, {Seed{1}, false})));
  // as the moments of sech^2 and of normal numbers have it for 1,000 stars; 40 rings show a ninth of it
  EXPECT_NEAR(random.height, 0.028, 0.008);
  EXPECT_NEAR(random.median_height, 0.036, 0.010);
  EXPECT_NEAR(random.speed, 0.022, 0.007);
}

TEST(QuietDisc, KeepsSurfaceDensityAndDistributions) {
  constexpr std::size_t n = 40009;  // a prime
  const std::vector<Star> all = stars(disc(n, {Seed{1}}));
  const Disc& model = default_galaxy().disc();
  for (const double fraction : {0.01, 0.2, 0.5, 0.9, 0.999}) {
    const double R = model.radius_of(fraction);
    const auto inside = std::count_if(all.begin(), all.end(), [=](const Star& star) { return star.R < R; });
    EXPECT_NEAR(static_cast<double>(inside), fraction * n, 1.0);  // one star in each n-th of the mass
  }
  double zv = 0.0, squares = 0.0, fourth = 0.0, z4 = 0.0;
  for (const Star& star : all) {
    const double z = star.z / std::sqrt(height2);
    const double v = star.vertical / default_galaxy().disc_motion().vertical_dispersion(star.R, star.z);
    zv += z * v / n;
    squares += (z * z - 1.0) * (v * v - 1.0) / n;
    fourth += v * v * v * v / n;
    z4 += z * z * z * z / n;
  }
  // n^(-1/2) = 0.005 and 2.5 n^(-1/2) = 0.013 at random; of the sequences half of that
  EXPECT_NEAR(zv, 0.0, 0.0025);
  EXPECT_NEAR(squares, 0.0, 0.006);
  EXPECT_NEAR(fourth, 3.0, 0.02);  // normal; at random 0.05
  EXPECT_NEAR(z4, 4.2, 0.06);      // of sech^2: 21 / 5; at random 0.13
}

TEST(QuietDisc, DrawsAnewWhatWouldEscape) {
  // A disc by itself, thick and far too hot: of its normal velocities many lie beyond the escape speed.
  const Galaxy hot = galaxy({{"halo-mass", "0"}, {"bulge-mass", "0"}, {"toomre-q", "4"}, {"disc-height", "1"}});
  constexpr std::size_t n = 100000;
  const auto mean_square = [&](bool quiet) {  // of v_z in units of its dispersion
    double sum = 0.0;
    for (const Star& star : stars(disc(n, {Seed{1}, quiet}, hot))) {
      // centring moves each star a little: the means of a random one are some n^(-1/2), 0.003
      EXPECT_LE(star.speed * star.speed, 2.0 * hot.field().depth_at(std::hypot(star.R, star.z)) * 1.01);
      sum += std::pow(star.vertical / hot.disc_motion().vertical_dispersion(star.R, star.z), 2);
    }
    return sum / n;
  };
  const double quiet = mean_square(true), random = mean_square(false);
  EXPECT_LT(random, 0.955);           // the truncation shows: 0.944; with v_z kept a quiet start has 1
  EXPECT_NEAR(quiet, random, 0.015);  // scatter of each (2 / n)^(1/2) = 0.0045
}

TEST(QuietDisc, HasBitsOfItsSeedAndCopy) {
  const auto same = [](const Particles& a, const Particles& b) {
    const std::size_t bytes = a.size() * sizeof(Vec3);
    return std::memcmp(a.position.data(), b.position.data(), bytes) == 0 &&
           std::memcmp(a.velocity.data(), b.velocity.data(), bytes) == 0;
  };
  for (const std::size_t n : {2u, 3u, 30011u}) {
    const Particles one = disc(n, {Seed{1}}), other = disc(n, {Seed{2}}), copy = disc(n, {Seed{1}, true, 1});
    EXPECT_TRUE(same(one, disc(n, {Seed{1}})));
    // not the azimuth alone: shifts of their own
    EXPECT_NE(one.position[0][2], other.position[0][2]);
    EXPECT_NE(one.position[0][2], copy.position[0][2]);
    EXPECT_FALSE(same(one, disc(n, {Seed{1}, false})));
  }
}

}  // namespace
}  // namespace hornbeam::ics
