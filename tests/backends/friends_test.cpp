// SPDX-License-Identifier: Apache-2.0
// Friends of friends on every backend, by both walks: the labels of all pairs, exactly.
#include <gtest/gtest.h>

#include "../support/devices.h"
#include "../support/friends.h"

namespace hornbeam {
namespace {

void expect_labels(const Configuration& c, const std::vector<std::uint32_t>& expected, const std::string& what) {
  for (const std::string& backend : every_backend()) {
    NeighbourOptions options = with(c.box, c.leaf_size);
    options.backend = backend;
    for (const Walk walk : {Walk::group, Walk::stackless}) {
      const Friends found = find_friends(c.position, c.length, options, walk);
      EXPECT_EQ(found.backend, backend);
      EXPECT_EQ(found.label, expected) << what << c.what << ", " << backend << ", " << name(walk);
    }
  }
}

TEST(FriendsOnDevices, AnyConfiguration) {
  std::mt19937_64 engine(131);
  for (int k = 0; k < 10; ++k) {  // a search opens its device, which takes OpenCL long
    const Configuration c = any_configuration(engine);
    expect_labels(c, by_all_pairs(c.position, c.length, c.box), std::to_string(k) + ": ");
  }
}

TEST(FriendsOnDevices, BoxesThatAreNoCubes) {
  std::mt19937_64 engine(134);
  for (int k = 0; k < 3; ++k) {
    GroupOptions options = any_box(engine);
    Positions x = clustered(400, engine()), none;
    wrap(x, none, options.boundary, options.time);
    const auto expected = by_all_images(x, 0.05, options.boundary, options.time);
    for (const std::string& backend : every_backend()) {
      options.backend = backend;
      EXPECT_EQ(link_friends(x, 0.05, options), expected) << k << ", " << backend;
    }
  }
}

TEST(FriendsOnDevices, ManyParticles) {
  for (const double length : {0.003, 0.03}) {
    const Configuration c{"clumps", clustered(6000, 132), length, 0, 8};
    expect_labels(c, by_all_pairs(c.position, c.length, c.box), "");
  }
  const Configuration all{"one group", uniform(5000, 1.0, 133), 0.5, 1.0, 16};
  expect_labels(all, std::vector<std::uint32_t>(5000, 0), "");
}

}  // namespace
}  // namespace hornbeam
