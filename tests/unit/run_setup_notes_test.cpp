// SPDX-License-Identifier: Apache-2.0
// Set-ups that the method does not fit are reported, and those next to them that it fits are not.
#include "run/setup/setup_notes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "hornbeam/ics.h"
#include "io_support.h"

namespace hornbeam::run {
namespace {

using test::contains;

/// k^3 cells of which `shape` keeps some layers along y and z, about the origin, all gas of mass 1 in all.
Particles lattice(int k, int along_y, int along_z) {
  Particles p;
  p.resize(static_cast<std::size_t>(k) * along_y * along_z);
  std::size_t i = 0;
  for (int x = 0; x < k; ++x) {
    for (int y = 0; y < along_y; ++y) {
      for (int z = 0; z < along_z; ++z, ++i) {
        p.position[i] = {(x + 0.5) / k - 0.5, (y + 0.5 - along_y / 2.0) / k, (z + 0.5 - along_z / 2.0) / k};
        p.family[i] = Family::gas;
        p.mass[i] = 1.0 / static_cast<double>(p.size());
      }
    }
  }
  p.internal_energy.assign(p.size(), 1.0);
  return p;
}

SimulationOptions flowing() {
  SimulationOptions o;
  o.gas.eos = EquationOfState::ideal;
  o.self_gravity = false;
  return o;
}

Boundary periodic(const Vec3& size, int images = 0) {
  Boundary box;
  box.kind = BoundaryKind::periodic;
  box.size = size;
  box.n_ghost = {images, images, images};
  return box;
}

std::vector<std::string> notes(const Particles& particles, const SimulationOptions& options) {
  Snapshot start;
  start.particles = particles;
  return setup_notes(start, options);
}

TEST(SetupNotes, GasInAPlaneOrOnALine) {
  SimulationOptions o = flowing();
  Particles sheet = lattice(20, 20, 1);
  EXPECT_TRUE(contains(notes(sheet, o), "lies in a plane"));
  EXPECT_TRUE(contains(notes(lattice(200, 1, 1), o), "lies on a line"));
  EXPECT_TRUE(notes(lattice(20, 20, 4), o).empty());
  for (Vec3& x : sheet.position) x = {0.6 * x[0], x[1], 0.8 * x[0]};  // of any direction
  EXPECT_TRUE(contains(notes(sheet, o), "lies in a plane"));
  Particles far = lattice(10, 10, 10);
  far.position[3] = {1e6, 0, 0};
  EXPECT_TRUE(notes(far, o).empty());
  for (std::size_t i = 0; i < sheet.size(); ++i) sheet.family[i] = Family::halo;
  EXPECT_TRUE(notes(sheet, o).empty());
}

TEST(SetupNotes, LayersOfAPeriodicBoxMakeASheetThick) {
  SimulationOptions o = flowing();
  o.boundary = periodic({1, 1, 0.05});
  EXPECT_TRUE(notes(lattice(20, 20, 1), o).empty());
  o.boundary = periodic({1, 1, 0});
  EXPECT_TRUE(contains(notes(lattice(20, 20, 1), o), "lies in a plane"));
}

TEST(SetupNotes, UnlikeMassesSideBySide) {
  Particles p = lattice(12, 12, 12);
  EXPECT_TRUE(notes(p, flowing()).empty());
  Particles contact = p;  // a heavier fluid on the right: eight times as dense, as its masses are
  for (std::size_t i = 0; i < p.size(); ++i) contact.mass[i] *= p.position[i][0] > 0 ? 8 : 1;
  EXPECT_TRUE(notes(contact, flowing()).empty());
  for (std::size_t i = 0; i < p.size(); ++i) p.mass[i] *= i % 3 == 0 ? 8 : 1;
  EXPECT_TRUE(contains(notes(p, flowing()), "differ by more than a factor of 4"));
}

TEST(SetupNotes, UnlikeMassesThatMeetAtTheSameDensity) {
  Particles coarse = lattice(8, 8, 8), fine = lattice(16, 16, 16);  // the same mass in the same volume
  for (Vec3& x : fine.position) x[0] += 1;
  coarse.append(fine);
  for (std::size_t i = 0; i < coarse.size(); ++i) coarse.id[i] = i;
  EXPECT_TRUE(contains(notes(coarse, flowing()), "differ by more than a factor of 4"));
}

TEST(SetupNotes, IsothermalGasOfAnotherTemperature) {
  SimulationOptions o = flowing();
  o.gas.eos = EquationOfState::isothermal;
  o.gas.sound_speed = std::sqrt(2.0 / 3.0);  // that of u = 1 with gamma = 5/3
  EXPECT_TRUE(notes(lattice(8, 8, 8), o).empty());
  o.gas.sound_speed *= 1.2;
  EXPECT_TRUE(contains(notes(lattice(8, 8, 8), o), "set gas.sound_speed = 0.8165"));
}

TEST(SetupNotes, GravityOfAFiniteBlockOfImages) {
  SimulationOptions o;
  const Particles p = ics::make("uniform-cube", 100, ics::Seed{1}).particles;
  o.boundary = periodic({2, 2, 2}, 1);
  EXPECT_TRUE(contains(notes(p, o), "a sum over 3 x 3 x 3 boxes"));
  o.self_gravity = false;
  EXPECT_TRUE(notes(p, o).empty());
}

TEST(SetupNotes, BodiesThatWouldSinkInARigidPotential) {
  SimulationOptions o;
  Particles p = ics::make("plummer", 200, ics::Seed{2}).particles;  // of mass 1
  for (Vec3& x : p.position) x[0] += 20;
  ExternalPotential halo{.kind = PotentialKind::nfw, .mass = 50, .scale = 10};
  o.potentials = {halo};
  EXPECT_TRUE(contains(notes(p, o), "the particles as one body would sink"));
  o.potentials[0].mass = 1e6;
  EXPECT_TRUE(notes(p, o).empty());
  o.potentials.push_back({.kind = PotentialKind::plummer, .mass = 1, .scale = 1});  // light, in the heavy one's middle
  EXPECT_TRUE(notes(p, o).empty());
  o.potentials[0].mass = 50;
  EXPECT_TRUE(contains(notes(p, o), "potential of 2 parts is rigid"));
  o.potentials.resize(1);
  o.potentials[0] = {.kind = PotentialKind::point, .mass = 50};
  EXPECT_TRUE(notes(p, o).empty());
  p.position = ics::make("plummer", 200, ics::Seed{2}).particles.position;  // about the middle
  p.mass.assign(p.size(), 1e-4), p.mass[7] = 1, p.position[7] = {3, 0, 0};
  o.potentials = {halo};
  EXPECT_TRUE(contains(notes(p, o), "the particle with id 7"));
}

TEST(SetupNotes, AHaloOfHeavyParticles) {
  Particles p = ics::make("plummer", 200, ics::Seed{2}).particles;
  for (std::size_t i = 0; i < 100; ++i) p.family[i] = Family::disc;
  EXPECT_TRUE(notes(p, {}).empty());
  for (std::size_t i = 100; i < 200; ++i) p.mass[i] *= 20;
  EXPECT_TRUE(contains(notes(p, {}), "20 times as heavy"));
}

TEST(SetupNotes, AGalaxyOfMassesInOtherUnits) {
  Snapshot drawn;
  drawn.units = Units::galactic();
  const std::map<std::string, std::string> lengths = {{"disc-scale", "3"}, {"halo-scale", "20"}};
  const auto of_masses = [&](const char* disc, const char* halo) {
    std::map<std::string, std::string> options = lengths;
    options["disc-mass"] = disc;
    options["halo-mass"] = halo;
    drawn.particles = ics::make("galaxy", 2000, ics::Seed{1}, options, {}, drawn.units).particles;
    return setup_notes(drawn, {});
  };
  EXPECT_FALSE(contains(of_masses("5", "100"), "rotates"));
  EXPECT_TRUE(contains(of_masses("5e10", "1e12"), "as no galaxy does"));  // in Msun, with units of 1e10 Msun
  drawn.units = physical_units(drawn.units.length_cm, drawn.units.mass_g / 1e10, drawn.units.velocity_cm_per_s);
  EXPECT_TRUE(contains(of_masses("5", "100"), "as no galaxy does"));  // in 1e10 Msun, with units of Msun
}

}  // namespace
}  // namespace hornbeam::run
