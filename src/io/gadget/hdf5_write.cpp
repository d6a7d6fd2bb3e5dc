// SPDX-License-Identifier: Apache-2.0
// Writes Gadget's HDF5 layout with what yt, pynbody and Gadget-4's own scripts look for.
#include <algorithm>
#include <sstream>

#include "hornbeam/error.h"
#include "hornbeam/units.h"
#include "io/gadget/hdf5.h"
#include "io/gadget/hdf5_layout.h"
#include "io/hdf5/hdf5.h"
#include "io/layout.h"
#include "io/tools.h"
#include "tree/boundary.h"

namespace hornbeam::io {
namespace {

namespace gh = gadget_hdf5;

constexpr std::uint64_t block_rows = 1 << 16;
constexpr double seconds_per_gigayear = 3.15576e16;  // Julian years

/// Header attributes: yt needs all but Redshift, other tools NumPart_Total and its high word.
void write_header(const Hdf5Group& root, const FamilyOrder& order, double time, double box_size) {
  const Hdf5Group header = root.create("Header");
  const std::vector<std::uint64_t> count(order.count.begin(), order.count.end());
  header.write_attribute("NumPart_ThisFile", count);
  header.write_attribute("NumPart_Total", count);
  header.write_attribute("NumPart_Total_HighWord", std::vector<std::uint32_t>(family_count, 0));
  header.write_attribute("NumFilesPerSnapshot", std::int32_t{1});
  header.write_attribute("MassTable", std::vector<double>(family_count, 0.0));
  header.write_attribute("BoxSize", box_size);
  header.write_attribute("Time", time);
  header.write_attribute("Redshift", 0.0);
  if (order.count[0] > 0) header.write_attribute("Flag_Entropy_ICs", std::int32_t{0});  // energies, no entropies
}

/// pynbody looks for units in Units, otherwise in Parameters, whose presence makes it look for time and box there, too.
/// yt takes the box of Parameters before that of the header, where 0 says that the system is open.
void write_units(const Hdf5Group& root, const Units& units, const Snapshot& snapshot, double cube) {
  const double time_s = units.length_cm / units.velocity_cm_per_s;
  const Hdf5Group groups[] = {root.create("Units"), root.create("Parameters")};
  for (const Hdf5Group& group : groups) {
    group.write_attribute(gh::length_unit, units.length_cm);
    group.write_attribute(gh::mass_unit, units.mass_g);
    group.write_attribute(gh::velocity_unit, units.velocity_cm_per_s);
  }
  groups[0].write_attribute("UnitTime_in_s", time_s);
  groups[1].write_attribute(gh::gravity, units.G);
  groups[1].write_attribute("Time_GYR", snapshot.time * time_s / seconds_per_gigayear);
  groups[1].write_attribute("BoxSize", cube);
  if (!snapshot.gas) return;
  const bool has_flowed = !snapshot.gas->kernel.empty();
  const auto write = [&](const char* name, const auto& value) {
    if (has_flowed || value != std::decay_t<decltype(value)>{}) groups[1].write_attribute(name, value);
  };
  gh::for_each_gas_parameter(*snapshot.gas, write, write);
}

/// One type's part of the particles, as indices in input order.
struct TypeRows {
  const std::uint64_t* index;
  std::uint64_t count;
};

/// Gadget-4's attributes from which tools infer a dataset's unit.
void write_unit_attributes(Hdf5Writer& dataset, const Dimension& dimension, const Units& units) {
  dataset.attribute("a_scaling", 0);
  dataset.attribute("h_scaling", 0);
  dataset.attribute("length_scaling", dimension.length);
  dataset.attribute("mass_scaling", dimension.mass);
  dataset.attribute("velocity_scaling", dimension.velocity);
  dataset.attribute("to_cgs", dimension.unit(units.length_cm, units.mass_g, units.velocity_cm_per_s));
}

/// A field of whole numbers, as WoMa and SWIFT write materials.
void write_whole(const Hdf5Group& group, const NumberField& field, const Particles& particles, const TypeRows& rows) {
  Hdf5Writer dataset = group.create_dataset(field.row->dataset.name, H5T_NATIVE_INT32, rows.count, 1);
  std::vector<std::int32_t> block;
  for (std::uint64_t first = 0; first < rows.count; first += block_rows) {
    const std::uint64_t count = std::min(block_rows, rows.count - first);
    block.clear();
    for (std::uint64_t row = first; row < first + count; ++row) {
      block.push_back(static_cast<std::int32_t>(*field.at(particles, rows.index[row])));
    }
    dataset.rows(first, count, block.data());
  }
}

void write_field(const Hdf5Group& group, const NumberField& field, const Particles& particles, const TypeRows& rows,
                 const Units& units) {
  if (field.row->dataset.whole) return write_whole(group, field, particles, rows);
  const std::size_t columns = field.columns();
  Hdf5Writer dataset = group.create_dataset(field.row->dataset.name, H5T_NATIVE_DOUBLE, rows.count, columns);
  std::vector<double> block;
  for (std::uint64_t first = 0; first < rows.count; first += block_rows) {
    const std::uint64_t count = std::min(block_rows, rows.count - first);
    block.clear();
    for (std::uint64_t row = first; row < first + count; ++row) {
      const double* const values = field.at(particles, rows.index[row]);
      for (std::size_t column = 0; column < columns; ++column) block.push_back(values[column]);
    }
    dataset.rows(first, count, block.data());
  }
  write_unit_attributes(dataset, field.row->dimension, units);
}

void write_ids(const Hdf5Group& group, const Particles& particles, const TypeRows& rows) {
  Hdf5Writer dataset = group.create_dataset(gh::ids, H5T_NATIVE_UINT64, rows.count, 1);
  std::vector<std::uint64_t> block;
  for (std::uint64_t first = 0; first < rows.count; first += block_rows) {
    const std::uint64_t count = std::min(block_rows, rows.count - first);
    block.clear();
    for (std::uint64_t row = first; row < first + count; ++row) block.push_back(particles.id[rows.index[row]]);
    dataset.rows(first, count, block.data());
  }
}

void write_types(const Hdf5Group& root, const Particles& particles, const FamilyOrder& order, const Units& units) {
  const std::uint64_t* next = order.index.data();
  for (std::size_t f = 0; f < order.count.size(); ++f) {
    const TypeRows rows{next, order.count[f]};
    next += rows.count;
    if (rows.count == 0) continue;
    const Hdf5Group group = root.create(gh::group_name(f));
    for (const NumberField& field : gh::datasets) {
      const bool fits = !field.row->dataset.gas_only || f == static_cast<std::size_t>(Family::gas);
      if (fits && !field.empty(particles)) write_field(group, field, particles, rows, units);
    }
    write_ids(group, particles, rows);
  }
}

/// A box that is no cube, and one that moves, have no place in Gadget's header.
void write_boundary(const Hdf5Group& own, const Boundary& boundary, double time) {
  const auto list = [](const auto& three) { return std::vector<double>(three.begin(), three.end()); };
  const Hdf5Group group = own.create(gh::boundary_group);
  group.write_attribute("Kind", name(boundary.kind));
  group.write_attribute("Size", list(boundary.size));
  if (boundary.names_images()) {
    std::vector<std::uint64_t> ghosts;
    for (std::size_t k = 0; k < 3; ++k) ghosts.push_back(static_cast<std::uint64_t>(boundary.images(k)));
    group.write_attribute("Ghosts", ghosts);
  }
  if (boundary.kind != BoundaryKind::shear) return;
  group.write_attribute("Omega", boundary.omega);
  group.write_attribute("OmegaZ", boundary.omega_z);
  group.write_attribute("Drift", periodic_box(boundary, time).drift);
}

void write_own(const Hdf5Group& root, const Snapshot& snapshot, const std::string& record) {
  const bool boxed = snapshot.boundary.kind != BoundaryKind::open;
  if (record.empty() && !boxed) return;
  const Hdf5Group group = root.create(gh::record_group);
  if (boxed) write_boundary(group, snapshot.boundary, snapshot.time);
  if (record.empty()) return;
  group.create_dataset(gh::record, H5T_STD_U8LE, record.size(), 1).rows(0, record.size(), record.data());
}

/// The snapshot's own; cgs units of 1 with its G where they are not physical.
Units written_units(const Units& units) {
  Units written = units;
  if (!units.physical) written = {.G = units.G};
  return written;
}

/// pynbody and others call particles of disc and bulge dark matter; these are stars by the name that they know.
std::vector<Family> with_stars(std::vector<Family> families) {
  for (Family& family : families) {
    if (family == Family::disc || family == Family::bulge) family = Family::star;
  }
  return families;
}

}  // namespace

std::vector<std::string> write_gadget_hdf5(const ReplacedFile& target, const Snapshot& snapshot, bool stars,
                                           const std::string& record) {
  const Hdf5Quiet quiet;
  const Units units = written_units(snapshot.units);
  const FamilyOrder order = group_by_family(stars ? with_stars(snapshot.particles.family) : snapshot.particles.family);

  Hdf5File file = Hdf5File::create(target);
  {
    const Hdf5Group root = file.root();
    write_header(root, order, snapshot.time, snapshot.box_size);
    write_units(root, units, snapshot, cube_for_tools(snapshot));
    write_types(root, snapshot.particles, order, units);
    write_own(root, snapshot, record);
  }
  file.close();
  std::vector<std::string> sentences;
  add_if(sentences, stars, "hdf5-stars: particles of disc and bulge are written as stars");
  return sentences;
}

std::string yt_load_line(const std::filesystem::path& path, const Units& units) {
  if (!units.physical || !agree(units, Units::galactic())) return yt_catalogue_line(path, units);
  return "yt.load(\"" + path.string() + "\")";
}

std::string yt_catalogue_line(const std::filesystem::path& path, const Units& units) {
  const Units galactic = Units::galactic();
  // of a system with G = 1: 1 kpc and 1 km/s, and the mass with which G is 1 in them
  const Units base =
      units.physical ? units : Units{galactic.length_cm, galactic.mass_g / galactic.G, galactic.velocity_cm_per_s};
  std::ostringstream line;
  line.precision(10);
  const auto unit = [&line](const char* what, double size, const char* name) {
    line << '"' << what << "\": (" << size << ", \"" << name << "\")";
  };
  line << "yt.load(\"" << path.string() << "\", unit_base={";
  unit("length", base.length_cm / galactic.length_cm, "kpc");
  line << ", ";
  unit("velocity", base.velocity_cm_per_s / galactic.velocity_cm_per_s, "km/s");
  line << ", ";
  unit("mass", base.mass_g / (galactic.mass_g / 1e10), "Msun");
  line << "})";
  return line.str();
}

}  // namespace hornbeam::io
