// SPDX-License-Identifier: Apache-2.0
// `hornbeam selftest`: shows what simulation/selftest.h finds, one line a backend, with --table every difference.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "cli/common.h"
#include "hornbeam/error.h"
#include "simulation/selftest.h"

namespace hornbeam::cli {
namespace {

using Evaluation = SelftestEvaluation;

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

void print_table(const Selftest& done) {
  for (const std::string& label : done.not_built) fmt::print("  {:<24} not built\n", label);
  for (const Evaluation& evaluation : done.all) {
    fmt::print("  {:<24} {:8.1e}  (at most {:.0e})  {}\n", evaluation.label, evaluation.difference,
               evaluation.tolerance, evaluation.good() ? "ok" : "FAILED");
  }
  fmt::print("rms differences between them\n");
  for (std::size_t i = 0; i < done.all.size(); ++i) {
    fmt::print("  {:<24}", done.all[i].label);
    for (std::size_t j = 0; j < i; ++j) {
      fmt::print(" {:8.1e}", rms_difference(done.all[i].acceleration, done.all[j].acceleration));
    }
    fmt::print("\n");
  }
}

void run_selftest(bool table) {
  const Selftest done = selftest();
  fmt::print("{} particles of a Plummer sphere, theta 0.5: rms difference to {}\n", selftest_particles,
             done.all.front().label);
  print_verdicts(done.all);
  if (table) print_table(done);
  if (done.failures() > 0) {
    throw Error("selftest",
                fmt::format("{} of {} evaluations exceed their tolerance", done.failures(), done.all.size()),
                "hornbeam selftest --table lists them; report it with the output of hornbeam info");
  }
}

}  // namespace

void add_selftest(CLI::App& program) {
  CLI::App* command = program.add_subcommand("selftest", "Compute small force sums on every device and compare them");
  const auto table = std::make_shared<bool>(false);
  command->add_flag("--table", *table, "check every walk and precision, and their differences");
  command->callback([table] { run_selftest(*table); });
}

}  // namespace hornbeam::cli
