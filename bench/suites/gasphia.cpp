// SPDX-License-Identifier: Apache-2.0
// `hornbeam-bench gasphia`: a warp that votes, over particles in regular, random and tree order; errors and speed-up
// over brute force against theta.
#include <array>

#include "bench/suites/suites.h"

namespace hornbeam::cli {
namespace {

/// Figures of GASPHiA (Ye 2026), which names no GPU: a million particles on a lattice in a cube, single precision.
constexpr std::size_t lattice_n = 1000000;

/// The kernel's seconds and L1 hit rate in the last comparison of "Profile Validation". Its first listing has 202 ms
/// and 2,956 ms for regular and shuffled particles, with the two labels exchanged.
constexpr double regular_kernel = 5.13e-3, shuffled_kernel = 33.13e-3, sorted_kernel = 3.11e-3;
constexpr double regular_first = 0.20241, shuffled_first = 2.9555117;
constexpr double regular_hits = 57.52, shuffled_hits = 48.23, sorted_hits = 58.66;

/// "Performance and accuracy comparison across different theta parameters".
struct AngleRow {
  double theta, seconds, max, mean, speed_up;
};
constexpr std::array<AngleRow, 8> theta_table{{{0.1, 181.877e-3, 0.00219153, 3.27768e-05, 7.42231},
                                               {0.2, 39.5222e-3, 0.00502609, 6.86399e-05, 34.1566},
                                               {0.3, 14.9356e-3, 0.0214612, 0.00015996, 90.3847},
                                               {0.4, 8.75622e-3, 0.0335255, 0.00028779, 154.17},
                                               {0.5, 5.88032e-3, 0.0711218, 0.00053247, 229.57},
                                               {0.6, 4.20147e-3, 0.0565245, 0.000783245, 321.303},
                                               {0.7, 3.52717e-3, 0.106591, 0.00153542, 382.728},
                                               {0.8, 3.21018e-3, 0.170889, 0.002965, 420.521}}};

constexpr double lattice_eps = 1e-4;  // a hundredth of the lattice's step; the source gives none

/// Its method: w / theta < r a particle, monopoles, one particle a leaf, single precision; no vote on a CPU.
GravityOptions its_method(const Runner& runner, Curve curve, double theta) {
  GravityOptions o;
  o.walk = runner.has_vote_walk() ? Walk::vote : Walk::stackless;
  o.mac = Mac::bh;
  o.order = 0;
  o.expansion = 0;
  o.leaf_size = 1;
  o.precision = Precision::single;
  o.curve = curve;
  o.theta = theta;
  o.eps = lattice_eps;
  return o;
}

GravityOptions ours_at(double theta) {
  GravityOptions o;
  o.accuracy = 0;
  o.theta = theta;
  o.eps = lattice_eps;
  return o;
}

Json kernel_figures(double seconds, double first, double hits) {
  Json figures = {{"n", lattice_n}, {"walk", seconds}, {"cache_hits", hits}};
  if (first > 0) figures["walk_first_listing"] = first;
  return figures;
}

void particle_order(Runner& runner, Report& report, std::size_t n) {
  report.begin("order", "Particle order, theta 0.5: seconds of the walk; a lattice in a cube",
               {{"particles", "/label", 11},
                {"walk", "/walk"},
                {"N", "/n"},
                {"walk s", "/seconds/walk"},
                {"paper s", "/paper/walk"},
                {"total s", "/seconds/total"}});
  constexpr double theta = 0.5;
  const struct {
    const char* label;
    InputOrder input;
    Curve curve;
    double seconds, first, hits;
  } cases[] = {{"regular", InputOrder::as_made, Curve::none, regular_kernel, regular_first, regular_hits},
               {"shuffled", InputOrder::shuffled, Curve::none, shuffled_kernel, shuffled_first, shuffled_hits},
               {"tree-sorted", InputOrder::shuffled, Curve::morton, sorted_kernel, 0, sorted_hits}};
  for (const auto& c : cases) {
    runner.run({.model = "lattice",
                .n = n,
                .gravity = its_method(runner, c.curve, theta),
                .input = c.input,
                .paper = kernel_figures(c.seconds, c.first, c.hits),
                .label = c.label});
  }
  for (const InputOrder input : {InputOrder::as_made, InputOrder::shuffled, InputOrder::sorted}) {
    const std::string label = input == InputOrder::as_made ? "regular" : to_string(input);
    runner.run({.model = "lattice", .n = n, .gravity = ours_at(theta), .input = input, .label = label});
  }
}

/// Seconds of brute force, from fewer particles (scaled by N^2) where all would take too long.
struct BruteForce {
  double seconds = 0;
  std::size_t measured_n = 0;
};

BruteForce brute_force(Runner& runner, Report& report, std::size_t n) {
  report.begin("brute-force", "Brute force in single precision",
               {{"N", "/n"}, {"s", "/seconds/total"}, {"particles/s", "/particles_per_second"}});
  GravityOptions o;
  o.walk = Walk::direct;
  o.precision = Precision::single;
  o.eps = lattice_eps;
  BruteForce largest;
  for (const std::size_t divisor : {64, 8, 1}) {
    auto row = runner.measure({.model = "lattice", .n = n / divisor, .gravity = o, .input = InputOrder::shuffled});
    if (!row) continue;
    largest.measured_n = (*row)["n"].get<std::size_t>();
    const double ratio = static_cast<double>(n) / static_cast<double>(largest.measured_n);
    largest.seconds = (*row)["seconds"]["total"].get<double>() * ratio * ratio;
    report.add(*row);
  }
  return largest;
}

void opening_angles(Runner& runner, Report& report, std::size_t n, const BruteForce& direct) {
  report.begin("theta", "Errors and speed-up over brute force against theta; a lattice, shuffled",
               {{"walk", "/walk"},
                {"theta", "/theta"},
                {"s", "/seconds/total"},
                {"max", "/error/acc_max"},
                {"mean", "/error/acc_mean"},
                {"speed-up", "/speed_up"},
                {"paper s", "/paper/total"},
                {"max", "/paper/acc_max"},
                {"mean", "/paper/acc_mean"},
                {"speed-up", "/paper/speed_up"}});
  for (const bool ours : {false, true}) {
    for (const AngleRow& figures : theta_table) {
      Case c{.model = "lattice", .n = n, .input = InputOrder::shuffled, .errors = true};
      c.gravity = ours ? ours_at(figures.theta) : its_method(runner, Curve::morton, figures.theta);
      c.paper = Json{{"n", lattice_n},
                     {"total", figures.seconds},
                     {"acc_max", figures.max},
                     {"acc_mean", figures.mean},
                     {"speed_up", figures.speed_up}};
      auto row = runner.measure(c);
      if (!row) continue;
      (*row)["speed_up"] = direct.seconds / (*row)["seconds"]["total"].get<double>();
      (*row)["brute_force"] = {{"seconds", direct.seconds}, {"measured_n", direct.measured_n}};
      report.add(*row);
    }
  }
}

}  // namespace

void bench_gasphia(Runner& runner, Report& report) {
  report.begin("all", "", {});
  const std::size_t n = runner.at_most(lattice_n);
  particle_order(runner, report, n);
  opening_angles(runner, report, n, brute_force(runner, report, n));
}

}  // namespace hornbeam::cli
