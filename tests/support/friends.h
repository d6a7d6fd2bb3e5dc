// SPDX-License-Identifier: Apache-2.0
// Friends of friends for tests: configurations of many kinds, and the answer of all pairs.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "hornbeam/groups.h"
#include "interactions/groups/friends.h"
#include "neighbours.h"
#include "tree/boundary.h"

namespace hornbeam {

struct Configuration {
  std::string what;
  Positions position;
  double length = 0, box = 0;  ///< box 0: open
  int leaf_size = 16;
};

/// The least index of each particle's group, by a union over all pairs.
inline std::vector<std::uint32_t> by_all_pairs(const Positions& x, double length, double box) {
  std::vector<std::uint32_t> root(x.size());
  std::iota(root.begin(), root.end(), 0U);
  const auto find = [&](std::uint32_t i) {
    while (root[i] != i) i = root[i] = root[root[i]];
    return i;
  };
  for (std::uint32_t i = 0; i < x.size(); ++i) {
    for (std::uint32_t j = i + 1; j < x.size(); ++j) {
      if (distance2(x[i], x[j], box) > length * length) continue;
      const std::uint32_t a = find(i), b = find(j);
      root[std::max(a, b)] = std::min(a, b);
    }
  }
  for (std::uint32_t i = 0; i < x.size(); ++i) root[i] = find(i);
  return root;
}

/// The same, each particle standing in all of a boundary's images; positions in the box.
inline std::vector<std::uint32_t> by_all_images(const Positions& x, double length, const Boundary& box, double time) {
  Positions all;
  const std::vector<SourceImage> images = neighbouring_images(box, time);
  for (const SourceImage& image : images) {
    for (const Vec3& at : x) {
      all.push_back({at[0] + image.shift[0], at[1] + image.shift[1], at[2] + image.shift[2]});
    }
  }
  const std::size_t n = x.size();
  std::vector<std::uint32_t> root(n);
  std::iota(root.begin(), root.end(), 0U);
  const auto find = [&](std::uint32_t i) {
    while (root[i] != i) i = root[i] = root[root[i]];
    return i;
  };
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < all.size(); ++j) {
      if (distance2(x[i], all[j], 0) > length * length) continue;
      const std::uint32_t a = find(i), b = find(static_cast<std::uint32_t>(j % n));
      root[std::max(a, b)] = std::min(a, b);
    }
  }
  for (std::uint32_t i = 0; i < n; ++i) root[i] = find(i);
  return root;
}

/// A box of unequal edges, some of them open, or a shearing sheet at some time.
inline GroupOptions any_box(std::mt19937_64& engine) {
  std::uniform_real_distribution<double> draw(0, 1);
  GroupOptions options;
  Boundary& box = options.boundary;
  box.size = {0.5 + draw(engine), 0.5 + draw(engine), engine() % 2 == 0 ? 0 : 0.3 + draw(engine)};
  box.kind = engine() % 3 == 0 ? BoundaryKind::shear : BoundaryKind::periodic;
  if (box.kind == BoundaryKind::shear) box.omega = 1, options.time = 10 * draw(engine);
  if (box.kind == BoundaryKind::periodic && engine() % 3 == 0) box.size[0] = 0;
  return options;
}

/// How many groups these labels tell of, single particles among them.
inline std::size_t groups_in(const std::vector<std::uint32_t>& label) {
  std::size_t groups = 0;
  for (std::size_t i = 0; i < label.size(); ++i) groups += label[i] == i ? 1 : 0;
  return groups;
}

/// Into [0, box) along each axis.
inline Positions wrapped(Positions x, double box) {
  for (Vec3& p : x) {
    for (double& at : p) {
      at -= box * std::floor(at / box);
      if (at >= box) at = 0;
    }
  }
  return x;
}

inline Configuration any_configuration(std::mt19937_64& engine) {
  const auto below = [&](int n) { return static_cast<int>(engine() % static_cast<unsigned>(n)); };
  std::uniform_real_distribution<double> draw(0, 1);
  Configuration c;
  const auto n = static_cast<std::size_t>(below(3) == 0 ? below(400) : below(60));
  const double spacing = 1 / std::cbrt(std::max<double>(1, static_cast<double>(n)));
  switch (below(7)) {
    case 0:
      c.what = "uniform", c.position = uniform(n, 1.0, engine());
      break;
    case 1:
      c.what = "clumps", c.position = clustered(n, engine());
      break;
    case 2:
      c.what = "coincident";
      c.position = uniform(n, 1.0, engine());
      for (std::size_t i = 0; i < n; ++i)
        c.position[i] = c.position[static_cast<std::size_t>(below(1 + static_cast<int>(i)))];
      break;
    case 3:
      c.what = "plane", c.position = uniform(n, 1.0, engine());
      for (Vec3& x : c.position) x[2] = 0.5;
      break;
    case 4:
      c.what = "line", c.position = uniform(n, 1.0, engine());
      for (Vec3& x : c.position) x[1] = x[2] = 0.25;
      break;
    case 5:
      c.what = "chain";
      for (std::size_t i = 0; i < n; ++i) c.position.push_back({static_cast<double>(i) * 0.125, 0, 0});
      std::shuffle(c.position.begin(), c.position.end(), engine);
      c.length = below(2) == 0 ? 0.125 : std::nextafter(0.125, 0);
      break;
    default:
      c.what = "about a corner", c.position = uniform(n, 0.5, engine());
      for (Vec3& x : c.position) x = {x[0] - 0.25, x[1] - 0.25, x[2] - 0.25};
      break;
  }
  if (c.length == 0) c.length = spacing * std::pow(10.0, -2.0 + 3.0 * draw(engine));
  if (below(2) == 0) {
    c.box = std::max(c.what == "clumps" ? 8.0 : 1.0, 2 * c.length);
    c.position = wrapped(std::move(c.position), c.box);
    c.what += ", periodic";
  }
  c.leaf_size = 1 + below(24);
  return c;
}

}  // namespace hornbeam
