// SPDX-License-Identifier: Apache-2.0
// Measures as one CSV table.
#include <gtest/gtest.h>

#include "cli/output/json_table.h"
#include "hornbeam/error.h"

namespace hornbeam::cli {
namespace {

TEST(CsvTable, HasARowForEachObjectOfNumbers) {
  const std::vector<Json> objects = {{{"file", "a"}, {"time", 0.5}, {"bar", {{"strength", 0.25}}}},
                                     {{"file", "b"}, {"time", 1.0}, {"bar", {{"strength", 0.125}}}}};
  EXPECT_EQ(csv_table(objects, "--csv"), "file,time,bar_strength\na,0.5,0.25\nb,1,0.125\n");
}

TEST(CsvTable, HasARowForEachEntryOfArrays) {
  const std::vector<Json> objects = {{{"time", 2}, {"radius", {1.0, 2.0}}, {"mass", {3.0, 4.0}}}};
  EXPECT_EQ(csv_table(objects, "--csv"), "time,radius,mass\n2,1,3\n2,2,4\n");
}

TEST(CsvTable, SpreadsVectorsOverColumns) {
  const std::vector<Json> objects = {{{"angular_momentum", {1.0, 2.0, 3.0}}}};
  EXPECT_EQ(csv_table(objects, "--csv"), "angular_momentum_x,angular_momentum_y,angular_momentum_z\n1,2,3\n");
}

TEST(CsvTable, NamesUnitsInItsHeader) {
  const std::vector<Json> objects = {
      {{"file", "a"}, {"momentum", {1.0, 2.0, 3.0}}, {"disc", {{"radius", {1.0}}, {"count", {5}}}}}};
  const auto unit_of = [](const std::string& key) {
    return key == "momentum" ? "Msun km/s" : key == "radius" ? "pc" : "";
  };
  EXPECT_EQ(csv_table(objects, "--csv", unit_of),
            "file,momentum_x [Msun km/s],momentum_y [Msun km/s],momentum_z [Msun km/s],disc_radius [pc],disc_count\n"
            "a,1,2,3,1,5\n");
}

TEST(CsvTable, RefusesArraysOfDifferentLengths) {
  const std::vector<Json> objects = {{{"radius", {1.0, 2.0}}, {"radii", {3.0}}}};
  EXPECT_THROW(csv_table(objects, "--csv"), UsageError);
}

}  // namespace
}  // namespace hornbeam::cli
