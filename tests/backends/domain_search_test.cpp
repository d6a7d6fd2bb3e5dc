// SPDX-License-Identifier: Apache-2.0
// Neighbour search on the domain of a particle system, beside all pairs: the tree that gravity walks, in the precision
// of the domain, while its particles move.
#include <gtest/gtest.h>

#include "dynamics/particle_system.h"
#include "hornbeam/error.h"
#include "interactions/neighbours/neighbour_search.h"
#include "support/devices.h"
#include "support/forces.h"
#include "support/neighbours.h"

namespace hornbeam {
namespace {

/// Positions as a domain holds them, in the order of the input.
std::vector<Vec3> positions_of(ParticleSystem& system, const Particles& loaded) {
  Particles now = loaded;
  system.domain().store(now);
  return now.position;
}

TEST(DomainSearch, FindsTheNeighboursOfParticlesThatMove) {
  const Particles p = drawn("plummer", 2000);
  for (const std::string& backend : every_backend()) {
    ParticleSystem system = open_system(backend, 0, 0);
    for (const Precision precision : {Precision::mixed, Precision::fp64}) {
      if (precision == Precision::fp64 && backend != "cpu") continue;  // PoCL takes seconds to compile another
      GravityOptions o = by_angles();
      o.eps = 0.01;
      o.precision = precision;
      system.load(p, o);
      for (int step = 0; step < 2; ++step) {
        system.build_tree();
        system.evaluate();
        const std::vector<Vec3> x = positions_of(system, p);
        const auto search = make_search(system.domain());
        const std::string what = backend + " " + std::string(name(precision)) + " " + std::to_string(step);
        expect_same(search->keep_within(0.1)->lists(), all_pairs(x, 0.1, 0, 0), what);
        expect_same(search->keep_nearest(8)->lists(), all_pairs(x, 1e3, 8, 0), what + ", nearest");
        system.leapfrog().drift(0.05);
      }
    }
  }
}

TEST(DomainSearch, NumbersInSinglePrecisionAreThoseOfItsPositions) {
  const Particles p = drawn("plummer", 1500);
  GravityOptions o = by_angles();
  o.eps = 0.01;
  o.precision = Precision::single;
  for (const std::string backend : {"cpu"}) {  // others: PairWalksInSingle
    ParticleSystem system = open_system(backend, 0, 0);
    system.load(p, o);
    system.build_tree();
    const auto search = make_search(system.domain());
    const std::vector<std::uint32_t> found = search->count_within(0.2);
    const NeighbourLists all = all_pairs(positions_of(system, p), 0.2, 0, 0);
    std::size_t different = 0;  // squares in fp32 fall to either side of the radius
    for (std::size_t i = 0; i < found.size(); ++i) different += found[i] != all.offset[i + 1] - all.offset[i] ? 1 : 0;
    EXPECT_LE(different, 4u) << backend;
    EXPECT_EQ(search->keep_nearest(3)->entries(), 3 * p.size()) << backend;
  }
}

TEST(DomainSearch, DirectSumsHaveNoTreeToSearch) {
  GravityOptions o = by_angles();
  o.walk = Walk::direct;
  for (const std::string& backend : device_backends()) {
    ParticleSystem system = open_system(backend, 0, 0);
    system.load(drawn("plummer", 100), o);
    system.build_tree();
    EXPECT_THROW(make_search(system.domain()), UsageError) << backend;
  }
}

}  // namespace
}  // namespace hornbeam
