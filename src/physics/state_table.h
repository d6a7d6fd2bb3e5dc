// SPDX-License-Identifier: Apache-2.0
// Equations of state that are in arrays of numbers: tables in density and internal energy, as those of SESAME and
// ANEOS, and polytropes in pieces (docs/gas.md).
#ifndef HORNBEAM_PHYSICS_STATE_TABLE_H
#define HORNBEAM_PHYSICS_STATE_TABLE_H
#include "physics/equation_of_state.h"
HB_OPEN

// A table: ln rho of each row; then for each row ln u, ln P and ln c at each column, three blocks of rows * columns;
// then ln T of each column. rho ascends, and u along each row. A column is a temperature.
#define HB_TABLE_ENERGIES(rows) (rows)
#define HB_TABLE_PRESSURES(rows, columns) ((rows) + (rows) * (columns))
#define HB_TABLE_SOUNDS(rows, columns) ((rows) + 2 * (rows) * (columns))
#define HB_TABLE_TEMPERATURES(rows, columns) ((rows) + 3 * (rows) * (columns))
#define HB_TABLE_SIZE(rows, columns) ((rows) + 3 * (rows) * (columns) + (columns))

/// Between which entries of ascending numbers a value lies: number `at` and the next, at `part` of the way.
typedef struct {
  i32 at;
  pos_t part;    ///< 0 to 1
  pos_t beyond;  ///< how far it is below the first (below 0) or above the last
} TablePlace;

HB_FN TablePlace place_among(HB_GLOBAL const pos_t* ascending, i32 count, pos_t value) {
  TablePlace place;
  i32 low = 0, high = count - 1;
  while (high - low > 1) {
    const i32 middle = (low + high) / 2;
    if (ascending[middle] <= value) {
      low = middle;
    } else {
      high = middle;
    }
  }
  const pos_t width = ascending[low + 1] - ascending[low];
  const pos_t part = width > 0 ? (value - ascending[low]) / width : (pos_t)(value < ascending[low] ? 0 : 1);
  place.at = low;
  place.part = hb_min(hb_max(part, (pos_t)0), (pos_t)1);
  place.beyond = hb_min(value - ascending[0], (pos_t)0) + hb_max(value - ascending[count - 1], (pos_t)0);
  return place;
}

HB_FN pos_t at_place(HB_GLOBAL const pos_t* values, TablePlace place) {
  return values[place.at] + place.part * (values[place.at + 1] - values[place.at]);
}

/// Bilinear in ln rho and ln u. Thinner or denser than all rows P goes with rho, hotter than all columns P with u and
/// c with its root; colder than all, matter is as in the coldest.
typedef struct {
  TablePlace row, low, high;  ///< low, high: the column in this row and in the next
} StatePlace;

HB_FN StatePlace place_in_table(HB_GLOBAL const pos_t* table, i32 rows, i32 columns, pos_t rho, pos_t u) {
  StatePlace place;
  HB_GLOBAL const pos_t* energies = table + HB_TABLE_ENERGIES(rows);
  const pos_t log_u = u > 0 ? hb_log(u) : (pos_t)-1e30f;
  place.row = place_among(table, rows, hb_log(rho));
  place.low = place_among(energies + place.row.at * columns, columns, log_u);
  place.high = place_among(energies + (place.row.at + 1) * columns, columns, log_u);
  return place;
}

HB_FN pos_t in_table(HB_GLOBAL const pos_t* values, i32 columns, StatePlace place) {
  const pos_t low = at_place(values + place.row.at * columns, place.low);
  const pos_t high = at_place(values + (place.row.at + 1) * columns, place.high);
  return low + place.row.part * (high - low);
}

HB_FN GasState table_state(HB_GLOBAL const pos_t* table, i32 rows, i32 columns, pos_t rho, pos_t u) {
  const StatePlace place = place_in_table(table, rows, columns, rho, u);
  const pos_t hotter = hb_max((1 - place.row.part) * place.low.beyond + place.row.part * place.high.beyond, (pos_t)0);
  GasState state;
  state.pressure =
      hb_exp(in_table(table + HB_TABLE_PRESSURES(rows, columns), columns, place) + place.row.beyond + hotter);
  state.sound = hb_exp(in_table(table + HB_TABLE_SOUNDS(rows, columns), columns, place) + hotter / 2);
  return state;
}

/// Of each piece: the density at which it begins, gamma, K and what its energy has beyond its own work.
#define HB_PIECE_NUMBERS 4

HB_FN HB_GLOBAL const pos_t* piece_at(HB_GLOBAL const pos_t* pieces, i32 count, pos_t rho) {
  i32 k = count - 1;
  while (k > 0 && pieces[HB_PIECE_NUMBERS * k] > rho) --k;
  return pieces + HB_PIECE_NUMBERS * k;
}

HB_FN GasState piecewise_state(HB_GLOBAL const pos_t* pieces, i32 count, pos_t rho) {
  HB_GLOBAL const pos_t* piece = piece_at(pieces, count, rho);
  const pos_t over_rho = piece[2] * hb_pow(rho, piece[1] - 1);
  GasState state;
  state.pressure = over_rho * rho;
  state.sound = hb_sqrt(piece[1] * over_rho);
  return state;
}

/// The work done on the way from rho = 0 through all pieces but those with gamma 1, which radiate it.
HB_FN pos_t piecewise_energy(HB_GLOBAL const pos_t* pieces, i32 count, pos_t rho) {
  HB_GLOBAL const pos_t* piece = piece_at(pieces, count, rho);
  const pos_t own = piece[1] > 1 ? piece[2] * hb_pow(rho, piece[1] - 1) / (piece[1] - 1) : (pos_t)0;
  return piece[3] + own;
}

HB_CLOSE
#endif
