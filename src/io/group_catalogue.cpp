// SPDX-License-Identifier: Apache-2.0
// Writes catalogues of groups, see group_catalogue.h.
#include "io/group_catalogue.h"

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "core/short_numbers.h"
#include "hornbeam/error.h"
#include "io/file.h"
#include "io/gadget_hdf5_layout.h"
#include "io/hdf5.h"

namespace hornbeam::io {
namespace {

namespace gh = gadget_hdf5;

template <class T>
struct Stored;
template <>
struct Stored<double> {
  static hid_t type() { return H5T_NATIVE_DOUBLE; }
};
template <>
struct Stored<std::int32_t> {
  static hid_t type() { return H5T_NATIVE_INT32; }
};
template <>
struct Stored<std::int64_t> {
  static hid_t type() { return H5T_NATIVE_INT64; }
};
template <>
struct Stored<std::uint64_t> {
  static hid_t type() { return H5T_NATIVE_UINT64; }
};

/// Dataset (rows, columns) of value(row, column).
template <class T, class Value>
void write_table(const Hdf5Group& group, const char* name, std::size_t rows, std::size_t columns, const Value& value) {
  std::vector<T> values(rows * columns);
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < columns; ++c) values[r * columns + c] = static_cast<T>(value(r, c));
  }
  Hdf5Writer dataset = group.create_dataset(name, Stored<T>::type(), rows, columns);
  if (rows > 0) dataset.rows(0, rows, values.data());
}

/// A number of each group.
template <class T, class Value>
void write_column(const Hdf5Group& group, const char* name, const GroupCatalogue& catalogue, const Value& value) {
  write_table<T>(group, name, catalogue.groups.size(), 1,
                 [&](std::size_t g, std::size_t) { return value(catalogue.groups[g]); });
}

void write_header(const Hdf5Group& header, const GroupCatalogue& catalogue, const Snapshot& snapshot,
                  const GroupOptions& options) {
  const auto groups = static_cast<std::uint64_t>(catalogue.groups.size()), ids = catalogue.members.size();
  for (const char* where : {"ThisFile", "Total"}) {
    header.write_attribute(std::string("Ngroups_") + where, groups);
    header.write_attribute(std::string("Nids_") + where, static_cast<std::uint64_t>(ids));
    header.write_attribute(std::string("Nsubgroups_") + where, std::uint64_t{0});
  }
  header.write_attribute("NumFiles", std::int32_t{1});
  header.write_attribute("Time", snapshot.time);
  header.write_attribute("Redshift", 0.0);
  header.write_attribute("BoxSize", options.box_size);
}

/// As snapshots have them; of G = 1 all are 1.
void write_units(const Hdf5Group& to, const Units& units) {
  to.write_attribute(gh::length_unit, units.length_cm);
  to.write_attribute(gh::mass_unit, units.mass_g);
  to.write_attribute(gh::velocity_unit, units.velocity_cm_per_s);
  to.write_attribute("UnitTime_in_s", units.length_cm / units.velocity_cm_per_s);
}

void write_parameters(const Hdf5Group& parameters, const GroupCatalogue& catalogue, const GroupOptions& options) {
  parameters.write_attribute("LinkingLength", catalogue.linking_length);
  parameters.write_attribute("MinMembers", static_cast<std::uint64_t>(options.min_members));
  parameters.write_attribute("Unbinding", std::int32_t{options.unbind ? 1 : 0});
  parameters.write_attribute("Unbound", catalogue.unbound);
}

void write_properties(const Hdf5Group& to, const GroupCatalogue& catalogue) {
  const std::vector<Group>& groups = catalogue.groups;
  const std::size_t n = groups.size();
  write_column<std::int32_t>(to, "GroupLen", catalogue, [](const Group& g) { return g.size; });
  write_column<double>(to, "GroupMass", catalogue, [](const Group& g) { return g.mass; });
  write_table<double>(to, "GroupPos", n, 3, [&](std::size_t g, std::size_t k) { return groups[g].position[k]; });
  write_table<double>(to, "GroupVel", n, 3, [&](std::size_t g, std::size_t k) { return groups[g].velocity[k]; });
  write_table<std::int32_t>(to, "GroupLenType", n, family_count,
                            [&](std::size_t g, std::size_t k) { return groups[g].size_of[k]; });
  write_table<double>(to, "GroupMassType", n, family_count,
                      [&](std::size_t g, std::size_t k) { return groups[g].mass_of[k]; });
  std::array<std::uint64_t, family_count> before{};
  write_table<std::int64_t>(to, "GroupOffsetType", n, family_count, [&](std::size_t g, std::size_t k) {
    const std::uint64_t offset = before[k];
    before[k] += groups[g].size_of[k];
    return offset;
  });
  write_column<std::int64_t>(to, "GroupOffset", catalogue, [](const Group& g) { return g.first; });
  write_column<double>(to, "GroupVelDisp", catalogue, [](const Group& g) { return g.dispersion; });
  write_column<double>(to, "GroupHalfmassRad", catalogue, [](const Group& g) { return g.half_mass_radius; });
  write_column<double>(to, "GroupRad200", catalogue, [](const Group& g) { return g.radius_200; });
  write_column<std::int32_t>(to, "GroupSpansBox", catalogue, [](const Group& g) { return g.spans_box ? 1 : 0; });
}

void write_bound(const Hdf5Group& to, const GroupCatalogue& catalogue, const Particles& particles) {
  const std::vector<Group>& groups = catalogue.groups;
  const auto most = [&](std::size_t g) { return static_cast<std::size_t>(groups[g].most_bound); };
  write_table<std::uint64_t>(to, "GroupIDMostbound", groups.size(), 1,
                             [&](std::size_t g, std::size_t) { return particles.id[most(g)]; });
  write_table<double>(to, "GroupPosMostbound", groups.size(), 3,
                      [&](std::size_t g, std::size_t k) { return particles.position[most(g)][k]; });
  write_column<double>(to, "GroupKinetic", catalogue, [](const Group& g) { return g.kinetic; });
  write_column<double>(to, "GroupPotential", catalogue, [](const Group& g) { return g.potential; });
}

void write_hdf5_groups(const ReplacedFile& target, const GroupCatalogue& catalogue, const Snapshot& snapshot,
                       const GroupOptions& options) {
  const Hdf5Quiet quiet;
  Hdf5File file = Hdf5File::create(target);
  {
    const Hdf5Group root = file.root();
    write_header(root.create("Header"), catalogue, snapshot, options);
    write_parameters(root.create("Parameters"), catalogue, options);
    write_units(root.create("Units"), snapshot.units.physical ? snapshot.units : Units{});
    const Hdf5Group group = root.create("Group");
    write_properties(group, catalogue);
    if (options.unbind) write_bound(group, catalogue, snapshot.particles);
    write_table<std::uint64_t>(root.create("IDs"), "ID", catalogue.members.size(), 1,
                               [&](std::size_t k, std::size_t) { return snapshot.particles.id[catalogue.members[k]]; });
  }
  file.close();
}

/// A column of the table: its name and its value for each group.
struct GroupColumn {
  std::string name;
  std::function<double(const Group&)> value;
};

std::vector<GroupColumn> group_columns(bool unbound) {
  std::vector<GroupColumn> all = {{"members", [](const Group& g) { return static_cast<double>(g.size); }},
                                  {"mass", [](const Group& g) { return g.mass; }}};
  const std::array<std::string, 3> axes = {"x", "y", "z"};
  for (std::size_t k = 0; k < 3; ++k) all.push_back({axes[k], [k](const Group& g) { return g.position[k]; }});
  for (std::size_t k = 0; k < 3; ++k) all.push_back({"v" + axes[k], [k](const Group& g) { return g.velocity[k]; }});
  all.push_back({"dispersion", [](const Group& g) { return g.dispersion; }});
  all.push_back({"half_mass_radius", [](const Group& g) { return g.half_mass_radius; }});
  all.push_back({"radius_200", [](const Group& g) { return g.radius_200; }});
  all.push_back({"spans_box", [](const Group& g) { return g.spans_box ? 1.0 : 0.0; }});
  for (std::size_t k = 0; k < family_count; ++k) {
    const std::string family(family_names[k]);
    all.push_back({family, [k](const Group& g) { return static_cast<double>(g.size_of[k]); }});
    all.push_back({family + "_mass", [k](const Group& g) { return g.mass_of[k]; }});
  }
  if (!unbound) return all;
  all.push_back({"kinetic", [](const Group& g) { return g.kinetic; }});
  all.push_back({"potential", [](const Group& g) { return g.potential; }});
  return all;
}

void write_csv_groups(FileWriter& out, const GroupCatalogue& catalogue, const Particles& particles,
                      const GroupOptions& options) {
  const std::vector<GroupColumn> all = group_columns(options.unbind);
  std::string line = "group";
  for (const GroupColumn& column : all) line += "," + column.name;
  if (options.unbind) line += ",most_bound_id";  // whole, where a number of a column would lose digits
  out.write(line + "\n");
  for (std::size_t g = 0; g < catalogue.groups.size(); ++g) {
    line = std::to_string(g);
    const Group& group = catalogue.groups[g];
    for (const GroupColumn& column : all) line += "," + shortest(column.value(group));
    if (options.unbind) line += "," + std::to_string(particles.id[static_cast<std::size_t>(group.most_bound)]);
    out.write(line + "\n");
  }
}

}  // namespace

void check_group_file(const std::filesystem::path& path) {
  const std::string extension = path.extension().string();
  for (const char* known : {".hdf5", ".h5", ".csv"}) {
    if (extension == known) return;
  }
  throw UsageError(path.string(), "groups cannot be written in a format of that extension", "known: .hdf5 .h5 .csv");
}

void write_groups(const std::filesystem::path& path, const GroupCatalogue& catalogue, const Snapshot& snapshot,
                  const GroupOptions& options) {
  check_group_file(path);
  ReplacedFile file(path);
  FileWriter out(file);
  if (path.extension() == ".csv") {
    write_csv_groups(out, catalogue, snapshot.particles, options);
  } else {
    write_hdf5_groups(file, catalogue, snapshot, options);
  }
  out.flush();
  file.commit();
}

}  // namespace hornbeam::io
