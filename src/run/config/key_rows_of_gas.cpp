// SPDX-License-Identifier: Apache-2.0
// The rows of [gas].
#include "run/config/key_rows.h"

namespace hornbeam::run {
namespace {

using namespace rows;

/// Of any equation of state but none.
const std::vector<std::string_view>& flowing() {
  static const std::vector<std::string_view> all = {"ideal",     "isothermal", "polytrope", "barotropic",
                                                    "piecewise", "tillotson",  "materials"};
  return all;
}

template <class Access>
Key of_gas(const char* key, const char* help, Range range, const std::vector<std::string_view>& eos, Access at) {
  return only(row("gas", key, help, range, at), "eos", eos);
}

std::vector<Key> state_rows() {
  return {among(row(
                    "gas", "eos", "equation of state (docs/gas.md); none: gas is as any other matter", any_number,
                    [](auto& c) -> auto& { return c.simulation.gas.eos; }),
                words_to(EquationOfState::materials)),
          of_gas(
              "gamma", "adiabatic index; isothermal: of the energies and temperatures that files tell", above_1,
              {"ideal", "isothermal", "polytrope", "barotropic", "materials"},
              [](auto& c) -> auto& { return c.simulation.gas.gamma; }),
          required(of_gas(
              "sound_speed", "of cold gas", above_0, {"isothermal", "barotropic"},
              [](auto& c) -> auto& { return c.simulation.gas.sound_speed; })),
          required(of_gas(
              "constant", "K of P = K rho^gamma, piecewise of the first", above_0, {"polytrope", "piecewise"},
              [](auto& c) -> auto& { return c.simulation.gas.constant; })),
          required(of_gas(
              "critical_density", "above which gas no longer cools", above_0, {"barotropic"},
              [](auto& c) -> auto& { return c.simulation.gas.critical_density; })),
          required(of_gas(
              "gammas", "of each piece of a polytrope, 1 or above", above_0, {"piecewise"},
              [](auto& c) -> auto& { return c.simulation.gas.gammas; })),
          of_gas(
              "densities", "where one piece ends and the next begins, ascending", above_0, {"piecewise"},
              [](auto& c) -> auto& { return c.simulation.gas.densities; }),
          otherwise(needed_with(takes(of_gas(
                                          "materials",
                                          "iron, granite, water, basalt, ice, aluminium, ideal, NAME=FILE for a table",
                                          any_number, {"tillotson", "materials"},
                                          [](auto& c) -> auto& { return c.simulation.gas.materials; }),
                                      "MATERIAL"),
                                "eos", {"materials"}),
                    "tillotson: all it has parameters of"),
          of_gas(
              "mean_weight", "of a gas' particles in proton masses, for temperatures", above_0, flowing(),
              [](auto& c) -> auto& { return c.simulation.gas.mean_weight; }),
          of_gas(
              "self_gravity", "whether particles pull one another", any_number, flowing(),
              [](auto& c) -> auto& { return c.simulation.self_gravity; }),
          among(of_gas(
                    "softening", "of gas' own gravity: its eps; or adaptive, its kernel, eps being the least",
                    any_number, flowing(), [](auto& c) -> auto& { return c.simulation.gas.softening; }),
                words_to(GasSoftening::adaptive))};
}

std::vector<Key> sum_rows() {
  return {
      among(of_gas(
                "kernel", "of the sums over neighbours", any_number, flowing(),
                [](auto& c) -> auto& { return c.simulation.gas.kernel; }),
            words_to(SphKernel::cubic)),
      otherwise(told_as(of_gas(
                            "neighbours", "within the kernel's support: twice what a particle alone counts as, or more",
                            {20, 10000}, flowing(), [](auto& c) -> auto& { return c.simulation.gas.neighbours; }),
                        [](const RunConfig& c) -> Json { return c.simulation.gas.effective_neighbours(); }),
                "the kernel's own: 100, 200, 295 or 57.9"),
      of_gas(
          "bias_correction", "densities without what a particle's own kernel adds too much (wendland-*)", any_number,
          flowing(), [](auto& c) -> auto& { return c.simulation.gas.bias_correction; }),
      otherwise(of_gas(
                    "max_smoothing_length", "no H is larger: for debris in a vacuum (docs/gas.md)", above_0, flowing(),
                    [](auto& c) -> auto& { return c.simulation.gas.max_smoothing_length; }),
                "none"),
      of_gas(
          "tolerance", "of the smoothing lengths, relative", {1e-12, 0.1}, flowing(),
          [](auto& c) -> auto& { return c.simulation.gas.tolerance; }),
      of_gas(
          "courant", "a step is at most this times H / 2 over the signal speed", above_0_to_1, flowing(),
          [](auto& c) -> auto& { return c.simulation.gas.courant; }),
      of_gas(
          "limiter", "block steps: whether neighbours are at most one rung apart", any_number, flowing(),
          [](auto& c) -> auto& { return c.simulation.gas.limiter; }),
      of_gas(
          "force_step", "and this times sqrt((H / 2) / |a|)", above_0_to_1, flowing(),
          [](auto& c) -> auto& { return c.simulation.gas.force_step; })};
}

std::vector<Key> viscosity_rows() {
  return {
      among(of_gas(
                "viscosity", "what keeps artificial viscosity to shocks", any_number, flowing(),
                [](auto& c) -> auto& { return c.simulation.gas.viscosity; }),
            words_to(Viscosity::cullen_dehnen)),
      of_gas(
          "alpha", "viscosity in shocks", from_0, flowing(), [](auto& c) -> auto& { return c.simulation.gas.alpha; }),
      of_gas(
          "alpha_min", "cullen-dehnen: and elsewhere, at most alpha", from_0, flowing(),
          [](auto& c) -> auto& { return c.simulation.gas.alpha_min; }),
      otherwise(told_as(of_gas(
                            "alpha_start", "cullen-dehnen: at the start, at most alpha", from_0, flowing(),
                            [](auto& c) -> auto& { return c.simulation.gas.alpha_start; }),
                        [](const RunConfig& c) -> Json {
                          const GasOptions& gas = c.simulation.gas;
                          return gas.alpha_start < 0 ? gas.alpha : gas.alpha_start;
                        }),
                "alpha"),
      of_gas(
          "reconstruct", "viscosity sees velocities reconstructed midway (docs/gas.md eq. 10b)", any_number, flowing(),
          [](auto& c) -> auto& { return c.simulation.gas.reconstruct; }),
      of_gas(
          "beta", "of the quadratic part of viscosity", from_0, flowing(),
          [](auto& c) -> auto& { return c.simulation.gas.beta; }),
      of_gas(
          "conductivity", "of artificial conduction", from_0, flowing(),
          [](auto& c) -> auto& { return c.simulation.gas.conductivity; })};
}

}  // namespace

std::vector<Key> gas_rows() {
  std::vector<Key> all = state_rows();
  for (const auto rows : {sum_rows, viscosity_rows}) {
    for (Key& key : rows()) all.push_back(std::move(key));
  }
  return all;
}

}  // namespace hornbeam::run
