// SPDX-License-Identifier: Apache-2.0
// Lines of a run and the signals that stop it, see run_report.h.
#include "cli/output/run_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <utility>

#include "cli/common.h"
#include "dynamics/advance.h"
#include "dynamics/particle_system.h"
#include "hornbeam/units.h"
#include "hornbeam/version.h"
#include "run/records/figures.h"
#include "run/session/loop.h"

namespace hornbeam::cli {
namespace {

volatile std::sig_atomic_t stop_requested = 0;

/// Why the error of the energy would show nothing; empty where it shows something.
std::string why_no_energy(const SimulationOptions& options) {
  const Boundary& box = options.boundary;
  if (options.collisions.law != CollisionLaw::none) return "collisions dissipate it";
  if (options.gas.radiates()) return fmt::format("gas.eos = {} gives off the heat of shocks", name(options.gas.eos));
  if (box.kind == BoundaryKind::shear) return "a shearing sheet does not conserve it";
  return box.kind == BoundaryKind::open && box.size != Vec3{} ? "particles that leave the box take it along" : "";
}

/// "open box of 12 x 12 x 12 (0: open), particles that leave it are removed", "shearing sheet of 200 x 200 x 0 (0:
/// open), omega 0.00013, 25 boxes attract"
std::string box_line(const SimulationOptions& options) {
  const Boundary& b = options.boundary;
  const int boxes = (2 * b.images(0) + 1) * (2 * b.images(1) + 1) * (2 * b.images(2) + 1);
  const bool sheet = b.kind == BoundaryKind::shear, open = b.kind == BoundaryKind::open;
  const std::string pull = open                    ? "particles that leave it are removed"
                           : !options.self_gravity ? "no gravity"
                           : b.is_lattice()        ? "all images attract"
                           : boxes > 1             ? fmt::format("{} boxes attract", boxes)
                                                   : "no images attract";
  return fmt::format("{} {} x {} x {} about the origin (0: open), {}{}",
                     sheet  ? "shearing sheet"
                     : open ? "box"
                            : "periodic box",
                     b.size[0], b.size[1], b.size[2], sheet ? fmt::format("omega {:.6g}, ", b.omega) : "", pull);
}

/// "energy -0.25, relative error 1.00e-05, largest 2.00e-05", or how many collisions there were, or why neither.
std::string closing_figures(const Simulation& simulation, const run::RunTotals& all) {
  const SimulationOptions& options = simulation.options();
  if (options.collisions.law != CollisionLaw::none) return run::counted(all.collisions, "collision");
  if (const std::string why = why_no_energy(options); !why.empty()) {
    const std::string change = options.gas.radiates() ? fmt::format(", {:+.2e} of it so far", all.relative_error) : "";
    return "energy is not conserved: " + why + change;
  }
  return fmt::format("energy {:.8g}, relative error {:.2e}, largest {:.2e}", simulation.energies().total(),
                     all.relative_error, all.largest_error);
}

/// ", 13 left the box, 530 particles remain", where they are fewer than they were at the start.
std::string who_went(const Simulation& simulation, std::size_t before) {
  const std::size_t now = simulation.size();
  if (now == before) return "";
  const SimulationOptions& o = simulation.options();
  const bool leave = o.boundary.kind == BoundaryKind::open && o.boundary.size != Vec3{};
  const bool merge = o.collisions.law == CollisionLaw::merge;
  const char* how = leave && merge ? "merged or left the box" : merge ? "merged into others" : "left the box";
  return fmt::format(", {} {}, {} remain{}", before - now, how, run::counted(now, "particle"), now == 1 ? "s" : "");
}

void request_stop(int) { stop_requested = 1; }

/// "where the time went: walk 71 %, ..." and, for block steps, a table by rung.
std::vector<std::string> summary_lines(const Simulation& simulation, const run::RunTotals& totals) {
  const StageSeconds& s = simulation.system().seconds();
  const double tree = s.bound + s.key + s.sort + s.reorder + s.build + s.moments;
  std::vector<std::pair<const char*, double>> parts = {
      {"walk", s.walk}, {"tree", tree},         {"kick and drift", s.kick_drift}, {"collisions", s.collisions},
      {"gas", s.gas},   {"energies", s.energy}, {"transfer", s.transfer},         {"files", totals.output_seconds}};
  double known = 0.0;
  for (const auto& part : parts) known += part.second;
  const double all = std::max({totals.wall_seconds_here, known, 1e-9});  // some drivers' stamps overlap
  parts.emplace_back("else", all - known);
  std::stable_sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string line = "where the time went:";
  for (const auto& [what, seconds] : parts) {
    const double share = 100.0 * seconds / all;
    if (share >= 0.5) line += fmt::format("{} {} {:.0f} %", line.back() == ':' ? "" : ",", what, share);
  }
  std::vector<std::string> lines = {line};
  const BlockReport blocks = simulation.block_report();
  if (blocks.rungs.empty()) return lines;
  lines.push_back(fmt::format("{:>5}{:>12}{:>10}{:>14}{:>10}   (trees: {} built, {} refitted)", "rung", "particles",
                              "steps", "moved", "seconds", blocks.builds, blocks.refits));
  for (std::size_t rung = 0; rung < blocks.rungs.size(); ++rung) {
    const RungCost& r = blocks.rungs[rung];
    lines.push_back(fmt::format("{:>5}{:>12}{:>10}{:>14}{:>10.2f}", rung, r.particles, r.steps, r.due, r.seconds));
  }
  if (simulation.gas().evaluations > 0) {
    lines.push_back(fmt::format("gas: {} steps shortened because of neighbours, {} longest steps repeated",
                                blocks.woken, blocks.repeated));
  }
  return lines;
}

void say_how_to_go_on(const run::Ending& end) {
  const std::string time = end.session.shown_time().text(end.session.simulation().time());
  if (!end.given_up.empty()) fmt::print("{}\n", end.given_up);
  if (!end.given_up.empty() && end.is_by_clock && end.session.simulation().steps() == 0) {
    fmt::print("output.wall_limit is shorter than one longest step: raise it, or take a shorter time.dt\n");
  }
  const std::string nothing = run::nothing_to_resume(end);
  if (!nothing.empty()) {
    fmt::print("{}\n", nothing);
  } else if (!end.session.simulation().halted().empty()) {
    fmt::print(
        "the checkpoint of t = {} is in {}: --resume continues until other bodies collide, with --allow-changes also "
        "with "
        "another collisions.law\n",
        time, end.directory.string());
  } else {
    fmt::print("the checkpoint of t = {} is in {}: the same command with --resume continues it bit-identically\n", time,
               end.directory.string());
  }
}

}  // namespace

void catch_stop_signals() {
  struct sigaction action {};
  action.sa_handler = request_stop;
  action.sa_flags = SA_RESETHAND;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  sigaction(SIGUSR1, &action, nullptr);  // as job scripts ask Slurm for
  struct sigaction before {};
  sigaction(SIGHUP, nullptr, &before);
  if (before.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);  // nohup goes on without its terminal
}

bool stop_asked() { return stop_requested != 0; }

const char* RunReport::asks_to_stop() { return stop_asked() ? "a signal" : nullptr; }

void RunReport::note(const std::string& text) { print_notes({text}); }

void RunReport::remark(const std::string& text) { progress_->line(text); }

void RunReport::begins(const run::Session& session, const std::filesystem::path& directory) {
  const Simulation& simulation = session.simulation();
  const SimulationOptions& options = session.config().simulation;
  const ParticleSystem& system = simulation.system();
  fmt::print("hornbeam {} ({}): {} on {} ({}), {}\n", version, commit, run::counted(simulation.size(), "particle"),
             system.name(), system.device(), run::counted(static_cast<std::size_t>(system.threads()), "thread"));
  const std::string steps =
      options.steps == Steps::shared ? std::string() : fmt::format(" ({} steps)", name(options.steps));
  const Units& units = session.units();
  const std::string g = units.physical
                            ? fmt::format("units {}, time in {}", described(units), session.shown_time().name)
                            : fmt::format("G {}", system.options().G);
  const std::string exactness = run::exactness(system.options());
  const std::string gravity = options.self_gravity ? fmt::format("{}, {}, {}", session.softening(), g, exactness)
                                                   : fmt::format("no gravity among particles, {}", g);
  time_ = session.shown_time();
  const bool plain = time_.per_unit == 1;  // all digits of what was requested
  const auto shown = [&](double time) {
    return plain ? fmt::format("{}", time) : fmt::format("{:.6g}", time * time_.per_unit);
  };
  fmt::print("{}, dt {}{}, t = {} to {} into {}\n", gravity, shown(options.dt), steps, shown(simulation.time()),
             shown(session.config().end), directory.string());
  if (options.boundary.size != Vec3{}) fmt::print("{}\n", box_line(options));
  tells_energy_ = why_no_energy(options).empty();
  particles_ = simulation.size();
  progress_.emplace(simulation.time() * time_.per_unit, session.config().end * time_.per_unit, session.start().step);
}

void RunReport::output(const run::Output& output) {
  progress_->output(fmt::format("{} {}", output.is_snapshot ? "snapshot" : "output", output.index),
                    output.at.time * time_.per_unit, output.at.step, told(output.at.relative_error));
}

bool RunReport::wants_moment() { return progress_->wants_update(); }

void RunReport::passes(const run::Moment& moment) {
  progress_->update(moment.time * time_.per_unit, moment.step, told(moment.relative_error));
}

void RunReport::ends(const run::Ending& end) {
  progress_->finish();
  const run::RunTotals& all = end.totals;
  const Simulation& simulation = end.session.simulation();
  const std::string how = all.finished ? "finished" : fmt::format("stopped by {}", end.by);
  const std::string gone = who_went(simulation, particles_);
  const run::RunConfig& config = end.session.config();
  const bool within = all.finished && simulation.size() > 0 &&  // steps are of one length: the end is within one
                      config.end - all.time > least_step * config.simulation.dt;
  const std::string last = within ? fmt::format(", the last whole one to t = {},", time_.text(all.time)) : "";
  fmt::print("{} at t = {} after {}{} in {}: {}{}\n", how, time_.text(within ? config.end : all.time),
             run::counted(all.steps, "step"), last, run::duration(all.wall_seconds), closing_figures(simulation, all),
             gone);
  if (!end.alarm.empty()) fmt::print("{}\n", end.alarm);
  for (const std::string& line : summary_lines(simulation, all)) fmt::print("{}\n", line);
  if (!all.finished) return say_how_to_go_on(end);
  const bool kept = config.output.snapshots;
  fmt::print("{}energy.csv and run.json are in {}\n", kept ? fmt::format("{} snapshots, ", end.outputs) : "",
             end.directory.string());
  if (!end.yt_line.empty()) {
    fmt::print("to open one: {} (plots: center=[0, 0, 0]), or {}\n", end.yt_line, end.pynbody_line);
  }
}

}  // namespace hornbeam::cli
