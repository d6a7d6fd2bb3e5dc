// SPDX-License-Identifier: Apache-2.0
// Materials of gas: equations of state of rock, metal, water and what else files describe, on the host (docs/gas.md).
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "hornbeam/gas.h"
#include "hornbeam/units.h"

namespace hornbeam {

/// What is known of a material by its name, in SI units.
struct KnownMaterial {
  std::string_view name;
  int id = 0;                ///< in files, as WoMa and SWIFT number them; 105, aluminium: ours
  double density = 0;        ///< of cold matter without pressure, kg/m^3
  double specific_heat = 0;  ///< J/(kg K)
};
/// iron, granite, water, basalt, ice, aluminium: those that follow Tillotson's equation.
std::vector<KnownMaterial> known_materials();
/// The name that files' ids have, of materials that tables describe, too: "forsterite" for 400; otherwise the number.
std::string material_name(int id);

/// Pressure, temperature (K) and sound speed.
struct MaterialState {
  double pressure = 0, sound = 0, temperature = 0;
};

/// One material in the units it was opened with. u: internal energy per unit mass. Copies share their tables.
class Material {
 public:
  struct Law;
  explicit Material(std::shared_ptr<const Law> law) : law_(std::move(law)) {}

  [[nodiscard]] int id() const;
  [[nodiscard]] const std::string& name() const;
  /// Of cold matter without pressure; of a table its own; 0 of an ideal gas.
  [[nodiscard]] double reference_density() const;

  [[nodiscard]] double pressure(double rho, double u) const;
  [[nodiscard]] double sound_speed(double rho, double u) const;
  [[nodiscard]] double temperature(double rho, double u) const;
  [[nodiscard]] MaterialState state(double rho, double u) const;
  /// u at a density and a temperature.
  [[nodiscard]] double energy_at(double rho, double temperature) const;
  /// The largest density at which the pressure is P > 0 with that u, or with that temperature, to 1e-12. Throws Error
  /// where there is none.
  [[nodiscard]] double density_of(double pressure, double u) const;
  [[nodiscard]] double density_at(double pressure, double temperature) const;

  [[nodiscard]] const Law& law() const { return *law_; }

 private:
  std::shared_ptr<const Law> law_;
};

/// States of one entropy: from (rho, u) at its beginning to higher pressures, u by du = P d rho / rho^2.
class Adiabat {
 public:
  struct Point {
    double density = 0, energy = 0, pressure = 0;
  };
  /// From the pressure of that density and energy up to `most`. Throws Error where sound stands still on the way.
  Adiabat(const Material& material, double density, double energy, double most);
  /// At a pressure within, between the points of its way by a cubic; at its ends outside.
  [[nodiscard]] Point at(double pressure) const;

 private:
  std::vector<Point> points_;   ///< by ascending pressure
  std::vector<double> slopes_;  ///< d density / d pressure at each
};

/// The materials that gas is of.
class Materials {
 public:
  explicit Materials(std::vector<Material> all) : all_(std::move(all)) {}
  [[nodiscard]] const std::vector<Material>& all() const { return all_; }
  /// Place of that id among all. Throws UsageError where there is none.
  [[nodiscard]] std::size_t place_of(int id) const;
  [[nodiscard]] const Material& of(int id) const { return all_[place_of(id)]; }

 private:
  std::vector<Material> all_;
};

/// By what is requested: the name of a known material, "ideal" (of that gamma), or "NAME=FILE", a table whose name or
/// number is one of files'. Throws UsageError(subject, ...) for others, and Error for what a file does not hold.
Material open_material(const std::string& asked, const Units& units, const std::string& subject = "material",
                       double gamma = 5.0 / 3.0);
/// Those of a run: options.materials, or all known ones where `tillotson` names none; of another equation of state one
/// that follows it. Temperatures of gases are those of options.mean_weight.
Materials open_materials(const GasOptions& options, const Units& units);

}  // namespace hornbeam
