// SPDX-License-Identifier: Apache-2.0
// Evaluations of the selftest, see selftest.h.
#include "simulation/selftest.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "device/devices.h"
#include "dynamics/particle_system.h"
#include "hornbeam/error.h"
#include "hornbeam/ics.h"
#include "simulation/length.h"

namespace hornbeam {
namespace {

/// Rounding alone for direct sums; the truncation of theta = 0.5 for trees, four times what it is measured to be.
double selftest_tolerance(Walk walk, Precision precision) {
  if (walk != Walk::direct) return 1e-3;
  return precision == Precision::fp64 ? 1e-12 : 1e-5;
}

std::string selftest_label(const DeviceInfo& device, Walk walk, Precision precision) {
  return device.backend + " " + std::string(name(walk)) + " " + std::string(name(precision));
}

/// Nothing where the backend does not offer this walk and precision.
std::optional<SelftestEvaluation> selftest_on(const DeviceInfo& device, Walk walk, Precision precision,
                                              Particles particles) {
  GravityOptions gravity;
  gravity.theta = 0.5;
  gravity.eps = 0.01;
  gravity.walk = walk;
  gravity.precision = precision;
  ParticleSystem system = open_system(device.backend, 0, 0);
  try {
    system.load(particles, gravity);
  } catch (const UsageError&) {
    return {};
  }
  system.build_tree();
  system.evaluate();
  system.domain().store(particles);
  return SelftestEvaluation{device.backend, selftest_label(device, walk, precision),
                            selftest_tolerance(walk, precision), particles.acceleration};
}

}  // namespace

double rms_difference(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double squares = 0.0, scale = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double d = length({a[i][0] - b[i][0], a[i][1] - b[i][1], a[i][2] - b[i][2]});
    squares += d * d;
    scale += length(b[i]) * length(b[i]);
  }
  return std::sqrt(squares / scale);
}

std::size_t Selftest::failures() const {
  return static_cast<std::size_t>(std::count_if(all.begin(), all.end(), [](const auto& e) { return !e.good(); }));
}

Selftest selftest() {
  const Particles particles = ics::make("plummer", selftest_particles, ics::Seed{1}).particles;
  Selftest done;
  for (const DeviceInfo& device : list_devices()) {
    for (const Walk walk : {Walk::direct, Walk::group, Walk::stackless, Walk::vote}) {
      for (const Precision precision : {Precision::fp64, Precision::mixed, Precision::single}) {
        if (auto evaluation = selftest_on(device, walk, precision, particles)) {
          done.all.push_back(std::move(*evaluation));
        } else {
          done.not_built.push_back(selftest_label(device, walk, precision));
        }
      }
    }
  }
  if (done.all.empty()) throw Error("selftest", "no device can run any walk");
  for (SelftestEvaluation& evaluation : done.all) {
    evaluation.difference = rms_difference(evaluation.acceleration, done.all.front().acceleration);
  }
  return done;
}

}  // namespace hornbeam
