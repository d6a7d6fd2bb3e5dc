// SPDX-License-Identifier: Apache-2.0
// Spheres that touch beside a loop over all pairs, exactly: the same pairs in the same images, on every backend and
// walk, as all measure by the same operations in fp64.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "../support/devices.h"
#include "../support/neighbours.h"
#include "hornbeam/error.h"
#include "interactions/collisions/touching.h"
#include "interactions/pair_sources.h"
#include "support/environment.h"

namespace hornbeam {
namespace {

using Images = std::vector<SourceImage>;
using Radii = std::vector<double>;

std::vector<TouchingPair> by_all_pairs(const Positions& x, const Radii& radius, const Images& images) {
  std::vector<TouchingPair> pairs;
  for (std::uint32_t i = 0; i < x.size(); ++i) {
    for (std::uint32_t j = i + 1; j < x.size(); ++j) {
      for (std::size_t m = 0; m < images.size(); ++m) {
        double d2 = 0;
        for (int k = 0; k < 3; ++k) {
          const double d = (x[j][k] - x[i][k]) + images[m].shift[k];
          d2 += d * d;
        }
        const double reach = radius[i] + radius[j];
        if (d2 <= reach * reach) pairs.push_back({i, j, static_cast<std::int32_t>(m)});
      }
    }
  }
  return pairs;
}

/// Images of a cube of this edge to `around` cubes on every side of each axis; those along x are sheared by `slip`.
Images cubes(double edge, int around, double slip) {
  Images images(1);
  for (int i = -around; i <= around; ++i) {
    for (int j = -around; j <= around; ++j) {
      for (int k = -around; k <= around; ++k) {
        if (i == 0 && j == 0 && k == 0) continue;
        images.push_back({{i * edge, j * edge + i * slip, k * edge}, {0, i * 1.5, 0}});
      }
    }
  }
  return images;
}

/// Spread evenly in their logarithm.
Radii wild_radii(std::size_t n, double least, double largest, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  std::uniform_real_distribution<double> draw(std::log(least), std::log(largest));
  Radii radius(n);
  for (double& r : radius) r = std::exp(draw(engine));
  return radius;
}

std::vector<std::string> all_backends() {
  std::vector<std::string> all = device_backends();
  all.insert(all.begin(), "cpu");
  return all;
}

void expect_all_pairs_touch(const Positions& x, const Radii& radius, const Images& images, const std::string& what,
                            int leaf_size = 16) {
  const std::vector<TouchingPair> expected = by_all_pairs(x, radius, images);
  for (const std::string& backend : all_backends()) {
    for (const Walk walk : {Walk::group, Walk::stackless}) {
      NeighbourOptions options = with(0, leaf_size);
      options.backend = backend;
      EXPECT_EQ(touching_spheres(x, radius, images, options, walk == Walk::group), expected)
          << what << ", " << backend << ", " << name(walk);
    }
  }
  EXPECT_FALSE(expected.empty()) << what;
}

TEST(Touching, OpenSpace) {
  const Positions x = uniform(900, 1.0, 71);
  expect_all_pairs_touch(x, Radii(x.size(), 0.04), one_image, "equal radii");
  expect_all_pairs_touch(x, wild_radii(x.size(), 1e-6, 0.3, 72), one_image, "wildly unequal radii");
  expect_all_pairs_touch(clustered(900, 73), wild_radii(900, 1e-5, 0.1, 74), one_image, "clumps, leaves of one", 1);
}

TEST(Touching, PeriodicImages) {
  const Positions x = uniform(400, 2.0, 75);
  expect_all_pairs_touch(x, wild_radii(x.size(), 1e-4, 0.4, 76), cubes(2.0, 1, 0), "27 images");
}

TEST(Touching, ShearedImages) {
  const Positions x = uniform(400, 2.0, 77);
  for (const double slip : {0.3, 1.7}) {
    expect_all_pairs_touch(x, wild_radii(x.size(), 1e-4, 0.3, 78), cubes(2.0, 1, slip), "sheared images");
  }
}

// At exactly the sum of the radii spheres touch; just beyond they do not.
TEST(Touching, LatticeWithExactContact) {
  const Positions x = lattice(8);
  expect_all_pairs_touch(x, Radii(x.size(), 0.5), cubes(8.0, 1, 0), "lattice");
  NeighbourOptions options = with(8.0);
  EXPECT_EQ(touching_spheres(x, Radii(x.size(), 0.5), one_image, options).size(), 3 * x.size());
  EXPECT_TRUE(touching_spheres(x, Radii(x.size(), std::nextafter(0.5, 0.0)), one_image, options).empty());
}

// A nearest image is one of the list's 27 where radii are small next to the cube.
TEST(Touching, NearestImagesAreThoseOfTheList) {
  const Positions x = uniform(500, 2.0, 79);
  const Radii radius = wild_radii(x.size(), 1e-3, 0.45, 80);
  std::vector<TouchingPair> expected = by_all_pairs(x, radius, cubes(2.0, 1, 0));
  for (TouchingPair& pair : expected) pair.image = 0;
  for (const std::string& backend : all_backends()) {
    NeighbourOptions options = with(2.0);
    options.backend = backend;
    EXPECT_EQ(touching_spheres(x, radius, one_image, options), expected) << backend;
  }
}

// One sphere that touches all others, which are points, some of them at one place.
TEST(Touching, OneGiant) {
  Positions x = uniform(1500, 1.0, 81);
  for (std::size_t i = 0; i < 200; ++i) x[7 * i] = {0.5, 0.5, 0.25};
  Radii radius(x.size(), 0.0);
  radius[700] = 2.0;
  for (const std::string& backend : all_backends()) {
    NeighbourOptions options;
    options.backend = backend;
    const auto pairs = touching_spheres(x, radius, one_image, options);
    EXPECT_EQ(pairs, by_all_pairs(x, radius, one_image)) << backend;
    EXPECT_EQ(pairs.size(), 1499U + 199U * 200U / 2U - (700 % 7 == 0 ? 199U : 0U)) << backend;
  }
}

TEST(Touching, EveryInstructionSet) {
  const Positions x = uniform(400, 2.0, 83);
  const Radii radius = wild_radii(x.size(), 1e-4, 0.3, 84);
  const Images images = cubes(2.0, 1, 0.4);
  const std::vector<TouchingPair> expected = by_all_pairs(x, radius, images);
  for (const char* isa : {"generic", "avx2", "avx512"}) {
    const AskedInstructionSet asked(isa);
    try {
      EXPECT_EQ(touching_spheres(x, radius, images, {}), expected) << isa;
    } catch (const NoDevice&) {
      EXPECT_STRNE(isa, "generic") << "runs everywhere";
    }
  }
}

TEST(Touching, RefusesWhatItCannotAnswer) {
  const Positions x = uniform(10, 1.0, 85);
  const Radii radius(10, 0.1);
  EXPECT_TRUE(touching_spheres({}, {}, one_image, {}).empty());
  EXPECT_THROW(touching_spheres(x, Radii(9, 0.1), one_image, {}), UsageError);
  EXPECT_THROW(touching_spheres(x, Radii(10, -0.1), one_image, {}), Error);
  EXPECT_THROW(touching_spheres(x, Radii(10, NAN), one_image, {}), Error);
  EXPECT_THROW(touching_spheres(x, radius, {}, {}), UsageError);
  EXPECT_THROW(touching_spheres(x, radius, {{}, {{1, 0, 0}, {}}}, {}), UsageError);
  EXPECT_THROW(touching_spheres(x, radius, {{{1, 0, 0}, {}}, {{-1, 0, 0}, {}}}, {}), UsageError);
  EXPECT_THROW(touching_spheres(x, radius, one_image, with(0.39)), UsageError);
  EXPECT_THROW(touching_spheres(x, radius, cubes(1.0, 1, 0), with(1.0)), UsageError);
}

}  // namespace
}  // namespace hornbeam
