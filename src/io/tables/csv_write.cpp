// SPDX-License-Identifier: Apache-2.0
// Writes text tables: every number in the shortest form that reads back to the same bits.
#include <algorithm>
#include <charconv>

#include "hornbeam/error.h"
#include "hornbeam/units.h"
#include "io/layout.h"
#include "io/tables/csv.h"
#include "io/tables/csv_columns.h"

namespace hornbeam::io {
namespace {

bool holds(const Particles& particles, const NumberColumn& column) { return !column.field.empty(particles); }

double number_at(const Particles& particles, const NumberColumn& column, std::size_t row) {
  return column.field.at(particles, row)[column.axis];
}

/// One line, filled field by field.
class Line {
 public:
  explicit Line(char delimiter) : delimiter_(delimiter) {}

  template <class Number>
  void add_number(Number value) {
    char digits[32];  // the longest shortest double takes 24
    add({digits, std::to_chars(digits, digits + sizeof(digits), value).ptr});
  }
  void add(std::string_view field) {
    if (!text_.empty()) text_ += delimiter_;
    text_ += field;
  }
  void write(FileWriter& out) {
    text_ += '\n';
    out.write(text_);
    text_.clear();
  }

 private:
  char delimiter_;
  std::string text_;
};

std::vector<std::size_t> columns_to_write(const Particles& particles, Columns columns) {
  std::vector<std::size_t> chosen = fixed_columns(columns);
  if (columns != Columns::header) return chosen;
  for (std::size_t i = required_columns; i < number_columns.size(); ++i) {
    if (holds(particles, number_columns[i])) chosen.push_back(i);
  }
  return chosen;
}

/// "x [kpc]"; the name alone where units are not physical.
std::string heading(const NumberColumn& column, const Units& units) {
  const Dimension& d = column.field.row->dimension;
  const std::string unit = unit_name(units, d.length, d.mass, d.velocity);
  return std::string(column.name) + (unit.empty() ? "" : " [" + unit + "]");
}

std::vector<std::string> losses(const Snapshot& snapshot, Columns columns) {
  std::vector<std::string> lost;
  const Particles& p = snapshot.particles;
  const std::string name = columns == Columns::header ? "csv" : columns == Columns::galactics ? "galactics" : "agama";
  add_if(lost, snapshot.units.physical && columns != Columns::header,
         "text without a header: units are not stored; the numbers are in " + described(snapshot.units));
  add_if(lost, snapshot.time != 0, name + ": the time is not stored");
  add_lost_box(lost, snapshot, name);
  add_lost_gas(lost, snapshot, name);
  if (columns == Columns::header) return lost;
  lost.emplace_back("text without a header: ids and families are dropped");
  add_if(lost, !p.eps.empty(), "text without a header: per-particle softening is dropped");
  const bool more = std::any_of(number_columns.begin() + required_columns, number_columns.end(),
                                [&](const NumberColumn& c) { return c.name != eps_column && holds(p, c); });
  add_if(lost, more, "text without a header: only masses, positions and velocities are kept");
  return lost;
}

}  // namespace

std::vector<std::string> write_csv(FileWriter& out, const Snapshot& snapshot, Columns columns,
                                   const std::string& subject) {
  const Particles& particles = snapshot.particles;
  const bool named = columns == Columns::header;
  const std::vector<std::size_t> chosen = columns_to_write(particles, columns);
  if (!named && particles.size() == 0) {
    throw Error(subject, "there are no particles, and a table without a header would be empty", "choose csv");
  }
  Line line(named ? ',' : ' ');
  if (named) {
    for (const std::size_t c : chosen) line.add(heading(number_columns[c], snapshot.units));
    line.add(id_column);
    line.add(family_column);
    line.write(out);
  }
  for (std::size_t i = 0; i < particles.size(); ++i) {
    for (const std::size_t c : chosen) line.add_number(number_at(particles, number_columns[c], i));
    if (named) {
      line.add_number(particles.id[i]);
      line.add(family_names[static_cast<std::size_t>(particles.family[i])]);
    }
    line.write(out);
  }
  return losses(snapshot, columns);
}

}  // namespace hornbeam::io
