// SPDX-License-Identifier: Apache-2.0
// `hornbeam selftest`: a small force sum with every device, walk and precision, compared with direct summation in
// double precision and with one another. It runs on the user's machine, where our tests do not.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "backend/backend.h"
#include "cli/common.h"
#include "hornbeam/error.h"
#include "hornbeam/ics.h"

namespace hornbeam::cli {
namespace {

struct Evaluation {
  std::string label;
  double tolerance;  ///< of the rms difference to direct summation in double precision
  std::vector<Vec3> acceleration;
};

/// Rounding alone for direct sums; the truncation of theta = 0.5 for trees, four times what it is measured to be.
double tolerance(Walk walk, Precision precision) {
  if (walk != Walk::direct) return 1e-3;
  return precision == Precision::fp64 ? 1e-12 : 1e-5;
}

double length(const Vec3& a) { return std::hypot(a[0], a[1], a[2]); }

/// rms over particles of |a - b| over the rms of |b|.
double difference(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double squares = 0.0, scale = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double d = length({a[i][0] - b[i][0], a[i][1] - b[i][1], a[i][2] - b[i][2]});
    squares += d * d;
    scale += length(b[i]) * length(b[i]);
  }
  return std::sqrt(squares / scale);
}

/// Nothing where the backend does not offer this walk and precision.
std::optional<Evaluation> evaluate(const DeviceInfo& device, Walk walk, Precision precision, Particles particles) {
  GravityOptions gravity;
  gravity.theta = 0.5;
  gravity.eps = 0.01;
  gravity.walk = walk;
  gravity.precision = precision;
  const auto backend = open_backend(device.backend, 0, 0);
  try {
    backend->load(particles, gravity);
  } catch (const UsageError&) {
    return {};
  }
  backend->build_tree();
  backend->walk();
  backend->store(particles);
  return Evaluation{fmt::format("{} {} {}", device.backend, name(walk), name(precision)), tolerance(walk, precision),
                    particles.acceleration};
}

std::vector<Evaluation> evaluate_all(const Particles& particles) {
  std::vector<Evaluation> all;
  for (const DeviceInfo& device : list_devices()) {
    for (const Walk walk : {Walk::direct, Walk::group, Walk::stackless, Walk::vote}) {
      for (const Precision precision : {Precision::fp64, Precision::mixed, Precision::single}) {
        if (auto evaluation = evaluate(device, walk, precision, particles)) {
          all.push_back(std::move(*evaluation));
        } else {
          fmt::print("{} {} {}: not built\n", device.backend, name(walk), name(precision));
        }
      }
    }
  }
  return all;
}

void print_differences(const std::vector<Evaluation>& all) {
  fmt::print("rms differences between them\n");
  for (std::size_t i = 0; i < all.size(); ++i) {
    fmt::print("  {:<24}", all[i].label);
    for (std::size_t j = 0; j < i; ++j) {
      fmt::print(" {:8.1e}", difference(all[i].acceleration, all[j].acceleration));
    }
    fmt::print("\n");
  }
}

void selftest() {
  constexpr std::size_t n = 4096;
  const Particles particles = ics::make("plummer", n, ics::Seed{1}).particles;
  const std::vector<Evaluation> all = evaluate_all(particles);
  if (all.empty()) throw Error("selftest", "no device offers any walk");
  const std::vector<Vec3>& reference = all.front().acceleration;
  fmt::print("{} particles of a Plummer sphere, theta 0.5, against {}\n", n, all.front().label);
  int failures = 0;
  for (const Evaluation& evaluation : all) {
    const double rms = difference(evaluation.acceleration, reference);
    const bool good = rms <= evaluation.tolerance;
    failures += good ? 0 : 1;
    fmt::print("  {:<24} {:8.1e}  (at most {:.0e})  {}\n", evaluation.label, rms, evaluation.tolerance,
               good ? "ok" : "FAILED");
  }
  print_differences(all);
  if (failures > 0) {
    throw Error("selftest", fmt::format("{} of {} evaluations are beyond their tolerance", failures, all.size()),
                "report it with the output of hornbeam info");
  }
}

}  // namespace

void add_selftest(CLI::App& program) {
  CLI::App* command = program.add_subcommand("selftest", "Small force sums on every device, compared with one another");
  command->callback(selftest);
}

}  // namespace hornbeam::cli
