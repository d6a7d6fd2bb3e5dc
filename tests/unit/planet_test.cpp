// SPDX-License-Identifier: Apache-2.0
// Planets in balance, their shells of particles, and impacts on their way.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include "hornbeam/error.h"
#include "hornbeam/ics.h"
#include "hornbeam/units.h"
#include "ics/planet_profile.h"
#include "ics/shells.h"

namespace hornbeam {
namespace {

using ics::Layer;
using ics::layers_from;
using ics::PlanetProfile;

Units earth() { return units_from("Rearth,Mearth,km/s", "test"); }

TEST(PlanetProfile, IsInHydrostaticBalance) {
  const Units units = earth();
  const PlanetProfile planet(layers_from("iron:0.3,granite:0.7", 1000, units, "layers"), 1, units.G);
  EXPECT_GT(planet.radius(), 0.9);  // the Earth's is 1; Tillotson's granite is light
  EXPECT_LT(planet.radius(), 1.15);
  for (std::size_t l = 0; l < 2; ++l) {
    const auto& nodes = planet.nodes(l);
    for (std::size_t i = 50; i + 1 < nodes.size(); i += 50) {
      const auto &a = nodes[i - 1], &b = nodes[i], &c = nodes[i + 1];
      const double pull = -units.G * b.density * b.mass / (b.radius * b.radius);
      EXPECT_NEAR((c.pressure - a.pressure) / (c.radius - a.radius), pull, 2e-3 * std::abs(pull));
      const double area = 4 * std::numbers::pi * b.radius * b.radius;
      EXPECT_NEAR((c.mass - a.mass) / (c.radius - a.radius), area * b.density, 3e-3 * area * b.density);
      // the equation of state and one entropy: du = P d rho / rho^2
      const double P = planet.layers()[l].material.pressure(b.density, b.energy);
      EXPECT_NEAR(P, b.pressure, 1e-3 * planet.nodes(0).front().pressure);
      const double work = b.pressure * (a.density - c.density) / (b.density * b.density);
      EXPECT_NEAR(a.energy - c.energy, work, 0.02 * work + 1e-9);
    }
  }
  EXPECT_NEAR(planet.nodes(0).back().mass, 0.3, 1e-9);
  EXPECT_NEAR(planet.nodes(0).back().pressure, planet.nodes(1).front().pressure, 1e-12);
  EXPECT_NEAR(planet.nodes(1).back().mass, 1, 1e-9);
  EXPECT_LT(planet.nodes(1).back().pressure, 1e-5 * planet.nodes(0).front().pressure);
}

TEST(PlanetProfile, FitsARadius) {
  const Units units = earth();
  const auto layers = layers_from("granite", 500, units, "layers");
  const PlanetProfile planet = ics::planet_of_radius(layers, 0.5, units.G);
  EXPECT_NEAR(planet.radius(), 0.5, 1e-6);
  EXPECT_NEAR(PlanetProfile(layers, planet.mass(), units.G).radius(), 0.5, 1e-6);
  // small bodies are not compressed
  const PlanetProfile pebble(layers, 1e-9, units.G);
  const double density = pebble.central_density();  // warm granite is a tenth thinner than cold
  EXPECT_NEAR(density, layers[0].material.reference_density(), 0.12 * density);
  EXPECT_NEAR(pebble.radius(), std::cbrt(3e-9 / (4 * std::numbers::pi * density)), 0.01 * pebble.radius());
}

/// Tillotson's water is vapour from 100 K on: a body of it is not held together, and as an outer layer it is said.
TEST(PlanetProfile, SaysThatItIsTooHot) {
  const Units units = earth();
  EXPECT_NO_THROW(PlanetProfile(layers_from("water", 90, units, "layers"), 1, units.G));
  const auto said = [&](const std::string& layers, double mass) {
    try {
      const std::map<std::string, std::string> parameters = {{"layers", layers}, {"mass", std::to_string(mass)}};
      const Snapshot planet = ics::make("planet", 100, ics::Seed{1}, parameters, {}, units);
      std::string notes;
      for (const std::string& note : planet.notes) notes += note + "\n";
      return notes;
    } catch (const Error& error) {
      return std::string(error.what());
    }
  };
  EXPECT_NE(said("water", 1).find("is too hot to be held together (take a lower temperature)"), std::string::npos)
      << said("water", 1);
  EXPECT_NE(said("water:1:90", 100).find("take less mass"), std::string::npos) << said("water:1:90", 100);
  const std::string wide = said("iron:0.2,basalt:0.5,water:0.3", 0.5);
  EXPECT_NE(wide.find("the layer of water is vapour at its upper side"), std::string::npos) << wide;
  EXPECT_EQ(said("iron:0.2,basalt:0.5,water:0.3:90", 0.5).find("vapour"), std::string::npos);
}

TEST(PlanetProfile, RefusesWrongLayers) {
  const Units units = earth();
  EXPECT_THROW(layers_from("iron:0.3,granite:0.5", 500, units, "layers"), UsageError);
  EXPECT_THROW(layers_from("cheese", 500, units, "layers"), UsageError);
  EXPECT_THROW(layers_from("iron:x", 500, units, "layers"), UsageError);
  EXPECT_THROW(ics::make("planet", 100, ics::Seed{1}), UsageError);  // no physical units
}

TEST(Shells, HoldAllParticlesAtEvenDistances) {
  // a uniform ball of radius 1
  const auto shells = ics::shells_of(5000, 1, [](double part) {
    return ics::LayerPlace{std::cbrt(part), 3 / (4 * std::numbers::pi)};
  });
  std::size_t n = 0;
  for (const ics::Shell& shell : shells) n += shell.n;
  EXPECT_EQ(n, 5000U);
  const double spacing = std::cbrt(4 * std::numbers::pi / 3 / 5000);
  EXPECT_EQ(shells.size(), static_cast<std::size_t>(std::llround(1 / spacing)));
  for (std::size_t k = 2; k < shells.size(); ++k) {
    EXPECT_NEAR(shells[k].radius - shells[k - 1].radius, spacing, 0.15 * spacing);
    const double across = shells[k].radius * std::sqrt(4 * std::numbers::pi / static_cast<double>(shells[k].n));
    EXPECT_NEAR(across, spacing, 0.1 * spacing);
  }
  ics::Random random({1}, 0);
  const auto points = ics::sphere_points(500, random);
  Vec3 mean{};
  for (const Vec3& x : points) {
    EXPECT_NEAR(std::hypot(x[0], x[1], x[2]), 1, 1e-12);
    for (std::size_t k = 0; k < 3; ++k) mean[k] += x[k] / 500;
  }
  EXPECT_LT(std::hypot(mean[0], mean[1], mean[2]), 0.01);
}

TEST(Planet, HasItsLayers) {
  const Snapshot s = ics::make("planet", 2000, ics::Seed{1}, {{"spin", "0.1"}}, {}, earth());
  const Particles& p = s.particles;
  ASSERT_EQ(p.material.size(), 2000U);
  std::size_t iron = 0;
  double outermost = 0, innermost = 10;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const double r = std::hypot(p.position[i][0], p.position[i][1], p.position[i][2]);
    EXPECT_NEAR(p.mass[i], 1.0 / 2000, 1e-15);
    EXPECT_EQ(p.family[i], Family::gas);
    if (p.material[i] == 100) {
      ++iron;
      outermost = std::max(outermost, r);
    } else {
      EXPECT_EQ(p.material[i], 101);
      innermost = std::min(innermost, r);
    }
  }
  EXPECT_EQ(iron, 600U);
  EXPECT_LT(outermost, innermost);
  EXPECT_NEAR(p.velocity[1999][1], 0.1 * p.position[1999][0], 1e-12);
}

/// Followed forward from where they begin, two point masses touch at the angle and speed that were asked for.
TEST(Impact, TouchesAsAsked) {
  const Units units = earth();
  const double time = 0.5;
  const Snapshot s = ics::make("impact", 1000, ics::Seed{1},
                               {{"angle", "30"}, {"speed", "1.2"}, {"before", std::to_string(time)}}, {}, units);
  const Particles& p = s.particles;
  EXPECT_EQ(std::set<std::uint64_t>(p.id.begin(), p.id.end()).size(), 1000U);
  const std::size_t n1 = 870;  // 0.887 of 1.02
  Vec3 x{}, v{}, momentum{};
  for (std::size_t i = 0; i < p.size(); ++i) {
    const double f = i < n1 ? -1.0 / 870 : 1.0 / 130;
    for (std::size_t k = 0; k < 3; ++k) {
      x[k] += f * p.position[i][k];
      v[k] += f * p.velocity[i][k];
      momentum[k] += p.mass[i] * p.velocity[i][k];
    }
  }
  EXPECT_LT(std::hypot(momentum[0], momentum[1], momentum[2]), 1e-12);
  const double mu = units.G * 1.02;
  for (int step = 0; step < 20000; ++step) {
    const double h = time / 20000;
    const auto kick = [&] {
      const double r = std::hypot(x[0], x[1], x[2]);
      for (std::size_t k = 0; k < 3; ++k) v[k] -= 0.5 * h * mu * x[k] / (r * r * r);
    };
    kick();
    for (std::size_t k = 0; k < 3; ++k) x[k] += h * v[k];
    kick();
  }
  const auto layers = layers_from("iron:0.3,granite:0.7", 1000, units, "layers");
  const double contact =
      PlanetProfile(layers, 0.887, units.G).radius() + PlanetProfile(layers, 0.133, units.G).radius();
  EXPECT_NEAR(std::hypot(x[0], x[1], x[2]), contact, 1e-3 * contact);
  EXPECT_NEAR(std::hypot(v[0], v[1], v[2]), 1.2 * std::sqrt(2 * mu / contact), 1e-3 * std::hypot(v[0], v[1], v[2]));
  EXPECT_NEAR(std::atan2(x[1], x[0]) * 180 / std::numbers::pi, 30, 0.1);
  EXPECT_THROW(ics::make("impact", 1000, ics::Seed{1}, {{"before", "1"}, {"angle", "95"}}, {}, units), UsageError);
}

/// However long before, the orbit is the one that leads to the contact: energy and angular momentum are kept, and an
/// orbit that is bound comes back to an earlier contact.
TEST(Impact, MayBeginFarBack) {
  const Units units = earth();
  const auto layers = layers_from("iron:0.3,granite:0.7", 1000, units, "layers");
  const double contact =
      PlanetProfile(layers, 0.887, units.G).radius() + PlanetProfile(layers, 0.133, units.G).radius();
  const double mu = units.G * 1.02, speed = std::sqrt(2 * mu / contact);
  for (const double before : {3e2, 1e5, 1e9}) {
    for (const double fast : {1.0, 1.5}) {
      const Particles p = ics::make("impact", 200, ics::Seed{1},
                                    {{"before", std::to_string(before)}, {"speed", std::to_string(fast)}}, {}, units)
                              .particles;
      const std::size_t n1 = 174;
      std::array<double, 3> x{}, v{};
      for (std::size_t i = 0; i < p.size(); ++i) {
        const double f = i < n1 ? -1.0 / 174 : 1.0 / 26;
        for (std::size_t k = 0; k < 3; ++k) {
          x[k] += f * p.position[i][k];
          v[k] += f * p.velocity[i][k];
        }
      }
      const double r = std::hypot(x[0], x[1], x[2]), v2 = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
      // of steps of the fourth order, and of places far from the origin; radii of shells move by 1e-3
      EXPECT_NEAR(v2 / 2 - mu / r, (fast * fast - 1) * speed * speed / 2, 1e-6 * speed * speed)
          << before << " " << fast;
      EXPECT_NEAR(x[0] * v[1] - x[1] * v[0], fast * speed * contact * std::sqrt(0.5), 1e-4 * speed * contact)
          << before << " " << fast;
    }
    const auto bound = [&] {
      ics::make("impact", 200, ics::Seed{1}, {{"before", std::to_string(before)}, {"speed", "0.5"}}, {}, units);
    };
    EXPECT_THROW(bound(), UsageError) << before;
  }
}

TEST(Planet, SaysThatItSpinsApart) {
  const auto spins_apart = [](const char* spin) {
    const Snapshot s = ics::make("planet", 100, ics::Seed{1}, {{"spin", spin}}, {}, earth());
    return std::any_of(s.notes.begin(), s.notes.end(),
                       [](const std::string& note) { return note.find("it flies apart") != std::string::npos; });
  };
  // (G M / R^3)^(1/2) of the Earth is 7.9 in these units
  EXPECT_FALSE(spins_apart("-7"));
  EXPECT_TRUE(spins_apart("9"));
  EXPECT_TRUE(spins_apart("-9"));
}

TEST(Planet, HasAMassOrARadius) {
  EXPECT_THROW(ics::make("planet", 100, ics::Seed{1}, {{"mass", "1"}, {"radius", "1"}}, {}, earth()), UsageError);
}

}  // namespace
}  // namespace hornbeam
