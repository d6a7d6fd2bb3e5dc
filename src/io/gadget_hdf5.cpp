// SPDX-License-Identifier: Apache-2.0
// Reads Gadget's HDF5 layout: the header and every dataset's shape are checked before memory is taken.
#include "io/gadget_hdf5.h"

#include <algorithm>
#include <optional>

#include "core/shown_text.h"
#include "hornbeam/error.h"
#include "hornbeam/gravity.h"
#include "hornbeam/units.h"
#include "io/gadget_hdf5_layout.h"
#include "io/hdf5.h"
#include "io/layout.h"

namespace hornbeam::io {
namespace {

namespace gh = gadget_hdf5;

struct FoundHeader {
  std::vector<std::uint64_t> count;  ///< one entry a type, as many as the file has
  std::vector<double> mass;
  double time = 0, box_size = 0;
  bool cosmological = false;
};

/// Gadget-2 and AREPO say it in Header, Gadget-4 in Parameters, SWIFT in Cosmology.
bool is_cosmological(const Hdf5Group& root) {
  const auto says = [&](const char* group, const char* name) {
    if (!root.has(group)) return false;
    const Hdf5Group found = root.open(group);
    return found.has_number(name) && found.number(name) > 0;
  };
  return says("Header", "Omega0") || says("Parameters", "Omega0") || says("Parameters", "ComovingIntegrationOn") ||
         says("Header", "Redshift") || says("Cosmology", "Cosmological run");
}

double read_box_size(const Hdf5Group& header) {
  const std::vector<double> box = header.numbers("BoxSize", 3);
  if (!std::all_of(box.begin(), box.end(), [&](double edge) { return edge == box.front(); })) {
    throw Error(header.subject(), "/Header attribute BoxSize has unequal edges: must be a cube");
  }
  return box.front();
}

FoundHeader read_header(const Hdf5Group& root) {
  if (root.has("Checkpoint")) {
    throw Error(root.subject(), "is a checkpoint of an earlier layout, or a damaged one", "read a snapshot instead");
  }
  if (!root.has("Header")) throw Error(root.subject(), "is HDF5, but no Gadget snapshot: group /Header is missing");
  const Hdf5Group group = root.open("Header");
  FoundHeader header;
  header.count = group.counts("NumPart_ThisFile", family_count + 1);  // SWIFT's seventh are neutrinos
  if (header.count.size() > family_count && header.count.back() > 0) {
    throw Error(root.subject(), "has particles of a seventh type", "leave them out: there are six families");
  }
  header.count.resize(std::min<std::size_t>(header.count.size(), family_count));
  header.mass = group.numbers("MassTable", family_count + 1);
  header.mass.resize(header.count.size());
  const std::uint64_t files = group.counts("NumFilesPerSnapshot", 1).front();
  if (files > 1) {
    throw Error(root.subject(), "is one of " + std::to_string(files) + " files of a snapshot",
                "join them into one file first");
  }
  header.time = group.number("Time");
  header.box_size = read_box_size(group);
  header.cosmological = is_cosmological(root);
  return header;
}

/// The particles of one type: their group and their place among all.
struct TypeGroup {
  Hdf5Group group;
  std::size_t family;
  std::uint64_t first, count;
  double mass;                       ///< > 0: of each
  std::vector<std::string> known{};  ///< datasets that were read, or of which a note is made
};

/// Throws where a type that the header counts as empty has particles.
void refuse_uncounted(const Hdf5Group& root, const FoundHeader& header) {
  for (std::size_t f = 0; f < family_count; ++f) {
    if ((f < header.count.size() && header.count[f] > 0) || !root.has(gh::group_name(f))) continue;
    const Hdf5Group group = root.open(gh::group_name(f));
    const std::uint64_t rows = group.rows(gh::coordinates.row->dataset.name);
    if (rows == 0) continue;
    throw Error(root.subject(), "/Header counts 0 particles of type " + std::to_string(f) + ", but " + group.path() +
                                    " holds " + std::to_string(rows));
  }
}

/// Throws unless positions in the file bear out the header's counts: all memory taken later goes by these.
std::vector<TypeGroup> open_types(const Hdf5Group& root, const FoundHeader& header) {
  std::vector<TypeGroup> types;
  std::uint64_t first = 0;
  for (std::size_t f = 0; f < header.count.size(); ++f) {
    if (header.count[f] == 0) continue;
    Hdf5Group group = root.open(gh::group_name(f));
    group.check_numbers(gh::coordinates.row->dataset.name, header.count[f], gh::coordinates.columns());
    types.push_back({std::move(group), f, first, header.count[f], header.mass[f]});
    first += header.count[f];
  }
  refuse_uncounted(root, header);
  return types;
}

/// Whether a type has the dataset by the name that WoMa and SWIFT give it alone.
bool is_otherwise_named(const Dataset& dataset, const TypeGroup& type) {
  return dataset.other != nullptr && !type.group.has(dataset.name) && type.group.has(dataset.other);
}

bool is_expected(const Dataset& dataset, const TypeGroup& type) {
  if (dataset.gas_only && type.family != static_cast<std::size_t>(Family::gas)) return false;
  if (dataset.presence == Presence::masses) return !(type.mass > 0);
  return dataset.presence == Presence::required || type.group.has(dataset.name) || is_otherwise_named(dataset, type);
}

/// Of one type, whatever it is called and of which kind its numbers are.
void read_values(const NumberField& field, TypeGroup& type, Particles& particles) {
  const Dataset& dataset = field.row->dataset;
  double* const to = field.at(particles, type.first);
  const char* const name = is_otherwise_named(dataset, type) ? dataset.other : dataset.name;
  type.known.emplace_back(name);
  if (dataset.whole) {
    std::vector<std::uint64_t> numbers(type.count);
    type.group.read(dataset.name, type.count, numbers.data());
    std::copy(numbers.begin(), numbers.end(), to);
  } else {
    type.group.read(name, type.count, field.columns(), to);
  }
}

void read_field(const NumberField& field, std::vector<TypeGroup>& types, Lacking lacking, Snapshot& snapshot) {
  const Dataset& dataset = field.row->dataset;
  const auto has_field = [&](const TypeGroup& type) { return is_expected(dataset, type); };
  if (!field.row->required && std::none_of(types.begin(), types.end(), has_field)) return;
  const auto is_there = [&](const TypeGroup& type) { return !has_field(type) || type.group.has(dataset.name); };
  if (lacking == Lacking::assumed && can_be_assumed(*field.row) && !types.empty() &&
      std::all_of(types.begin(), types.end(), has_field) && std::none_of(types.begin(), types.end(), is_there)) {
    return assume(snapshot, *field.row);
  }
  if (dataset.presence == Presence::all_types && !std::all_of(types.begin(), types.end(), has_field)) {
    snapshot.notes.push_back(std::string(dataset.name) + " is not read: some types lack it");
    for (TypeGroup& type : types) type.known.emplace_back(dataset.name);
    return;
  }
  field.resize(snapshot.particles, snapshot.particles.size());
  for (TypeGroup& type : types) {
    if (!has_field(type)) continue;
    read_values(field, type, snapshot.particles);
  }
}

/// A particle, of the fields that are there and not mandatory.
double optional_bytes(const std::vector<TypeGroup>& types) {
  double sum = 0;
  for (const NumberField& field : gh::datasets) {
    const auto has_field = [&](const TypeGroup& type) { return is_expected(field.row->dataset, type); };
    const bool there = std::any_of(types.begin(), types.end(), has_field);
    if (!field.row->required && there) sum += static_cast<double>(field.columns() * sizeof(double));
  }
  return sum;
}

void read_ids(const std::vector<TypeGroup>& types, Snapshot& snapshot) {
  const auto has_ids = [](const TypeGroup& type) { return type.group.has(gh::ids); };
  if (!std::all_of(types.begin(), types.end(), has_ids)) {
    snapshot.notes.emplace_back("no ParticleIDs: particles are numbered in file order");
    return;
  }
  for (const TypeGroup& type : types) {
    type.group.read(gh::ids, type.count, snapshot.particles.id.data() + type.first);
  }
}

/// A note for each type of which datasets were not read: a misspelt name is seen.
void name_unread(const std::vector<TypeGroup>& types, std::vector<std::string>& notes) {
  constexpr std::size_t most_named = 40;
  for (const TypeGroup& type : types) {
    std::string unread;
    std::size_t count = 0;
    for (const std::string& name : type.group.names()) {
      if (name == gh::ids || std::find(type.known.begin(), type.known.end(), name) != type.known.end()) continue;
      if (++count <= most_named) unread += (count == 1 ? "" : ", ") + shown(name);
    }
    if (count == 0) continue;
    if (count > most_named) unread += " and " + std::to_string(count - most_named) + " others";
    notes.push_back(gh::group_name(type.family) + ": " + unread + (count == 1 ? " is" : " are") + " not read");
  }
}

double positive_attribute(const Hdf5Group& group, const char* name) {
  const double value = group.number(name);
  if (std::isfinite(value) && value > 0) return value;
  throw Error(group.subject(),
              group.path() + " attribute " + name + " = " + std::to_string(value) + ": must be positive");
}

/// WoMa's and SWIFT's smoothing lengths are twice the standard deviation of the kernel: H over them.
double support_of_swift(const Hdf5Group& root) {
  constexpr double cubic_spline = 1.825742;
  if (!root.has("HydroScheme")) return cubic_spline;
  const Hdf5Group scheme = root.open("HydroScheme");
  if (!scheme.has_attribute("Kernel function")) return cubic_spline;
  const std::string kernel = scheme.text("Kernel function", 64);
  for (const auto& [name, support] : {std::pair("Wendland C2", 1.936492),
                                      {"Wendland C4", 2.207940},
                                      {"Wendland C6", 2.449490},
                                      {"Quintic", 2.195775},
                                      {"Quartic", 2.018932}}) {
    if (kernel.find(name) != std::string::npos) return support;
  }
  return cubic_spline;
}

/// What gas of WoMa and SWIFT needs beyond its numbers.
void settle_planetary(const Hdf5Group& root, const std::vector<TypeGroup>& types, Snapshot& snapshot) {
  const bool planetary = std::any_of(types.begin(), types.end(), [](const TypeGroup& type) {
    return type.group.has("InternalEnergies") || type.group.has("SmoothingLengths");
  });
  if (!planetary) return;
  snapshot.notes.emplace_back("gas as WoMa and SWIFT name it");
  if (root.has("RuntimePars") && root.open("RuntimePars").has_attribute("PeriodicBoundariesOn") &&
      root.open("RuntimePars").number("PeriodicBoundariesOn") == 0) {
    snapshot.box_size = 0;
  }
  for (const TypeGroup& type : types) {
    if (!type.group.has("SmoothingLengths") || snapshot.particles.smoothing_length.empty()) continue;
    const double support = support_of_swift(root);
    for (std::uint64_t i = type.first; i < type.first + type.count; ++i) {
      snapshot.particles.smoothing_length[i] *= support;
    }
  }
}

/// Of WoMa and SWIFT: length, mass and time, in cgs.
std::optional<Units> read_swift_units(const Hdf5Group& root) {
  constexpr const char *length = "Unit length in cgs (U_L)", *mass = "Unit mass in cgs (U_M)",
                       *time = "Unit time in cgs (U_t)";
  if (!root.has("Units")) return std::nullopt;
  const Hdf5Group group = root.open("Units");
  if (!group.has_attribute(length)) return std::nullopt;
  const double cm = positive_attribute(group, length);
  return physical_units(cm, positive_attribute(group, mass), cm / positive_attribute(group, time));
}

/// How gas flowed in the run that wrote the file, where it says.
std::optional<GasParameters> read_gas_parameters(const Hdf5Group& root, std::vector<std::string>& notes) {
  if (!root.has("Parameters")) return std::nullopt;
  const Hdf5Group group = root.open("Parameters");
  if (!group.has_text(gh::equation_of_state)) return std::nullopt;
  GasParameters gas;
  const auto read_text = [&](const char* name, std::string& to) {
    if (group.has_attribute(name)) to = group.text(name, 64);
  };
  const auto read_number = [&](const char* name, double& to) {
    if (!group.has_attribute(name)) return;
    to = group.number(name);
    if (std::isfinite(to) && to >= 0) return;
    notes.push_back(std::string("attribute ") + name + " of Parameters is out of range and not taken");
    to = 0;
  };
  try {
    gh::for_each_gas_parameter(gas, read_text, read_number);
  } catch (const Error& other) {  // another program's
    notes.push_back(std::string(other.what()) + ": what Parameters say of gas is not taken");
    return std::nullopt;
  }
  if (gas.gamma > 1 || gas.gamma == 0) return gas;
  notes.emplace_back("attribute Gamma of Parameters is not above 1 and not taken");
  gas.gamma = 0;
  return gas;
}

/// The first group that holds units, in the order pynbody looks for them.
std::optional<Hdf5Group> find_units(const Hdf5Group& root) {
  for (const char* name : {"Units", "Parameters", "Header"}) {
    if (!root.has(name)) continue;
    Hdf5Group group = root.open(name);
    if (group.has_attribute(gh::length_unit)) return group;
  }
  return std::nullopt;
}

/// The units that the file names, if it does.
std::optional<Units> read_units(const Hdf5Group& root) {
  const std::optional<Hdf5Group> group = find_units(root);
  if (!group) return read_swift_units(root);
  Units units = physical_units(positive_attribute(*group, gh::length_unit), positive_attribute(*group, gh::mass_unit),
                               positive_attribute(*group, gh::velocity_unit));
  double prescribed = 0;
  if (root.has("Parameters")) {
    const Hdf5Group parameters = root.open("Parameters");
    if (parameters.has_attribute(gh::gravity)) prescribed = parameters.number(gh::gravity);
  }
  if (!std::isfinite(prescribed) || prescribed < 0) {
    throw Error(root.subject(), "/Parameters attribute GravityConstantInternal must be 0 or more");
  }
  // units of 1 with a G that is not theirs are how write_gadget_hdf5() marks a system without physical units
  const bool all_one = units.length_cm == 1 && units.mass_g == 1 && units.velocity_cm_per_s == 1;
  units.physical = !(all_one && prescribed > 0 && prescribed != units.G);
  if (prescribed > 0) units.G = prescribed;
  return units;
}

/// In which the particles of the file move; open where it does not say.
Boundary read_boundary(const Hdf5Group& root) {
  if (!root.has(gh::record_group)) return {};
  const Hdf5Group own = root.open(gh::record_group);
  if (!own.has(gh::boundary_group)) return {};
  const Hdf5Group group = own.open(gh::boundary_group);
  const std::vector<double> size = group.numbers("Size", 3);
  const std::vector<std::uint64_t> ghosts = group.counts("Ghosts", 3);
  if (size.size() != 3 || ghosts.size() != 3)
    throw Error(group.subject(), group.path() + ": Size and Ghosts must be three numbers");
  constexpr std::uint64_t beyond = 1 << 20;  // what no boundary takes
  Boundary found;
  try {
    found.kind = parse<BoundaryKind>("Kind", group.text("Kind", 32));
    for (std::size_t k = 0; k < std::min<std::size_t>(size.size(), 3); ++k) found.size[k] = size[k];
    for (std::size_t k = 0; k < ghosts.size(); ++k) found.n_ghost[k] = static_cast<int>(std::min(ghosts[k], beyond));
    if (found.kind == BoundaryKind::shear) {
      found.omega = group.number("Omega");
      found.omega_z = group.number("OmegaZ");
    }
    found.validate();
  } catch (const UsageError& wrong) {
    throw Error(group.subject(), group.path() + ": " + wrong.what());
  }
  return found;
}

}  // namespace

std::string read_gadget_record(const std::filesystem::path& path) {
  const Hdf5Quiet quiet;
  const Hdf5File file = Hdf5File::open(path);
  const Hdf5Group root = file.root();
  if (!root.has(gh::record_group)) return "";
  const Hdf5Group group = root.open(gh::record_group);
  if (!group.has(gh::record)) return "";
  const std::vector<std::uint8_t> bytes = group.read_bytes(gh::record);
  return {bytes.begin(), bytes.end()};
}

Snapshot read_gadget_hdf5(const std::filesystem::path& path, Lacking lacking) {
  const Hdf5Quiet quiet;
  const Hdf5File file = Hdf5File::open(path);
  const Hdf5Group root = file.root();
  const FoundHeader header = read_header(root);
  std::vector<TypeGroup> types = open_types(root, header);

  Snapshot snapshot;
  snapshot.time = header.time;
  snapshot.box_size = header.box_size;
  snapshot.boundary = read_boundary(root);
  if (snapshot.boundary.kind != BoundaryKind::open) snapshot.box_size = snapshot.boundary.cube();
  snapshot.notes.emplace_back("HDF5 in Gadget's layout");
  add_if(snapshot.notes, header.cosmological, "cosmological factors are not applied: numbers are taken as they stand");
  FamilyCounts count{};
  std::copy(header.count.begin(), header.count.end(), count.begin());
  assign_families(snapshot.particles, count, optional_bytes(types));
  for (const TypeGroup& type : types) {
    std::fill_n(snapshot.particles.mass.begin() + static_cast<std::ptrdiff_t>(type.first), type.count, type.mass);
  }
  for (const NumberField& field : gh::datasets) read_field(field, types, lacking, snapshot);
  add_if(snapshot.notes, !snapshot.particles.eps.empty(), "softening per particle from dataset Softening");
  read_ids(types, snapshot);
  name_unread(types, snapshot.notes);
  settle_planetary(root, types, snapshot);
  snapshot.gas = read_gas_parameters(root, snapshot.notes);
  const std::optional<Units> units = read_units(root);
  snapshot.has_units = units.has_value();
  snapshot.units = units.value_or(Units{});
  return snapshot;
}

}  // namespace hornbeam::io
