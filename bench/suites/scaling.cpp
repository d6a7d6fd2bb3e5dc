// SPDX-License-Identifier: Apache-2.0
// `hornbeam-bench scaling`: time, rate and memory against N; every distribution, order on input and number of threads
// compared with a Plummer sphere.
#include <algorithm>

#include "bench/suites/suites.h"

namespace hornbeam::cli {
namespace {

constexpr std::size_t compared_n = std::size_t{1} << 20;

GravityOptions defaults() {
  GravityOptions o;
  o.accuracy = 0;
  o.eps = 1e-4;
  return o;
}

double seconds_per_particle(const Json& row) { return row["seconds"]["total"].get<double>() / row["n"].get<double>(); }

/// Adds a row with `relative`: its time per particle over that of `reference`, which the first row becomes.
void add_relative(Report& report, std::optional<Json> row, std::optional<double>& reference) {
  if (!row) return;
  const double ours = seconds_per_particle(*row);
  if (!reference) reference = ours;
  (*row)["relative"] = *reference > 0 ? Json(ours / *reference) : Json();
  const Json& bytes = (*row)["bytes"];
  double sum = 0;
  for (const auto& purpose : bytes) sum += purpose.get<double>();
  (*row)["bytes_per_particle"] = sum / std::max((*row)["n"].get<double>(), 1.0);
  report.add(*row);
}

const std::vector<Column> scaling_columns = {{"backend", "/backend"},
                                             {"threads", "/threads"},
                                             {"particles", "/model", 14},
                                             {"input", "/input"},
                                             {"N", "/n"},
                                             {"s", "/seconds/total"},
                                             {"particles/s", "/particles_per_second"},
                                             {"bytes each", "/bytes_per_particle"},
                                             {"relative", "/relative"}};

void sizes(Runner& runner, Report& report) {
  report.begin("size", "Against N, theta 0.6; relative: time per particle over that of the smallest", scaling_columns);
  std::vector<std::size_t> all;
  for (int log2_n = 10; log2_n <= 24; log2_n += 2) all.push_back(std::size_t{1} << log2_n);
  const std::vector<std::size_t> kept = runner.within(all);
  for (const std::string& backend : runner.backends()) {
    for (const char* model : {"plummer", "hernquist", "uniform-cube"}) {
      std::optional<double> reference;
      for (const std::size_t n : kept) {
        add_relative(report, runner.measure({.model = model, .n = n, .gravity = defaults(), .backend = backend}),
                     reference);
      }
    }
  }
}

void distributions(Runner& runner, Report& report, std::size_t n) {
  report.begin("distribution", "No bad case: time per particle over that of a Plummer sphere, theta 0.6",
               scaling_columns);
  std::vector<std::string> models = {"plummer", "hernquist", "uniform-sphere", "uniform-cube", "lattice"};
  for (const Shape& shape : shapes()) models.push_back(shape.name);
  for (const std::string& backend : runner.backends()) {
    std::optional<double> plummer;
    for (const std::string& model : models) {
      add_relative(report, runner.measure({.model = model, .n = n, .gravity = defaults(), .backend = backend}),
                   plummer);
    }
  }
}

void orders(Runner& runner, Report& report, std::size_t n) {
  report.begin("order", "Order on input: time over that of particles as made", scaling_columns);
  for (const std::string& backend : runner.backends()) {
    for (const char* model : {"plummer", "lattice"}) {
      std::optional<double> as_made;
      for (const InputOrder input : {InputOrder::as_made, InputOrder::shuffled, InputOrder::sorted}) {
        add_relative(
            report, runner.measure({.model = model, .n = n, .gravity = defaults(), .input = input, .backend = backend}),
            as_made);
      }
    }
  }
}

void threads(Runner& runner, Report& report, std::size_t n) {
  report.begin("threads", "Threads of the CPU: time over that of one", scaling_columns);
  const std::vector<std::string> backends = runner.backends();
  if (std::find(backends.begin(), backends.end(), "cpu") == backends.end()) {
    report.leave_out("threads", "a GPU was asked for");
    return;
  }
  const int most = open_system("cpu", 0, 0).threads();
  std::optional<double> one;
  for (int count = 1; count <= most; count = count < most ? std::min(2 * count, most) : most + 1) {
    add_relative(
        report, runner.measure({.model = "plummer", .n = n, .gravity = defaults(), .backend = "cpu", .threads = count}),
        one);
  }
}

}  // namespace

void bench_scaling(Runner& runner, Report& report) {
  sizes(runner, report);
  report.begin("all", "", {});
  const std::size_t n = runner.at_most(compared_n);
  distributions(runner, report, n);
  orders(runner, report, n);
  threads(runner, report, n);
}

}  // namespace hornbeam::cli
