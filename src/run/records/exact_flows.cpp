// SPDX-License-Identifier: Apache-2.0
// Exact flows by the name of their model, see exact_flows.h.
#include "run/records/exact_flows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "hornbeam/error.h"
#include "hornbeam/evrard.h"
#include "hornbeam/exact.h"
#include "hornbeam/gas.h"
#include "hornbeam/polytrope.h"

namespace hornbeam::run {
namespace {

Json norms(const analysis::FlowError& e) {
  return {{"particles", e.particles},
          {"density_error", e.density},
          {"velocity_error", e.velocity},
          {"pressure_error", e.pressure}};
}

constexpr std::size_t curve_places = 200;

/// The exact flow itself, at so many places between two; `at`: a GasPoint there. Velocities are those along the way.
template <class At>
void add_curve(Json& found, const char* along, double from, double to, const At& at) {
  for (const char* what : {along, "density", "velocity", "pressure"}) found[what] = Json::array();
  for (std::size_t k = 0; k < curve_places; ++k) {
    const double x = from + (to - from) * (static_cast<double>(k) + 0.5) / curve_places;
    const analysis::GasPoint point = at(x);
    found[along].push_back(x);
    found["density"].push_back(point.density);
    found["velocity"].push_back(point.velocity);
    found["pressure"].push_back(point.pressure);
  }
}

/// Where a particle of gas stands along the way, and how fast it goes that way.
struct OnTheWay {
  double place = 0, speed = 0;
};

/// The gas itself next to the curve: means of `curve_places` sorts of equally many particles, from one end of it to the
/// other (each of one particle where there are fewer), so that none is empty. `on`: an OnTheWay of a particle.
template <class On>
void add_means(Json& found, const std::string& along, double from, double to, const Snapshot& s, double gamma,
               const On& on) {
  const Particles& p = s.particles;
  std::vector<std::pair<OnTheWay, std::size_t>> gas;
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (p.family[i] != Family::gas) continue;
    const OnTheWay at = on(p.position[i], p.velocity[i]);
    if (at.place >= from && at.place <= to) gas.emplace_back(at, i);
  }
  std::sort(gas.begin(), gas.end(), [](const auto& a, const auto& b) {
    return std::pair(a.first.place, a.second) < std::pair(b.first.place, b.second);
  });
  const std::string keys[] = {"mean_" + along, "mean_density", "mean_velocity", "mean_pressure"};
  for (const std::string& key : keys) found[key] = Json::array();
  for (std::size_t k = 0; k < curve_places && !gas.empty(); ++k) {
    const std::size_t first = k * gas.size() / curve_places;
    const std::size_t end = std::max(first + 1, (k + 1) * gas.size() / curve_places);
    double sums[4] = {};
    for (std::size_t j = first; j < end; ++j) {
      const auto& [at, i] = gas[j];
      const double pressure = (gamma - 1) * p.density[i] * p.internal_energy[i];
      const double values[] = {at.place, p.density[i], at.speed, pressure};
      for (std::size_t q = 0; q < 4; ++q) sums[q] += values[q] / static_cast<double>(end - first);
    }
    for (std::size_t q = 0; q < 4; ++q) found[keys[q]].push_back(sums[q]);
  }
}

OnTheWay along_x(const Vec3& x, const Vec3& v) { return {x[0], v[0]}; }

OnTheWay outwards(const Vec3& x, const Vec3& v) {
  const double r = std::hypot(x[0], x[1], x[2]);
  return {r, r > 0 ? (v[0] * x[0] + v[1] * x[1] + v[2] * x[2]) / r : 0};
}

OnTheWay around_z(const Vec3& x, const Vec3& v) {
  const double r = std::hypot(x[0], x[1]);
  return {r, r > 0 ? (x[0] * v[1] - x[1] * v[0]) / r : 0};
}

Json tube(const Snapshot& s, const FlowModel& m) {
  const double density = m.number("density", 1);
  const analysis::ShockTube exact({density, m.number("pressure", 1), 0},
                                  {density / 8, m.number("pressure-right", 0.1), 0}, m.gamma);
  Json found = norms(analysis::error_of_tube(s, exact, m.gamma, 0.5));
  const analysis::TubeState state = analysis::tube_state(s, exact, m.gamma);
  found["left_density_off"] = state.left_density - 1;
  found["right_density_off"] = state.right_density - 1;
  found["plateau_velocity_off"] = state.velocity - 1;
  found["plateau_pressure_off"] = state.pressure - 1;
  found["shock_off_in_h"] = state.shock_off;
  found["transverse_speed"] = state.transverse_speed;
  found["energy_overshoot"] = state.overshoot;
  add_curve(found, "x", -0.5, 0.5, [&](double x) { return exact.at(x / s.time); });
  add_means(found, "x", -0.5, 0.5, s, m.gamma, along_x);
  return found;
}

Json blast(const Snapshot& s, const FlowModel& m) {
  const analysis::SedovBlast exact(m.number("energy", 1), m.number("density", 1), m.gamma);
  Json found = norms(analysis::error_of_blast(s, exact, m.gamma));
  const analysis::ShellDensities shells = analysis::shell_densities(s, 0.01, 0.5 * m.number("edge", 1));
  const auto peak = std::max_element(shells.density.begin(), shells.density.end());
  const auto peak_at = static_cast<std::size_t>(peak - shells.density.begin());
  found["shock_radius"] = exact.radius(s.time);
  found["peak_density"] = *peak;
  found["peak_radius"] = shells.radius[peak_at];
  found["peak_off_in_h"] =
      std::abs(found["peak_radius"].get<double>() - exact.radius(s.time)) / shells.smoothing[peak_at];
  add_curve(found, "radius", 0, 0.5 * m.number("edge", 1), [&](double r) { return exact.at(r, s.time); });
  add_means(found, "radius", 0, 0.5 * m.number("edge", 1), s, m.gamma, outwards);
  return found;
}

/// The first radius, from the outside, at which densities of shells pass `level`.
double radius_of_level(const analysis::ShellDensities& shells, double level) {
  for (std::size_t k = shells.density.size(); k-- > 1;) {
    const double outer = shells.density[k], inner = shells.density[k - 1];
    if (!(outer < level && inner >= level)) continue;
    return shells.radius[k] + (level - outer) / (inner - outer) * (shells.radius[k - 1] - shells.radius[k]);
  }
  return 0;
}

Json implosion(const Snapshot& s, const FlowModel& m) {
  const double density = m.number("density", 1), speed = m.number("speed", 1);
  const analysis::NohFlow exact(density, speed, m.gamma);
  const double edge = m.number("radius", 1) - speed * s.time, shock = exact.radius(s.time);
  if (!(edge > shock))
    throw Error("exact", "the outer edge of the gas has reached the shock", "take an earlier snapshot");
  Json found = norms(analysis::error_of_noh(s, exact, m.gamma, edge));
  const analysis::ShellDensities shells = analysis::shell_densities(s, 0.05 * shock, edge);
  double sum = 0, count = 0, least = INFINITY;
  for (std::size_t k = 0; k < shells.radius.size(); ++k) {
    if (!(shells.density[k] > 0)) continue;  // nothing is there
    if (shells.radius[k] < 0.3 * shock) least = std::min(least, shells.density[k]);
    if (shells.radius[k] < 0.3 * shock || shells.radius[k] > 0.8 * shock) continue;
    sum += shells.density[k], ++count;
  }
  const double behind = exact.at(0.5 * shock, s.time).density, ahead = exact.at(shock, s.time).density;
  found["shock_radius"] = shock;
  const double reached = radius_of_level(shells, 0.5 * (behind + ahead));
  found["found_radius"] = reached > 0 ? reached : NAN;  // too few particles for any density near it
  found["expected_density"] = behind;
  found["found_density"] = sum > 0 ? sum / count : NAN;
  found["least_density"] = std::isfinite(least) ? least : NAN;
  add_curve(found, "radius", 0, edge, [&](double r) { return exact.at(r, s.time); });
  add_means(found, "radius", 0, edge, s, m.gamma, outwards);
  return found;
}

/// u of ideal gas besides what a curve and its means hold.
void add_internal_energies(Json& found, double gamma) {
  for (const std::string of : {"", "mean_"}) {
    Json energies = Json::array();
    for (std::size_t k = 0; k < found[of + "density"].size(); ++k) {
      const double density = found[of + "density"][k], pressure = found[of + "pressure"][k];
      energies.push_back(density > 0 ? pressure / ((gamma - 1) * density) : 0);
    }
    found[of + "internal_energy"] = energies;
  }
}

/// Throws Error where the particles hold pressures that ideal gas of their energies has not.
void demand_pressures(const Particles& p, double gamma, const std::string& file) {
  if (p.pressure.size() != p.size() || p.density.size() != p.size() || p.internal_energy.size() != p.size()) return;
  double off = 0, all = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (p.family[i] != Family::gas) continue;
    off += std::abs(p.pressure[i] - (gamma - 1) * p.density[i] * p.internal_energy[i]);
    all += p.pressure[i];
  }
  constexpr double rounding = 1e-3;
  if (off <= rounding * all) return;
  throw Error(file, fmt::format("has pressures that differ from those of ideal gas with gamma {:.6g}", gamma),
              "give the gamma of its run, or measure runs of ideal gas");
}

/// Throws Error where the gas has not the model's mass, and is no gas of it.
void demand_mass(const Particles& p, double of_model) {
  double mass = 0;
  for (std::size_t i = 0; i < p.size(); ++i) mass += p.family[i] == Family::gas ? p.mass[i] : 0;
  constexpr double rounding = 1e-3;
  if (std::abs(mass - of_model) <= rounding * of_model) return;
  throw Error("exact", fmt::format("the gas has a mass of {:.6g}, and the model has {:.6g}", mass, of_model),
              "give the model's mass, or the right model");
}

/// Kinetic and internal energy of the gas compared with all energies of the solution.
void add_energies(Json& found, const Particles& p, const Energies& exact) {
  double kinetic = 0, thermal = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (p.family[i] != Family::gas) continue;
    const Vec3& v = p.velocity[i];
    kinetic += 0.5 * p.mass[i] * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    thermal += p.mass[i] * p.internal_energy[i];
  }
  found["kinetic"] = kinetic;
  found["thermal"] = thermal;
  found["reference_kinetic"] = exact.kinetic;
  found["reference_thermal"] = exact.thermal;
  found["reference_potential"] = exact.potential;
}

Json collapse(const Snapshot& s, const FlowModel& m) {
  const double radius = m.number("radius", 1), mass = m.number("mass", 1);
  demand_mass(s.particles, mass);
  analysis::EvrardCollapse exact(mass, radius, m.number("energy", 0.05), m.gamma, s.units.G);
  exact.advance(s.time);
  Json found = norms(analysis::error_of_evrard(s, exact, m.gamma));
  add_energies(found, s.particles, exact.energies());
  const double shock = exact.shock_radius(), edge = exact.radius_of(0.99);
  if (shock > 0) {
    const double thickness = 0.04 * shock;
    const analysis::ShellDensities shells = analysis::shell_densities(s, thickness, edge);
    const double level = 0.5 * (exact.at(0.97 * shock).density + exact.at(1.03 * shock).density);
    const double place = radius_of_level(shells, level);
    const auto shell = std::min(static_cast<std::size_t>(place / thickness), shells.smoothing.size() - 1);
    found["shock_radius"] = shock;
    found["found_radius"] = place;
    if (shells.smoothing[shell] > 0) found["shock_off_in_h"] = (place - shock) / shells.smoothing[shell];
  }
  add_curve(found, "radius", 0, edge, [&](double r) { return exact.at(r); });
  add_means(found, "radius", 0, edge, s, m.gamma, outwards);
  add_internal_energies(found, m.gamma);
  return found;
}

Json vortex(const Snapshot& s, const FlowModel& m) {
  const analysis::GreshoVortex exact(m.number("density", 1), m.number("pressure", 5));
  const analysis::VortexState v = analysis::vortex_state(s, exact);
  Json found = {{"velocity_error", v.velocity_error},
                {"binned_velocity_error", v.binned_error},
                {"peak_velocity", v.peak},
                {"kinetic", v.kinetic},
                {"angular_momentum", v.angular_momentum}};
  add_curve(found, "radius", 0, 0.5, [&](double r) { return exact.at(r); });
  add_means(found, "radius", 0, 0.5, s, m.gamma, around_z);
  return found;
}

Json wave(const Snapshot& s, const FlowModel& m) {
  const double sound = m.number("sound-speed", 1);
  const analysis::WaveState w = analysis::wave_state(s, sound * m.number("amplitude", 1e-4), sound);
  return {{"amplitude", w.amplitude}, {"phase", w.phase}, {"velocity_error", w.error}};
}

Json mixing(const Snapshot& s, const FlowModel& m) {
  const analysis::MixingState k = analysis::mixing_state(s, static_cast<int>(m.number("waves", 2)));
  Json found = {{"amplitude", k.amplitude}, {"largest_kinetic", k.largest_kinetic}};
  const bool is_standard = m.number("speed", 0.5) == 0.5 && m.number("pressure", 2.5) == 2.5 &&
                           m.number("width", 0.025) == 0.025 && m.number("amplitude", 0.01) == 0.01 &&
                           m.number("waves", 2) == 2 && m.number("density", 1) == 1 &&
                           std::abs(m.gamma - 5.0 / 3) < 1e-9;
  const double reference = analysis::kelvin_helmholtz_amplitude(m.number("ratio", 2), s.time);
  if (is_standard && std::isfinite(reference)) {
    found["reference_amplitude"] = reference;
    found["relative_error"] = k.amplitude / reference - 1;
  }
  return found;
}

Json corners(const Snapshot& s, const FlowModel& m) {
  const double thin = m.number("pressure", 2.5) / ((m.gamma - 1) * m.number("density", 1));
  const double sound = std::sqrt(m.gamma * (m.gamma - 1) * thin), ratio = m.number("ratio", 4);
  const analysis::SquareState q = analysis::square_state(s, thin / std::sqrt(ratio), 0.25, sound);
  return {{"corner", q.corner}, {"rms_mach", q.rms_speed}};
}

Json cloud(const Snapshot& s, const FlowModel& m) {
  const double radius = m.number("radius", 0.1), density = m.number("density", 1), ratio = m.number("ratio", 10);
  const double pressure = m.number("pressure", 1),
               wind = m.number("mach", 2.7) * std::sqrt(m.gamma * pressure / density);
  const double mass = density * ratio * 4 * std::numbers::pi / 3 * radius * radius * radius;
  const double crushing = 2 * radius * std::sqrt(ratio) / wind;
  return {{"cloud_mass", analysis::cloud_share(s, mass, density * ratio, pressure / ((m.gamma - 1) * density))},
          {"time_in_kelvin_helmholtz_times", s.time / (1.6 * crushing)}};
}

Json sphere(const Snapshot& s, const FlowModel& m) {
  const analysis::Polytrope exact(m.number("index", 1.5), m.number("mass", 1), m.number("radius", 1), s.units.G);
  return norms(analysis::error_of_polytrope(s, exact, m.gamma));
}

struct KnownFlow {
  const char* model;
  Json (*measure)(const Snapshot&, const FlowModel&);
  bool is_of_ideal_gas = true;
};
constexpr KnownFlow flows[] = {{"sod", tube},
                               {"sedov", blast},
                               {"noh", implosion},
                               {"gresho", vortex},
                               {"kelvin-helmholtz", mixing},
                               {"sound-wave", wave, false},
                               {"square", corners},
                               {"blob", cloud},
                               {"polytrope", sphere, false},
                               {"evrard", collapse}};

/// Without the numbers that could not be measured.
Json known_numbers(Json found) {
  for (auto one = found.begin(); one != found.end();) {
    const bool is_unknown = one->is_number_float() && !std::isfinite(one->get<double>());
    one = is_unknown ? found.erase(one) : std::next(one);
  }
  return found;
}

}  // namespace

std::string models_with_flows() {
  std::string names;
  for (const KnownFlow& flow : flows) names += (names.empty() ? "" : ", ") + std::string(flow.model);
  return names;
}

Json exact_flow(const Snapshot& snapshot, const FlowModel& model, const std::string& file) {
  for (const KnownFlow& flow : flows) {
    if (model.name != flow.model) continue;
    const bool is_other = !model.eos.empty() && model.eos != name(EquationOfState::ideal);
    if (is_other && flow.is_of_ideal_gas) {
      throw Error(file, "has gas with eos " + model.eos + ", and the known flow of " + model.name + " is of ideal gas",
                  "measure runs with gas.eos = \"ideal\"");
    }
    if (flow.is_of_ideal_gas) demand_pressures(snapshot.particles, model.gamma, file);
    return known_numbers(flow.measure(snapshot, model));
  }
  throw Error(
      file,
      model.name.empty() ? "has no record of its model" : "has the model " + model.name + ", whose flow is not known",
      "measure snapshots of runs of " + models_with_flows() + ", or give their --model");
}

}  // namespace hornbeam::run
