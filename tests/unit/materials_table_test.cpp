// SPDX-License-Identifier: Apache-2.0
// Tables of equations of state from files: of a gas whose formulas are known, in both layouts, and damaged ones.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "hornbeam/error.h"
#include "hornbeam/materials.h"
#include "io_support.h"
#include "support/state_table.h"

namespace hornbeam {
namespace {

using test::TemporaryFolder;

Material opened(const TemporaryFolder& folder, const std::string& text, const Units& units = units_from("si", "test")) {
  std::ofstream(folder / "table.txt") << text;
  return open_material("forsterite=" + (folder / "table.txt").string(), units);
}

TEST(MaterialTables, OfAnIdealGasAreThatGas) {
  const TemporaryFolder folder;
  const StateTable table;
  const Material m = opened(folder, table.planetary());
  EXPECT_EQ(m.id(), 400);
  EXPECT_EQ(m.name(), "forsterite");
  for (const double rho : {2e-3, 1.7, 300.0, 8e4}) {
    for (const double u : {2e3, 7e5, 3e8}) {
      const MaterialState s = m.state(rho, u);
      EXPECT_NEAR(s.pressure / (0.4 * rho * u), 1, 1e-12);
      EXPECT_NEAR(s.sound / std::sqrt(0.56 * u), 1, 1e-12);
      EXPECT_NEAR(s.temperature / (u / 1000), 1, 1e-12);
      EXPECT_NEAR(m.energy_at(rho, u / 1000) / u, 1, 1e-12);
    }
    EXPECT_NEAR(m.density_of(0.4 * rho * 7e5, 7e5) / rho, 1, 1e-10);
    EXPECT_NEAR(m.density_at(0.4 * rho * 7e5, 700) / rho, 1, 1e-10);
  }
  // thinner, denser and hotter than the table
  EXPECT_NEAR(m.pressure(1e-9, 5e4) / (0.4 * 1e-9 * 5e4), 1, 1e-11);
  EXPECT_NEAR(m.pressure(1e7, 5e4) / (0.4 * 1e7 * 5e4), 1, 1e-11);
  EXPECT_NEAR(m.pressure(10, 1e12) / (0.4 * 10 * 1e12), 1, 1e-11);
  EXPECT_NEAR(m.sound_speed(10, 1e12) / std::sqrt(0.56 * 1e12), 1, 1e-11);
  // colder: as in the coldest
  EXPECT_NEAR(m.pressure(10, 0) / m.pressure(10, 1000), 1, 1e-11);
}

/// 2e-3: its sound speeds are differences between 200 rows of a factor 1.1 each.
TEST(MaterialTables, OfStandardSesameHaveTheirSound) {
  const TemporaryFolder folder;
  const StateTable table{.rows = 200, .columns = 200};
  const Material m = opened(folder, table.sesame());
  EXPECT_NEAR(m.reference_density(), 3220, 1e-9);
  for (const double rho : {2e-2, 1.7, 300.0}) {
    for (const double u : {2e4, 7e5, 3e8}) {
      EXPECT_NEAR(m.pressure(rho, u) / (0.4 * rho * u), 1, 1e-12);
      EXPECT_NEAR(m.temperature(rho, u) / (u / 1000), 1, 1e-12);
      // gamma - 1 = R / c_V: T (dP/dT)^2 / (rho^2 c_V) = 0.16 u
      EXPECT_NEAR(m.sound_speed(rho, u) / std::sqrt(0.56 * u), 1, 2e-3);
    }
  }
}

TEST(MaterialTables, HaveUnits) {
  const TemporaryFolder folder;
  const Material m = opened(folder, StateTable{}.planetary(), units_from("cgs", "test"));
  EXPECT_NEAR(m.pressure(3e-3, 7e9) / (0.4 * 3e-3 * 7e9), 1, 1e-12);
  EXPECT_NEAR(m.temperature(3e-3, 7e9), 700, 1e-9);
}

void expect_refusal(const std::string& text, const char* words) {
  const TemporaryFolder folder;
  try {
    opened(folder, text);
    FAIL() << "expected: " << words;
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("table.txt"), std::string::npos) << error.what();
  }
}

/// The text with the nth number of its states replaced; 0 is the first energy. States end the text.
std::string with_state(const StateTable& table, std::size_t nth, const std::string& value) {
  std::string text = table.planetary();
  const std::size_t width = StateTable::number(1).size();
  const std::size_t all = 4 * static_cast<std::size_t>(table.rows) * static_cast<std::size_t>(table.columns);
  std::size_t at = text.size();
  for (std::size_t k = all; k > nth; --k) {
    at = text.find_last_not_of(" \n", at - 1);
    at = text.find_last_of(" \n", at) + 1;
  }
  return text.replace(at, width - 1, value);
}

/// As CMS19_H, whose energy is infinite at one density and temperature: it is lowered to that of the next temperature.
TEST(MaterialTables, MayHaveAnInfiniteEnergy) {
  const TemporaryFolder folder;
  const StateTable table;
  const std::size_t row = 4, column = 2, cell = column * static_cast<std::size_t>(table.rows) + row;
  const Material m = opened(folder, with_state(table, 4 * cell, "inf"));
  EXPECT_NEAR(m.pressure(1.7, 7e2) / (0.4 * 1.7 * 7e2), 1, 0.9);
  opened(folder, with_state(table, 4 * cell + 3, "inf"));  // an entropy, which is not used
  const std::size_t hottest =
      (static_cast<std::size_t>(table.columns) - 1) * static_cast<std::size_t>(table.rows) + row;
  expect_refusal(with_state(table, 4 * hottest, "inf"), "its energy is infinite at density number 5 and temperature");
  expect_refusal(with_state(table, 4 * cell + 1, "inf"),
                 "its pressure is infinite at density number 5 and temperature number 3");
  expect_refusal(with_state(table, 4 * cell + 2, "-inf"), "its sound speed is infinite");
  expect_refusal(with_state(table, 4 * cell, "nan"), "is not a number of its states");
}

TEST(MaterialTables, ByDensityAndEnergyAreNamed) {
  std::string text;
  for (int k = 0; k < 11; ++k) text += "# words\n";
  text += "20230710\n-2.302585e+00 6.907755e+00 2 9.210340e+00 2.233270e+01 2\n1 2\n3 4\n5 6\n7 8\n";
  expect_refusal(text, "by density and energy (HM80) without speeds of sound");
}

TEST(MaterialTables, ThatAreDamagedAreRefused) {
  const std::string whole = StateTable{}.planetary();
  expect_refusal("", "empty");
  expect_refusal("words\nwithout numbers\n", "is truncated within its date");
  expect_refusal(whole.substr(0, whole.size() / 2), "is truncated within its states");
  std::string wide = whole;
  wide.replace(wide.find("9 8\n"), 3, "900 800");
  expect_refusal(wide, "too short");
  expect_refusal(whole.substr(0, whole.size() - 30), "is truncated within its states");
  std::string huge = whole;
  huge.replace(huge.find("9 8\n"), 3, "900000000 800000000");
  expect_refusal(huge, "at most what the file's size allows");
  std::string word = whole;
  word.replace(word.size() - 30, 4, "oops");
  expect_refusal(word, "is not a number of its states");
  std::string lost = whole;
  lost.replace(lost.rfind("e+"), 2, "nan");
  expect_refusal(lost, "is not a number");
  const std::string first = StateTable::number(StateTable{}.rho(0)), second = StateTable::number(StateTable{}.rho(1));
  std::string fallen = whole;
  fallen.replace(fallen.find(first + second), first.size(), StateTable::number(1e6));
  expect_refusal(fallen, "not descend");
  std::string cut = StateTable{}.sesame();
  expect_refusal(cut.substr(0, cut.rfind(" RECORD")), "no record of type 301");
  expect_refusal(cut.substr(0, cut.size() - 60), "free energies");
  std::string fewer = whole;  // what was the last temperature would be the first energy
  fewer.replace(fewer.find("9 8\n"), 3, "9 7");
  expect_refusal(fewer, "37 numbers more than its counts");
  cut.replace(cut.find(StateTable::number(8)), 24, StateTable::number(7));
  expect_refusal(cut, "numbers more than its counts");
  expect_refusal(std::string(12, '\n') + "\xff\x01 1 2 3", "line 13: '?? 1 2 3' is not a number of its date");
  EXPECT_THROW(open_material("forsterite=/nowhere/at-all.txt", units_from("si", "test")), Error);
  for (const std::string endless : {"/", "/dev/zero"}) {  // no text, and one without an end
    try {
      open_material("forsterite=" + endless, units_from("si", "test"));
      ADD_FAILURE() << endless;
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).find(endless + ": is not a file"), 0U) << error.what();
    }
  }
  EXPECT_THROW(open_material("cheese=table.txt", units_from("si", "test")), UsageError);
}

/// Free energies are followed by entropies, sounds, ... in the extended files of ANEOS; words may follow all.
TEST(MaterialTables, HaveFurtherFieldsAndWords) {
  const TemporaryFolder folder;
  const StateTable table;
  std::string more;
  for (int k = 0; k < table.rows * table.columns; ++k) more += StateTable::number(1);
  EXPECT_NEAR(opened(folder, table.sesame() + more + "\n INDEX\n").pressure(10, 1e6) / 4e6, 1, 1e-12);
  EXPECT_NEAR(opened(folder, table.planetary() + "# the end\n").pressure(10, 1e6) / 4e6, 1, 1e-12);
}

/// Numbers as Fortran leaves the E out, densities and temperatures that begin with 0, and matter that attracts.
TEST(MaterialTables, OfOtherProgramsAreRead) {
  const TemporaryFolder folder;
  std::string text;
  for (int k = 0; k < 12; ++k) text += "#\n";
  text += "0\n3 2\n0 1.0 10.0\n0 1e3\n";
  text += "-5 -7 -1 0\n 1.0-110 0 1 0\n 2 3 1 0\n";
  text += "1e6 4 1 0\n 1e6 4e5 7e2 0\n 1e6 4e6 7e2 0\n";
  const Material m = opened(folder, text);
  EXPECT_NEAR(m.pressure(10, 1e6) / 4e6, 1, 1e-12);
  EXPECT_GE(m.pressure(1, 0), 0);
  EXPECT_LT(m.pressure(1, 0), 1e-2);  // a thousandth of the least that is above 0
  EXPECT_GT(m.sound_speed(0.1, 0), 0);
}

}  // namespace
}  // namespace hornbeam
