// SPDX-License-Identifier: Apache-2.0
// Reads snapshots from NumPy's arrays: names and shapes show what each array is.
#include "io/arrays/numpy.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <span>
#include <type_traits>

#include "hornbeam/error.h"
#include "hornbeam/gas.h"
#include "hornbeam/units.h"
#include "io/arrays/npy.h"
#include "io/arrays/zip.h"
#include "io/layout.h"
#include "memory/particles.h"

namespace hornbeam::io {
namespace {

constexpr int whole_vector = -1;

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  return lower;
}

/// What people call arrays, besides the names of fields, their columns and Gadget's datasets.
constexpr std::array<std::array<std::string_view, 2>, 10> usual_names{{{"pos", "position"},
                                                                       {"positions", "position"},
                                                                       {"xyz", "position"},
                                                                       {"vel", "velocity"},
                                                                       {"v", "velocity"},
                                                                       {"acc", "acceleration"},
                                                                       {"accelerations", "acceleration"},
                                                                       {"pot", "potential"},
                                                                       {"ids", "id"},
                                                                       {"families", "family"}}};

/// A field, or one axis of it.
struct FieldPart {
  const FieldRow* row = nullptr;
  int axis = whole_vector;
  friend bool operator==(const FieldPart&, const FieldPart&) = default;
};

FieldPart part_named(std::string_view name) {
  std::string lower = lower_case(name);
  for (const auto& [usual, field] : usual_names) {
    if (lower == usual) lower = field;
  }
  FieldPart found;
  for_each_field([&](const auto& field) {
    const FieldRow& row = field.row;
    if (row.life == Life::run) return;
    const bool by_dataset = row.dataset.name != nullptr && lower == lower_case(row.dataset.name);
    if (lower == row.name || by_dataset) found = {&row, whole_vector};
    for (const auto& names : {row.columns.names, row.columns.others}) {
      const auto axis = std::find(names.begin(), names.end(), lower) - names.begin();
      if (lower.empty() || axis == std::ssize(names)) continue;
      found = {&row, row.columns.names[1].empty() ? whole_vector : static_cast<int>(axis)};
    }
  });
  return found;
}

GasParameters& gas_of(Snapshot& snapshot) {
  if (!snapshot.gas) snapshot.gas.emplace().equation_of_state = name(EquationOfState::ideal);
  return *snapshot.gas;
}

/// Values of the snapshot that an array of that name holds: one, without dimensions, or three.
std::span<double> setting_named(Snapshot& snapshot, Vec3& ghosts, std::string_view name) {
  const std::string lower = lower_case(name);
  const auto one = [](double& value) { return std::span<double>(&value, 1); };
  if (lower == "time") return one(snapshot.time);
  if (lower == "box_size" || lower == "boxsize") return one(snapshot.box_size);
  if (lower == boundary_names[0]) return snapshot.boundary.size;
  if (lower == boundary_names[1]) return ghosts;
  if (lower == boundary_names[2]) return one(snapshot.boundary.omega);
  if (lower == boundary_names[3]) return one(snapshot.boundary.omega_z);
  if (lower == gamma_name) return one(gas_of(snapshot).gamma);
  if (lower == mean_weight_name) return one(gas_of(snapshot).mean_weight);
  if (lower == "g") return one(snapshot.units.G);
  if (lower == "length_cm") return one(snapshot.units.length_cm);
  if (lower == "mass_g") return one(snapshot.units.mass_g);
  if (lower == "velocity_cm_per_s") return one(snapshot.units.velocity_cm_per_s);
  return {};
}

/// Fills a field of n particles from an array: (n), or (n, 3) for whole vectors; a single number is that of each.
class Filler {
 public:
  Filler(const NpyArray& array, std::size_t n, int axis, std::string subject)
      : array_(array), n_(n), axis_(axis), subject_(std::move(subject)) {}

  void operator()(std::vector<Vec3>& to) const {
    demand_shape(axis_ == whole_vector ? 3 : 1);
    to.resize(n_);
    for (std::size_t i = 0; i < n_; ++i) {
      if (axis_ != whole_vector) to[i][static_cast<std::size_t>(axis_)] = array_.number(i);
      for (std::size_t k = 0; axis_ == whole_vector && k < 3; ++k) to[i][k] = array_.number(i, k);
    }
  }
  void operator()(std::vector<double>& to) const {
    const bool one_for_all = array_.shape.empty();
    if (!one_for_all) demand_shape(1);
    to.resize(n_);
    for (std::size_t i = 0; i < n_; ++i) to[i] = array_.number(one_for_all ? 0 : i);
  }
  void operator()(std::vector<std::uint64_t>& to) const {
    fill_whole(to, ~std::uint64_t{0}, "whole numbers of 0 or more");
  }
  void operator()(std::vector<Family>& to) const { fill_whole(to, family_count - 1, "numbers from 0 to 5"); }
  void operator()(std::vector<std::uint8_t>& to) const { fill_whole(to, 255, "numbers from 0 to 255"); }

 private:
  template <class T>
  void fill_whole(std::vector<T>& to, std::uint64_t largest, const char* allowed) const {
    demand_shape(1);
    to.resize(n_);
    for (std::size_t i = 0; i < n_; ++i) {
      std::uint64_t value = 0;
      if (!array_.whole(i, value) || value > largest) {
        throw Error(subject_, "its entry " + std::to_string(i) + " is not allowed", "must be " + std::string(allowed));
      }
      to[i] = static_cast<T>(value);
    }
  }
  void demand_shape(std::uint64_t columns) const {
    if (array_.has_shape(n_, columns)) return;
    const std::string needed = std::to_string(n_) + (columns == 1 ? ",)" : ", " + std::to_string(columns) + ")");
    throw Error(subject_, "has the shape " + array_.shape_text(), "must be (" + needed);
  }

  const NpyArray& array_;
  std::size_t n_;
  int axis_;
  std::string subject_;
};

/// Whether positions are enough, or the names of the absent fields that are not.
std::string refused(const std::vector<const FieldRow*>& absent, Lacking lacking) {
  std::string names;
  for (const FieldRow* row : absent) {
    if (lacking == Lacking::refused || !can_be_assumed(*row)) names += " " + std::string(row->name);
  }
  return names;
}

void demand_room(std::uint64_t n, double optional_bytes) { memory::demand(n, memory::reading(optional_bytes)); }

/// The particles of one table of numbers.
Snapshot read_table(const NpyArray& array, const std::string& subject, Lacking lacking) {
  const std::uint64_t columns = array.columns();
  if (array.shape.size() != 2 || !(columns == 3 || columns == 4 || columns == 6 || columns == 7)) {
    throw Error(subject, "is a NumPy array of the shape " + array.shape_text(),
                "give a row for each particle (x y z, x y z mass, x y z vx vy vz or x y z vx vy vz mass), or an .npz "
                "of named arrays");
  }
  const bool has_mass = columns == 4 || columns == 7, has_velocity = columns >= 6;
  std::vector<const FieldRow*> absent;
  if (!has_velocity) absent.push_back(&row_of(&Particles::velocity));
  if (!has_mass) absent.push_back(&row_of(&Particles::mass));
  const std::string missing = refused(absent, lacking);
  if (!missing.empty()) {
    throw Error(subject, "is a NumPy array of " + std::to_string(columns) + " columns, without" + missing,
                "needed: x y z vx vy vz mass");
  }
  const std::uint64_t n = array.rows();
  demand_room(n, 0);
  Snapshot snapshot;
  const char* velocity = has_velocity ? " vx vy vz" : "";
  snapshot.notes.push_back(std::string("a NumPy array, columns x y z") + velocity + (has_mass ? " mass" : ""));
  Particles& p = snapshot.particles;
  p.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < 3; ++k) p.position[i][k] = array.number(i, k);
    for (std::size_t k = 0; has_velocity && k < 3; ++k) p.velocity[i][k] = array.number(i, k + 3);
    if (has_mass) p.mass[i] = array.number(i, columns - 1);
  }
  for (const FieldRow* row : absent) assume(snapshot, *row);
  return snapshot;
}

/// Named arrays, one after the other: no two are unpacked at once.
class Archive {
 public:
  Archive(Bytes file, const std::string& subject, Lacking lacking)
      : file_(file), subject_(subject), lacking_(lacking) {}

  Snapshot read() {
    const std::vector<ZipMember> members = zip_members(file_, subject_);
    if (members.size() == 1 && members[0].name == "arr_0.npy") {  // as np.savez calls an array without a name
      return with_array(members[0], [&](const NpyArray& array) { return read_table(array, subject_, lacking_); });
    }
    snapshot_.notes.emplace_back("NumPy's arrays by name");
    for (const ZipMember& member : members) sort_out(member);
    const std::vector<const FieldRow*> absent = absent_fields();
    allocate();
    for (const Found& found : found_) fill(found);
    for (const FieldRow* row : absent) assume(snapshot_, *row);
    check_units();
    settle_boundary();
    check_gas();
    return std::move(snapshot_);
  }

 private:
  struct Found {
    FieldPart part;
    ZipMember member;
  };

  static std::string name_of(const ZipMember& member) {
    constexpr std::string_view ending = ".npy";
    const std::string& name = member.name;
    return name.ends_with(ending) ? name.substr(0, name.size() - ending.size()) : name;
  }
  [[nodiscard]] std::string subject_of(const ZipMember& member) const {
    return subject_ + ": array " + one_line(name_of(member));
  }

  template <class Act>
  std::invoke_result_t<Act, const NpyArray&> with_array(const ZipMember& member, const Act& act) const {
    std::vector<std::byte> room;
    const std::string subject = subject_of(member);
    return act(parse_npy(zip_contents(file_, member, room, subject_), subject));
  }

  void sort_out(const ZipMember& member) {
    const std::string name = name_of(member);
    const std::span<double> setting = setting_named(snapshot_, ghosts_, name);
    if (!setting.empty()) {
      with_array(member, [&](const NpyArray& array) {
        if (array.data.size() != array.width * setting.size() || array.shape.size() > 1) {
          throw Error(subject_of(member), setting.size() == 1 ? "must be a single number" : "must be three numbers");
        }
        for (std::size_t i = 0; i < setting.size(); ++i) setting[i] = array.number(i);
        return true;
      });
      settings_.push_back(setting.data());
      return;
    }
    const FieldPart part = part_named(name);
    if (part.row == nullptr) {
      snapshot_.notes.push_back("array " + one_line(name) + " is not read");
      return;
    }
    for (const Found& other : found_) {
      if (other.part.row != part.row) continue;
      if (other.part.axis != part.axis && other.part.axis != whole_vector && part.axis != whole_vector) continue;
      throw Error(subject_, "arrays " + one_line(name_of(other.member)) + " and " + one_line(name) +
                                " both hold the same quantity, " + part.row->said());
    }
    found_.push_back({part, member});
  }

  [[nodiscard]] bool has(const FieldPart& part) const {
    return std::any_of(found_.begin(), found_.end(), [&](const Found& found) { return found.part == part; });
  }
  /// Required fields that no array represents. Throws where one of them cannot be assumed, or an axis of any is
  /// missing.
  std::vector<const FieldRow*> absent_fields() const {
    std::vector<const FieldRow*> absent;
    for_each_field([&](const auto& field) {
      const FieldRow& row = field.row;
      const int axes =
          static_cast<int>(has({&row, 0})) + static_cast<int>(has({&row, 1})) + static_cast<int>(has({&row, 2}));
      if (axes == 1 || axes == 2)
        throw Error(subject_, "lacks one or two of the three axes of " + std::string(row.said()));
      const bool numbered = &row == &row_of(&Particles::id) || &row == &row_of(&Particles::family);
      if (row.required && !numbered && axes == 0 && !has({&row, whole_vector})) absent.push_back(&row);
    });
    const std::string missing = refused(absent, lacking_);
    if (!missing.empty()) {
      throw Error(subject_, "has no array" + missing, "needed: position (N, 3), velocity (N, 3) and mass (N)");
    }
    return absent;
  }

  /// The number of particles is that of the positions.
  void allocate() {
    const FieldRow& position = row_of(&Particles::position);
    std::uint64_t n = 0;
    double optional = 0;
    for (const Found& found : found_) {
      if (found.part.row == &position) n = with_array(found.member, [](const NpyArray& array) { return array.rows(); });
      if (!found.part.row->required) optional += found.part.axis == whole_vector ? sizeof(Vec3) : sizeof(double);
    }
    demand_room(n, optional);
    snapshot_.particles.resize(n);
    add_if(snapshot_.notes, !has({&row_of(&Particles::id), whole_vector}),
           "no ids: particles are numbered in file order");
    add_if(snapshot_.notes, has({&row_of(&Particles::eps), whole_vector}), "softening per particle from the file");
  }

  void fill(const Found& found) {
    with_array(found.member, [&](const NpyArray& array) {
      const Filler filler(array, snapshot_.particles.size(), found.part.axis, subject_of(found.member));
      for_each_array(snapshot_.particles, [&](auto& values, const FieldRow& row) {
        if (&row == found.part.row) filler(values);
      });
      return true;
    });
  }

  void settle_boundary() {
    Boundary& boundary = snapshot_.boundary;
    if (std::find(settings_.begin(), settings_.end(), boundary.size.data()) == settings_.end()) {
      boundary = {};
      return;
    }
    boundary.kind = boundary.omega != 0 ? BoundaryKind::shear : BoundaryKind::periodic;
    const bool names_images = std::find(settings_.begin(), settings_.end(), ghosts_.data()) != settings_.end();
    for (std::size_t k = 0; k < 3 && names_images; ++k) {
      if (!(ghosts_[k] >= 0 && ghosts_[k] <= 1e6 && ghosts_[k] == std::floor(ghosts_[k])))
        throw Error(subject_, "has a boundary_n_ghost that is not a number of images");
      boundary.n_ghost[k] = static_cast<int>(ghosts_[k]);
    }
    try {
      boundary.validate();
    } catch (const UsageError& wrong) {
      throw Error(subject_, wrong.what());
    }
    snapshot_.box_size = boundary.cube();
  }

  void check_units() {
    Units& units = snapshot_.units;
    const auto given = [&](const double* setting) {
      return std::find(settings_.begin(), settings_.end(), setting) != settings_.end();
    };
    const std::array<const double*, 3> all{&units.length_cm, &units.mass_g, &units.velocity_cm_per_s};
    const auto count = std::count_if(all.begin(), all.end(), given);
    snapshot_.has_units = count == 3 || given(&units.G);
    if (count == 0) return;
    if (count != 3)
      throw Error(subject_, "has only some of its units", "needed: length_cm, mass_g and velocity_cm_per_s");
    for (const double* unit : all) {
      if (!(*unit > 0 && std::isfinite(*unit))) throw Error(subject_, "has a unit that is not positive and finite");
    }
    const double asked = units.G;
    units = physical_units(units.length_cm, units.mass_g, units.velocity_cm_per_s);
    if (given(&units.G)) units.G = asked;
  }

  void check_gas() const {
    if (!snapshot_.gas) return;
    const double gamma = snapshot_.gas->gamma, weight = snapshot_.gas->mean_weight;
    if (!(gamma > 1 && std::isfinite(gamma))) {
      throw Error(subject_, std::string("has a ") + gamma_name + " that is not above 1 and finite, or none");
    }
    if (weight >= 0 && std::isfinite(weight)) return;
    throw Error(subject_, std::string("has a ") + mean_weight_name + " that is not above 0 and finite");
  }

  Bytes file_;
  const std::string& subject_;
  Lacking lacking_;
  Snapshot snapshot_;
  std::vector<Found> found_;
  Vec3 ghosts_{};
  std::vector<const double*> settings_;  ///< those that the archive holds
};

}  // namespace

bool looks_like_numpy(Bytes file) { return looks_like_npy(file) || looks_like_zip(file); }

Snapshot parse_numpy(Bytes file, const std::string& subject, Lacking lacking) {
  if (looks_like_npy(file)) return read_table(parse_npy(file, subject), subject, lacking);
  if (looks_like_zip(file)) return Archive(file, subject, lacking).read();
  throw Error(subject, "is neither a NumPy array (.npy) nor an archive of them (.npz)");
}

}  // namespace hornbeam::io
