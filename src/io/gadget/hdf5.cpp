// SPDX-License-Identifier: Apache-2.0
// Reads Gadget's HDF5 layout: the header and every dataset's shape are checked before memory is taken.
#include "io/gadget/hdf5.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>

#include "core/shown_text.h"
#include "hornbeam/error.h"
#include "hornbeam/gravity.h"
#include "io/amuse.h"
#include "io/gadget/hdf5_header.h"
#include "io/gadget/hdf5_layout.h"
#include "io/hdf5/hdf5.h"
#include "io/lacking.h"
#include "io/layout.h"
#include "io/parts.h"

namespace hornbeam::io {
namespace {

namespace gh = gadget_hdf5;

/// The particles of one type: their group and their place among all.
struct TypeGroup {
  Hdf5Group group;
  std::size_t family;
  std::uint64_t first, count;
  double mass;                       ///< > 0: of each
  std::vector<std::string> known{};  ///< datasets that were read, or of which a note is made
};

/// What the group calls a dataset: by its name, else by another code's; null where it has neither.
const char* name_in(const Hdf5Group& group, const Dataset& dataset) {
  if (group.has(dataset.name)) return dataset.name;
  for (const char* other : dataset.others) {
    if (other != nullptr && group.has(other)) return other;
  }
  return nullptr;
}

/// Throws where a type that the header counts as empty has particles.
void refuse_uncounted(const Hdf5Group& root, const FoundHeader& header) {
  for (std::size_t f = 0; f < family_count; ++f) {
    if ((f < header.count.size() && header.count[f] > 0) || !root.has(gh::group_name(f))) continue;
    const Hdf5Group group = root.open(gh::group_name(f));
    const std::uint64_t rows = group.rows(gh::coordinates.row->dataset.name);
    if (rows == 0) continue;
    throw Error(root.subject(), "/Header counts 0 particles of type " + std::to_string(f) + ", but " + group.path() +
                                    " has " + std::to_string(rows));
  }
}

/// Whether a type is nothing that has a position, as Arepo's tracers: it holds neither positions nor what goes with
/// them.
bool is_without_positions(const Hdf5Group& group) {
  const auto has_any = [&group](const FieldRow& row) { return name_in(group, row.dataset) != nullptr; };
  return !has_any(*gh::coordinates.row) && !has_any(row_of(&Particles::velocity)) && !has_any(row_of(&Particles::mass));
}

/// Throws unless positions in the file bear out the header's counts: all memory taken later goes by these.
std::vector<TypeGroup> open_types(const Hdf5Group& root, const FoundHeader& header, std::vector<std::string>& notes) {
  std::vector<TypeGroup> types;
  std::uint64_t first = 0;
  for (std::size_t f = 0; f < header.count.size(); ++f) {
    if (header.count[f] == 0) continue;
    Hdf5Group group = root.open(gh::group_name(f));
    if (is_without_positions(group)) {
      notes.push_back(gh::group_name(f) + ": its " + std::to_string(header.count[f]) +
                      " particles have no positions and are left out");
      continue;
    }
    group.check_numbers(gh::coordinates.row->dataset.name, header.count[f], gh::coordinates.columns());
    types.push_back({std::move(group), f, first, header.count[f], header.mass[f]});
    first += header.count[f];
  }
  refuse_uncounted(root, header);
  const bool any = std::any_of(header.count.begin(), header.count.end(), [](std::uint64_t n) { return n > 0; });
  if (any && types.empty()) throw Error(root.subject(), "has no particles with positions");
  return types;
}

const char* name_in(const TypeGroup& type, const Dataset& dataset) { return name_in(type.group, dataset); }

bool is_expected(const Dataset& dataset, const TypeGroup& type) {
  if (dataset.gas_only && type.family != static_cast<std::size_t>(Family::gas)) return false;
  const bool is_there = name_in(type, dataset) != nullptr;
  if (dataset.presence == Presence::masses) return is_there || !(type.mass > 0);
  return dataset.presence == Presence::required || is_there;
}

/// Of one type, whatever it is called and of which kind its numbers are.
void read_values(const NumberField& field, TypeGroup& type, Particles& particles) {
  const Dataset& dataset = field.row->dataset;
  double* const to = field.at(particles, type.first);
  const char* const found = name_in(type, dataset);
  const char* const name = found != nullptr ? found : dataset.name;
  type.known.emplace_back(name);
  if (dataset.whole) {
    std::vector<std::uint64_t> numbers(type.count);
    type.group.read(name, type.count, numbers.data());
    std::copy(numbers.begin(), numbers.end(), to);
  } else {
    type.group.read(name, type.count, field.columns(), to);
  }
}

void read_field(const NumberField& field, std::vector<TypeGroup>& types, Lacking lacking, Snapshot& snapshot) {
  const Dataset& dataset = field.row->dataset;
  const auto has_field = [&](const TypeGroup& type) { return is_expected(dataset, type); };
  if (!field.row->required && std::none_of(types.begin(), types.end(), has_field)) return;
  const auto is_there = [&](const TypeGroup& type) { return !has_field(type) || name_in(type, dataset) != nullptr; };
  if (lacking == Lacking::assumed && can_be_assumed(*field.row) && !types.empty() &&
      std::all_of(types.begin(), types.end(), has_field) && std::none_of(types.begin(), types.end(), is_there)) {
    return assume(snapshot, *field.row);
  }
  if (dataset.presence == Presence::all_types && !std::all_of(types.begin(), types.end(), has_field)) {
    snapshot.notes.push_back(std::string(dataset.name) + " is not read, because some types lack it");
    for (TypeGroup& type : types) {
      if (const char* name = name_in(type, dataset)) type.known.emplace_back(name);
    }
    return;
  }
  field.resize(snapshot.particles, snapshot.particles.size());
  for (TypeGroup& type : types) {
    if (!has_field(type)) continue;
    read_values(field, type, snapshot.particles);
  }
}

/// Masses of the table, which datasets replace. A note where the two disagree.
void compare_with_table(const std::vector<TypeGroup>& types, Snapshot& snapshot) {
  constexpr double single_precision = 1e-6;
  for (const TypeGroup& type : types) {
    const char* const name = name_in(type, row_of(&Particles::mass).dataset);
    if (name == nullptr || !(type.mass > 0)) continue;
    const auto first = snapshot.particles.mass.begin() + static_cast<std::ptrdiff_t>(type.first);
    const auto is_other = [&](double mass) { return std::abs(mass / type.mass - 1) > single_precision; };
    if (std::none_of(first, first + static_cast<std::ptrdiff_t>(type.count), is_other)) continue;
    std::ostringstream note;
    note << gh::group_name(type.family) << ": masses are read from " << name << "; MassTable has " << type.mass
         << " for each, which is not used";
    snapshot.notes.push_back(note.str());
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
  snapshot.notes.emplace_back("gas with the names of WoMa and SWIFT");
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
    notes.push_back(std::string("attribute ") + name + " of Parameters is out of range and not used");
    to = 0;
  };
  try {
    gh::for_each_gas_parameter(gas, read_text, read_number);
  } catch (const Error& other) {  // another program's
    notes.push_back(std::string(other.what()) + ": the gas values of Parameters are not used");
    return std::nullopt;
  }
  if (gas.gamma > 1 || gas.gamma == 0) return gas;
  notes.emplace_back("attribute Gamma of Parameters is not above 1 and not used");
  gas.gamma = 0;
  return gas;
}

/// In which the particles of the file move; open where it does not say.
Boundary read_boundary(const Hdf5Group& root) {
  if (!root.has(gh::record_group)) return {};
  const Hdf5Group own = root.open(gh::record_group);
  if (!own.has(gh::boundary_group)) return {};
  const Hdf5Group group = own.open(gh::boundary_group);
  const std::vector<double> size = group.numbers("Size", 3);
  const bool names_images = group.has_attribute("Ghosts");
  const std::vector<std::uint64_t> ghosts = names_images ? group.counts("Ghosts", 3) : std::vector<std::uint64_t>{};
  if (size.size() != 3 || (names_images && ghosts.size() != 3))
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

namespace {

void settle_box(const Vec3& edges, const std::string& subject, Snapshot& snapshot) {
  if (edges[0] == edges[1] && edges[1] == edges[2]) {
    snapshot.box_size = edges[0];
    return;
  }
  Boundary box;
  box.kind = BoundaryKind::periodic;
  box.size = edges;
  if (!std::all_of(edges.begin(), edges.end(), [](double edge) { return std::isfinite(edge) && edge >= 0; })) {
    throw Error(subject, "/Header attribute BoxSize has an edge that is negative or non-finite: must be 0 or more");
  }
  snapshot.set_boundary(box);
}

/// The powers of a and h that datasets name, as Gadget-4 and Arepo, SWIFT, and EAGLE do.
std::optional<Scaling> stored_scaling(const std::vector<TypeGroup>& types, const FieldRow& row) {
  for (const TypeGroup& type : types) {
    const char* const name = row.dataset.name == nullptr ? nullptr : name_in(type, row.dataset);
    if (name == nullptr) continue;
    for (const auto& [of_a, of_h] : {std::pair("a_scaling", "h_scaling"),
                                     {"a-scale exponent", "h-scale exponent"},
                                     {"aexp-scale-exponent", "h-scale-exponent"}}) {
      const std::optional<double> a = type.group.number_of(name, of_a), h = type.group.number_of(name, of_h);
      const bool is_physical = type.group.number_of(name, "Value stored as physical").value_or(0) > 0;  // of SWIFT
      if (a && h) return Scaling{is_physical ? 0 : *a, *h};
    }
  }
  return std::nullopt;
}

void settle_cosmology(const Hdf5Group& root, const std::vector<TypeGroup>& types, const FoundHeader& header,
                      const ReadOptions& options, Snapshot& snapshot) {
  const std::optional<Cosmology> cosmology = read_cosmology(root, header.time);
  if (header.of_entropies) energies_of_entropies(snapshot, cosmology.has_value(), root.subject());
  if (!cosmology) return add_if(snapshot.notes, options.physical, not_cosmological);
  add_if(snapshot.notes, !snapshot.particles.time_step.empty(), "TimeStep is not read: cosmological steps are of ln a");
  snapshot.particles.time_step.clear();
  if (!options.physical) return leave_comoving(*cosmology, snapshot);
  make_physical(*cosmology, root.subject(), snapshot,
                [&types](const FieldRow& row) { return stored_scaling(types, row); });
}

/// The boundary of a file of ours, otherwise the header's box.
void settle_boundary(const Hdf5Group& root, const FoundHeader& header, Snapshot& snapshot) {
  settle_box(header.box, root.subject(), snapshot);
  const Boundary own = read_boundary(root);
  if (own.kind != BoundaryKind::open) snapshot.set_boundary(own);
}

/// One file.
Snapshot read_file(const Hdf5Group& root, const FoundHeader& header, const ReadOptions& options) {
  Snapshot snapshot;
  snapshot.notes.emplace_back("HDF5 in Gadget's layout");
  snapshot.notes.insert(snapshot.notes.end(), header.notes.begin(), header.notes.end());
  std::vector<TypeGroup> types = open_types(root, header, snapshot.notes);
  snapshot.time = header.time;
  settle_boundary(root, header, snapshot);
  FamilyCounts count{};
  for (const TypeGroup& type : types) count[type.family] = type.count;
  assign_families(snapshot.particles, count, optional_bytes(types));
  for (const TypeGroup& type : types) {
    std::fill_n(snapshot.particles.mass.begin() + static_cast<std::ptrdiff_t>(type.first), type.count, type.mass);
  }
  for (const NumberField& field : gh::datasets) read_field(field, types, lacking_of(options), snapshot);
  compare_with_table(types, snapshot);
  add_if(snapshot.notes, !snapshot.particles.eps.empty(), "softening per particle from dataset Softening");
  read_ids(types, snapshot);
  name_unread(types, snapshot.notes);
  settle_planetary(root, types, snapshot);
  snapshot.gas = read_gas_parameters(root, snapshot.notes);
  const std::optional<Units> units = read_hdf5_units(root, snapshot.notes);
  snapshot.has_units = units.has_value();
  snapshot.units = units.value_or(Units{});
  settle_cosmology(root, types, header, options, snapshot);
  return snapshot;
}

}  // namespace

Snapshot read_gadget_hdf5(const std::filesystem::path& path, const ReadOptions& options) {
  const Hdf5Quiet quiet;
  const Hdf5File file = Hdf5File::open(path);
  const Hdf5Group root = file.root();
  if (is_amuse(root)) return read_amuse(root);
  const FoundHeader header = read_gadget_header(root);
  if (header.files <= 1 || header.is_whole()) {
    Snapshot snapshot = read_file(root, header, options);
    add_if(snapshot.notes, header.files > 1,
           "NumFilesPerSnapshot is " + std::to_string(header.files) + ", but all particles of the snapshot are here");
    return snapshot;
  }
  return read_parts(parts_of(path, header.files), header.total, [&options](const std::filesystem::path& part) {
    const Hdf5File of_part = Hdf5File::open(part);
    const Hdf5Group there = of_part.root();
    return read_file(there, read_gadget_header(there), options);
  });
}

}  // namespace hornbeam::io
