// SPDX-License-Identifier: Apache-2.0
// Measures in columns, with units.
#include "cli/output/measure_text.h"

#include <gtest/gtest.h>

#include "cli/analyze/measures.h"

namespace hornbeam::cli {
namespace {

TEST(MeasureText, NumbersAndVectorsStandBelowOneAnother) {
  const Json measured = {{"time", 1}, {"kinetic", 0.25}, {"angular_momentum", {1.5, -2, 0.001}}};
  EXPECT_EQ(measure_text(measured, {}),
            "    kinetic           0.25\n"
            "    angular_momentum   1.5  -2  0.001\n");
  EXPECT_EQ(measure_text(measured, Units::galactic()),
            "    kinetic           0.25             [1e10 Msun (km/s)^2]\n"
            "    angular_momentum   1.5  -2  0.001  [1e10 Msun kpc km/s]\n");
}

TEST(MeasureText, TablesHaveNamesAndUnitsAboveTheirColumns) {
  const Json measured = {
      {"disc", {{"radius", {1, 12.3456789}}, {"azimuthal_dispersion", {123456.5, 0.25}}, {"toomre_q", {2, 1}}}}};
  EXPECT_EQ(measure_text(measured, Units::galactic()),
            "     radius  azimuthal_dispersion  toomre_q\n"
            "      [kpc]                [km/s]\n"
            "          1                123456         2\n"
            "    12.3457                  0.25         1\n");
}

TEST(MeasureText, ArraysOfDifferentLengthsAreTablesOfTheirOwn) {
  const Json measured = {{"radius", {1}}, {"mass", {3}}, {"radii", {4, 5}}};
  EXPECT_EQ(measure_text(measured, {}),
            "    radius  mass\n"
            "         1     3\n"
            "    radii\n"
            "        4\n"
            "        5\n");
}

}  // namespace
}  // namespace hornbeam::cli
