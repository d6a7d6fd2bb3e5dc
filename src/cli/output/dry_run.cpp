// SPDX-License-Identifier: Apache-2.0
// Estimates of a run, see dry_run.h.
#include "cli/output/dry_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

#include "analysis/disc/disc_heating.h"
#include "dynamics/particle_system.h"
#include "hornbeam/units.h"
#include "memory/room.h"
#include "run/records/figures.h"
#include "run/session/alarms.h"
#include "run/session/schedule.h"
#include "run/session/start.h"
#include "run/setup/memory_plan.h"

namespace hornbeam::cli {
namespace {

void print_memory(const run::Session& session) {
  const run::RunConfig& config = session.config();
  const Simulation& simulation = session.simulation();
  const bool own_eps = config.simulation.gravity.eps < 0;
  const std::uint64_t n = simulation.size();
  const memory::Need need = memory::particles() + run::run_need(simulation.system(), config, n, own_eps);
  fmt::print("memory: at most {} of the host, {:.0f} bytes per particle; {} are free now\n",
             memory::shown_bytes(need.bytes(n)), need.each(), memory::shown_bytes(memory::room().bytes));
}

void print_time(run::Session& session) {
  using Clock = std::chrono::steady_clock;
  const SimulationOptions& options = session.options();
  const double now = session.simulation().time(), span = session.config().end - now;
  if (options.steps != Steps::shared || options.gas.flows()) {
    fmt::print(
        "time: particles take steps of different lengths, so only a run shows it; try one with output.wall_limit\n");
    return;
  }
  const Clock::time_point before = Clock::now();
  const std::uint64_t made = session.run(now + options.dt / 2, 1);
  const double seconds = std::chrono::duration<double>(Clock::now() - before).count();
  if (made == 0) return;
  const double steps = std::ceil(span / options.dt * (1 - 1e-12));
  fmt::print("time: {:.3g} s a step, {:.0f} steps: about {}, without files and measures\n", seconds, steps,
             run::duration(seconds * steps));
}

void print_step(const run::Session& session) {
  const SimulationOptions& options = session.options();
  const ShownTime& shown = session.shown_time();
  const Particles particles = session.simulation().snapshot().particles;
  const std::vector<double> times = run::softening_times(particles, particles.size());
  if (times.empty()) {
    fmt::print("step: no particle is both softened and accelerated, so no step is suggested; give gravity.eps\n");
    return;
  }
  const double all = run::longest_step * times.front(), most = run::longest_step * times[times.size() / 100];
  fmt::print("step: {} sqrt(eps / |a|) is {} for all particles and {} for 99 % of them; dt = {}\n", run::longest_step,
             shown.text(all), shown.text(most), shown.text(options.dt));
  const std::string note = run::long_step_note(times, particles.size(), options, shown);
  if (!note.empty() && !session.said_step()) fmt::print("{}\n", note);
}

/// How the halo's particles heat the disc until the end of the run, with remedies if that is much.
void print_heating(const run::Session& session) {
  constexpr double much = 1.2, wanted = 1.1;  // times sigma_z
  const auto found = analysis::disc_heating(session.simulation().snapshot(), session.config().simulation.gravity.eps);
  if (!found) return;
  const double now = session.simulation().time(), span = session.config().end - now;
  const double before = found->dispersion, after = found->dispersion_after(span);
  const Units& units = session.units();
  const auto unit = [&](double length, double mass, double velocity) {
    const std::string name = unit_name(units, length, mass, velocity);
    return name.empty() ? name : " " + name;
  };
  const std::string mass = units.physical
                               ? fmt::format("{:.3g} Msun", found->halo_mass * units.mass_g / mass_from("Msun", ""))
                               : fmt::format("{:.3g}", found->halo_mass);
  fmt::print(
      "heating: particles of the halo, {} each, raise sigma_z of the disc at R = {:.3g}{} from {:.3g} to "
      "{:.3g}{} "
      "until the end\n",
      mass, found->radius, unit(1, 0, 0), before, after, unit(0, 0, 1));
  if (!(after > much * before)) return;
  const double fewer = found->rate * span / (before * before * (wanted * wanted - 1));
  fmt::print(
      "WARNING: the disc thickens by the halo's particles: {:.2g} times as many of them keep that within 10 % "
      "(ic.halo_number; docs/choose.md). A run {:.2g} times as short does so, too; a halo as [potential] heats "
      "nothing, but neither slows nor strips what moves in it\n",
      fewer, fewer);
}

}  // namespace

void dry_run(const run::RunConfig& config, const std::filesystem::path& folder, run::Observer& observer) {
  run::ReadyRun ready = run::prepare_in_memory(config, {}, folder);
  run::Session session(std::move(ready.config), std::move(ready.asked), std::move(ready.start), observer);
  run::check_times(session.config().output, session.options(), session.start().time, session.config().end,
                   session.shown_time());
  session.announce_start();
  session.announce_device();
  session.begin();
  const ParticleSystem& system = session.simulation().system();
  fmt::print("dry run, nothing is written: {} on {} ({})\n", run::counted(session.simulation().size(), "particle"),
             system.name(), system.device());
  if (session.options().self_gravity) fmt::print("forces: {}\n", run::exactness(system.options()));
  print_memory(session);
  print_step(session);
  print_heating(session);
  print_time(session);
}

}  // namespace hornbeam::cli
