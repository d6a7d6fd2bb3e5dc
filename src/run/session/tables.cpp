// SPDX-License-Identifier: Apache-2.0
// The tables of a run: when each has rows, its columns and what is in them. See outputs.h and records/records.h.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <numbers>

#include "hornbeam/ring.h"
#include "hornbeam/units.h"
#include "run/session/outputs.h"

namespace hornbeam::run {

Interval Outputs::interval(std::optional<double> every) const {
  return {every, session_.start().time, session_.resumed_at(), same_};
}

void Outputs::add_energy() {
  const Units& u = session_.units();
  const std::string energy = unit_name(u, 0, 1, 2);
  std::vector<Columns> columns = {
      {{"kinetic", "potential", "total"}, energy},
      {{"relative_error"}},
      {{"momentum_x", "momentum_y", "momentum_z"}, unit_name(u, 0, 1, 1)},
      {{"angular_momentum_x", "angular_momentum_y", "angular_momentum_z"}, unit_name(u, 1, 1, 1)}};
  if (session_.options().gas.flows()) columns.push_back({{"thermal"}, energy});
  columns.push_back({{"wall_seconds"}});
  records_.add({.name = energy_table,
                .due = interval(session_.config().output.energy_every),
                .with_snapshots = true,
                .columns = std::move(columns),
                .rows = [this] { return energy_row(); },
                .resume =
                    [this](const std::vector<double>& last) {
                      constexpr std::size_t error = 5;
                      session_.note_error(last[error]);
                      wall_before_ = wall_output_ = last.back();
                    }});
}

std::vector<std::string> Outputs::energy_row() {
  const Energies e = session_.simulation().energies();
  const double error = session_.relative_error(e);
  session_.watch_energy(error, [this] { wait_for_room(); });
  const std::string thermal = session_.options().gas.flows() ? fmt::format("{},", e.thermal) : "";
  return {fmt::format("{},{},{},{},{},{},{}{:.3f}", e.kinetic, e.potential, e.total(), error,
                      fmt::join(e.momentum, ","), fmt::join(e.angular_momentum, ","), thermal, wall_seconds())};
}

void Outputs::add_black_holes() {
  const Units& u = session_.units();
  const auto rows = [this] {
    const Followed& holes = session_.start().black_holes;
    const std::vector<Motion> motions = session_.simulation().motions(holes.places);
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < motions.size(); ++i) {
      lines.push_back(fmt::format("{},{},{}", holes.ids[i], fmt::join(motions[i].position, ","),
                                  fmt::join(motions[i].velocity, ",")));
    }
    return lines;
  };
  records_.add({.name = black_holes_table,
                .due = interval(session_.config().output.black_holes_every),
                .columns = {{{"id"}},
                            {{"x", "y", "z"}, unit_name(u, 1, 0, 0)},
                            {{"velocity_x", "velocity_y", "velocity_z"}, unit_name(u, 0, 0, 1)}},
                .rows = rows,
                .rows_a_time = session_.start().black_holes.places.size()});
}

void Outputs::add_ring() {
  const Units& u = session_.units();
  records_.add(
      {.name = ring_table,
       .due = interval(session_.config().output.ring_every),
       .columns = {{{"bodies", "optical_depth"}},
                   {{"radial_dispersion", "azimuthal_dispersion", "vertical_dispersion"}, unit_name(u, 0, 0, 1)},
                   {{"filling_factor"}},
                   {{"translational_viscosity", "collisional_viscosity", "gravitational_viscosity"},
                    unit_name(u, 1, 0, 1)},
                   {{"toomre_q", "collisions_per_orbit", "collisions"}},
                   {{"momentum_flux"}, unit_name(u, 1, 1, 1)}},
       .rows = [this] { return ring_row(); }});
}

/// In the run's folder rows go with the steps that made them, so that a resumed run keeps those up to its checkpoint.
void Outputs::add_events() {
  const Units& u = session_.units();
  const auto rows = [this] {
    std::vector<std::string> lines;
    for (const Event& e : session_.simulation().events()) {
      lines.push_back(fmt::format("{},{},{},{},{},{},{},{}", name(e.kind), e.ids[0], e.ids[1], e.mass[0], e.mass[1],
                                  e.speed, e.angle, e.contact_time));
    }
    return lines;
  };
  records_.add({.name = events_table,
                .due = interval({}),
                .after_each_step = true,
                .columns = {{{"kind", "id_1", "id_2"}},
                            {{"mass_1", "mass_2"}, unit_name(u, 0, 1, 0)},
                            {{"speed"}, unit_name(u, 0, 0, 1)},
                            {{"angle"}, "deg"},
                            {{"contact_time"}, time_unit_name(u)}},
                .rows = rows,
                .rows_a_time = 0});
}

/// Rates are those since the row before.
std::vector<std::string> Outputs::ring_row() {
  const SimulationOptions& o = session_.options();
  const Simulation& simulation = session_.simulation();
  const CollisionTotals collisions = simulation.collisions();
  wait_for_room();
  const Particles particles = simulation.snapshot().particles;
  const RingState s = measure_ring(particles, o.boundary, o.gravity.G);
  const double by_gravity =
      o.self_gravity ? gravitational_viscosity(particles, o.boundary, o.gravity.G, simulation.time()) : 0;
  double per_orbit = 0, by_collisions = 0;  // each collision counts for both partners
  const double seconds = simulation.time() - ring_time_, orbits = seconds * o.boundary.omega / (2 * std::numbers::pi);
  if (seconds > 0 && s.mass > 0) {
    const auto number = static_cast<double>(collisions.number - at_ring_row_.number);
    per_orbit = 2 * number / static_cast<double>(s.bodies) / orbits;
    by_collisions =
        2.0 / 3.0 * (collisions.momentum_flux - at_ring_row_.momentum_flux) / (o.boundary.omega * s.mass * seconds);
  }
  ring_time_ = simulation.time();
  at_ring_row_ = collisions;
  return {fmt::format("{},{},{},{},{},{},{},{},{},{},{}", s.bodies, s.optical_depth, fmt::join(s.dispersion, ","),
                      s.filling_factor, s.translational_viscosity, by_collisions, by_gravity, s.toomre_q, per_orbit,
                      collisions.number, collisions.momentum_flux)};
}

}  // namespace hornbeam::run
