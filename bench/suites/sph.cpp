// SPDX-License-Identifier: Apache-2.0
// `hornbeam-bench sph`: flows with known answers, their errors beside those of others and what is asked for; then rates
// (sph_rates.cpp).
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "bench/suites/sph_cases.h"
#include "bench/suites/sph_rates.h"
#include "bench/suites/suites.h"
#include "cli/common.h"
#include "hornbeam/error.h"
#include "hornbeam/ics.h"
#include "hornbeam/simulation.h"
#include "run/records/exact_flows.h"

namespace hornbeam::cli {
namespace {

constexpr std::size_t quick_n = 10000;

SimulationOptions flow_options(const FlowCase& c, const Runner& runner) {
  SimulationOptions o;
  o.backend = runner.backend();
  o.device = runner.settings().device;
  o.threads = runner.settings().threads;
  o.dt = c.end / 2;
  o.gas.eos = EquationOfState::ideal;
  o.self_gravity = false;
  o.gravity.eps = 1e-3;
  if (c.box != Vec3{}) {
    o.boundary.kind = BoundaryKind::periodic;
    o.boundary.size = c.box;
  }
  if (c.set) c.set(o);
  return o;
}

/// The largest and least energies of a run, and when they were.
struct EnergyTrack {
  double most_kinetic = 0, most_kinetic_at = 0, most_thermal = 0, most_thermal_at = 0, least_potential = 0, at_0_8 = 0;
  double time = 0, kinetic = 0;

  void look(const Simulation& s) {
    const Energies e = s.energies();
    if (e.kinetic > most_kinetic) most_kinetic = e.kinetic, most_kinetic_at = s.time();
    if (e.thermal > most_thermal) most_thermal = e.thermal, most_thermal_at = s.time();
    least_potential = std::min(least_potential, e.potential);
    if (time < 0.8 && s.time() >= 0.8) {
      at_0_8 = kinetic + (e.kinetic - kinetic) * (0.8 - time) / (s.time() - time);
    }
    time = s.time(), kinetic = e.kinetic;
  }
  void tell(Json& found) const {
    found["kinetic_0.8"] = at_0_8;
    found["most_kinetic"] = most_kinetic;
    found["most_kinetic_at"] = most_kinetic_at;
    found["most_thermal"] = most_thermal;
    found["most_thermal_at"] = most_thermal_at;
    found["least_potential"] = least_potential;
  }
};

double length_of(const Vec3& x) { return std::hypot(x[0], x[1], x[2]); }

/// What the run itself says, next to the flow.
void add_kept(Json& found, const Simulation& s, const Energies& before) {
  const Energies after = s.energies();
  const Particles p = s.checkpoint().particles;
  double speeds = 0, alpha = 0;
  for (std::size_t i = 0; i < p.size(); ++i) speeds += p.mass[i] * length_of(p.velocity[i]);
  for (const double one : p.viscosity) alpha = std::max(alpha, one);
  const auto less = [](const Vec3& a, const Vec3& b) { return Vec3{a[0] - b[0], a[1] - b[1], a[2] - b[2]}; };
  found["energy_error"] = (after.total() - before.total()) / std::abs(before.total());
  found["momentum"] = length_of(less(after.momentum, before.momentum)) / speeds;
  found["kinetic"] = after.kinetic;
  found["kinetic_left"] = before.kinetic > 0 ? after.kinetic / before.kinetic : 0;
  const double spin = length_of(before.angular_momentum);
  if (spin > 0) {
    found["angular_momentum_change"] = length_of(less(after.angular_momentum, before.angular_momentum)) / spin;
  }
  found["largest_alpha"] = alpha;
}

/// What was found, with steps and seconds.
Json flowed(const FlowCase& c, const Runner& runner) {
  const SimulationOptions options = flow_options(c, runner);
  Simulation s(ics::make(c.model, c.n, {}, c.options), options);
  run::FlowModel model{c.model, {}, options.gas.gamma};
  for (const auto& [option, value] : c.options) {
    if (option != "lattice") model.numbers[option] = std::stod(value);
  }
  const Energies before = s.energies();
  const bool measured = run::models_with_flows().find(c.model) != std::string::npos;
  Json found = Json::object();
  if (c.model == "square") found["corner_at_start"] = run::exact_flow(s.snapshot(), model, "bench")["corner"];
  EnergyTrack track;
  const auto began = std::chrono::steady_clock::now();
  while (s.time() + s.next_step() < c.end) {
    s.step();
    if (c.tracked) track.look(s);
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  if (measured) {
    const Json flow = run::exact_flow(s.snapshot_at(c.end), model, "bench");
    for (const auto& [measure, value] : flow.items()) {
      if (!value.is_array()) found[measure] = value;  // the exact curve is for plots
    }
  }
  if (c.tracked) track.tell(found);
  if (found.contains("corner")) {
    found["corner_left"] = found["corner"].get<double>() / found["corner_at_start"].get<double>();
  }
  add_kept(found, s, before);
  const StageSeconds& stage = s.system().seconds();
  const GasReport gas = s.gas();
  return {{"found", found},
          {"steps", s.steps()},
          {"seconds", {{"total", seconds}, {"gas", stage.gas}}},
          {"density_sums", static_cast<double>(gas.density_sums) / (static_cast<double>(gas.evaluations * c.n))},
          {"rate", static_cast<double>(s.steps() * c.n) / seconds}};
}

/// A row for each measure; the run's own figures are in the first.
void tell_flow(Report& report, const FlowCase& c, const Json& run) {
  bool first = true;
  for (const FlowDemand& d : c.demands) {
    Json row = {{"test", c.test}, {"label", c.label}, {"n", c.n}, {"measure", d.measure}};
    if (first) row.update(run);
    if (first) row["time"] = c.end;
    first = false;
    if (!run["found"].contains(d.measure)) continue;
    const double value = run["found"][d.measure].get<double>();
    row["value"] = value;
    if (d.peer) row["paper"] = {{"value", *d.peer}, {"of", d.peer_is}};
    const bool low = std::isfinite(d.least), high = std::isfinite(d.most);
    if (low || high) {
      row["asked"] = !low                                 ? fmt::format("<= {:.4g}", d.most)
                     : !high                              ? fmt::format(">= {:.4g}", d.least)
                     : d.least == 0 || d.least == -d.most ? fmt::format("<= {:.4g}", d.most)
                                                          : fmt::format("{:.4g} .. {:.4g}", d.least, d.most);
      row["met"] = value >= d.least && value <= d.most ? "met" : "missed";
    }
    report.add(row);
  }
}

void check_runs(const Runner& runner) {
  std::vector<std::string> known = {"rates", "gravity", "debris"};
  for (const FlowCase& c : flow_cases()) {
    if (known.back() != c.test) known.push_back(c.test);
  }
  for (const std::string& run : runner.settings().runs) {
    if (std::find(known.begin(), known.end(), run) != known.end()) continue;
    throw UsageError("--runs", "received " + run, fmt::format("there are {}", fmt::join(known, ", ")));
  }
}

bool is_too_long(const FlowCase& c, bool quick) { return quick && c.n > quick_n; }

/// Of the cases that are reported.
std::size_t longest_label(const Runner& runner, bool quick) {
  std::size_t longest = 0;
  for (const FlowCase& c : flow_cases()) {
    if (is_asked(runner, c.test) && !is_too_long(c, quick)) longest = std::max(longest, c.label.size());
  }
  return longest;
}

void flow_part(Runner& runner, Report& report, bool quick) {
  report.begin("flows", "Flows beside their exact solutions: what others found at this size, and what is asked for",
               {{"test", "/test", 16},
                {"", "/label", longest_label(runner, quick)},
                {"N", "/n"},
                {"measure", "/measure", 24},
                {"here", "/value"},
                {"others", "/paper/value"},
                {"asked", "/asked", 18},
                {"", "/met", 7},
                {"steps", "/steps", 6},
                {"s", "/seconds/total"},
                {"particles/s", "/rate", 12}});
  const double limit = runner.settings().wall_limit.value_or(longest_flow);
  std::map<std::string, double> cost;  // of a test: seconds over N^4/3, the last size's
  for (const FlowCase& c : flow_cases()) {
    if (!is_asked(runner, c.test)) continue;
    const std::string what = fmt::format("{}, {}, N = {}", c.test, c.label, c.n);
    const auto most = runner.settings().max_n;
    if (is_too_long(c, quick) || (most && c.n > static_cast<std::size_t>(*most))) {
      report.leave_out(what, is_too_long(c, quick) ? "not with --quick" : fmt::format("beyond --max-n {}", *most));
      continue;
    }
    const double size = std::pow(static_cast<double>(c.n), 4.0 / 3);
    if (const auto last = cost.find(c.test); last != cost.end() && last->second * size > limit) {
      report.leave_out(what, fmt::format("would take some {:.0f} s; --wall-limit allows it", last->second * size));
      continue;
    }
    try {
      const Json run = flowed(c, runner);
      cost[c.test] = run["seconds"]["total"].get<double>() / size;
      tell_flow(report, c, run);
      report.save();
    } catch (const NotFinite&) {
      throw;
    } catch (const Error& e) {  // memory
      report.leave_out(what, e.what());
    }
  }
}

}  // namespace

void bench_sph(Runner& runner, Report& report) {
  report.measured_on(runner.backend(),
                     open_system(runner.backend(), runner.settings().device, runner.settings().threads).device());
  check_runs(runner);
  if (is_asked(runner, "rates")) rate_part(runner, report);
  if (is_asked(runner, "gravity")) gravity_part(runner, report);
  if (is_asked(runner, "debris")) debris_part(runner, report);
  flow_part(runner, report, runner.settings().quick);
}

}  // namespace hornbeam::cli
