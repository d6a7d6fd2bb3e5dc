// SPDX-License-Identifier: Apache-2.0
// Units by name, both ways, and snapshots from one system to another.
#include "hornbeam/units.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>
#include <string>

#include "hornbeam/analysis.h"
#include "hornbeam/error.h"
#include "hornbeam/ics.h"

namespace hornbeam {
namespace {

TEST(Units, NamesAndProductsAreRead) {
  EXPECT_DOUBLE_EQ(length_from("kpc", "a"), 3.0856775814913673e21);
  EXPECT_DOUBLE_EQ(length_from("1e3 km", "a"), 1e8);
  EXPECT_DOUBLE_EQ(length_from("2AU", "a"), 2 * 1.495978707e13);
  EXPECT_DOUBLE_EQ(mass_from("1e10 Msun", "a"), Units::galactic().mass_g);
  EXPECT_NEAR(mass_from("Mearth", "a"), 5.972e27, 1e24);  // to the digits that textbooks print
  EXPECT_DOUBLE_EQ(velocity_from("km/s", "a"), 1e5);
  EXPECT_DOUBLE_EQ(velocity_from("km s^-1", "a"), 1e5);
  EXPECT_DOUBLE_EQ(velocity_from(" m * s**-1 ", "a"), 1e2);
  EXPECT_DOUBLE_EQ(time_from("Myr", "a"), 3.15576e13);
  EXPECT_DOUBLE_EQ(quantity_from("J/kg", "a").cgs, quantity_from("(m/s)^2", "a").cgs);
  EXPECT_DOUBLE_EQ(quantity_from("erg/g", "a").cgs, 1);
  const Quantity q = quantity_from("(km/s)^2/kpc", "a");
  EXPECT_EQ(q.length, 1);
  EXPECT_EQ(q.time, -2);
  EXPECT_DOUBLE_EQ(q.cgs, 1e10 / 3.0856775814913673e21);
}

TEST(Units, SpellingsOfOtherProgramsAreRead) {
  EXPECT_EQ(length_from("kiloparsecs", "a"), length_from("kpc", "a"));
  for (const char* sun : {"solMass", "Msol", "M_sun", "solar_mass"}) {
    EXPECT_EQ(mass_from(sun, "a"), mass_from("Msun", "a")) << sun;
  }
  for (const char* speed : {"km s-1", "km s^-1", "km s**-1", "km / s"})
    EXPECT_EQ(velocity_from(speed, "a"), 1e5) << speed;
  EXPECT_EQ(quantity_from("kpc3", "a").length, 3);
}

TEST(Units, WhatIsNoUnitIsRefused) {
  for (const char* text : {"", " ", "kiloyard", "3", "km/s", "kpc^", "kpc^99", "(kpc", "kpc)", "-1 kpc", "0 kpc",
                           "1e999 kpc", "kpc kpc", "((((((((((kpc))))))))))", "kpc//s", "\xc3\xa9"}) {
    EXPECT_THROW(length_from(text, "a"), UsageError) << text;
  }
  try {
    length_from("kps", "units.length");
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("units.length: received the unknown unit 'kps' (there are kpc"),
              std::string::npos);
  }
}

TEST(Units, SystemsNameThemselves) {
  EXPECT_EQ(described(units_from("nbody", "a")), "G = 1");
  EXPECT_EQ(described(Units::galactic()), "kpc, 1e10 Msun, km/s (G = 43009.2)");
  EXPECT_EQ(described(units_from("solar", "a")), "AU, Msun, AU/yr (G = 39.4769)");  // 4 pi^2 in sidereal years
  EXPECT_EQ(described(units_from("si", "a")), "m, kg, m/s (G = 6.6743e-11)");
  EXPECT_EQ(described(units_from("cgs", "a")), "cm, g, cm/s (G = 6.6743e-08)");
  EXPECT_EQ(described(units_from("pc, Msun, km/s", "a")), "pc, Msun, km/s (G = 0.00430092)");
  EXPECT_EQ(time_unit_name(units_from("pc,Msun,pc/Myr", "a")), "Myr");
  EXPECT_EQ(time_unit_name(Units::galactic()), "0.977792 Gyr");
  EXPECT_THROW(units_from("imperial", "a"), UsageError);
}

TEST(Units, ProductsOfALengthAndASpeedInIt) {
  const Units si = units_from("si", "a");
  EXPECT_EQ(unit_name(si, 1, 0, 1), "m^2/s");
  EXPECT_EQ(unit_name(si, 1, 1, 1), "kg m^2/s");
  EXPECT_EQ(unit_name(si, 0, 1, 2), "kg (m/s)^2");
  EXPECT_EQ(unit_name(units_from("solar", "a"), 1, 0, 1), "AU^2/yr");
  EXPECT_EQ(unit_name(Units::galactic(), 1, 0, 1), "kpc km/s");
}

TEST(Units, NamesOfProductsReadBackToTheSameSize) {
  for (const char* text : {"galactic", "solar", "si", "cgs", "saturn", "3 kpc, 7.7 Msun, 3 kpc/Myr", "km, kg, m/s",
                           "1.2345678 m, 0.1 g, 3.3333 cm/s"}) {
    const Units u = units_from(text, "a");
    for (const auto& [length, mass, velocity] :
         {std::array{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 0, 2}, {-3, 1, 0}, {1, 1, 1}}) {
      const Quantity q = quantity_from(unit_name(u, length, mass, velocity), text);
      const double wanted =
          std::pow(u.length_cm, length) * std::pow(u.mass_g, mass) * std::pow(u.velocity_cm_per_s, velocity);
      EXPECT_NEAR(q.cgs / wanted, 1.0, 1e-13) << text << ": " << unit_name(u, length, mass, velocity);
    }
  }
}

TEST(Units, ModelsAreInEquilibriumInAllOfThem) {
  const auto options = std::map<std::string, std::string>{};
  const double alone = analysis::virial_ratio(analysis::energies(ics::make("plummer", 2000, ics::Seed{1}), 0.0));
  for (const char* system : {"galactic", "solar", "si", "saturn"}) {
    const Units units = units_from(system, "a");
    const Snapshot drawn = ics::make("plummer", 2000, ics::Seed{1}, options, {}, units);
    EXPECT_TRUE(agree(drawn.units, units));
    EXPECT_NEAR(analysis::virial_ratio(analysis::energies(drawn, 0.0)), alone, 1e-9) << system;  // rounding
  }
}

TEST(Units, ConvertingThereAndBackKeepsTheNumbers) {
  Snapshot a = ics::make("plummer", 10, ics::Seed{1}, {}, {}, Units::galactic());
  a.time = 2;
  Snapshot b = a;
  convert(b, units_from("solar", "a"));
  EXPECT_NEAR(b.particles.position[3][0] / a.particles.position[3][0], 2.06265e8, 1e3);  // AU in a kpc
  EXPECT_NEAR(b.time / a.time, 9.77792e8, 1e3);                                          // yr in kpc/(km/s)
  convert(b, a.units);
  EXPECT_NEAR(b.particles.velocity[3][0], a.particles.velocity[3][0], 1e-12 * std::abs(a.particles.velocity[3][0]));
  EXPECT_FALSE(agree(a.units, Units{}));
}

}  // namespace
}  // namespace hornbeam
