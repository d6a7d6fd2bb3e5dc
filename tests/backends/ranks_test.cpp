// SPDX-License-Identifier: Apache-2.0
// Several devices as one (device/replicated_device.h) give the bits of one. A device is opened several times here, so
// that its ranks share targets at any number of particles.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "device/host/host_device.h"
#include "device/replicated_device.h"
#include "hornbeam/error.h"
#include "support/devices.h"
#include "support/forces.h"

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
  GravityOptions o;
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
