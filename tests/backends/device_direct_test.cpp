// SPDX-License-Identifier: Apache-2.0
// Direct summation on devices, whose blocks take shares of the particles tile by tile.
#include <gtest/gtest.h>

#include "../support/devices.h"
#include "../support/forces.h"

namespace hornbeam {
namespace {

class DirectOnDevices : public testing::Test {
 protected:
  void SetUp() override {
    if (device_backends().empty()) GTEST_SKIP() << no_device;
  }
  static GravityOptions options() {
    GravityOptions o;
    o.walk = Walk::direct;
    o.eps = 0.01;
    return o;
  }
};

// More than 32,768 particles, so that some shares have two tiles and others one, and the last tile is not full.
TEST_F(DirectOnDevices, SharesOfUnequalTiles) {
  const Particles p = drawn("plummer", 34003);
  std::vector<std::size_t> some;  // of every tile of 256 targets more than ten
  for (std::size_t i = 0; i < p.size(); i += 23) some.push_back(i);
  const Forces expected = exact_at(some, p, options());
  for (const std::string& backend : device_backends()) {
    const Evaluation e = evaluate_on(backend, p, options());
    Forces found;
    for (const std::size_t i : some) found.push_back(e.field[i]);
    EXPECT_LT(rms_difference(found, expected), 2e-6) << backend;  // rounding alone
    EXPECT_EQ(e.interactions.particle, p.size() * (p.size() - 1)) << backend;
  }
}

TEST_F(DirectOnDevices, EveryKindOfPairAtSizesAboutABlock) {
  for (const std::size_t n : {1UL, 2UL, 3UL, 256UL, 257UL, 1025UL}) {
    for (const std::string kind : {"uniform", "unsoftened", "own eps", "spline"}) {
      Particles p = drawn("plummer", n);
      GravityOptions o = options();
      if (kind == "unsoftened") o.eps = 0;
      if (kind == "spline") o.softening = Softening::spline;
      if (kind == "own eps") {
        o.eps = -1;
        for (std::size_t i = 0; i < n; ++i) p.eps.push_back(i % 3 == 0 ? 0.0 : 0.002 * static_cast<double>(i % 7));
      }
      const Forces expected = exact(p, o);
      for (const std::string& backend : device_backends()) {
        for (const Precision precision : {Precision::mixed, Precision::fp64}) {
          o.precision = precision;
          const Forces field = evaluate_on(backend, p, o).field;
          const std::string what = backend + " " + kind + " " + std::to_string(n);
          if (n == 1) {
            EXPECT_EQ(field.at(0), (std::array<double, 4>{})) << what;
          } else {
            // rounding alone: of places from the block's centre in fp32, which close pairs feel where nothing softens
            const double rounding = kind == "uniform" ? 2e-6 : 1e-5;
            EXPECT_LT(rms_difference(field, expected), precision == Precision::fp64 ? 1e-13 : rounding) << what;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace hornbeam
