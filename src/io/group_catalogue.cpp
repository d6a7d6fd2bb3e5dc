// SPDX-License-Identifier: Apache-2.0
// Writes catalogues of groups, see group_catalogue.h.
#include "io/group_catalogue.h"

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "core/short_numbers.h"
#include "hornbeam/error.h"
#include "io/files/file.h"
#include "io/gadget/hdf5_layout.h"
#include "io/hdf5/hdf5.h"
#include "io/tools.h"

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
void write_table(const Hdf5Group& group, const std::string& name, std::size_t rows, std::size_t columns,
                 const Value& value) {
  std::vector<T> values(rows * columns);
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < columns; ++c) values[r * columns + c] = static_cast<T>(value(r, c));
  }
  Hdf5Writer dataset = group.create_dataset(name, Stored<T>::type(), rows, columns);
  if (rows > 0) dataset.rows(0, rows, values.data());
}

/// A number of each group.
template <class T, class Value>
void write_column(const Hdf5Group& group, const std::string& name, const GroupCatalogue& catalogue,
                  const Value& value) {
  write_table<T>(group, name, catalogue.groups.size(), 1,
                 [&](std::size_t g, std::size_t) { return value(catalogue.groups[g]); });
}

/// What is bound of each group is a subhalo, the only one that is looked for. Gadget-4 and pynbody count subhalos,
/// Arepo and yt subgroups. yt takes every catalogue for a cosmological one, needs a box, and multiplies by 1 + z and h:
/// these are 1.
void write_header(const Hdf5Group& header, const GroupCatalogue& catalogue, const Snapshot& snapshot,
                  const GroupOptions& options) {
  const auto groups = static_cast<std::uint64_t>(catalogue.groups.size()), ids = catalogue.members.size();
  for (const char* where : {"ThisFile", "Total"}) {
    header.write_attribute(std::string("Ngroups_") + where, groups);
    header.write_attribute(std::string("Nids_") + where, static_cast<std::uint64_t>(ids));
    for (const char* subhalos : {"Nsubhalos_", "Nsubgroups_"}) {
      header.write_attribute(std::string(subhalos) + where, options.unbind ? groups : std::uint64_t{0});
    }
  }
  header.write_attribute("NumFiles", std::int32_t{1});
  header.write_attribute("Time", snapshot.time);
  header.write_attribute("Redshift", 0.0);
  header.write_attribute("BoxSize", options.box_size > 0 ? options.box_size : cube_for_tools(snapshot));
  header.write_attribute("HubbleParam", 1.0);
  header.write_attribute("Omega0", 0.0);
  header.write_attribute("OmegaLambda", 0.0);
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
  const Vec3 edges =
      options.box_size > 0 ? Vec3{options.box_size, options.box_size, options.box_size} : options.boundary.size;
  std::int32_t primary = options.primary.empty() ? (1 << family_count) - 1 : 0;
  for (const Family family : options.primary) primary |= 1 << static_cast<int>(family);
  parameters.write_attribute("PrimaryLinkTypes", primary);  // a bit each, as Gadget-4 is built with
  parameters.write_attribute("PeriodicEdges", std::vector<double>(edges.begin(), edges.end()));
}

/// What groups and subhalos have alike, by the names that begin with theirs.
void write_properties(const Hdf5Group& to, const std::string& of, const GroupCatalogue& catalogue) {
  const std::vector<Group>& groups = catalogue.groups;
  const std::size_t n = groups.size();
  write_column<std::int32_t>(to, of + "Len", catalogue, [](const Group& g) { return g.size; });
  write_column<double>(to, of + "Mass", catalogue, [](const Group& g) { return g.mass; });
  write_table<double>(to, of + "Vel", n, 3, [&](std::size_t g, std::size_t k) { return groups[g].velocity[k]; });
  write_table<std::int32_t>(to, of + "LenType", n, family_count,
                            [&](std::size_t g, std::size_t k) { return groups[g].size_of[k]; });
  write_table<double>(to, of + "MassType", n, family_count,
                      [&](std::size_t g, std::size_t k) { return groups[g].mass_of[k]; });
  std::array<std::uint64_t, family_count> before{};
  write_table<std::int64_t>(to, of + "OffsetType", n, family_count, [&](std::size_t g, std::size_t k) {
    const std::uint64_t offset = before[k];
    before[k] += groups[g].size_of[k];
    return offset;
  });
  write_column<double>(to, of + "VelDisp", catalogue, [](const Group& g) { return g.dispersion; });
  write_column<double>(to, of + "HalfmassRad", catalogue, [](const Group& g) { return g.half_mass_radius; });
}

void write_centres(const Hdf5Group& to, const std::string& name, const GroupCatalogue& catalogue) {
  write_table<double>(to, name, catalogue.groups.size(), 3,
                      [&](std::size_t g, std::size_t k) { return catalogue.groups[g].position[k]; });
}

/// The most bound particle of each: its id and position.
void write_most_bound(const Hdf5Group& to, const std::string& id, const std::string& position,
                      const GroupCatalogue& catalogue, const Particles& particles) {
  const std::vector<Group>& groups = catalogue.groups;
  const auto most = [&](std::size_t g) { return static_cast<std::size_t>(groups[g].most_bound); };
  write_table<std::uint64_t>(to, id, groups.size(), 1,
                             [&](std::size_t g, std::size_t) { return particles.id[most(g)]; });
  write_table<double>(to, position, groups.size(), 3,
                      [&](std::size_t g, std::size_t k) { return particles.position[most(g)][k]; });
}

void write_group(const Hdf5Group& to, const GroupCatalogue& catalogue, const Particles& particles, bool unbound) {
  write_properties(to, "Group", catalogue);
  write_centres(to, "GroupPos", catalogue);
  write_column<std::int64_t>(to, "GroupOffset", catalogue, [](const Group& g) { return g.first; });
  write_column<double>(to, "GroupRad200", catalogue, [](const Group& g) { return g.radius_200; });
  write_column<std::int32_t>(to, "GroupSpansBox", catalogue, [](const Group& g) { return g.spans_box ? 1 : 0; });
  write_column<std::int32_t>(to, "GroupNsubs", catalogue, [unbound](const Group&) { return unbound ? 1 : 0; });
  write_table<std::int64_t>(to, "GroupFirstSub", catalogue.groups.size(), 1, [unbound](std::size_t g, std::size_t) {
    return unbound ? static_cast<std::int64_t>(g) : std::int64_t{-1};
  });
  if (!unbound) return;
  write_most_bound(to, "GroupIDMostbound", "GroupPosMostbound", catalogue, particles);
  write_column<double>(to, "GroupKinetic", catalogue, [](const Group& g) { return g.kinetic; });
  write_column<double>(to, "GroupPotential", catalogue, [](const Group& g) { return g.potential; });
}

/// Gadget-4 and Arepo name the number of a subhalo's group differently.
void write_subhalos(const Hdf5Group& to, const GroupCatalogue& catalogue, const Particles& particles) {
  write_properties(to, "Subhalo", catalogue);
  write_centres(to, "SubhaloCM", catalogue);
  write_most_bound(to, "SubhaloIDMostbound", "SubhaloPos", catalogue, particles);
  for (const char* name : {"SubhaloGroupNr", "SubhaloGrNr"}) {
    write_table<std::int64_t>(to, name, catalogue.groups.size(), 1, [](std::size_t g, std::size_t) { return g; });
  }
  write_column<std::int32_t>(to, "SubhaloRankInGr", catalogue, [](const Group&) { return 0; });
}

/// A number of each halo: as Gadget-4 names it, and in the table.
struct HaloColumn {
  const char* dataset;
  const char* name;
  double (*value)(const analysis::Halo&);
};

/// masses: whether there are overdensities.
std::vector<HaloColumn> halo_columns(bool masses) {
  using analysis::Halo;
  std::vector<HaloColumn> all = {{"GroupVmax", "v_max", [](const Halo& h) { return h.v_max; }},
                                 {"GroupVmaxRad", "r_max", [](const Halo& h) { return h.r_max; }}};
  if (!masses) return all;
  all.insert(all.end(), {{"Group_M_Crit200", "m200c", [](const Halo& h) { return h.m200c.mass; }},
                         {"Group_R_Crit200", "r200c", [](const Halo& h) { return h.m200c.radius; }},
                         {"Group_M_Crit500", "m500c", [](const Halo& h) { return h.m500c.mass; }},
                         {"Group_R_Crit500", "r500c", [](const Halo& h) { return h.m500c.radius; }},
                         {"Group_M_TopHat200", "mvir", [](const Halo& h) { return h.virial.mass; }},
                         {"Group_R_TopHat200", "rvir", [](const Halo& h) { return h.virial.radius; }}});
  return all;
}

void write_halos(const Hdf5Group& groups, const GroupHalos& halos) {
  const std::size_t n = halos.halos.size();
  write_table<double>(groups, "GroupCentre", n, 3,
                      [&](std::size_t g, std::size_t k) { return halos.halos[g].centre[k]; });
  for (const HaloColumn& column : halo_columns(halos.critical > 0)) {
    write_table<double>(groups, column.dataset, n, 1,
                        [&](std::size_t g, std::size_t) { return column.value(halos.halos[g]); });
  }
}

void write_hdf5_groups(const ReplacedFile& target, const GroupCatalogue& catalogue, const GroupHalos& halos,
                       const Snapshot& snapshot, const GroupOptions& options) {
  const Hdf5Quiet quiet;
  Hdf5File file = Hdf5File::create(target);
  {
    const Hdf5Group root = file.root();
    const Particles& particles = snapshot.particles;
    write_header(root.create("Header"), catalogue, snapshot, options);
    const Hdf5Group parameters = root.create("Parameters");
    write_parameters(parameters, catalogue, options);
    parameters.write_attribute("CriticalDensity", halos.critical);
    parameters.write_attribute("VirialOverdensity", halos.virial);
    write_units(root.create("Units"), snapshot.units.physical ? snapshot.units : Units{});
    const Hdf5Group groups = root.create("Group"), subhalos = root.create("Subhalo");
    const bool any = !catalogue.groups.empty();  // pynbody divides the length of each dataset by their number
    if (any) write_group(groups, catalogue, particles, options.unbind);
    if (any) write_halos(groups, halos);
    if (any && options.unbind) write_subhalos(subhalos, catalogue, particles);
    write_table<std::uint64_t>(root.create("IDs"), "ID", catalogue.members.size(), 1,
                               [&](std::size_t k, std::size_t) { return particles.id[catalogue.members[k]]; });
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

void write_csv_groups(FileWriter& out, const GroupCatalogue& catalogue, const GroupHalos& halos,
                      const Particles& particles, const GroupOptions& options) {
  const std::vector<GroupColumn> all = group_columns(options.unbind);
  const std::vector<HaloColumn> of_halos = halo_columns(halos.critical > 0);
  std::string line = "group";
  for (const GroupColumn& column : all) line += "," + column.name;
  line += ",centre_x,centre_y,centre_z";
  for (const HaloColumn& column : of_halos) line += std::string(",") + column.name;
  if (options.unbind) line += ",most_bound_id";  // whole, where a number of a column would lose digits
  out.write(line + "\n");
  for (std::size_t g = 0; g < catalogue.groups.size(); ++g) {
    line = std::to_string(g);
    const Group& group = catalogue.groups[g];
    for (const GroupColumn& column : all) line += "," + shortest(column.value(group));
    for (const double x : halos.halos[g].centre) line += "," + shortest(x);
    for (const HaloColumn& column : of_halos) line += "," + shortest(column.value(halos.halos[g]));
    if (options.unbind) line += "," + std::to_string(particles.id[static_cast<std::size_t>(group.most_bound)]);
    out.write(line + "\n");
  }
}

}  // namespace

bool is_named_as_subfind(const std::filesystem::path& path) {
  const std::string name = path.filename().string(), end = ".0" + path.extension().string();
  return name.rfind("fof_subhalo_tab_", 0) == 0 && name.find('.') == name.size() - end.size() &&
         name.compare(name.size() - end.size(), end.size(), end) == 0;
}

void check_group_file(const std::filesystem::path& path) {
  const std::string extension = path.extension().string();
  for (const char* known : {".hdf5", ".h5", ".csv"}) {
    if (extension == known) return;
  }
  throw UsageError(path.string(), "groups cannot be written with this extension", "known: .hdf5 .h5 .csv");
}

GroupHalos halos_about(const Particles& particles, const GroupCatalogue& catalogue, const GroupOptions& options,
                       double critical, const analysis::Cosmology& cosmology, std::size_t most) {
  const double virial = analysis::virial_overdensity(cosmology);
  return {.critical = critical,
          .virial = virial,
          .halos = analysis::halos_of_groups(particles, catalogue,
                                             {.G = options.G,
                                              .critical = critical,
                                              .virial = virial,
                                              .period = options.period(),
                                              .most = most,
                                              .threads = options.threads})};
}

void write_groups(const std::filesystem::path& path, const GroupCatalogue& catalogue, const GroupHalos& halos,
                  const Snapshot& snapshot, const GroupOptions& options) {
  check_group_file(path);
  ReplacedFile file(path);
  FileWriter out(file);
  if (path.extension() == ".csv") {
    write_csv_groups(out, catalogue, halos, snapshot.particles, options);
  } else {
    write_hdf5_groups(file, catalogue, halos, snapshot, options);
  }
  out.flush();
  file.commit();
}

}  // namespace hornbeam::io
