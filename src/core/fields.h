// SPDX-License-Identifier: Apache-2.0
// The table of particle fields: one row an array of Particles. Whatever is done to all of them goes by its rows: size,
// joining, checks, selections and units here and in analysis/ and ics/, what files hold in io/, bytes in memory/.
// CONTRIBUTING.md says how to add one.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "hornbeam/dimension.h"
#include "hornbeam/particles.h"

namespace hornbeam {

/// Which part of the program fills a field.
enum class Owner {
  particles,
  gravity,
  gas,
  collisions,
  block_steps,
  gas_in_blocks,
  snapshots,  ///< at the present time, if requested
  softened_gas,
  reconstructed_gas,
  gas_steps
};

/// Whether a field is of block steps: other steps do not go on from it.
constexpr bool is_of_blocks(Owner owner) { return owner == Owner::block_steps || owner == Owner::gas_steps; }

/// How long a field's values mean anything.
enum class Life {
  lasting,  ///< wherever the particles go
  moment,   ///< at the particles' present places; cleared once they have moved
  run       ///< only to the run that they are of
};

/// What Particles::validate() demands of each value.
enum class Rule {
  any,
  finite,
  not_negative,  ///< and finite
  family,        ///< one of family_names
  rung,          ///< 0 to HB_DEEPEST_RUNG
  number         ///< a whole number, 0 or above
};

/// Particles that have an optional field joined with some that have not.
enum class Join {
  drop,  ///< the field is dropped
  zero,  ///< those without it get 0
  gas    ///< those without it get 0 if none of them is gas, otherwise the field is dropped
};

/// When a dataset must be in a group of Gadget's HDF5 layout.
enum class Presence {
  required,  ///< in every group
  masses,    ///< unless the header's MassTable gives the type's mass
  any_type,  ///< types without it count as 0
  all_types  ///< read only where every group has it
};

/// In Gadget's HDF5 layout. place: its turn among a group's datasets, which must stay: files are the same byte for
/// byte.
struct Dataset {
  const char* name = nullptr;
  Presence presence = Presence::any_type;
  bool gas_only = false;
  int place = 100;
  std::array<const char*, 2> others{};  ///< as other codes call it: SWIFT, WoMa, EAGLE, OWLS; read only
  bool whole = false;                   ///< written as whole numbers
};

/// In tables, for a vector one an axis: the first names are written, both are read. others: none where the same.
struct ColumnNames {
  std::array<std::string_view, 3> names{}, others{};
};

/// A field, whatever its type.
struct FieldRow {
  const char* name;             ///< the member's; in checkpoints
  const char* words = nullptr;  ///< as messages say it, where that is not `name`
  Owner owner = Owner::particles;
  bool required = false;  ///< otherwise the array may be empty
  Life life = Life::lasting;
  Dimension dimension{};
  Rule rule = Rule::finite;
  Join join = Join::drop;
  bool in_checkpoints = true;
  Dataset dataset{};
  ColumnNames columns{};

  [[nodiscard]] constexpr const char* said() const { return words != nullptr ? words : name; }
};

template <class T>
struct Field {
  using Value = T;
  std::vector<T> Particles::*array;
  FieldRow row;
  T fill{};  ///< of new particles; ids count on instead
};

/// In the order of the members.
inline constexpr std::tuple fields{
    Field<Vec3>{&Particles::position,
                {.name = "position",
                 .required = true,
                 .dimension = {.length = 1},
                 .dataset = {"Coordinates", Presence::required, false, 0},
                 .columns = {{"x", "y", "z"}}}},
    Field<Vec3>{&Particles::velocity,
                {.name = "velocity",
                 .required = true,
                 .dimension = {.velocity = 1},
                 .dataset = {"Velocities", Presence::required, false, 1, {"Velocity"}},
                 .columns = {{"vx", "vy", "vz"}}}},
    Field<double>{&Particles::mass,
                  {.name = "mass",
                   .required = true,
                   .dimension = {.mass = 1},
                   .rule = Rule::not_negative,
                   .dataset = {"Masses", Presence::masses, false, 2, {"Mass", "DynamicalMasses"}},
                   .columns = {{"mass"}, {"m"}}}},
    Field<std::uint64_t>{&Particles::id,
                         {.name = "id",
                          .required = true,
                          .rule = Rule::any,
                          .dataset = {"ParticleIDs", Presence::all_types},
                          .columns = {{"id"}}}},
    Field<Family>{&Particles::family,
                  {.name = "family", .required = true, .rule = Rule::family, .columns = {{"family"}, {"type"}}},
                  Family::halo},
    Field<double>{&Particles::eps,
                  {.name = "eps",
                   .owner = Owner::gravity,
                   .dimension = {.length = 1},
                   .rule = Rule::not_negative,
                   .join = Join::zero,
                   .dataset = {"Softening", Presence::any_type, false, 3, {"Softenings"}},
                   .columns = {{"eps"}, {"softening"}}}},
    Field<double>{&Particles::internal_energy,
                  {.name = "internal_energy",
                   .words = "internal energy",
                   .owner = Owner::gas,
                   .dimension = {.velocity = 2},
                   .join = Join::gas,
                   .dataset = {"InternalEnergy", Presence::any_type, true, 6, {"InternalEnergies"}},
                   .columns = {{"internal_energy"}, {"u"}}}},
    Field<double>{&Particles::density,
                  {.name = "density",
                   .owner = Owner::gas,
                   .dimension = {.length = -3, .mass = 1},
                   .rule = Rule::not_negative,
                   .join = Join::gas,
                   .dataset = {"Density", Presence::any_type, true, 7, {"Densities"}},
                   .columns = {{"density"}, {"rho"}}}},
    Field<double>{&Particles::smoothing_length,
                  {.name = "smoothing_length",
                   .words = "smoothing length",
                   .owner = Owner::gas,
                   .dimension = {.length = 1},
                   .rule = Rule::not_negative,
                   .join = Join::gas,
                   .dataset = {"SmoothingLength", Presence::any_type, true, 8, {"SmoothingLengths"}},
                   .columns = {{"smoothing_length"}, {"hsml"}}}},
    Field<double>{&Particles::material,
                  {.name = "material",
                   .owner = Owner::gas,
                   .rule = Rule::number,
                   .join = Join::zero,
                   .dataset = {"MaterialIDs", Presence::any_type, true, 11, {}, true},
                   .columns = {{"material"}}}},
    Field<double>{&Particles::pressure,
                  {.name = "pressure",
                   .owner = Owner::gas,
                   .life = Life::moment,
                   .dimension = {.length = -3, .mass = 1, .velocity = 2},
                   .in_checkpoints = false,
                   .dataset = {"Pressure", Presence::any_type, true, 12, {"Pressures"}},
                   .columns = {{"pressure"}}}},
    Field<double>{&Particles::temperature,
                  {.name = "temperature",
                   .owner = Owner::gas,
                   .life = Life::moment,
                   .in_checkpoints = false,
                   .dataset = {"Temperature", Presence::any_type, true, 13, {"Temperatures"}},
                   .columns = {{"temperature"}}}},
    Field<double>{&Particles::radius,
                  {.name = "radius",
                   .owner = Owner::collisions,
                   .dimension = {.length = 1},
                   .rule = Rule::not_negative,
                   .join = Join::zero,
                   .dataset = {"Radius", Presence::any_type, false, 9},
                   .columns = {{"radius"}}}},
    Field<Vec3>{&Particles::spin,
                {.name = "spin",
                 .owner = Owner::collisions,
                 .dimension = {.length = -1, .velocity = 1},
                 .join = Join::zero,
                 .dataset = {"Spin", Presence::any_type, false, 10},
                 .columns = {{"spin_x", "spin_y", "spin_z"}, {"wx", "wy", "wz"}}}},
    Field<Vec3>{&Particles::acceleration,
                {.name = "acceleration",
                 .owner = Owner::gravity,
                 .life = Life::moment,
                 .dimension = {.length = -1, .velocity = 2},
                 .dataset = {"Acceleration", Presence::all_types, false, 5},
                 .columns = {{"ax", "ay", "az"}}}},
    Field<double>{&Particles::potential,
                  {.name = "potential",
                   .owner = Owner::gravity,
                   .life = Life::moment,
                   .dimension = {.velocity = 2},
                   .dataset = {"Potential", Presence::all_types, false, 4, {"Potentials"}},
                   .columns = {{"potential"}, {"phi"}}}},
    Field<double>{&Particles::time_step,
                  {.name = "time_step",
                   .words = "time step",
                   .owner = Owner::snapshots,
                   .life = Life::moment,
                   .dimension = {.length = 1, .velocity = -1},
                   .rule = Rule::not_negative,
                   .in_checkpoints = false,
                   .dataset = {"TimeStep", Presence::any_type, false, 14}}},
    Field<std::uint8_t>{&Particles::rung,
                        {.name = "rung", .owner = Owner::block_steps, .life = Life::run, .rule = Rule::rung}},
    Field<std::uint8_t>{
        &Particles::rung_before,
        {.name = "rung_before", .words = "rung", .owner = Owner::block_steps, .life = Life::run, .rule = Rule::rung}},
    Field<Vec3>{&Particles::acceleration_before,
                {.name = "acceleration_before",
                 .words = "earlier acceleration",
                 .owner = Owner::block_steps,
                 .life = Life::run,
                 .dimension = {.length = -1, .velocity = 2}}},
    Field<double>{&Particles::internal_energy_rate,
                  {.name = "internal_energy_rate",
                   .words = "change of internal energy",
                   .owner = Owner::gas,
                   .life = Life::run,
                   .dimension = {.length = -1, .velocity = 3}}},
    Field<double>{&Particles::viscosity,
                  {.name = "viscosity", .owner = Owner::gas, .life = Life::run, .rule = Rule::not_negative}},
    Field<double>{&Particles::velocity_divergence,
                  {.name = "velocity_divergence",
                   .words = "divergence of velocity",
                   .owner = Owner::gas,
                   .life = Life::run,
                   .dimension = {.length = -1, .velocity = 1}}},
    Field<double>{&Particles::signal_speed,
                  {.name = "signal_speed",
                   .words = "signal speed",
                   .owner = Owner::gas,
                   .life = Life::run,
                   .dimension = {.velocity = 1},
                   .rule = Rule::not_negative}},
    Field<double>{&Particles::grad_h,
                  {.name = "grad_h", .words = "grad-h factor", .owner = Owner::gas, .life = Life::run}},
    Field<double>{&Particles::softening_zeta,
                  {.name = "softening_zeta",
                   .words = "change of softening",
                   .owner = Owner::softened_gas,
                   .life = Life::run,
                   .dimension = {.length = 2}}},
    Field<Vec3>{&Particles::velocity_stretch,
                {.name = "velocity_stretch",
                 .words = "rates of strain along the axes",
                 .owner = Owner::reconstructed_gas,
                 .life = Life::run,
                 .dimension = {.length = -1, .velocity = 1}}},
    Field<Vec3>{&Particles::velocity_shear,
                {.name = "velocity_shear",
                 .words = "rates of strain between the axes",
                 .owner = Owner::reconstructed_gas,
                 .life = Life::run,
                 .dimension = {.length = -1, .velocity = 1}}},
    Field<Vec3>{&Particles::pull_begun,
                {.name = "pull_begun",
                 .words = "earlier pull",
                 .owner = Owner::gas_steps,
                 .life = Life::run,
                 .dimension = {.length = -1, .velocity = 2}}},
    Field<double>{&Particles::step_before,
                  {.name = "step_before",
                   .words = "length of the last step",
                   .owner = Owner::gas_steps,
                   .life = Life::run,
                   .dimension = {.length = 1, .velocity = -1},
                   .rule = Rule::not_negative}},
    Field<double>{&Particles::step_begun,
                  {.name = "step_begun",
                   .words = "beginning of its step",
                   .owner = Owner::gas_in_blocks,
                   .life = Life::run,
                   .in_checkpoints = false}},
};

/// act(field) for each.
template <class Act>
constexpr void for_each_field(const Act& act) {
  std::apply([&](const auto&... each) { (act(each), ...); }, fields);
}

/// act(array, row) for each; particles may be const.
template <class ParticlesRef, class Act>
void for_each_array(ParticlesRef& particles, const Act& act) {
  for_each_field([&](const auto& field) { act(particles.*field.array, field.row); });
}

/// The row of a member.
template <class T>
constexpr const FieldRow& row_of(std::vector<T> Particles::*array) {
  const FieldRow* found = nullptr;
  for_each_field([&](const auto& field) {
    if constexpr (std::is_same_v<decltype(field), const Field<T>&>) {
      if (field.array == array) found = &field.row;
    }
  });
  return *found;
}

/// Bytes a particle in the fields whose row is `chosen`.
template <class Chosen>
constexpr double field_bytes(const Chosen& chosen) {
  double sum = 0;
  for_each_field([&](const auto& field) {
    if (chosen(field.row)) sum += sizeof(typename std::decay_t<decltype(field)>::Value);
  });
  return sum;
}

/// A particle's rung beyond the `deepest`, the first of its field; none where all are within it.
struct DeepRung {
  std::size_t particle;
  int rung;
};
std::optional<DeepRung> first_rung_beyond(const Particles& particles, double deepest);

/// Those particles, in that order.
Particles selected(const Particles& particles, const std::vector<std::size_t>& places);

namespace detail {

/// Each row is of another member, and each member has one.
constexpr bool rows_are_the_members() {
  std::size_t bytes = 0, rows_of_a_member = 0;
  for_each_field([&](const auto& a) {
    bytes += sizeof(std::vector<typename std::decay_t<decltype(a)>::Value>);
    for_each_field([&](const auto& b) {
      if constexpr (std::is_same_v<decltype(a), decltype(b)>) rows_of_a_member += a.array == b.array ? 1 : 0;
    });
  });
  return bytes == sizeof(Particles) && rows_of_a_member == std::tuple_size_v<decltype(fields)>;
}

}  // namespace detail
static_assert(detail::rows_are_the_members(), "a member of Particles has no row in the table of fields, or two");

}  // namespace hornbeam
