// SPDX-License-Identifier: Apache-2.0
// Walks over pairs in single precision, on every backend and walk, beside all pairs measured in it; those in double and
// mixed precision: pair_walks_test.cpp.
#define HB_PRECISION 1
#include <gtest/gtest.h>

#include <random>

#include "support/pair_counts.h"

namespace hornbeam {
namespace {

TEST(PairWalksInSingle, NumbersOfNeighbours) {
  std::mt19937_64 engine(96);
  std::uniform_real_distribution<float> draw(0, 1);
  std::vector<Vec3> x(1200);
  for (Vec3& p : x) p = {draw(engine), draw(engine), draw(engine)};
  const float radius = 0.11F;
  std::vector<std::uint32_t> expected(x.size(), 0);
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = 0; j < x.size(); ++j) {
      float d[3];
      for (int k = 0; k < 3; ++k) d[k] = static_cast<float>(x[j][k]) - static_cast<float>(x[i][k]);
      expected[i] += j != i && d[0] * d[0] + d[1] * d[1] + d[2] * d[2] <= radius * radius ? 1 : 0;
    }
  }
  for_each_pair_walk([&](const std::string& backend, bool groups) {
    const auto root = [](const single::CellsView&) { return std::vector<std::int32_t>{0}; };
    EXPECT_EQ(single::counts_from(backend, groups, x, radius, root), expected) << backend << groups;
  });
}

}  // namespace
}  // namespace hornbeam
