// SPDX-License-Identifier: Apache-2.0
// The table of flows, see sph_cases.h. Figures of the prototype, a plain fp64 program of the same equations without
// tuning, and what is requested are in docs/gas-tests.md, with the sources of other codes' figures.
#include "bench/suites/sph_cases.h"

#include <cmath>

namespace hornbeam::cli {
namespace {

/// The prototype's value of a norm, of which 15 % more are allowed.
FlowDemand like(const char* measure, double prototype) {
  return {measure, prototype, "prototype", 0, 1.15 * prototype};
}
FlowDemand at_most(const char* measure, double most) {
  return {.measure = measure, .peer = {}, .least = -most, .most = most};
}
FlowDemand at_least(const char* measure, double least) { return {.measure = measure, .least = least}; }
FlowDemand within(const char* measure, double least, double most) {
  return {.measure = measure, .least = least, .most = most};
}
/// Next to a figure of which nothing is asked.
FlowDemand beside(const char* measure, double peer, const char* whose = "prototype") { return {measure, peer, whose}; }
FlowDemand shown_only(const char* measure) { return {.measure = measure}; }

void kernel_of(SimulationOptions& o, SphKernel kernel, double neighbours) {
  o.gas.kernel = kernel;
  o.gas.neighbours = neighbours;
}

/// The same flow with an option that is off at first.
FlowCase with(bool GasOptions::*option, const char* label, FlowCase flow) {
  flow.label += std::string(", ") + label;
  flow.set = [set = flow.set, option](SimulationOptions& o) {
    if (set) set(o);
    o.gas.*option = true;
  };
  return flow;
}
/// With velocities reconstructed midway.
FlowCase reconstructed(const FlowCase& flow) { return with(&GasOptions::reconstruct, "reconstructed", flow); }
/// With unbiased densities.
FlowCase corrected(const FlowCase& flow) { return with(&GasOptions::bias_correction, "corrected", flow); }

struct Norms {
  double density, velocity, pressure;
};
std::vector<FlowDemand> norms_like(const Norms& n) {
  return {like("density_error", n.density), like("velocity_error", n.velocity), like("pressure_error", n.pressure)};
}

FlowCase sod_case(int cells, double gamma, std::vector<FlowDemand> demands) {
  const auto n = static_cast<std::size_t>(cells);
  return {.test = "sod",
          .label = "gamma " + std::string(gamma < 1.5 ? "1.4" : "5/3") + ", " + std::to_string(cells) + " cells",
          .model = "sod",
          .n = n * n * n * 9 / 256,
          .options = {{"gamma", gamma < 1.5 ? "1.4" : "1.6666666666666667"}},
          .box = {2, 0.125, 0.125},
          .end = 0.2,
          .set = [gamma](SimulationOptions& o) { o.gas.gamma = gamma; },
          .demands = std::move(demands)};
}

void add_sod(std::vector<FlowCase>& all) {
  constexpr double g = 5.0 / 3.0;
  std::vector<FlowDemand> d = norms_like({0.0242, 0.0508, 0.0232});
  all.push_back(sod_case(32, g, d));
  d = norms_like({0.0129, 0.0175, 0.0114});
  d.push_back(at_most("energy_error", 2e-4));
  all.push_back(sod_case(64, g, d));
  all.push_back(sod_case(64, 1.4, norms_like({0.0118, 0.0191, 0.0110})));
  FlowCase cubic = sod_case(64, g, norms_like({0.0142, 0.0202, 0.0139}));
  cubic.label += ", M4/58";
  cubic.set = [](SimulationOptions& o) { kernel_of(o, SphKernel::cubic, 0); };
  all.push_back(cubic);
  d = norms_like({0.0078, 0.0093, 0.0066});
  for (const char* plateau :
       {"left_density_off", "right_density_off", "plateau_velocity_off", "plateau_pressure_off"}) {
    d.push_back(at_most(plateau, 0.01));
  }
  d.push_back(at_most("shock_off_in_h", 1));
  d.push_back(at_most("transverse_speed", 0.005));
  d.push_back(at_most("energy_overshoot", 0.03));
  all.push_back(sod_case(128, g, d));
  // a slope of 0.7 from 64 cells on
  const double less = std::pow(4.0, -0.7);
  const FlowCase finest = sod_case(256, g,
                                   {at_most("density_error", 0.0129 * less), at_most("velocity_error", 0.0175 * less),
                                    at_most("pressure_error", 0.0114 * less)});
  for (const FlowCase& flow : {finest, corrected(finest), corrected(reconstructed(finest))}) all.push_back(flow);
}

FlowCase sedov_case(int side, double courant, double end, std::vector<FlowDemand> demands) {
  const auto n = static_cast<std::size_t>(side);
  return {.test = "sedov",
          .label = std::to_string(side) + "^3" + (courant < 0.3 ? ", courant 0.1" : ""),
          .model = "sedov",
          .n = n * n * n,
          .box = {1, 1, 1},
          .end = end,
          .set = [courant](SimulationOptions& o) { o.gas.courant = courant; },
          .demands = std::move(demands)};
}

void add_sedov(std::vector<FlowCase>& all) {
  all.push_back(sedov_case(16, 0.1, 0.1,
                           {{.measure = "energy_error", .peer_is = "Phantom's test", .least = -2e-4, .most = 2e-4},
                            shown_only("momentum")}));
  std::vector<FlowDemand> d = norms_like({0.158, 0.149, 0.271});
  d.push_back(beside("peak_density", 1.68));
  d.push_back(beside("kinetic", 0.2321));
  d.push_back(beside("energy_error", -1.5e-3));
  all.push_back(sedov_case(32, 0.3, 0.05, d));
  d = norms_like({0.154, 0.142, 0.275});
  d.push_back({"peak_density", 2.04, "prototype", 2.04 / 1.15});
  d.push_back({"kinetic", 0.2472, "prototype", 0.2472 / 1.15, 0.2472 * 1.15});
  d.push_back(beside("energy_error", -1.1e-3));
  all.push_back(sedov_case(50, 0.3, 0.05, d));
  constexpr double share = 0.282755;
  for (const auto& [side, peak, lack] : {std::tuple(64, 2.2, 0.11), std::tuple(128, 2.6, 0.07)}) {
    all.push_back(sedov_case(side, 0.1, 0.05,
                             {{"peak_density", peak, "expected", peak / 1.1},
                              at_most("peak_off_in_h", 0.5),
                              within("kinetic", share * (1 - lack), share * (1 + lack)),
                              at_most("energy_error", 5e-4)}));
  }
  all.push_back(sedov_case(256, 0.3, 0.05,
                           {at_least("peak_density", 2.9), at_most("peak_off_in_h", 0.5),
                            within("kinetic", share * 0.96, share * 1.04), shown_only("energy_error")}));
}

FlowCase noh_case(std::size_t n, std::vector<FlowDemand> demands) {
  return {.test = "noh",
          .label = std::to_string(n),
          .model = "noh",
          .n = n,
          .end = 0.6,
          .set = [](SimulationOptions& o) { o.dt = 0.02; },
          .demands = std::move(demands)};
}

void add_noh(std::vector<FlowCase>& all) {
  std::vector<FlowCase> flows;
  flows.push_back(
      noh_case(14000, {beside("found_density", 16), shown_only("density_error"), shown_only("energy_error")}));
  flows.push_back(
      noh_case(100000, {shown_only("found_density"), shown_only("found_radius"), shown_only("energy_error")}));
  for (const auto& [n, off] : {std::pair(1000000, 8.0), std::pair(16000000, 3.0)}) {
    flows.push_back(
        noh_case(static_cast<std::size_t>(n),
                 {within("found_density", 64 - off, 64 + off), at_least("least_density", 30),
                  within("found_radius", 0.19, 0.21), shown_only("density_error"), shown_only("energy_error")}));
  }
  for (const FlowCase& flow : flows) {
    all.push_back(flow);
    all.push_back(reconstructed(flow));
  }
}

struct WaveRow {
  const char* label;
  SphKernel kernel;
  double neighbours;
  const char* lattice;
  double phase;
  double error;  ///< 0: not known
};
constexpr WaveRow wave_rows[] = {{"M4/58", SphKernel::cubic, 57.9058, "cubic", -0.096, 0},
                                 {"M4/58", SphKernel::cubic, 57.9058, "bcc", -0.201, 0},
                                 {"C2/57", SphKernel::wendland_c2, 57, "cubic", 0.106, 0},
                                 {"C2/100", SphKernel::wendland_c2, 100, "cubic", -0.191, 0},
                                 {"C2/100", SphKernel::wendland_c2, 100, "bcc", 0.036, 0.023},
                                 {"C2/200", SphKernel::wendland_c2, 200, "cubic", -0.035, 0},
                                 {"C4/113", SphKernel::wendland_c4, 113.097, "cubic", -0.084, 0},
                                 {"C4/200", SphKernel::wendland_c4, 200, "cubic", -0.016, 0},
                                 {"C4/200", SphKernel::wendland_c4, 200, "bcc", -0.008, 0.0052}};

void add_waves(std::vector<FlowCase>& all) {
  for (const WaveRow& row : wave_rows) {
    const bool bcc = std::string(row.lattice) == "bcc";
    FlowCase c{.test = "sound-wave",
               .label = std::string(row.label) + ", " + row.lattice,
               .model = "sound-wave",
               .n = static_cast<std::size_t>(bcc ? 2 * 32 * 64 : 32 * 144),
               .options = {{"lattice", row.lattice}, {"across", bcc ? "8" : "12"}},
               .box = bcc ? Vec3{1, 0.25, 0.25} : Vec3{1, 0.375, 0.375},
               .end = 1,
               .set =
                   [row](SimulationOptions& o) {
                     kernel_of(o, row.kernel, row.neighbours);
                     o.gas.alpha_start = 0;
                   },
               .demands = {{"phase", row.phase, "prototype", row.phase - 0.003, row.phase + 0.003},
                           at_least("amplitude", 0.999),
                           at_most("largest_alpha", 1e-3)}};
    if (row.error > 0) c.demands.push_back(like("velocity_error", row.error));
    all.push_back(std::move(c));
  }
}

FlowCase gresho_case(int cells, bool c4, std::vector<FlowDemand> demands) {
  const auto n = static_cast<std::size_t>(cells);
  return {.test = "gresho",
          .label = std::to_string(cells) + (c4 ? " cells, C4/200" : " cells, C2/100"),
          .model = "gresho",
          .n = 16 * n * n,
          .box = {1, 1, 8.0 / cells},
          .end = 1,
          .set =
              [c4](SimulationOptions& o) {
                if (c4) kernel_of(o, SphKernel::wendland_c4, 200);
                o.gas.alpha_start = 0;
              },
          .demands = std::move(demands)};
}

void add_gresho(std::vector<FlowCase>& all) {
  all.push_back(gresho_case(32, false,
                            {like("velocity_error", 0.077),
                             like("binned_velocity_error", 0.092),
                             {"kinetic_left", 0.68, "prototype", 0.68 / 1.15},
                             beside("energy_error", 1.6e-4),
                             shown_only("angular_momentum_change")}));
  all.push_back(gresho_case(32, true, {shown_only("velocity_error"), shown_only("kinetic_left")}));
  const FlowCase finer = gresho_case(64, false, {at_most("velocity_error", 0.055), shown_only("kinetic_left")});
  all.push_back(finer);
  all.push_back(reconstructed(finer));
  all.push_back(gresho_case(
      64, true,
      {{"velocity_error", 0.03, "literature", 0, 0.04}, at_least("kinetic_left", 0.85), shown_only("peak_velocity")}));
  all.push_back(gresho_case(128, true, {at_most("velocity_error", 0.04 / 1.5), shown_only("kinetic_left")}));
}

/// Particles of 8 layers of body-centred cells, so many across the thinner gas, and finer ones in the denser.
std::size_t sliding_count(int cells, double ratio) {
  const double fine = std::cbrt(ratio), k = cells;
  const auto thin = static_cast<std::int64_t>(cells) * (cells / 2) * 8;
  return static_cast<std::size_t>(
      2 * (thin + std::llround(k * fine) * std::llround(k / 2 * fine) * std::llround(8 * fine)));
}

FlowCase sliding_case(int cells, double ratio, double conductivity, std::vector<FlowDemand> demands) {
  return {.test = "kelvin-helmholtz",
          .label = std::to_string(cells) + " cells, 1 : " + (ratio > 1 ? "2" : "1") +
                   (conductivity > 0 ? "" : ", no conduction"),
          .model = "kelvin-helmholtz",
          .n = sliding_count(cells, ratio),
          .options = {{"ratio", ratio > 1 ? "2" : "1"}},
          .box = {1, 1, 8.0 / cells},
          .end = 1.5,
          .set =
              [conductivity](SimulationOptions& o) {
                kernel_of(o, SphKernel::wendland_c4, 200);
                o.gas.alpha_start = 0;
                o.gas.conductivity = conductivity;
              },
          .demands = std::move(demands)};
}

void add_sliding(std::vector<FlowCase>& all) {
  const std::vector<FlowDemand> only = {shown_only("amplitude"), shown_only("relative_error"),
                                        shown_only("energy_error")};
  all.push_back(sliding_case(16, 2, 1, only));
  all.push_back(sliding_case(32, 2, 1, only));
  all.push_back(sliding_case(32, 2, 0, only));
  all.push_back(sliding_case(32, 1, 1, only));
  all.push_back(sliding_case(64, 2, 1, only));
  for (const double ratio : {2.0, 1.0}) {
    all.push_back(sliding_case(128, ratio, 1, {at_most("relative_error", 0.35), shown_only("amplitude")}));
    all.push_back(sliding_case(256, ratio, 1, {at_most("relative_error", 0.15), shown_only("amplitude")}));
  }
  all.push_back(sliding_case(256, 2, 0, only));
}

void add_media(std::vector<FlowCase>& all) {
  for (const double conductivity : {1.0, 0.0}) {
    std::vector<FlowDemand> d = {shown_only("corner_left"), shown_only("rms_mach")};
    if (conductivity > 0) d = {at_least("corner_left", 0.9), at_most("rms_mach", 0.02)};
    all.push_back({.test = "square",
                   .label = conductivity > 0 ? "16 cells, 4 : 1" : "16 cells, no conduction",
                   .model = "square",
                   .n = 7466,
                   .box = {1, 1, 0.5},
                   .end = 4,
                   .set =
                       [conductivity](SimulationOptions& o) {
                         o.gas.alpha_start = 0;
                         o.gas.conductivity = conductivity;
                       },
                   .demands = d});
    if (conductivity > 0) all.push_back(reconstructed(all.back()));
  }
  const double end = 2.5 * 1.6 * 2 * 0.1 * std::sqrt(10.0) / (2.7 * std::sqrt(5.0 / 3));
  for (const std::size_t n : {std::size_t{13948}, std::size_t{1135456}}) {
    all.push_back({.test = "blob",
                   .label = "after 2.5 t_KH",
                   .model = "blob",
                   .n = n,
                   .box = {4, 1, 1},
                   .end = end,
                   .demands = {n < 100000 ? shown_only("cloud_mass") : at_most("cloud_mass", 0.3)}});
  }
}

FlowCase evrard_case(std::size_t n, std::vector<FlowDemand> demands) {
  demands.push_back(at_most("energy_error", 1e-3));
  const double eps = 0.28 * std::pow(static_cast<double>(n), -1.0 / 3);
  return {.test = "evrard",
          .label = "to t = 1.3, eps " + std::to_string(eps).substr(0, 6),
          .model = "evrard",
          .n = n,
          .end = 1.3,
          .set =
              [eps](SimulationOptions& o) {
                o.self_gravity = true;
                o.gravity.eps = eps;
              },
          .demands = std::move(demands),
          .tracked = true};
}

void add_evrard(std::vector<FlowCase>& all) {
  all.push_back(evrard_case(1802, {beside("kinetic_0.8", 0.199)}));
  all.push_back(evrard_case(8388, {beside("kinetic_0.8", 0.282), beside("most_kinetic", 0.293),
                                   beside("most_thermal", 1.393), beside("least_potential", -2.071)}));
  all.push_back(evrard_case(100000, {at_least("kinetic_0.8", 0.33), at_least("most_thermal", 1.60)}));
  for (const auto& [n, kinetic, thermal, late] :
       {std::tuple(1000000, 0.08, 0.05, 0.02), std::tuple(16000000, 0.04, 0.02, 0.008)}) {
    all.push_back(evrard_case(static_cast<std::size_t>(n),
                              {within("most_kinetic", 0.4520 * (1 - kinetic), 0.4520 * (1 + kinetic)),
                               within("most_thermal", 1.7632 * (1 - thermal), 1.7632 * (1 + thermal)),
                               within("most_kinetic_at", 0.8766 - late, 0.8766 + late),
                               within("most_thermal_at", 1.0653 - late, 1.0653 + late)}));
  }
}

}  // namespace

std::vector<FlowCase> flow_cases() {
  std::vector<FlowCase> all;
  for (const auto add : {add_sod, add_sedov, add_noh, add_waves, add_gresho, add_sliding, add_media, add_evrard})
    add(all);
  return all;
}

}  // namespace hornbeam::cli
