// SPDX-License-Identifier: Apache-2.0
// Writes snapshots as NumPy's arrays: each field by its name in an archive, or positions, velocities and masses alone.
#include <algorithm>
#include <array>
#include <type_traits>

#include "io/arrays/npy.h"
#include "io/arrays/numpy.h"
#include "io/arrays/zip.h"
#include "io/layout.h"
#include "io/tables/number_field.h"

namespace hornbeam::io {
namespace {

constexpr std::size_t numbers_at_once = 1 << 16;

/// NumPy's word for a type of ours.
template <class Value>
const char* descr_of() {
  if constexpr (std::is_same_v<Value, Vec3> || std::is_same_v<Value, double>) return "<f8";
  if constexpr (std::is_same_v<Value, std::uint64_t>) return "<u8";
  if constexpr (std::is_same_v<Value, Family> || std::is_same_v<Value, std::uint8_t>) return "|u1";
}

template <class Value>
void add_array(ZipWriter& zip, const char* name, const std::vector<Value>& values) {
  std::vector<std::uint64_t> shape{values.size()};
  if constexpr (std::is_same_v<Value, Vec3>) shape.push_back(3);
  const std::string header = npy_header(descr_of<Value>(), shape);
  zip.add(std::string(name) + ".npy", [&](const ZipWriter::Sink& sink) {
    sink(std::as_bytes(std::span(header)));
    sink(std::as_bytes(std::span(values)));
  });
}

void add_number(ZipWriter& zip, const char* name, double value) {
  const std::string header = npy_header("<f8", {});
  zip.add(std::string(name) + ".npy", [&](const ZipWriter::Sink& sink) {
    sink(std::as_bytes(std::span(header)));
    sink(std::as_bytes(std::span(&value, 1)));
  });
}

void add_three(ZipWriter& zip, const char* name, const Vec3& values) {
  const std::string header = npy_header("<f8", {values.size()});
  zip.add(std::string(name) + ".npy", [&](const ZipWriter::Sink& sink) {
    sink(std::as_bytes(std::span(header)));
    sink(std::as_bytes(std::span(values)));
  });
}

void add_boundary(ZipWriter& zip, const Boundary& boundary) {
  if (boundary.kind == BoundaryKind::open) return;
  add_three(zip, boundary_names[0], boundary.size);
  if (boundary.names_images()) {
    Vec3 ghosts{};
    for (std::size_t k = 0; k < 3; ++k) ghosts[k] = boundary.images(k);
    add_three(zip, boundary_names[1], ghosts);
  }
  if (boundary.kind != BoundaryKind::shear) return;
  add_number(zip, boundary_names[2], boundary.omega);
  add_number(zip, boundary_names[3], boundary.omega_z);
}

void write_archive(FileWriter& out, const Snapshot& snapshot) {
  ZipWriter zip(out);
  for_each_array(snapshot.particles, [&](const auto& values, const FieldRow& row) {
    if (row.life != Life::run && (row.required || !values.empty())) add_array(zip, row.name, values);
  });
  add_number(zip, "time", snapshot.time);
  if (snapshot.box_size > 0) add_number(zip, "box_size", snapshot.box_size);
  add_boundary(zip, snapshot.boundary);
  if (snapshot.gas && has_ideal_energies(*snapshot.gas) && snapshot.gas->gamma > 1) {
    add_number(zip, gamma_name, snapshot.gas->gamma);
    if (snapshot.gas->mean_weight > 0) add_number(zip, mean_weight_name, snapshot.gas->mean_weight);
  }
  const Units& units = snapshot.units;
  add_number(zip, "G", units.G);
  if (units.physical) {
    add_number(zip, "length_cm", units.length_cm);
    add_number(zip, "mass_g", units.mass_g);
    add_number(zip, "velocity_cm_per_s", units.velocity_cm_per_s);
  }
  zip.finish();
}

std::vector<std::string> write_table(FileWriter& out, const Snapshot& snapshot) {
  const Particles& p = snapshot.particles;
  constexpr std::size_t columns = 7;
  out.write(npy_header("<f8", {p.size(), columns}));
  std::vector<double> block;
  for (std::size_t i = 0; i < p.size(); ++i) {
    for (const Vec3* v : {&p.position[i], &p.velocity[i]}) block.insert(block.end(), v->begin(), v->end());
    block.push_back(p.mass[i]);
    if (block.size() < numbers_at_once && i + 1 < p.size()) continue;
    out.write(std::as_bytes(std::span(block)));
    block.clear();
  }
  std::vector<std::string> lost{"npy: only positions, velocities and masses are kept; npz keeps everything"};
  add_if(lost, snapshot.units.physical, "npy: units are not stored");
  add_if(lost, snapshot.time != 0, "npy: the time is not stored");
  add_lost_box(lost, snapshot, "npy");
  add_lost_gas(lost, snapshot, "npy");
  return lost;
}

}  // namespace

std::vector<std::string> write_numpy(FileWriter& out, const Snapshot& snapshot, bool archive) {
  if (!archive) return write_table(out, snapshot);
  write_archive(out, snapshot);
  std::vector<std::string> lost;
  add_lost_gas(lost, snapshot, "npz", true);
  return lost;
}

}  // namespace hornbeam::io
