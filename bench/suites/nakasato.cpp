// SPDX-License-Identifier: Apache-2.0
// `hornbeam-bench nakasato`: his walk (one particle a thread, no stack, monopoles) on his particles, and the defaults.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/suites/nakasato_tables.h"
#include "bench/suites/suites.h"

namespace hornbeam::cli {
namespace {

using namespace nakasato;

constexpr double softening = 1e-4;  // of a sphere or cube of size 1; the paper does not give its own

/// His method: eq. 2, monopoles, leaves of one particle. Ours sorts in any case; `none` walks in the input's order.
GravityOptions his_method(Curve curve, double theta = 0.6) {
  GravityOptions o;
  o.walk = Walk::stackless;
  o.mac = Mac::offset;
  o.order = 0;
  o.expansion = 0;
  o.leaf_size = 1;
  o.curve = curve;
  o.theta = theta;
  o.eps = softening;
  return o;
}

GravityOptions our_defaults(double theta = 0.6) {
  GravityOptions o;
  o.accuracy = 0;
  o.theta = theta;
  o.eps = softening;
  return o;
}

GravityOptions brute_force(Precision precision) {
  GravityOptions o;
  o.walk = Walk::direct;
  o.precision = precision;
  o.eps = softening;
  return o;
}

/// Adds the seconds of everything before the walk: his T_construction, which a sort is part of here.
void run_with_construction(Runner& runner, Report& report, const Case& c) {
  auto row = runner.measure(c);
  if (!row) return;
  const Json& seconds = (*row)["seconds"];
  (*row)["construction"] = seconds["total"].get<double>() - seconds["walk"].get<double>();
  report.add(*row);
}

std::vector<std::size_t> sphere_sizes() {
  std::vector<std::size_t> sizes;
  for (std::size_t n = K; n <= 32 * K; n *= 2) sizes.push_back(n);  // for Figs. 9 and 10, which begin lower
  for (const OrderRow& row : tables_2_to_4) sizes.push_back(row.n);
  return sizes;
}

std::optional<Json> order_figures(std::size_t n, Curve curve) {
  const auto row = std::find_if(tables_2_to_4.begin(), tables_2_to_4.end(), [n](const auto& r) { return r.n == n; });
  if (row == tables_2_to_4.end()) return {};
  if (curve == Curve::none) {
    return Json{{"total", row->unsorted_total},
                {"construction", row->unsorted_construction},
                {"cache_hits", row->unsorted_hits}};
  }
  if (curve != Curve::morton) return {};
  return Json{
      {"total", row->morton_total}, {"construction", row->morton_construction}, {"cache_hits", row->morton_hits}};
}

const std::vector<Column> order_columns = {{"N", "/n"},
                                           {"backend", "/backend"},
                                           {"s", "/seconds/total"},
                                           {"tree s", "/construction"},
                                           {"paper s", "/paper/total"},
                                           {"tree s", "/paper/construction"},
                                           {"their hits %", "/paper/cache_hits"}};

void particle_order(Runner& runner, Report& report) {
  const struct {
    const char *part, *title;
    Curve curve;
  } tables[] = {{"unsorted", "Tables 2 and 4: uniform sphere, theta 0.6, particles in random order", Curve::none},
                {"morton", "Tables 3 and 4: the same along the Morton curve", Curve::morton},
                {"hilbert", "The same along the Hilbert curve, which the paper expects to be better", Curve::hilbert}};
  for (const auto& table : tables) {
    report.begin(table.part, table.title, order_columns);
    for (const std::size_t n : runner.within(sphere_sizes())) {
      run_with_construction(runner, report,
                            {.model = "uniform-sphere",
                             .n = n,
                             .gravity = his_method(table.curve),
                             .paper = order_figures(n, table.curve)});
    }
  }
  report.begin("defaults", "The same with Hornbeam's defaults: group walk, quadrupoles, expansions", order_columns);
  for (const std::size_t n : runner.within(sphere_sizes())) {
    run_with_construction(runner, report, {.model = "uniform-sphere", .n = n, .gravity = our_defaults()});
  }
}

void opening_angles(Runner& runner, Report& report) {
  report.begin("theta", "Table 5: uniform sphere of 800K, Morton order",
               {{"theta", "/theta"},
                {"N", "/n"},
                {"s", "/seconds/total"},
                {"paper s", "/paper/total"},
                {"their hits %", "/paper/cache_hits"}});
  const std::size_t n = runner.at_most(table_5_n);
  for (const ThetaRow& row : table_5) {
    runner.run({.model = "uniform-sphere",
                .n = n,
                .gravity = his_method(Curve::morton, row.theta),
                .paper = Json{{"n", table_5_n}, {"total", row.total}, {"cache_hits", row.hits}}});
  }
}

void brute_force_speed(Runner& runner, Report& report) {
  report.begin("brute-force", "Fig. 2: brute force, 38 operations an interaction (paper: 2600 Gflop/s from 150,000 on)",
               {{"N", "/n"},
                {"precision", "/precision"},
                {"s", "/seconds/total"},
                {"Gflop/s", "/gflops"},
                {"paper s", "/paper/total"},
                {"Gflop/s", "/paper/gflops"}});
  std::vector<std::size_t> sizes;
  for (std::size_t n = K; n <= 128 * K; n *= 2) sizes.push_back(n);
  for (const std::size_t n : {brute_force_n, 400 * K, 800 * K}) sizes.push_back(n);
  const std::vector<std::size_t> kept = runner.within(sizes);
  for (const Precision precision : {Precision::single, Precision::mixed}) {
    for (const std::size_t n : kept) {
      Case c{.model = "uniform-sphere", .n = n, .gravity = brute_force(precision)};
      if (n == brute_force_n) c.paper = Json{{"total", brute_force_seconds}, {"gflops", brute_force_flops * 1e-9}};
      auto row = runner.measure(c);
      if (!row) continue;
      const double pairs = static_cast<double>(n) * static_cast<double>(n - 1);
      (*row)["gflops"] = pairs * operations_per_pair / (*row)["seconds"]["walk"].get<double>() * 1e-9;
      report.add(*row);
    }
  }
}

struct Point {
  double n, seconds;
};

/// Total seconds against n of a part's rows of the suite's backend, mixed precision.
std::vector<Point> curve_of(const Runner& runner, const Report& report, const std::string& part) {
  std::vector<Point> points;
  for (const Json& row : report.rows(part)) {
    if (row["precision"] != "mixed" || row["backend"] != runner.backend()) continue;
    points.push_back({row["n"].get<double>(), row["seconds"]["total"].get<double>()});
  }
  return points;
}

/// log t at log n, linear between the points.
double interpolated(const std::vector<Point>& points, double n) {
  const auto above = std::find_if(points.begin() + 1, points.end() - 1, [n](const Point& p) { return p.n >= n; });
  const Point a = *(above - 1), b = *above;
  const double slope = std::log(b.seconds / a.seconds) / std::log(b.n / a.n);
  return std::log(a.seconds) + slope * std::log(n / a.n);
}

/// The largest n at which brute force ceases to be faster; nothing where the curves do not cross.
std::optional<double> crossing(const std::vector<Point>& tree, const std::vector<Point>& direct) {
  if (tree.size() < 2 || direct.size() < 2) return {};
  std::optional<double> found;
  const double last = std::min(tree.back().n, direct.back().n);
  bool was_slower = true;
  for (double n = tree.front().n; n <= last; n *= 1.01) {
    const bool slower = interpolated(direct, n) > interpolated(tree, n);
    if (slower && !was_slower) found = n;
    was_slower = slower;
  }
  return found;
}

void crossings(const Runner& runner, Report& report) {
  report.begin("crossing", "Fig. 9: N above which the tree is faster than brute force (the paper: about 30,000)",
               {{"tree", "/label"}, {"N", "/crossing"}, {"paper", "/paper/crossing"}});
  const auto direct = curve_of(runner, report, "brute-force");
  for (const std::string part : {"unsorted", "morton", "hilbert", "defaults"}) {
    Json row = {{"label", part}, {"backend", runner.backend()}, {"crossing", nullptr}};
    if (const auto n = crossing(curve_of(runner, report, part), direct)) row["crossing"] = std::round(*n);
    if (part == "morton") row["paper"] = {{"crossing", crossing_n}};
    report.add(row);
  }
}

void other_backends(Runner& runner, Report& report) {
  report.begin("backends", "Fig. 10: Morton order on the other backends of this machine", order_columns);
  const std::vector<std::string> all = runner.backends();
  if (all.size() < 2) report.leave_out("other backends", "none, or one was asked for");
  for (auto backend = all.begin() + 1; backend != all.end(); ++backend) {
    for (const std::size_t n : runner.within(sphere_sizes())) {
      run_with_construction(
          runner, report,
          {.model = "uniform-sphere", .n = n, .gravity = his_method(Curve::morton), .backend = *backend});
    }
  }
}

void cube(Runner& runner, Report& report) {
  report.begin("cube",
               "Section 6.3: random particles in a cube, theta 0.6 (paper: tree 0.65 s, multipole method 0.68 s)",
               {{"method", "/label"},
                {"N", "/n"},
                {"s", "/seconds/total"},
                {"pot. error", "/error/pot_mean"},
                {"paper s", "/paper/total"},
                {"pot. error", "/paper/pot_mean"}});
  const std::size_t n = runner.at_most(cube_n);
  const Json tree = {{"n", cube_n}, {"total", cube_total}, {"cache_hits", cube_hits}};
  const Json fmm = {{"n", cube_n}, {"total", fmm_total}, {"pot_mean", fmm_potential_error}};
  runner.run({.model = "uniform-cube",
              .n = n,
              .gravity = his_method(Curve::morton),
              .errors = true,
              .paper = tree,
              .label = "stackless"});
  runner.run(
      {.model = "uniform-cube", .n = n, .gravity = our_defaults(), .errors = true, .paper = fmm, .label = "defaults"});
}

/// Galaxy i at one opening angle: by his walk and by groups, with monopoles as his and with quadrupoles.
void galaxy_errors(Runner& runner, std::size_t i, std::size_t n, const GalaxyRow& row) {
  for (const Walk walk : {Walk::stackless, Walk::group}) {
    for (const int order : {0, 2}) {
      Case c{.model = "galaxy", .n = n, .gravity = his_method(Curve::morton, row.theta), .errors = true};
      c.gravity.walk = walk;
      if (walk == Walk::group) c.gravity.leaf_size = 0;  // the device's own: leaves of one are for one at a time
      c.gravity.order = order;
      c.gravity.eps = -1;  // the model's own
      c.paper = Json{{"acc_mean", row.acceleration[i]}, {"pot_mean", row.potential[i]}};
      runner.run(c);
    }
  }
}

void galaxy(Runner& runner, Report& report) {
  report.begin("galaxy",
               "Tables 6 and 7: mean errors of a galaxy (disc, bulge, halo); his order is 0, his walk stackless",
               {{"N", "/n"},
                {"theta", "/theta"},
                {"walk", "/walk"},
                {"order", "/order"},
                {"acc.", "/error/acc_mean"},
                {"paper", "/paper/acc_mean"},
                {"pot.", "/error/pot_mean"},
                {"paper", "/paper/pot_mean"}});
  if (!is_shape("galaxy")) {
    report.leave_out("Tables 6 and 7", "there is no model `galaxy` in this version");
    return;
  }
  const std::vector<std::size_t> kept = runner.within({galaxy_n.begin(), galaxy_n.end()});
  for (std::size_t i = 0; i < kept.size(); ++i) {
    for (const GalaxyRow& row : tables_6_and_7) galaxy_errors(runner, i, kept[i], row);
  }
}

}  // namespace

void bench_nakasato(Runner& runner, Report& report) {
  particle_order(runner, report);
  opening_angles(runner, report);
  brute_force_speed(runner, report);
  crossings(runner, report);
  cube(runner, report);
  galaxy(runner, report);
  other_backends(runner, report);
}

}  // namespace hornbeam::cli
