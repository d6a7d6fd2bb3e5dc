// SPDX-License-Identifier: Apache-2.0
// `hornbeam-bench bonsai`: seconds by stage of Plummer spheres (their Fig. 6) and the errors of the acceleration (Figs.
// 8 and 9), by Bonsai's method (quadrupoles, no expansions) and with expansions.
#include "bench/suites/bonsai_figures.h"
#include "bench/suites/suites.h"

namespace hornbeam::cli {
namespace {

using namespace bonsai;

/// Their eq. 1 is `offset`.
GravityOptions method(double theta, int expansion, double eps) {
  GravityOptions o;
  o.accuracy = 0;
  o.theta = theta;
  o.expansion = expansion;
  o.eps = eps;
  return o;
}

const char* label(int expansion) { return expansion == 0 ? "Bonsai's" : "expansions"; }

Json figures(std::size_t n, double theta) {
  Json json = Json::object();
  if (n == walk_n && theta == 0.75) json["walk"] = static_cast<double>(n) / gtx480_walk_rate;
  for (const H200Row& row : h200) {
    if (row.model != std::string("plummer") || n != std::size_t{1} << row.log2_n || theta != row.theta) continue;
    json["h200"] = {{"rate", row.rate * 1e6},
                    {"walk", row.walk_ms * 1e-3},
                    {"acc_median", row.median},
                    {"acc_p99", row.p99},
                    {"ryoanji_rate", row.ryoanji_rate * 1e6}};
  }
  return json;
}

void stages(Runner& runner, Report& report) {
  report.begin("stages",
               "Fig. 6: Plummer, seconds by stage (paper: the walk of 1M at 0.75 on a GTX 480; Bonsai run on an H200)",
               {{"N", "/n"},
                {"theta", "/theta"},
                {"method", "/label"},
                {"sort", "/seconds/sort"},
                {"reorder", "/seconds/reorder"},
                {"build", "/seconds/build"},
                {"moments", "/seconds/moments"},
                {"walk", "/seconds/walk"},
                {"paper walk", "/paper/walk"},
                {"total", "/seconds/total"},
                {"rate", "/particles_per_second"},
                {"99 % error", "/error/acc_p99"},
                {"H200 rate", "/paper/h200/rate"},
                {"99 % error", "/paper/h200/acc_p99"}});
  std::vector<std::size_t> sizes;
  for (int log2_n = 15; log2_n <= 26; ++log2_n) sizes.push_back(std::size_t{1} << log2_n);
  std::vector<std::size_t> kept = runner.within(sizes);
  if (kept.empty()) kept.push_back(runner.at_most(sizes.front()));
  for (const std::size_t n : kept) {
    for (const double theta : {0.5, 0.75}) {
      for (const int expansion : {0, 4}) {
        runner.run({.model = "plummer",
                    .n = n,
                    .gravity = method(theta, expansion, 1e-4),
                    .errors = true,
                    .paper = figures(n, theta),
                    .label = label(expansion)});
      }
    }
  }
}

void errors(Runner& runner, Report& report) {
  report.begin("errors", "Figs. 8 and 9: Plummer, no softening, relative error of the acceleration",
               {{"N", "/n"},
                {"method", "/label"},
                {"theta", "/theta"},
                {"median", "/error/acc_median"},
                {"90 %", "/error/acc_p90"},
                {"99 %", "/error/acc_p99"},
                {"s", "/seconds/total"}});
  const std::vector<std::size_t> sizes = {32768, 131072, 1048576};
  std::vector<std::size_t> kept = runner.within(sizes);
  if (kept.empty()) kept.push_back(runner.at_most(sizes.front()));
  for (const std::size_t n : kept) {
    for (const int expansion : {0, 4}) {
      for (const double theta : {0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8}) {
        runner.run({.model = "plummer",
                    .n = n,
                    .gravity = method(theta, expansion, 0),
                    .errors = true,
                    .distribution = true,
                    .label = label(expansion)});
      }
    }
  }
}

/// The paper's Figs. 8 and 9 print no numbers; these were measured with its code.
void reference(Report& report) {
  report.begin("reference", "Bonsai itself on an H200, Plummer 2^22: median error",
               {{"theta", "/theta"}, {"median", "/paper/acc_median"}});
  for (const MedianRow& row : h200_median) {
    report.add({{"model", "plummer"},
                {"n", std::size_t{1} << h200_median_log2_n},
                {"theta", row.theta},
                {"paper", {{"acc_median", row.median}}}});
  }
}

}  // namespace

void bench_bonsai(Runner& runner, Report& report) {
  stages(runner, report);
  errors(runner, report);
  reference(report);
}

}  // namespace hornbeam::cli
