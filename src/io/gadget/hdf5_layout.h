// SPDX-License-Identifier: Apache-2.0
// The datasets of a PartTypeN group: for the reader and the writer of Gadget's HDF5 layout.
#pragma once

#include <array>
#include <string>

#include "io/tables/number_field.h"

namespace hornbeam::io::gadget_hdf5 {

/// The rows of the table of fields that have a dataset, in the order in which these are written.
constexpr auto datasets_in_order() {
  constexpr auto has_dataset = [](const NumberField& field) { return field.row->dataset.name != nullptr; };
  constexpr std::size_t count = [=] {
    std::size_t n = 0;
    for_each_number_field([&](const NumberField& field) { n += has_dataset(field) ? 1 : 0; });
    return n;
  }();
  std::array<NumberField, count> ordered{};
  std::size_t n = 0;
  for_each_number_field([&](const NumberField& field) {
    if (!has_dataset(field)) return;
    std::size_t to = n++;
    for (; to > 0 && field.row->dataset.place < ordered[to - 1].row->dataset.place; --to) ordered[to] = ordered[to - 1];
    ordered[to] = field;
  });
  return ordered;
}
inline constexpr auto datasets = datasets_in_order();
inline constexpr const NumberField& coordinates = datasets[0];

inline constexpr const char* ids = row_of(&Particles::id).dataset.name;
inline constexpr const char* length_unit = "UnitLength_in_cm";
inline constexpr const char* mass_unit = "UnitMass_in_g";
inline constexpr const char* velocity_unit = "UnitVelocity_in_cm_per_s";
inline constexpr const char* gravity = "GravityConstantInternal";  ///< Gadget's name for G where it is prescribed

inline constexpr const char* record_group = "Hornbeam";    ///< what made the file, for which Gadget has no place
inline constexpr const char* record = "Record";            ///< text in it
inline constexpr const char* boundary_group = "Boundary";  ///< a group in it

inline constexpr const char* equation_of_state = "EquationOfState";  ///< is in every file that says how gas flowed

/// text(name, value) and number(name, value) for the attributes of Parameters that say how gas flowed.
template <class Gas, class Text, class Number>
void for_each_gas_parameter(Gas& gas, const Text& text, const Number& number) {
  text("KernelName", gas.kernel);
  number("NeighbourNumber", gas.neighbours);
  text(equation_of_state, gas.equation_of_state);
  number("Gamma", gas.gamma);
  number("MeanMolecularWeight", gas.mean_weight);
  text("Viscosity", gas.viscosity);
  number("ViscosityAlpha", gas.alpha);
  number("ViscosityBeta", gas.beta);
  number("CourantFactor", gas.courant);
}

inline std::string group_name(std::size_t family) { return "PartType" + std::to_string(family); }

}  // namespace hornbeam::io::gadget_hdf5
