// SPDX-License-Identifier: Apache-2.0
// What stands behind a Material: its law in the user's units, as kernels take it, and what temperatures are made with.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "hornbeam/materials.h"
#include "physics/material.h"

namespace hornbeam {

struct Material::Law {
  int id = 0;
  std::string name;
  double reference_density = 0;
  double kelvin = 0;         ///< of a gas: temperature per P / rho; 0: not known
  double specific_heat = 0;  ///< of Tillotson's: energy per kelvin
  std::vector<double> cold;  ///< and u without heat, from the reference density on in steps of cold_step of ln rho
  mixed::MaterialLaw law{};
  std::vector<double> table;  ///< its numbers, from law.first = 0 on

  static constexpr double cold_step = 1.0 / 256;

  /// u of matter without heat at that density.
  [[nodiscard]] double cold_energy(double rho) const;
};

namespace materials {

/// How large the units of SI are in the user's.
struct FromSi {
  double density = 1, energy = 1, pressure = 1, speed = 1;
};
/// Throws UsageError(subject, ...) where the units have no size.
FromSi from_si(const Units& units, const std::string& subject);

/// One that follows Tillotson's equation; null where none has that name.
std::shared_ptr<Material::Law> tillotson_named(std::string_view name, const FromSi& si);
/// A table from its file; `asked`: name or number of the material. Throws Error(file, ...) for what it does not hold.
std::shared_ptr<Material::Law> table_of(const std::filesystem::path& file, const std::string& asked, const FromSi& si);
/// The number of files that a material has, by its name or as a number; -1: unknown.
int id_named(std::string_view name);

}  // namespace materials
}  // namespace hornbeam
