// SPDX-License-Identifier: Apache-2.0
// `hornbeam-bench occlude`: seconds a step of a ring's patch against its size, beside REBOUND's on the same state, and
// what OCCLUDE drew of its own patch.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>

#include "bench/suites/merger_results.h"
#include "bench/suites/suites.h"
#include "cli/common.h"
#include "cli/output/python.h"
#include "hornbeam/error.h"
#include "hornbeam/ics.h"
#include "hornbeam/io.h"
#include "hornbeam/simulation.h"
#include "hornbeam/units.h"
#include "io/files/file.h"

namespace hornbeam::cli {
namespace {

namespace fs = std::filesystem;

constexpr double omega = 1.3143527e-4, orbit = 2 * std::numbers::pi / omega, step = 1e-3 * orbit;
constexpr int warm_steps = 40, block = 8;  ///< steps that do not count, and those of one repetition
constexpr double enough_seconds = 8, longest_case = 120, longest_rebound = 30;

/// One patch at many sizes: radii from 1 to 4 m that fall as their cubes, and the law of ice.
struct Patch {
  const char *part, *title;
  double surface_density, particle_density, theta;
  int ghosts;
  bool self_gravity;
};
constexpr Patch patch_a = {
    "set-a", "REBOUND's example: 400 kg/m^2, bodies of 400 kg/m^3, 5 x 5 boxes", 400, 400, 0.70711, 2, true};
constexpr Patch patch_b = {
    "set-b", "OCCLUDE's Fig. 28: 2000 kg/m^2, bodies of 200 kg/m^3, 3 x 3 boxes", 2000, 200, 0.5, 1, true};
constexpr Patch alone = {"collisions", "REBOUND's example without self-gravity", 400, 400, 0.70711, 0, false};

/// An edge, and what REBOUND needed there (6c44115, early states) on 2 cores of an AMD EPYC with AVX-512; 0: not known.
struct Size {
  double edge, one_thread = 0, two_threads = 0;
};
const std::vector<Size> sizes_a = {{200, 0.0049, 0.0037}, {520, 0.050, 0.027}, {1640, 0.90, 0.49}, {5200}, {16400}};
const std::vector<Size> sizes_b = {{50},  {100, 0.0242, 0.0158}, {162, 0.079, 0.0475}, {512, 1.46, 0.77}, {1620},
                                   {5120}};
const std::vector<Size> sizes_alone = {{200}, {520}, {1640}, {5200}, {16400}};

double bodies(const Patch& patch, double edge) {
  constexpr double mean_volume = 4.0 / 3.0 * std::numbers::pi * 6.4;  // <r^3> between 1 and 4 m
  return patch.surface_density / patch.particle_density * edge * edge / mean_volume;
}

SimulationOptions options_of(const Patch& patch, double edge, const Runner& runner, int threads) {
  SimulationOptions o;
  o.gravity.G = units_from("si", "units").G;
  o.gravity.theta = patch.theta;
  o.gravity.eps = 0.1;
  o.dt = step;
  o.boundary.kind = BoundaryKind::shear;
  o.boundary.size = {edge, edge, 0};
  o.boundary.n_ghost = {patch.ghosts, patch.ghosts, 0};
  o.boundary.omega = omega;
  o.collisions.law = CollisionLaw::bridges;
  o.collisions.scale = 0.32;
  o.collisions.speed = 0.01;
  o.collisions.minimum_velocity = 1e-3 * omega;
  o.self_gravity = patch.self_gravity;
  o.backend = runner.backend();
  o.device = runner.settings().device;
  o.threads = threads;
  return o;
}

Snapshot drawn(const Patch& patch, double edge) {
  const Units si = units_from("si", "units");
  const auto text = [](double value) { return fmt::format("{}", value); };
  Snapshot start = ics::make("ring", 0, {},
                             {{"size-x", text(edge)},
                              {"size-y", text(edge)},
                              {"surface-density", text(patch.surface_density)},
                              {"particle-density", text(patch.particle_density)},
                              {"radius-max", "4"}},
                             {}, si);
  start.units = si;
  return start;
}

/// Seconds a step by stage, medians of blocks of steps.
struct StepSeconds {
  double total = 0, walk = 0, collisions = 0;
  int blocks = 0;
};
StepSeconds timed(Simulation& simulation, std::int64_t repeat) {
  std::vector<double> seconds;
  const StageSeconds before = simulation.system().seconds();
  double all = 0;
  for (std::int64_t k = 0; k < repeat && all < enough_seconds; ++k) {
    const auto began = std::chrono::steady_clock::now();
    for (int i = 0; i < block; ++i) simulation.step();
    static_cast<void>(simulation.motions({0}));  // waits for the device
    seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count() / block);
    all += seconds.back() * block;
  }
  const StageSeconds& after = simulation.system().seconds();
  const double steps = static_cast<double>(seconds.size()) * block;
  std::nth_element(seconds.begin(), seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2), seconds.end());
  return {seconds[seconds.size() / 2], (after.walk - before.walk) / steps,
          (after.collisions - before.collisions) / steps, static_cast<int>(seconds.size())};
}

/// What REBOUND needs a step from this state on, where a Python that has it is at hand; else why there is nothing.
class Rebound {
 public:
  Rebound(Report& report, const fs::path& folder) : report_(report), folder_(fs::absolute(folder)) {}

  Json measure(const Patch& patch, double edge, const Snapshot& state) {
    if (!is_here_) return {};
    const fs::path base = folder_ / fmt::format(".rebound.{}", getpid()), csv = base.string() + ".csv",
                   options = base.string() + ".json", answer = base.string() + ".answer.json";
    write_snapshot(csv, state);
    io::replace_text(
        options,
        Json{{"edge", edge}, {"theta", patch.theta}, {"ghosts", patch.ghosts}, {"self_gravity", patch.self_gravity}}
            .dump());
    const fs::path script = source_tree() / "bench" / "rebound_sheet.py";
    const std::string why = why_python_fails(
        {script.string(), "time", csv.string(), options.string(), std::to_string(block), answer.string()},
        base.string() + ".log");
    Json found = why.empty() ? read_json(answer) : Json();
    std::error_code ignored;
    for (const fs::path& path : {csv, options, answer}) fs::remove(path, ignored);
    if (why.empty()) return found;
    is_here_ = false;
    report_.leave_out("REBOUND, measured here", why + "; python3 -m pip install rebound");
    return {};
  }

 private:
  Report& report_;
  fs::path folder_;
  bool is_here_ = true;
};

/// A row; nothing where it would take too long, judged by the row before.
class Sweep {
 public:
  Sweep(const Patch& patch, Runner& runner, Report& report, Rebound& rebound)
      : patch_(patch), runner_(runner), report_(report), rebound_(rebound) {
    report.begin(patch.part, patch.title,
                 {{"edge", "/edge"},
                  {"N", "/n"},
                  {"s a step", "/seconds/total"},
                  {"gravity", "/seconds/walk"},
                  {"collisions", "/seconds/collisions"},
                  {"1 thread", "/seconds_1_thread"},
                  {"REBOUND", "/rebound/seconds"},
                  {"times", "/times_faster"},
                  {"REBOUND 1", "/paper/seconds_1_thread"},
                  {"REBOUND 2", "/paper/seconds_2_threads"}});
  }

  void run(const Size& size) {
    const double n = bodies(patch_, size.edge);
    const auto most = runner_.settings().max_n;
    if (most && n > static_cast<double>(*most)) return beyond(size, fmt::format("beyond --max-n {}", *most));
    const double expected = per_body_ * n * static_cast<double>(warm_steps + block * runner_.settings().repeat);
    if (expected > longest_case) return beyond(size, fmt::format("would take about {:.0f} s", expected));
    try {
      measure(size);
    } catch (const NotFinite&) {
      throw;
    } catch (const Error& why) {  // memory, or a device without fp64
      beyond(size, why.what());
    }
  }

 private:
  void beyond(const Size& size, const std::string& why) {
    report_.leave_out(fmt::format("{}, N = {:.0f}", patch_.part, bodies(patch_, size.edge)), why);
  }

  StepSeconds of_threads(const Snapshot& state, double edge, int threads) {
    Simulation simulation(state, options_of(patch_, edge, runner_, threads));
    simulation.step();
    return timed(simulation, runner_.settings().repeat);
  }

  void measure(const Size& size) {
    Simulation simulation(drawn(patch_, size.edge), options_of(patch_, size.edge, runner_, runner_.settings().threads));
    const std::string backend = simulation.system().name();
    report_.measured_on(backend, simulation.system().device());
    for (int i = 0; i < warm_steps; ++i) simulation.step();
    const Snapshot state = simulation.snapshot();
    const std::uint64_t before = simulation.collisions().number;
    const StepSeconds ours = timed(simulation, runner_.settings().repeat);
    const int threads = simulation.system().threads();
    const auto n = static_cast<double>(simulation.size());
    per_body_ = ours.total / n;
    Json row = {
        {"n", simulation.size()},
        {"edge", size.edge},
        {"backend", backend},
        {"device", simulation.system().device()},
        {"threads", threads},
        {"theta", patch_.theta},
        {"ghosts", patch_.ghosts},
        {"repeats", ours.blocks},
        {"collisions_a_step", static_cast<double>(simulation.collisions().number - before) / (ours.blocks * block)},
        {"seconds", {{"total", ours.total}, {"walk", ours.walk}, {"collisions", ours.collisions}}}};
    if (size.one_thread > 0) {
      row["paper"] = {
          {"code", "REBOUND 6c44115"}, {"seconds_1_thread", size.one_thread}, {"seconds_2_threads", size.two_threads}};
    }
    constexpr double rebound_per_body = 2e-5;  // s a step, more than it has ever needed
    if (rebound_per_body * n * block < longest_rebound) beside(row, size, state, backend == "cpu" && threads != 1);
    report_.add(row);
  }

  /// PyPI's REBOUND has one thread: on a CPU it stands beside one of ours.
  void beside(Json& row, const Size& size, const Snapshot& state, bool once_more) {
    const Json rebound = rebound_.measure(patch_, size.edge, state);
    if (!rebound.is_object()) return;
    row["rebound"] = rebound;
    double ours = row["seconds"]["total"].get<double>();
    if (once_more) ours = of_threads(state, size.edge, 1).total;
    if (row["backend"] == "cpu") row["seconds_1_thread"] = ours;
    row["times_faster"] = rebound["seconds"].get<double>() / ours;
  }

  const Patch& patch_;
  Runner& runner_;
  Report& report_;
  Rebound& rebound_;
  double per_body_ = 0;  ///< seconds a step, of the row before
};

/// Figs. 26 and 27: where the bodies of OCCLUDE's patch are at the start and two orbits later.
void places(Runner& runner, Report& report) {
  double edge = 100;
  if (const auto most = runner.settings().max_n) {
    const double n = bodies(patch_b, edge);
    if (static_cast<double>(*most) < n) edge *= 0.95 * std::sqrt(static_cast<double>(*most) / n);
  }
  report.begin("places", "OCCLUDE's Figs. 26 and 27: its Table 1",
               {{"N", "/n"}, {"edge", "/edge"}, {"orbits", "/orbits"}});
  Simulation simulation(drawn(patch_b, edge), options_of(patch_b, edge, runner, runner.settings().threads));
  const double end = runner.settings().end.value_or(2);
  for (const double orbits : {0.0, end}) {
    while (simulation.time() < orbits * orbit - 0.5 * step) simulation.step();
    const Particles p = simulation.snapshot().particles;
    Json x = Json::array(), y = Json::array();
    for (const Vec3& at : p.position) {
      x.push_back(std::round(100 * at[0]) / 100);
      y.push_back(std::round(100 * at[1]) / 100);
    }
    report.add({{"n", p.size()}, {"edge", edge}, {"orbits", orbits}, {"x", x}, {"y", y}, {"radius", p.radius}});
  }
}

}  // namespace

void bench_occlude(Runner& runner, Report& report) {
  Rebound rebound(report, runner.settings().folder);
  for (const auto& [patch, sizes] :
       {std::pair(&patch_a, &sizes_a), std::pair(&patch_b, &sizes_b), std::pair(&alone, &sizes_alone)}) {
    Sweep sweep(*patch, runner, report, rebound);
    for (const Size& size : *sizes) sweep.run(size);
  }
  places(runner, report);
}

}  // namespace hornbeam::cli
