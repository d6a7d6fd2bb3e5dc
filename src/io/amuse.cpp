// SPDX-License-Identifier: Apache-2.0
// AMUSE's HDF5: /data/0000000001 (or /particles/...) with the keys and an array for each attribute, its unit as text.
#include "io/amuse.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/fields.h"
#include "core/shown_text.h"
#include "hornbeam/error.h"
#include "hornbeam/units.h"
#include "io/layout.h"
#include "io/tables/csv_columns.h"

namespace hornbeam::io {
namespace {

constexpr std::size_t longest_unit = 4096;

const char* sets_group(const Hdf5Group& root) { return root.has("data") ? "data" : "particles"; }

/// Replaces every `from` in the text.
void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

bool is_of_nbody(const std::string& unit) {
  return unit.find("nbody") != std::string::npos || unit.find("generic") != std::string::npos;
}

/// "m/s" for AMUSE's words of SI units; other words stay.
std::string plain_unit(std::string unit) {
  replace_all(unit, "system.get('S.I.').", "");
  replace_all(unit, "base('", "");
  replace_all(unit, "')", "");
  for (const auto& [name, plain] : {std::pair("length", "m"), {"mass", "kg"}, {"time", "s"}}) {
    replace_all(unit, name, plain);
  }
  return unit;
}

/// A column of the table of fields, with what its numbers are multiplied by.
struct Attribute {
  const NumberColumn* column;
  std::string unit;
};

class Set {
 public:
  Set(Hdf5Group set, std::uint64_t count) : values_(set.open("attributes")), set_(std::move(set)), count_(count) {}

  Snapshot read() {
    find_columns();
    snapshot_.notes.emplace_back("AMUSE's HDF5 of a particle set");
    assign_families(snapshot_.particles, {0, count_, 0, 0, 0, 0}, static_cast<double>(found_.size()) * sizeof(double));
    set_units();
    for (const Attribute& attribute : found_) read(attribute);
    if (set_.has("keys")) {
      set_.read("keys", count_, snapshot_.particles.id.data());
    } else {
      snapshot_.notes.emplace_back("no keys: particles are numbered in file order");
    }
    return std::move(snapshot_);
  }

 private:
  void find_columns() {
    std::string unread;
    for (const std::string& name : values_.names()) {
      const auto column = std::find_if(number_columns.begin(), number_columns.end(),
                                       [&](const NumberColumn& c) { return c.name == name || c.other_name == name; });
      if (column == number_columns.end()) {
        unread += (unread.empty() ? "" : ", ") + shown(name);
      } else {
        found_.push_back({&*column, values_.text_of(name, "units", longest_unit)});
      }
    }
    add_if(snapshot_.notes, !unread.empty(), "attributes that are not read: " + unread);
    for (std::size_t i = 0; i < required_columns; ++i) {
      if (values_.has(std::string(number_columns[i].name))) continue;
      throw Error(values_.subject(), "is an AMUSE particle set without " + std::string(number_columns[i].name),
                  "needed: x y z vx vy vz mass");
    }
  }

  [[nodiscard]] Quantity quantity_of(std::string_view name) const {
    const auto found =
        std::find_if(found_.begin(), found_.end(), [&](const Attribute& a) { return a.column->name == name; });
    const std::string about = values_.path() + "/" + std::string(name);
    try {
      return quantity_from(plain_unit(found->unit), about);
    } catch (const UsageError& wrong) {
      throw Error(values_.subject(), std::string("unit of ") + wrong.what());
    }
  }

  void set_units() {
    snapshot_.has_units = true;
    if (is_of_nbody(values_.text_of("x", "units", longest_unit))) return;
    const Quantity x = quantity_of("x"), m = quantity_of("mass"), v = quantity_of("vx");
    const bool fit = x.length == 1 && x.mass == 0 && x.time == 0 && m.length == 0 && m.mass == 1 && m.time == 0 &&
                     v.length == 1 && v.mass == 0 && v.time == -1;
    if (!fit) throw Error(values_.subject(), "units of x, mass and vx are not a length, a mass and a velocity");
    snapshot_.units = physical_units(x.cgs, m.cgs, v.cgs);
  }

  [[nodiscard]] double factor_of(const Attribute& attribute) const {
    const Units& u = snapshot_.units;
    const Dimension& d = attribute.column->field.row->dimension;
    if (!u.physical) return 1;
    const Quantity q = quantity_of(attribute.column->name);
    if (q.length != d.length + d.velocity || q.mass != d.mass || q.time != -d.velocity) {
      throw Error(values_.subject(), values_.path() + "/" + std::string(attribute.column->name) + " has the unit " +
                                         shown(attribute.unit) + ", which does not fit its quantity");
    }
    const double factor = q.cgs / d.unit(u.length_cm, u.mass_g, u.velocity_cm_per_s);
    constexpr double same = 1e-14;  // products of the same factors in another order
    return std::abs(factor - 1) < same ? 1.0 : factor;
  }

  void read(const Attribute& attribute) {
    const NumberColumn& column = *attribute.column;
    const std::string name(values_.has(std::string(column.name)) ? column.name : column.other_name);
    std::vector<double> numbers(count_);
    values_.read(name, count_, 1, numbers.data());
    const double factor = factor_of(attribute);
    column.field.resize(snapshot_.particles, count_);
    for (std::size_t i = 0; i < count_; ++i) {
      column.field.at(snapshot_.particles, i)[column.axis] = numbers[i] * factor;
    }
  }

  Hdf5Group values_, set_;
  std::uint64_t count_;
  Snapshot snapshot_;
  std::vector<Attribute> found_;
};

}  // namespace

bool is_amuse(const Hdf5Group& root) {
  if (root.has("AMUSE_INF")) return true;
  if (root.has("Header") || root.has("Checkpoint") || !root.has("particles")) return false;
  const std::vector<std::string> sets = root.open("particles").names();
  constexpr std::size_t digits = 10;
  return !sets.empty() && sets.front().size() == digits &&
         sets.front().find_first_not_of("0123456789") == std::string::npos;
}

Snapshot read_amuse(const Hdf5Group& root) {
  if (!root.has(sets_group(root))) throw Error(root.subject(), "is an AMUSE file without particle sets");
  const Hdf5Group sets = root.open(sets_group(root));
  const std::vector<std::string> names = sets.names();
  if (names.empty()) throw Error(root.subject(), "is an AMUSE file without particle sets");
  Hdf5Group set = sets.open(names.back());
  const std::uint64_t count = set.counts("number_of_particles", 1).front();
  if (!set.has("attributes")) throw Error(root.subject(), set.path() + "/attributes is missing");
  set.open("attributes").check_numbers("x", count, 1);
  Snapshot snapshot = Set(std::move(set), count).read();
  add_if(snapshot.notes, names.size() > 1,
         "the last of its " + std::to_string(names.size()) + " sets is read, " + names.back());
  return snapshot;
}

}  // namespace hornbeam::io
