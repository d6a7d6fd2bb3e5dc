// SPDX-License-Identifier: Apache-2.0
// Names of the units that measures are in.
#include "run/config/unit_text.h"

#include <gtest/gtest.h>

#include "hornbeam/units.h"

namespace hornbeam::run {
namespace {

TEST(UnitText, NamesWhatMeasuresAreIn) {
  const Units galactic = Units::galactic();
  EXPECT_EQ(unit_of("density", galactic), "1e10 Msun/kpc^3");
  EXPECT_EQ(unit_of("mean_density", galactic), "1e10 Msun/kpc^3");
  EXPECT_EQ(unit_of("reference_kinetic", galactic), unit_of("kinetic", galactic));
  EXPECT_EQ(unit_of("mean_internal_energy", galactic), "(km/s)^2");
  EXPECT_EQ(unit_of("mean_overlap", galactic), "");
  EXPECT_EQ(unit_of("time", galactic), "0.977792 Gyr");
  EXPECT_EQ(unit_of("toomre_q", galactic), "");
  EXPECT_EQ(unit_of("angle", {}), "deg");
  EXPECT_EQ(unit_of("density", {}), "");
  const Units saturn{1e5, 1e3, 1e2, 6.67e-11, true};
  EXPECT_EQ(unit_of("surface_density", saturn), "kg/km^2");
  EXPECT_EQ(unit_of("kinetic", saturn), "kg (m/s)^2");
  EXPECT_EQ(unit_of("radius", {2.5e4, 1, 1, 1, true}), "250 m");
}

}  // namespace
}  // namespace hornbeam::run
