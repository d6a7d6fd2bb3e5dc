// SPDX-License-Identifier: Apache-2.0
// Several devices as one (device/replicated_device.h) give the bits of one. A device is opened several times here, so
// that its ranks share targets at any number of particles.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "device/host/host_device.h"
#include "device/replicated_device.h"
#include "hornbeam/error.h"
#include "support/devices.h"
#include "support/forces.h"
#include "support/lattice_models.h"

namespace hornbeam {
namespace {

ParticleSystem system_of(const std::string& backend, int ranks, std::int64_t least = 1) {
  std::vector<std::unique_ptr<Device>> devices;
  for (int rank = 0; rank < ranks; ++rank) devices.push_back(open_device(backend, 0));
  return ParticleSystem(std::make_unique<ReplicatedDevice>(std::move(devices), least));
}

Evaluation evaluate_by(ParticleSystem system, Particles particles, const GravityOptions& options,
                       const Boundary& boundary = {}) {
  system.set_boundary(boundary, 0);
  system.load(particles, options);
  system.build_tree();
  system.evaluate();
  return {forces_of(system, particles), system.interactions(), system.options()};
}

void expect_same(const Evaluation& one, const Evaluation& several, const std::string& what) {
  EXPECT_TRUE(one.field == several.field) << what;
  EXPECT_EQ(one.interactions.particle, several.interactions.particle) << what;
  EXPECT_EQ(one.interactions.cell, several.interactions.cell) << what;
  EXPECT_EQ(one.interactions.expansion, several.interactions.expansion) << what;
}

GravityOptions options_of(Walk walk) {
  GravityOptions o = by_angles();
  o.walk = walk;
  o.eps = 0.01;
  return o;
}

TEST(Ranks, GiveTheForcesOfOneDevice) {
  const Particles p = drawn("hernquist", 3000);
  for (const std::string& backend : device_backends()) {
    for (const Walk walk : {Walk::group, Walk::direct, Walk::stackless}) {
      const Evaluation one = evaluate_on(backend, p, options_of(walk));
      const bool is_shared = walk != Walk::stackless;
      for (const int ranks : is_shared ? std::vector{1, 2, 3, 4, 7} : std::vector{2}) {
        const std::string what = backend + " " + std::string(name(walk)) + " on " + std::to_string(ranks);
        expect_same(one, evaluate_by(system_of(backend, ranks), p, options_of(walk)), what);
      }
    }
  }
}

/// So many particles that the halo's groups are walked in pieces (DomainGravity::most_near()).
TEST(Ranks, GiveTheForcesOfOneDeviceWhereGroupsAreWalkedInPieces) {
  const Particles p = drawn("hernquist", 12000);
  for (const std::string& backend : device_backends()) {
    const Evaluation one = evaluate_on(backend, p, options_of(Walk::group));
    expect_same(one, evaluate_by(system_of(backend, 3), p, options_of(Walk::group)), backend);
  }
}

TEST(RanksWithOtherOptions, GiveTheForcesOfOneDevice) {
  Particles own = drawn("plummer", 1200, 5);
  own.eps.resize(own.size());
  for (std::size_t i = 0; i < own.size(); ++i) own.eps[i] = 0.01 * static_cast<double>(1 + i % 3);
  Boundary boundary;
  boundary.kind = BoundaryKind::periodic;
  boundary.size = {40, 40, 40};
  boundary.n_ghost = {1, 0, 1};
  for (const std::string& backend : device_backends()) {
    GravityOptions unequal = options_of(Walk::group), relative = unequal, conserving = unequal;
    unequal.eps = -1;
    unequal.softening = Softening::spline;
    relative.mac = Mac::relative;
    conserving.conserve = true;
    for (const int ranks : {2, 5}) {
      for (const GravityOptions& o : {unequal, relative, conserving}) {
        const Evaluation several = evaluate_by(system_of(backend, ranks), own, o);
        expect_same(evaluate_on(backend, own, o), several, backend + " on " + std::to_string(ranks));
      }
      for (const Walk walk : {Walk::group, Walk::direct}) {
        const Evaluation several = evaluate_by(system_of(backend, ranks), own, options_of(walk), boundary);
        expect_same(evaluate_in(backend, own, options_of(walk), boundary), several, backend + " with images");
      }
    }
  }
}

/// Ranks walk the sinks of their own targets, and count what these meet.
TEST(RanksToAnAccuracy, GiveTheForcesOfOneDevice) {
  Particles unequal = drawn("hernquist", 3000, 5);
  unequal.eps.resize(unequal.size());
  for (std::size_t i = 0; i < unequal.size(); ++i) unequal.eps[i] = 0.01 * static_cast<double>(1 + i % 3);
  const Particles in_box = lattice_models::scattered(1600, {1, 1, 1}, true, 1);
  const Boundary box = lattice_models::lattice({1, 1, 1});
  GravityOptions one_eps = options_of(Walk::group), of_each = one_eps;
  one_eps.accuracy = of_each.accuracy = 1e-2;
  of_each.eps = -1;
  for (const std::string& backend : device_backends()) {
    const Evaluation alone = evaluate_on(backend, unequal, one_eps), own = evaluate_on(backend, unequal, of_each),
                     images = evaluate_in(backend, in_box, one_eps, box);
    for (const int ranks : {2, 3, 7}) {
      const std::string what = backend + " on " + std::to_string(ranks);
      expect_same(alone, evaluate_by(system_of(backend, ranks), unequal, one_eps), what);
      expect_same(own, evaluate_by(system_of(backend, ranks), unequal, of_each), what + ", unequal softening");
      expect_same(images, evaluate_by(system_of(backend, ranks), in_box, one_eps, box), what + ", in a lattice");
    }
  }
}

/// More ranks than sinks, and coincident particles, of which one sink has most.
TEST(RanksToAnAccuracy, MayHaveNoSink) {
  GravityOptions o = options_of(Walk::group);
  o.accuracy = 1e-2;
  Particles crowded = drawn("plummer", 500);
  for (std::size_t i = 0; i < 400; ++i) crowded.position[i] = {1, 2, 3};
  for (const std::string& backend : device_backends()) {
    for (const Particles& p : {drawn("plummer", 3), drawn("plummer", 40), crowded}) {
      expect_same(evaluate_on(backend, p, o), evaluate_by(system_of(backend, 7), p, o), backend);
    }
  }
}

/// So many that devices do not sum for them directly.
TEST(RanksToAnAccuracy, GiveTheForcesOfThoseThatAreDue) {
  const Particles p = drawn("hernquist", 25000);
  GravityOptions o = options_of(Walk::group);
  o.accuracy = 1e-2;
  for (const std::string& backend : device_backends()) {
    Evaluation found[2];
    for (const int ranks : {1, 3}) {
      ParticleSystem system = system_of(backend, ranks);
      system.load(p, o, {.rungs = true});
      system.build_tree();
      system.evaluate();
      const RungCensus census =
          system.leapfrog().choose_rungs({.longest = 0.25, .eta = 0.1, .eta_change = 0, .deepest = 1}, 0, 0);
      ASSERT_EQ(census.deepest(), 1) << backend;
      system.leapfrog().drift(0.001);
      system.refit();
      system.evaluate_due(1);
      Particles now = p;
      found[ranks / 3] = {forces_of(system, now), system.interactions(), o};
    }
    EXPECT_GT(found[0].interactions.expansion, 0u) << backend << ": they were summed directly";
    expect_same(found[0], found[1], backend);
  }
}

TEST(Ranks, AreFewerForFewParticles) {
  for (const std::string& backend : device_backends()) {
    ParticleSystem few = system_of(backend, 3, 100);
    few.admit(250, options_of(Walk::group), {});
    EXPECT_EQ(few.hardware().ranks(), 2);
    EXPECT_NE(few.device_note().find("2 of 3 devices will compute"), std::string::npos) << few.device_note();
    ParticleSystem enough = system_of(backend, 3, 100);
    enough.admit(300, options_of(Walk::group), {});
    EXPECT_EQ(enough.hardware().ranks(), 3);
    EXPECT_EQ(enough.device_note(), "");
  }
}

TEST(Ranks, OfDifferentKindsAreRefused) {
  for (const std::string& backend : device_backends()) {
    std::vector<std::unique_ptr<Device>> devices;
    devices.push_back(open_device(backend, 0));
    devices.push_back(open_host_device(1));
    EXPECT_THROW(ReplicatedDevice(std::move(devices)), Error) << backend;
  }
}

TEST(Ranks, RefuseArraysInDeviceMemory) {
  for (const std::string& backend : device_backends()) {
    const ParticleSystem two = system_of(backend, 2);
    EXPECT_THROW(static_cast<void>(lending_of(const_cast<ParticleSystem&>(two).hardware())), UsageError);
  }
}

ReplicatedDevice ranks_of(const std::string& backend, int ranks) {
  std::vector<std::unique_ptr<Device>> devices;
  for (int rank = 0; rank < ranks; ++rank) devices.push_back(open_device(backend, 0));
  return ReplicatedDevice(std::move(devices), 1);
}

using Numbers = std::vector<std::uint32_t>;

/// make(rank): what that rank begins with.
template <class Make>
void give_each(Device& device, const DeviceArray<std::uint32_t>& to, const Make& make) {
  device.on_each_rank([&](int rank) {
    const Numbers own = make(rank);
    device.upload(to, 0, own.data(), own.size() * sizeof(std::uint32_t));
  });
}

std::vector<Numbers> held_by_each(Device& device, const DeviceArray<std::uint32_t>& array, std::size_t count) {
  std::vector<Numbers> held;
  device.on_each_rank(
      [&](int /*rank*/) { device.download(held.emplace_back(count).data(), array, 0, count * sizeof(std::uint32_t)); });
  return held;
}

TEST(Ranks, ExchangeTheirRows) {
  for (const std::string& backend : device_backends()) {
    ReplicatedDevice device = ranks_of(backend, 3);
    DeviceArray<std::uint32_t> array(device);
    constexpr std::size_t count = 11;
    array.reserve(count * sizeof(std::uint32_t));
    give_each(device, array, [](int rank) { return Numbers(count, static_cast<std::uint32_t>(rank + 1)); });
    const Exchanged behind_two{&array, sizeof(std::uint32_t), 2 * sizeof(std::uint32_t)};
    device.exchange(std::array{behind_two}, RowsOfRanks({0, 3, 3, 4, 8}, 3));  // an empty run is the second rank's
    const std::vector<Numbers> held = held_by_each(device, array, count);
    for (std::size_t rank = 0; rank < held.size(); ++rank) {
      const auto own = static_cast<std::uint32_t>(rank + 1);
      EXPECT_EQ(held[rank], (Numbers{own, own, 1, 1, 1, 3, 1, 1, 1, 1, own})) << backend << rank;
    }
  }
}

TEST(Ranks, JoinTheirLists) {
  for (const std::string& backend : device_backends()) {
    ReplicatedDevice device = ranks_of(backend, 3);
    DeviceArray<std::uint32_t> list(device), other(device);
    for (auto* array : {&list, &other}) array->reserve(5 * sizeof(std::uint32_t));
    const std::vector<Numbers> lists = {{10, 11}, {}, {30, 31, 32}};
    give_each(device, list, [&](int rank) { return lists[static_cast<std::size_t>(rank)]; });
    device.join_lists(std::array{Exchanged{&list, sizeof(std::uint32_t)}}, std::array<std::int64_t, 3>{2, 0, 3});
    const std::vector<Numbers> joined = held_by_each(device, list, 5);
    EXPECT_EQ(joined, (std::vector<Numbers>{{10, 11, 30, 31, 32}, {10, 11, 30, 31, 32}, {30, 31, 32, 10, 11}}));
    device.copy_from_rank(other, list, 2 * sizeof(std::uint32_t), 2);
    EXPECT_EQ(held_by_each(device, other, 2), (std::vector<Numbers>{{30, 31}, {10, 11}, {10, 11}})) << backend;
  }
}

/// Whatever it is that the last rank fails in, the call ends with its error, and the device can be closed.
TEST(Ranks, ThatFailInARequestEndTheCall) {
  const Particles p = drawn("plummer", 500);
  for (const std::string& backend : device_backends()) {
    for (const std::int64_t request : {1, 10, 20}) {
      auto two = std::make_unique<ReplicatedDevice>(ranks_of(backend, 2));
      two->fail_at(request);
      EXPECT_THROW(evaluate_by(ParticleSystem(std::move(two)), p, options_of(Walk::group)), Error) << backend;
    }
  }
}

/// Work of the second rank that fails is an error of the call, and memory of both is given back.
TEST(Ranks, ThatFailEndTheCall) {
  for (const std::string& backend : device_backends()) {
    std::vector<std::unique_ptr<Device>> devices;
    for (int rank = 0; rank < 2; ++rank) devices.push_back(open_device(backend, 0));
    ReplicatedDevice two(std::move(devices));
    const std::uint64_t free = two.free_bytes();
    EXPECT_THROW(two.allocate(two.memory_bytes() + (std::size_t{1} << 40)), Error) << backend;
    EXPECT_EQ(two.free_bytes(), free) << backend;
  }
}

}  // namespace
}  // namespace hornbeam
