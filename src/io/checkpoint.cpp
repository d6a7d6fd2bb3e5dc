// SPDX-License-Identifier: Apache-2.0
// Checkpoints as HDF5: one dataset an array in input order, one attribute a number, under a seal over the whole file.
#include "io/checkpoint.h"

#include <cmath>
#include <sstream>

#include "hornbeam/error.h"
#include "io/checkpoint_fields.h"
#include "io/files/file.h"
#include "io/files/read_apart.h"
#include "io/files/seal.h"
#include "io/hdf5/hdf5.h"
#include "memory/need.h"

namespace hornbeam {
namespace {

using io::Hdf5Group;

constexpr std::uint64_t layout_version = 4;  // 4: a seal over the whole file, before the HDF5
constexpr const char* group_name = "Checkpoint";

class Writer {
 public:
  explicit Writer(const Hdf5Group& group) : group_(group) {}

  template <class T>
  void number(const char* name, const T& value) {
    group_.write_attribute(name, value);
  }
  template <class Array>
  void field(const FieldRow& row, const Array& values) {
    if (row.in_checkpoints) array(row.name, values);
  }
  void flag(const char* name, bool value) { group_.write_attribute(name, std::uint64_t{value}); }
  void array(const char* name, const std::vector<Vec3>& values) { write(name, H5T_NATIVE_DOUBLE, 3, values); }
  void array(const char* name, const std::vector<double>& values) { write(name, H5T_NATIVE_DOUBLE, 1, values); }
  void array(const char* name, const std::vector<std::uint64_t>& values) { write(name, H5T_NATIVE_UINT64, 1, values); }
  void array(const char* name, const std::vector<Family>& values) { write(name, H5T_STD_U8LE, 1, values); }
  void array(const char* name, const std::vector<std::uint8_t>& values) { write(name, H5T_STD_U8LE, 1, values); }
  void array(const char* name, const std::string& text) { write(name, H5T_STD_U8LE, 1, text); }

 private:
  template <class Array>
  void write(const char* name, hid_t type, std::uint64_t columns, const Array& values) {
    if (values.empty()) return;
    group_.create_dataset(name, type, values.size(), columns).rows(0, values.size(), values.data());
  }

  const Hdf5Group& group_;
};

class Reader {
 public:
  explicit Reader(const Hdf5Group& group) : group_(group), n_(group.counts("particles", 1).front()) {}

  void number(const char* name, double& value) {
    group_.demand_type(name, H5T_NATIVE_DOUBLE);
    value = group_.number(name);
  }
  void number(const char* name, std::uint64_t& value) {
    group_.demand_type(name, H5T_NATIVE_UINT64);
    value = group_.counts(name, 1).front();
  }
  template <class Array>
  void field(const FieldRow& row, Array& values) {
    if (row.in_checkpoints) array(row.name, values);
  }
  void flag(const char* name, bool& value) { value = group_.counts(name, 1).front() != 0; }
  void array(const char* name, std::vector<Vec3>& values) {
    if (!group_.has(name)) return;
    group_.demand_type(name, H5T_NATIVE_DOUBLE);
    group_.check_numbers(name, n_, 3);
    demand(name, sizeof(Vec3));
    values.resize(n_);
    if (n_ > 0) group_.read(name, n_, 3, values.front().data());
  }
  void array(const char* name, std::vector<double>& values) {
    if (!group_.has(name)) return;
    group_.demand_type(name, H5T_NATIVE_DOUBLE);
    group_.check_numbers(name, n_, 1);
    demand(name, sizeof(double));
    values.resize(n_);
    group_.read(name, n_, 1, values.data());
  }
  /// After `position`, whose storage has borne out the count of particles.
  void array(const char* name, std::vector<std::uint64_t>& values) {
    if (!group_.has(name)) return;
    group_.demand_type(name, H5T_NATIVE_UINT64);
    demand(name, sizeof(std::uint64_t));
    values.resize(n_);
    group_.read(name, n_, values.data());
  }
  void array(const char* name, std::vector<Family>& values) {
    if (!group_.has(name)) return;
    for (const std::uint8_t number : group_.read_bytes(name)) values.push_back(static_cast<Family>(number));
  }
  void array(const char* name, std::vector<std::uint8_t>& values) {
    if (group_.has(name)) values = group_.read_bytes(name);
  }
  void array(const char* name, std::string& text) {
    if (!group_.has(name)) return;
    const std::vector<std::uint8_t> bytes = group_.read_bytes(name);
    text.assign(bytes.begin(), bytes.end());
  }

 private:
  void demand(const char* name, double bytes) const { memory::demand(n_, {{name, bytes}}); }

  const Hdf5Group& group_;
  std::uint64_t n_;
};

constexpr const char* list_name = "fields";

/// The names of the fields that the checkpoint holds, with spaces between them.
std::string list_of_fields(const Particles& particles) {
  std::string list;
  for_each_array(particles, [&](const auto& array, const FieldRow& row) {
    if (row.in_checkpoints && !array.empty()) list += (list.empty() ? "" : " ") + std::string(row.name);
  });
  return list;
}

/// Throws if one of those in the list is not there, or one that all particles have. Checkpoints of earlier versions
/// have no list.
void demand_fields(const Hdf5Group& group, const std::string& subject) {
  Reader reader(group);
  std::string list;
  reader.array(list_name, list);
  if (group.counts("particles", 1).front() > 0) {
    for_each_field([&](const auto& field) {
      if (field.row.required) list += " " + std::string(field.row.name);
    });
  }
  std::istringstream names(list);
  for (std::string name; names >> name;) {
    if (!group.has(name)) throw Error(subject, "is damaged: " + name + " of the particles is missing");
  }
}

void check_number(const std::string& subject, const char* name, double value, bool allowed, const char* demand) {
  if (std::isfinite(value) && allowed) return;
  std::ostringstream what;
  what << name << " = " << value << ": must be " << demand;
  throw Error(subject, what.str());
}

/// Throws where a run could not go on with it, or not rightly.
void validate(const Checkpoint& c, const std::string& subject) {
  c.snapshot.particles.validate(subject);
  const Units& units = c.snapshot.units;
  check_number(subject, "dt", c.dt, c.dt >= 0, "finite and 0 or more");
  check_number(subject, "time", c.snapshot.time, true, "finite");
  check_number(subject, "initial energy", c.initial_energy, true, "finite");
  check_number(subject, "box size", c.snapshot.box_size, c.snapshot.box_size >= 0, "finite and 0 or more");
  check_number(subject, "G", units.G, units.G >= 0, "finite and 0 or more");
  for (const double unit : {units.length_cm, units.mass_g, units.velocity_cm_per_s}) {
    check_number(subject, "a unit", unit, unit > 0, "finite and above 0");
  }
}

/// What lies behind a good seal, or behind none.
Checkpoint read_hdf5(const std::filesystem::path& path, bool sealed) {
  const io::Hdf5Quiet quiet;
  const io::Hdf5File file = io::Hdf5File::open(path);
  const Hdf5Group root = file.root();
  const std::string subject = path.string();
  if (!root.has(group_name)) throw Error(subject, "is HDF5, but no checkpoint: group /Checkpoint is missing");
  const Hdf5Group group = root.open(group_name);
  const std::uint64_t version = group.counts("version", 1).front();
  if (version != layout_version) {
    throw Error(subject,
                "is a checkpoint of layout " + std::to_string(version) + ": must be " + std::to_string(layout_version),
                "resume with the version that wrote it");
  }
  if (!sealed) throw Error(subject, "is damaged: the checksum in its first lines is missing");
  Checkpoint checkpoint;
  demand_fields(group, subject);
  Reader reader(group);
  io::visit(checkpoint, reader);
  return checkpoint;
}

}  // namespace

void write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint) {
  validate(checkpoint, path.string());
  const io::Hdf5Quiet quiet;
  io::ReplacedFile file(path);
  io::Hdf5File hdf5 = io::Hdf5File::create(file, io::seal_size);
  {
    const Hdf5Group root = hdf5.root();
    const Hdf5Group group = root.create(group_name);
    group.write_attribute("version", layout_version);
    group.write_attribute("particles", std::uint64_t{checkpoint.snapshot.particles.size()});
    Writer writer(group);
    io::visit(checkpoint, writer);
    writer.array(list_name, list_of_fields(checkpoint.snapshot.particles));
  }
  hdf5.close();
  io::write_seal(file, layout_version);
  file.commit();
}

bool is_checkpoint(const std::filesystem::path& path) { return io::has_seal(io::MappedFile(path).bytes()); }

Checkpoint read_checkpoint(const std::filesystem::path& path) {
  const std::string subject = path.string();
  bool sealed = false;
  {
    const io::MappedFile file(path);
    sealed = io::has_seal(file.bytes());
    if (sealed) io::check_seal(file.bytes(), layout_version, subject);
  }
  Checkpoint checkpoint = io::read_apart(path, [&] { return read_hdf5(path, sealed); });
  validate(checkpoint, subject);
  return checkpoint;
}

}  // namespace hornbeam
