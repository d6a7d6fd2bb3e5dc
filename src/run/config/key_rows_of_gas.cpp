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
  return {
      among(row(
                "gas", "eos", "equation of state (docs/gas.md); none: gas has no pressure", any_number,
                [](auto& c) -> auto& { return c.simulation.gas.eos; }),
            words_to(EquationOfState::materials)),
      of_gas(
          "gamma", "adiabatic index; isothermal: only for energies and temperatures in files", above_1,
          {"ideal", "isothermal", "polytrope", "barotropic", "materials"},
          [](auto& c) -> auto& { return c.simulation.gas.gamma; }),
      required(of_gas(
          "sound_speed", "sound speed of the gas, of the cold gas if barotropic; larger gives more pressure", above_0,
          {"isothermal", "barotropic"}, [](auto& c) -> auto& { return c.simulation.gas.sound_speed; })),
      required(of_gas(
          "constant", "constant K of P = K rho^gamma, of the first piece if piecewise; larger gives more pressure",
          above_0, {"polytrope", "piecewise"}, [](auto& c) -> auto& { return c.simulation.gas.constant; })),
      required(of_gas(
          "critical_density", "density above which the gas is adiabatic and no longer cools", above_0, {"barotropic"},
          [](auto& c) -> auto& { return c.simulation.gas.critical_density; })),
      required(of_gas(
          "gammas", "adiabatic index of each piece, 1 or above", above_0, {"piecewise"},
          [](auto& c) -> auto& { return c.simulation.gas.gammas; })),
      of_gas(
          "densities", "densities at which one piece ends and the next begins, ascending", above_0, {"piecewise"},
          [](auto& c) -> auto& { return c.simulation.gas.densities; }),
      otherwise(
          needed_with(
              takes(of_gas(
                        "materials",
                        "materials by name: iron, granite, water, basalt, ice, aluminium, ideal; NAME=FILE for a table",
                        any_number, {"tillotson", "materials"},
                        [](auto& c) -> auto& { return c.simulation.gas.materials; }),
                    "MATERIAL"),
              "eos", {"materials"}),
          "tillotson: all that it has parameters for"),
      of_gas(
          "mean_weight", "mean mass of the gas' particles in proton masses: larger gives higher temperatures", above_0,
          flowing(), [](auto& c) -> auto& { return c.simulation.gas.mean_weight; }),
      of_gas(
          "self_gravity", "whether particles attract one another", any_number, flowing(),
          [](auto& c) -> auto& { return c.simulation.self_gravity; }),
      among(of_gas(
                "softening", "softening of the gas' gravity: its eps, or adaptive with its kernel, eps at least",
                any_number, flowing(), [](auto& c) -> auto& { return c.simulation.gas.softening; }),
            words_to(GasSoftening::adaptive))};
}

std::vector<Key> sum_rows() {
  return {among(of_gas(
                    "kernel", "kernel of the sums over neighbours: higher orders need more neighbours", any_number,
                    flowing(), [](auto& c) -> auto& { return c.simulation.gas.kernel; }),
                words_to(SphKernel::cubic)),
          otherwise(told_as(of_gas(
                                "neighbours",
                                "number of neighbours in the kernel's support, at least twice a particle's own weight: "
                                "more are smoother and slower",
                                {20, 10000}, flowing(), [](auto& c) -> auto& { return c.simulation.gas.neighbours; }),
                            [](const RunConfig& c) -> Json { return c.simulation.gas.effective_neighbours(); }),
                    "the kernel's own: 100, 200, 295 or 57.9"),
          of_gas(
              "bias_correction",
              "whether the excess of a particle's own kernel is subtracted from its density (wendland-*)", any_number,
              flowing(), [](auto& c) -> auto& { return c.simulation.gas.bias_correction; }),
          otherwise(of_gas(
                        "max_smoothing_length", "largest smoothing length H, for debris in a vacuum (docs/gas.md)",
                        above_0, flowing(), [](auto& c) -> auto& { return c.simulation.gas.max_smoothing_length; }),
                    "no limit"),
          of_gas(
              "tolerance", "relative tolerance of smoothing lengths: smaller takes more iterations", {1e-12, 0.1},
              flowing(), [](auto& c) -> auto& { return c.simulation.gas.tolerance; }),
          of_gas(
              "courant", "Courant number: a step is at most courant (H / 2) / signal speed; smaller is more accurate",
              above_0_to_1, flowing(), [](auto& c) -> auto& { return c.simulation.gas.courant; }),
          of_gas(
              "limiter", "whether the rungs of neighbours differ by at most one (block steps)", any_number, flowing(),
              [](auto& c) -> auto& { return c.simulation.gas.limiter; }),
          of_gas(
              "force_step", "second limit of steps, force_step sqrt((H / 2) / |a|): smaller is more accurate",
              above_0_to_1, flowing(), [](auto& c) -> auto& { return c.simulation.gas.force_step; })};
}

std::vector<Key> viscosity_rows() {
  return {among(of_gas(
                    "viscosity", "switch that restricts artificial viscosity to shocks", any_number, flowing(),
                    [](auto& c) -> auto& { return c.simulation.gas.viscosity; }),
                words_to(Viscosity::cullen_dehnen)),
          of_gas(
              "alpha", "artificial viscosity in shocks: larger is smoother", from_0, flowing(),
              [](auto& c) -> auto& { return c.simulation.gas.alpha; }),
          of_gas(
              "alpha_min", "artificial viscosity away from shocks, at most alpha (cullen-dehnen)", from_0, flowing(),
              [](auto& c) -> auto& { return c.simulation.gas.alpha_min; }),
          otherwise(told_as(of_gas(
                                "alpha_start", "artificial viscosity at the start, at most alpha (cullen-dehnen)",
                                from_0, flowing(), [](auto& c) -> auto& { return c.simulation.gas.alpha_start; }),
                            [](const RunConfig& c) -> Json {
                              const GasOptions& gas = c.simulation.gas;
                              return gas.alpha_start < 0 ? gas.alpha : gas.alpha_start;
                            }),
                    "alpha"),
          of_gas(
              "reconstruct",
              "whether viscosity uses velocities reconstructed at the midpoint of a pair (docs/gas.md eq. 10b)",
              any_number, flowing(), [](auto& c) -> auto& { return c.simulation.gas.reconstruct; }),
          of_gas(
              "beta", "coefficient of the quadratic term of viscosity: larger stops interpenetration", from_0,
              flowing(), [](auto& c) -> auto& { return c.simulation.gas.beta; }),
          of_gas(
              "conductivity", "coefficient of artificial conduction: larger smooths energies more", from_0, flowing(),
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
