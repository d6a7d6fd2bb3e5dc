// SPDX-License-Identifier: Apache-2.0
// Several simulations in one process, one after the other or each on a thread: they keep to themselves.
#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include "hornbeam/simulation.h"
#include "support/devices.h"
#include "support/forces.h"

namespace hornbeam {
namespace {

constexpr int steps = 3;

struct Case {
  std::string backend;
  int device, threads;
  Precision precision;
  std::size_t n;
};

/// Two simulations of each device here, unlike in size, precision and threads: of every NVIDIA GPU, and of the first
/// OpenCL device.
std::vector<Case> setups() {
  std::vector<Case> all{{"cpu", 0, 1, Precision::mixed, 700}, {"cpu", 0, 3, Precision::fp64, 1100}};
  for (const std::string& backend : device_backends()) {
    const std::vector<DeviceInfo> devices = list_devices();
    const auto count = std::count_if(devices.begin(), devices.end(), [&](auto& d) { return d.backend == backend; });
    for (int index = 0; index < (backend == "cuda" ? count : 1); ++index) {
      all.push_back({backend, index, 0, Precision::mixed, 900});
      all.push_back({backend, index, 0, Precision::single, 1300});
    }
  }
  return all;
}

Simulation begin(const Case& setup) {
  SimulationOptions o;
  o.backend = setup.backend;
  o.device = setup.device;
  o.threads = setup.threads;
  o.gravity.precision = setup.precision;
  o.gravity.eps = 0.05;
  o.gravity.accuracy = 0;  // to one so few particles would be summed directly
  o.dt = 1.0 / 64;
  Snapshot start;
  start.particles = drawn("plummer", setup.n);
  return {std::move(start), o};
}

std::vector<Vec3> alone(const Case& setup) {
  Simulation s = begin(setup);
  for (int k = 0; k < steps; ++k) s.step();
  return s.snapshot().particles.position;
}

std::vector<std::vector<Vec3>> each_alone(const std::vector<Case>& all) {
  std::vector<std::vector<Vec3>> places;
  for (const Case& setup : all) places.push_back(alone(setup));
  return places;
}

TEST(SeveralSimulations, TakeTurnsAndLeaveNoTrace) {
  omp_set_num_threads(2);  // the caller's own number, which no simulation here takes
  const std::vector<Case> all = setups();
  const auto expected = each_alone(all);
  std::vector<Simulation> running;
  for (const Case& setup : all) running.push_back(begin(setup));
  for (int k = 0; k < steps; ++k) {
    for (Simulation& s : running) s.step();
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(running[i].snapshot().particles.position, expected[i]) << all[i].backend << " " << all[i].device;
  }
  running.clear();
  EXPECT_EQ(omp_get_max_threads(), 2);
}

TEST(SeveralSimulations, EachOnAThread) {
  const std::vector<Case> all = setups();
  const auto expected = each_alone(all);
  std::vector<std::vector<Vec3>> found(all.size());
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < all.size(); ++i) {
    threads.emplace_back([&found, &all, i] { found[i] = alone(all[i]); });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(found[i], expected[i]) << all[i].backend << " " << all[i].device;
  }
}

// PoCL before 7.0 aborts where three queues run one kernel in unlike sizes; see DriverContext.
TEST(SeveralSimulations, ThreadsOfGrowingSizes) {
  const std::vector<std::string> backends = device_backends();
  if (backends.empty()) GTEST_SKIP() << "no device here";
  constexpr std::size_t side_by_side = 8, rounds = 4;
  const Case like{backends.back(), 0, 0, Precision::single, 0};
  const Simulation holds_the_programs = begin({like.backend, 0, 0, like.precision, 10});
  std::vector<std::thread> threads;
  for (std::size_t thread = 0; thread < side_by_side; ++thread) {
    threads.emplace_back([&like, thread] {
      Case setup = like;
      for (std::size_t round = 0; round < rounds; ++round) {
        setup.n = 100 + 50 * (thread + side_by_side * round);
        EXPECT_EQ(alone(setup).size(), setup.n);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace hornbeam
