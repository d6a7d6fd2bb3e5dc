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

/// Particles of all families at these places.
Particles of_families(const Positions& x, std::mt19937_64& engine) {
  Particles p;
  p.resize(x.size());
  p.position = x;
  for (std::size_t i = 0; i < x.size(); ++i) {
    p.id[i] = i;
    p.mass[i] = 1;
    p.family[i] = static_cast<Family>(engine() % family_count);
  }
  return p;
}

/// Labels where only particles of `options.primary` are linked, and others join the nearest of them, by all pairs. The
/// first of equally near ones counts.
std::vector<std::uint32_t> attached_by_all_images(const Particles& p, double length, const GroupOptions& options) {
  std::vector<std::uint32_t> index, label(p.size());
  Positions linked;
  const auto is_primary = [&](std::size_t i) {
    return std::find(options.primary.begin(), options.primary.end(), p.family[i]) != options.primary.end();
  };
  for (std::uint32_t i = 0; i < p.size(); ++i) {
    if (!is_primary(i)) continue;
    index.push_back(i);
    linked.push_back(p.position[i]);
  }
  const auto label_of_linked = by_all_images(linked, length, options.boundary, options.time);
  std::iota(label.begin(), label.end(), 0U);
  for (std::size_t k = 0; k < index.size(); ++k) label[index[k]] = index[label_of_linked[k]];
  const auto images = neighbouring_images(options.boundary, options.time);
  for (std::size_t i = 0; i < p.size(); ++i) {
    double nearest = length * length;
    for (std::size_t k = 0; k < index.size() && !is_primary(i); ++k) {
      for (const SourceImage& image : images) {
        const Vec3 at = {linked[k][0] + image.shift[0], linked[k][1] + image.shift[1], linked[k][2] + image.shift[2]};
        const double square = distance2(p.position[i], at, 0);
        if (square < nearest || (square == nearest && label[i] == i)) nearest = square, label[i] = label[index[k]];
      }
    }
  }
  std::vector<std::uint32_t> least(p.size());
  std::iota(least.begin(), least.end(), 0U);
  for (std::uint32_t i = 0; i < p.size(); ++i) least[label[i]] = std::min(least[label[i]], i);
  for (std::uint32_t& of : label) of = least[of];
  return label;
}

/// The least member of each particle's group.
std::vector<std::uint32_t> labels_of(const GroupCatalogue& catalogue, std::size_t n) {
  const std::vector<std::int64_t> group = catalogue.group_of(n);
  std::vector<std::uint32_t> label(n), least(catalogue.groups.size(), static_cast<std::uint32_t>(n));
  for (std::uint32_t i = 0; i < n; ++i)
    least[static_cast<std::size_t>(group[i])] = std::min(least[static_cast<std::size_t>(group[i])], i);
  for (std::size_t i = 0; i < n; ++i) label[i] = least[static_cast<std::size_t>(group[i])];
  return label;
}

TEST(FriendsOnDevices, OthersJoinTheNearestOfAPrimaryFamily) {
  std::mt19937_64 engine(135);
  for (int k = 0; k < 3; ++k) {
    GroupOptions options = k == 0 ? GroupOptions{} : any_box(engine);
    options.linking_length = 0.05;
    options.min_members = 1;
    options.primary = {Family::halo, Family::bulge};
    Positions x = clustered(400, engine()), none;
    wrap(x, none, options.boundary, options.time);
    const Particles p = of_families(x, engine);
    const auto expected = attached_by_all_images(p, 0.05, options);
    for (const std::string& backend : every_backend()) {
      options.backend = backend;
      const GroupCatalogue found = find_groups(p, options);
      EXPECT_EQ(labels_of(found, p.size()), expected) << k << ", " << backend;
      EXPECT_GT(found.attached, 100U);
    }
  }
}

}  // namespace
}  // namespace hornbeam
