// SPDX-License-Identifier: Apache-2.0
// Images and wraps of a periodic box.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "hornbeam/error.h"
#include "stages/wrap.h"
#include "tree/boundary.h"

namespace hornbeam {
namespace {

Boundary box(Vec3 size, std::array<int, 3> n_ghost) {
  Boundary boundary;
  boundary.kind = BoundaryKind::periodic;
  boundary.size = size;
  boundary.n_ghost = n_ghost;
  return boundary;
}

std::string refusal(const Boundary& boundary) {
  try {
    boundary.validate();
  } catch (const UsageError& e) {
    return e.what();
  }
  return {};
}

TEST(Boundary, WrapsByWholePeriods) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> place(-50, 50);
  for (int i = 0; i < 10000; ++i) {
    const double x = place(random), y = mixed::wrapped(x, 3.0), periods = (x - y) / 3.0;
    ASSERT_GE(y, -1.5);
    ASSERT_LT(y, 1.5);
    // a rounding of x
    ASSERT_NEAR(periods, std::round(periods), 1e-14);
  }
}

TEST(Boundary, WhatIsInsideKeepsItsDigits) {
  const double most = std::nextafter(0.5, 0.0);
  for (const double x : {-0.5, -0.1, 0.0, 0.3, most}) EXPECT_EQ(mixed::wrapped(x, 1.0), x);
  EXPECT_EQ(mixed::wrapped(0.5, 1.0), -0.5);
  EXPECT_EQ(mixed::wrapped(std::nextafter(-0.5, -1.0), 1.0), 0.5 - 0x1p-53);
  EXPECT_EQ(mixed::wrapped(7.0, 0.0), 7.0);  // an open axis
  EXPECT_TRUE(std::isnan(mixed::wrapped(std::numeric_limits<double>::quiet_NaN(), 1.0)));
  for (const double far : {1e17, -1e17, 1e300}) {
    EXPECT_GE(mixed::wrapped(far, 1.0), -0.5);
    EXPECT_LT(mixed::wrapped(far, 1.0), 0.5);
  }
}

TEST(Boundary, ImagesStandInAllBoxesNearestFirst) {
  const std::vector<SourceImage> images = images_of(box({2, 3, 5}, {2, 1, 0}), 0);
  ASSERT_EQ(images.size(), 15U);
  EXPECT_EQ(images[0].shift, (Vec3{}));
  double before = 0;
  Vec3 sum{};
  for (const SourceImage& image : images) {
    const double x = image.shift[0] / 2, y = image.shift[1] / 3, boxes = x * x + y * y;
    EXPECT_GE(boxes, before);
    before = boxes;
    for (int k = 0; k < 3; ++k) sum[k] += image.shift[k];
    EXPECT_EQ(image.shift[2], 0);
    EXPECT_EQ(image.velocity, (Vec3{}));
  }
  EXPECT_EQ(sum, (Vec3{}));
  EXPECT_EQ(images_of(Boundary{}, 0).size(), 1U);
}

TEST(Boundary, WhatCannotBeIsRefused) {
  EXPECT_EQ(refusal(Boundary{}), "");
  EXPECT_EQ(refusal(box({1, 0, 2}, {1, 0, 16})), "");
  EXPECT_NE(refusal(box({1, 0, 2}, {0, 1, 0})).find("n_ghost_y: requests images along an open axis"),
            std::string::npos);
  EXPECT_NE(refusal(box({0, 0, 0}, {})).find("needs boundary.size"), std::string::npos);
  EXPECT_NE(refusal(box({1, -1, 1}, {})).find("boundary.size"), std::string::npos);
  EXPECT_NE(refusal(box({1, NAN, 1}, {})).find("boundary.size"), std::string::npos);
  EXPECT_NE(refusal(box({1, 1, 1}, {0, 17, 0})).find("n_ghost_y: is 17"), std::string::npos);
  Boundary open = box({1, 1, 1}, {});  // with walls
  open.kind = BoundaryKind::open;
  EXPECT_EQ(refusal(open), "");
  open.n_ghost = {0, 0, 1};
  EXPECT_NE(refusal(open).find("n_ghost_z: requests images"), std::string::npos);
}

}  // namespace
}  // namespace hornbeam
