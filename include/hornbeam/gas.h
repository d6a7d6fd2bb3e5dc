// SPDX-License-Identifier: Apache-2.0
// Gas: smoothed particle hydrodynamics of the particles of family gas (docs/gas.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "hornbeam/gravity.h"

namespace hornbeam {

/// The pressure of gas. none: it moves as other matter. ideal: (gamma - 1) rho u. isothermal: c^2 rho. polytrope: K
/// rho^gamma. barotropic: c^2 rho (1 + (rho / rho_c)^(gamma - 1)). piecewise: polytropes one after the other. All but
/// ideal take it from the density only. tillotson: rock, metal and water. materials: those and tables from files, as
/// the material of each particle sets it (hornbeam/materials.h).
enum class EquationOfState { none, ideal, isothermal, polytrope, barotropic, piecewise, tillotson, materials };
enum class SphKernel { wendland_c2, wendland_c4, wendland_c6, cubic };
/// What keeps artificial viscosity to where it is wanted: nothing; Balsara's factor of shear; the switch of Cullen &
/// Dehnen 2010, which finds shocks before they come.
enum class Viscosity { fixed, balsara, cullen_dehnen };
/// By what gas that attracts itself is softened: by its eps, as all else; by its kernel, as far as its H (docs/gas.md).
enum class GasSoftening { fixed, adaptive };
/// Names as TOML spells them.
std::string_view name(EquationOfState);
std::string_view name(SphKernel);
std::string_view name(Viscosity);
std::string_view name(GasSoftening);

/// Neighbours within the support that a kernel is used with.
double usual_neighbours(SphKernel kernel);
/// What a particle alone counts as, C w(0) 4 pi / 3: with fewer no H solves the equation of H and density.
double own_neighbours(SphKernel kernel);
/// The fraction of its own contribution by which a particle's density is too high with so many neighbours (Dehnen & Aly
/// 2012 eq. 18 and 19). It is 0 for the cubic spline, for which there is none.
double own_excess(SphKernel kernel, double neighbours);
/// As few as may be requested: twice that, some particles besides its own.
double least_neighbours(SphKernel kernel);

struct GasOptions {
  EquationOfState eos = EquationOfState::none;
  double gamma = 5.0 / 3.0;       ///< ideal, polytrope, barotropic: above 1
  double sound_speed = 0;         ///< isothermal, barotropic: above 0
  double constant = 0;            ///< polytrope: K, above 0; piecewise: of the first piece
  double critical_density = 0;    ///< barotropic: above 0
  std::vector<double> gammas;     ///< piecewise: of each piece, 1 or above
  std::vector<double> densities;  ///< piecewise: at which the pieces after the first begin, ascending
  /// tillotson, materials: as open_material() takes them; none: all that Tillotson's equation has parameters of.
  /// Where there is one, particles without a material are of it.
  std::vector<std::string> materials;
  double mean_weight = 0.6;  ///< of a gas' particles in proton masses, which makes its temperature; above 0
  SphKernel kernel = SphKernel::wendland_c2;
  double neighbours = 0;         ///< n_H = (4 pi / 3) H^3 rho / m, from least_neighbours(); 0: usual_neighbours()
  bool bias_correction = false;  ///< densities without own_excess(); of Wendland's kernels
  GasSoftening softening = GasSoftening::fixed;
  Viscosity viscosity = Viscosity::cullen_dehnen;
  double alpha = 1;                 ///< the largest viscosity, 0 or above
  double alpha_min = 0;             ///< cullen_dehnen: the least, up to alpha
  double alpha_start = -1;          ///< cullen_dehnen: at the start, up to alpha; below 0: alpha
  double beta = 2;                  ///< of its quadratic part, 0 or above
  bool reconstruct = false;         ///< viscosity sees velocities reconstructed midway, docs/gas.md eq. 10b
  double conductivity = 1;          ///< of artificial conduction, 0 or above
  double courant = 0.3;             ///< a step is at most this times (H / 2) / signal speed
  double force_step = 0.25;         ///< and this times sqrt((H / 2) / |a|)
  bool limiter = true;              ///< block steps: neighbours are at most one rung apart, and wake one another for it
  double max_smoothing_length = 0;  ///< of H, which in near vacuum reaches over everything else; 0: none
  double tolerance = 1e-4;          ///< relative, of H; what is left of it is corrected to first order

  [[nodiscard]] bool flows() const { return eos != EquationOfState::none; }
  /// Whether internal energies are quantities of their own; otherwise the density makes them.
  [[nodiscard]] bool has_energy() const { return eos == EquationOfState::ideal || has_materials(); }
  /// It flows by density alone, and gives the heat of shocks off.
  [[nodiscard]] bool radiates() const { return flows() && !has_energy(); }
  /// Whether gas is softened by its H.
  [[nodiscard]] bool adapts() const { return flows() && softening == GasSoftening::adaptive; }
  /// Whether viscosity needs the gradients of both of a pair.
  [[nodiscard]] bool reconstructs() const { return flows() && reconstruct; }
  /// Whether internal energies are heat and never below 0; those of condensed matter may be, cold and stretched.
  [[nodiscard]] bool is_heat() const { return !has_materials(); }
  /// Whether particles may be of different materials.
  [[nodiscard]] bool has_materials() const {
    return eos == EquationOfState::tillotson || eos == EquationOfState::materials;
  }
  [[nodiscard]] double effective_neighbours() const;
  /// The viscosity with which gas begins.
  [[nodiscard]] double starting_alpha() const {
    return viscosity == Viscosity::cullen_dehnen && alpha_start >= 0 ? alpha_start : alpha;
  }
  /// Throws UsageError, naming the key of [gas], for values out of range.
  void validate() const;
};

/// What the gas has done since it was loaded.
struct GasReport {
  std::uint64_t evaluations = 0;
  std::uint64_t density_sums = 0;  ///< made for particles: over evaluations and particles, sums that H took
  std::uint64_t woken = 0;         ///< block steps: whose steps were cut short, as those of their neighbours became so
  std::uint64_t sought = 0;        ///< particles of the last evaluation, for which H was found
  std::uint64_t at_limits = 0;     ///< those of them whose H is bounded by space, or by gas.max_smoothing_length
  double largest_h = 0;            ///< of the last evaluation
};

}  // namespace hornbeam
