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
#include "hornbeam/simulation.h"
#include "hornbeam/units.h"
#include "ics/bodies/planet_profile.h"
#include "ics/gas/shells.h"

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
  EXPECT_NE(said("water", 1).find("is too hot to be bound (give a lower temperature)"), std::string::npos)
      << said("water", 1);
  EXPECT_NE(said("water:1:90", 100).find("give a smaller mass"), std::string::npos) << said("water:1:90", 100);
  const std::string wide = said("iron:0.2,basalt:0.5,water:0.3", 0.5);
  EXPECT_NE(wide.find("the layer of water is vapour at its upper edge"), std::string::npos) << wide;
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

/// Followed forward from where they begin, two point masses touch at the angle and speed that were requested.
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

/// What a run has relaxed meets as what is drawn does: the same orbit of the same masses and radii; ids, materials and
/// energies are kept.
TEST(Impact, TakesBodiesFromFiles) {
  const Units units = earth();
  std::map<std::string, Snapshot> files;
  files["big"] = ics::make("planet", 900, ics::Seed{1}, {{"mass", "0.887"}}, {}, units);
  files["small"] = ics::make("planet", 100, ics::Seed{2}, {{"mass", "0.133"}, {"layers", "granite:1"}}, {}, units);
  for (auto& [name, file] : files) {
    for (std::size_t i = 0; i < file.particles.size(); ++i) {
      file.particles.id[i] = 7 + 3 * i;
      for (std::size_t k = 0; k < 3; ++k) file.particles.position[i][k] += 5, file.particles.velocity[i][k] -= 2;
    }
  }
  const ics::Reader read = [&](const std::filesystem::path& file) { return files.at(file.string()); };
  const std::map<std::string, std::string> both = {{"target", "big"}, {"impactor", "small"}, {"before", "0.4"}};
  const Snapshot met = ics::make("impact", 0, ics::Seed{1}, both, read, units);
  const Particles& p = met.particles;
  ASSERT_EQ(p.size(), 1000U);
  EXPECT_EQ(std::set<std::uint64_t>(p.id.begin(), p.id.end()).size(), 1000U);
  EXPECT_EQ(p.id[0], 7U);
  EXPECT_EQ(std::set<std::uint32_t>(p.material.begin() + 900, p.material.end()).size(), 1U);
  for (std::size_t i = 0; i < 1000; ++i) {
    const Particles& own = files[i < 900 ? "big" : "small"].particles;
    const std::size_t k = i < 900 ? i : i - 900;
    EXPECT_EQ(p.internal_energy[i], own.internal_energy[k]);
    EXPECT_EQ(p.material[i], own.material[k]);
    EXPECT_EQ(p.mass[i], own.mass[k]);
  }
  // given the radii of their profiles, both stand where drawn bodies of these stand
  const auto radius = [&](const char* layers, double mass) {
    return PlanetProfile(layers_from(layers, 1000, units, "layers"), mass, units.G).radius();
  };
  auto with_radii = both;
  with_radii["target-radius"] = std::to_string(radius("iron:0.3,granite:0.7", 0.887));
  with_radii["impactor-radius"] = std::to_string(radius("granite:1", 0.133));
  const Particles a = ics::make("impact", 0, ics::Seed{1}, with_radii, read, units).particles;
  const Particles b =
      ics::make("impact", 1000, ics::Seed{1}, {{"impactor-layers", "granite:1"}, {"before", "0.4"}}, {}, units)
          .particles;
  const auto middle = [](const Particles& q, std::size_t begin, std::size_t end) {
    std::array<Vec3, 2> mean{};
    for (std::size_t i = begin; i < end; ++i) {
      for (std::size_t k = 0; k < 3; ++k) {
        mean[0][k] += q.position[i][k] / static_cast<double>(end - begin);
        mean[1][k] += q.velocity[i][k] / static_cast<double>(end - begin);
      }
    }
    return mean;
  };
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(middle(a, 900, 1000)[0][k], middle(b, 870, 1000)[0][k], 1e-4);
    EXPECT_NEAR(middle(a, 900, 1000)[1][k], middle(b, 870, 1000)[1][k], 1e-4);
    EXPECT_NEAR(middle(a, 0, 900)[1][k], middle(b, 0, 870)[1][k], 1e-4);
  }
  // one of them drawn, with particles of the file's mass
  const Particles one =
      ics::make("impact", 0, ics::Seed{1}, {{"target", "big"}, {"before", "0.4"}}, read, units).particles;
  EXPECT_EQ(one.size(), 900U + 135U);
  const auto refusal = [&](std::map<std::string, std::string> more) {
    more.insert(both.begin(), both.end());
    try {
      ics::make("impact", 0, ics::Seed{1}, more, read, units);
    } catch (const UsageError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(
      refusal({{"target-mass", "1"}}),
      "impact.target-mass: received both this and target = big (leave one of them out; the file defines the body)");
  EXPECT_EQ(refusal({{"settle", "9"}}),
            "impact.settle: applies to bodies that Hornbeam makes, and both come from files (leave it out)");
  files["small"].particles.mass.assign(100, 0);
  EXPECT_EQ(refusal({}), "impact.impactor: the particles of small have no mass");
}

/// A body that settles in the frame in which it turns is oblate: 0.3 Earth masses in 4 h. With q = w^2 R^3 / G M =
/// 0.134 the surface of a homogeneous body has f = 5 q / 4, that of a mass point q / 2; Clairaut's equation for these
/// layers gives 0.121, and 0.89 for the root mean square of z over that of x. (WoMa 1.5's SpinPlanet has R_po / R_eq =
/// 0.938, less oblate than about a mass point.)
TEST(Planet, SettlesInItsTurningFrame) {
  const Units units = earth();
  const double spin = 2 * std::numbers::pi / (4 * 3600) * 6378.1;
  const std::map<std::string, std::string> options = {
      {"mass", "0.3"}, {"layers", "iron:0.553,granite:0.447"}, {"spin", std::to_string(spin)}, {"eps", "auto"}};
  auto settled = options;
  settled["settle"] = "100";
  const auto flattening = [](const Particles& p) {
    double across = 0, along = 0;
    for (const Vec3& x : p.position) across += (x[0] * x[0] + x[1] * x[1]) / 2, along += x[2] * x[2];
    return std::sqrt(along / across);
  };
  const Snapshot ball = ics::make("planet", 3000, ics::Seed{1}, options, {}, units);
  EXPECT_NEAR(flattening(ball.particles), 1, 0.01);
  EXPECT_NE(ball.notes.back().find("is a sphere out of equilibrium (give settle"), std::string::npos);
  const Snapshot rests = ics::make("planet", 3000, ics::Seed{1}, settled, {}, units);
  EXPECT_NEAR(flattening(rests.particles), 0.89, 0.01);
  const Particles& p = rests.particles;
  for (std::size_t i = 0; i < p.size(); i += 97) EXPECT_NEAR(p.velocity[i][0], -spin * p.position[i][1], 1e-5);
  // it stays so, where the sphere swings
  SimulationOptions o;
  o.backend = "cpu";
  o.threads = 1;
  o.dt = 0.05;
  o.gas.eos = EquationOfState::tillotson;
  o.gravity.G = units.G;
  const auto after = [&](const Snapshot& start) {
    Simulation s(start, o);
    s.run(0.2);
    return flattening(s.snapshot().particles);
  };
  EXPECT_NEAR(after(rests), flattening(rests.particles), 0.005);
  EXPECT_LT(after(ball), 0.93);
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
    return std::any_of(s.notes.begin(), s.notes.end(), [](const std::string& note) {
      return note.find("the planet flies apart") != std::string::npos;
    });
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
