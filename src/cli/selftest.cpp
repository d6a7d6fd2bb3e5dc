// SPDX-License-Identifier: Apache-2.0
// `hornbeam selftest`: a small force sum with every device, walk and precision, compared with direct summation in
// double precision; one line a backend, with --table every difference. It runs on the user's machine, where our tests
// do not.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>

#include "cli/common.h"
#include "dynamics/particle_system.h"
#include "hornbeam/error.h"
#include "hornbeam/ics.h"
#include "simulation/length.h"

namespace hornbeam::cli {
namespace {

struct Evaluation {
  std::string backend;
  std::string label;
  double tolerance;  ///< of the rms difference to direct summation in double precision
  std::vector<Vec3> acceleration;
  double difference = 0.0;  ///< to the first of all, found when all are there

  /// Also where the difference is not a number.
  [[nodiscard]] bool good() const { return difference <= tolerance; }
};

struct Evaluations {
  std::vector<Evaluation> all;
  std::vector<std::string> not_built;
};

/// Rounding alone for direct sums; the truncation of theta = 0.5 for trees, four times what it is measured to be.
double tolerance(Walk walk, Precision precision) {
  if (walk != Walk::direct) return 1e-3;
  return precision == Precision::fp64 ? 1e-12 : 1e-5;
}

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

std::string label(const DeviceInfo& device, Walk walk, Precision precision) {
  return fmt::format("{} {} {}", device.backend, name(walk), name(precision));
}

/// Nothing where the backend does not offer this walk and precision.
std::optional<Evaluation> evaluate(const DeviceInfo& device, Walk walk, Precision precision, Particles particles) {
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
  return Evaluation{device.backend, label(device, walk, precision), tolerance(walk, precision), particles.acceleration};
}

Evaluations evaluate_all(const Particles& particles) {
  Evaluations done;
  for (const DeviceInfo& device : list_devices()) {
    for (const Walk walk : {Walk::direct, Walk::group, Walk::stackless, Walk::vote}) {
      for (const Precision precision : {Precision::fp64, Precision::mixed, Precision::single}) {
        if (auto evaluation = evaluate(device, walk, precision, particles)) {
          done.all.push_back(std::move(*evaluation));
        } else {
          done.not_built.push_back(label(device, walk, precision));
        }
      }
    }
  }
  if (done.all.empty()) throw Error("selftest", "no device offers any walk");
  for (Evaluation& evaluation : done.all) {
    evaluation.difference = difference(evaluation.acceleration, done.all.front().acceleration);
  }
  return done;
}

/// How much of what is allowed a difference takes; one that is not a number takes the most.
double share(const Evaluation& evaluation) {
  const double share = evaluation.difference / evaluation.tolerance;
  return std::isnan(share) ? INFINITY : share;
}

/// `group` holds the evaluations of one backend.
void print_verdict(const std::vector<const Evaluation*>& group) {
  const Evaluation& worst = **std::max_element(group.begin(), group.end(),
                                               [](const auto* a, const auto* b) { return share(*a) < share(*b); });
  fmt::print("  {:<8} {:<7} worst of {}: {:.1e} (at most {:.0e}), {}\n", worst.backend, worst.good() ? "ok" : "FAILED",
             group.size(), worst.difference, worst.tolerance, worst.label);
}

void print_verdicts(const std::vector<Evaluation>& all) {
  for (auto first = all.begin(); first != all.end();) {
    std::vector<const Evaluation*> group;
    for (const std::string& backend = first->backend; first != all.end() && first->backend == backend; ++first) {
      group.push_back(&*first);
    }
    print_verdict(group);
  }
}

void print_table(const Evaluations& done) {
  for (const std::string& label : done.not_built) fmt::print("  {:<24} not built\n", label);
  for (const Evaluation& evaluation : done.all) {
    fmt::print("  {:<24} {:8.1e}  (at most {:.0e})  {}\n", evaluation.label, evaluation.difference,
               evaluation.tolerance, evaluation.good() ? "ok" : "FAILED");
  }
  fmt::print("rms differences between them\n");
  for (std::size_t i = 0; i < done.all.size(); ++i) {
    fmt::print("  {:<24}", done.all[i].label);
    for (std::size_t j = 0; j < i; ++j) {
      fmt::print(" {:8.1e}", difference(done.all[i].acceleration, done.all[j].acceleration));
    }
    fmt::print("\n");
  }
}

void selftest(bool table) {
  constexpr std::size_t n = 4096;
  const Evaluations done = evaluate_all(ics::make("plummer", n, ics::Seed{1}).particles);
  fmt::print("{} particles of a Plummer sphere, theta 0.5: rms difference to {}\n", n, done.all.front().label);
  print_verdicts(done.all);
  if (table) print_table(done);
  const auto failures = std::count_if(done.all.begin(), done.all.end(), [](const auto& e) { return !e.good(); });
  if (failures > 0) {
    throw Error("selftest", fmt::format("{} of {} evaluations are beyond their tolerance", failures, done.all.size()),
                "hornbeam selftest --table names them; report it with the output of hornbeam info");
  }
}

}  // namespace

void add_selftest(CLI::App& program) {
  CLI::App* command = program.add_subcommand("selftest", "Small force sums on every device, compared with one another");
  const auto table = std::make_shared<bool>(false);
  command->add_flag("--table", *table, "every walk and precision, and the differences between them");
  command->callback([table] { selftest(*table); });
}

}  // namespace hornbeam::cli
