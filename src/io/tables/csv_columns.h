// SPDX-License-Identifier: Apache-2.0
// The columns a text table may have: for its reader and its writer.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "hornbeam/io.h"
#include "io/tables/number_field.h"

namespace hornbeam::io {

/// A column of numbers: one axis of a field.
struct NumberColumn {
  std::string_view name, other_name;  ///< the first is written, both are read
  NumberField field;
  std::size_t axis = 0;
};

constexpr bool has_columns(const NumberField& field) { return !field.row->columns.names[0].empty(); }

/// Of the table of fields, in its order: those every table has first.
constexpr auto columns_of_fields() {
  constexpr std::size_t count = [] {
    std::size_t n = 0;
    for_each_number_field([&](const NumberField& field) { n += has_columns(field) ? field.columns() : 0; });
    return n;
  }();
  std::array<NumberColumn, count> columns{};
  std::size_t n = 0;
  for_each_number_field([&](const NumberField& field) {
    if (!has_columns(field)) return;
    for (std::size_t axis = 0; axis < field.columns(); ++axis) {
      NumberColumn& column = columns[n++];
      column.name = field.row->columns.names[axis];
      column.other_name = field.row->columns.others[axis];
      if (column.other_name.empty()) column.other_name = column.name;
      column.field = field;
      column.axis = axis;
    }
  });
  return columns;
}
inline constexpr auto number_columns = columns_of_fields();
inline constexpr std::size_t required_columns = 7;  ///< x y z vx vy vz mass
static_assert(number_columns[required_columns - 1].field.row->required &&
              !number_columns[required_columns].field.row->required);

inline constexpr std::string_view eps_column = row_of(&Particles::eps).columns.names[0];
inline constexpr std::string_view id_column = row_of(&Particles::id).columns.names[0];
/// Holds family_names; numbers 0 to 5 are read, too.
inline constexpr std::string_view family_column = row_of(&Particles::family).columns.names[0],
                                  family_column_other = row_of(&Particles::family).columns.others[0];

/// Indices into number_columns in the order of a table without a header.
inline std::vector<std::size_t> fixed_columns(Columns columns) {
  if (columns == Columns::galactics) return {6, 0, 1, 2, 3, 4, 5};
  return {0, 1, 2, 3, 4, 5, 6};
}

}  // namespace hornbeam::io
