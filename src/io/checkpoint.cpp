// SPDX-License-Identifier: Apache-2.0
// Checkpoints as HDF5: one dataset an array in input order, one attribute a number, and a checksum over all of them.
#include "io/checkpoint.h"

#include <bit>
#include <limits>

#include "hornbeam/error.h"
#include "io/file.h"
#include "io/hdf5.h"
#include "io/layout.h"
#include "memory/need.h"

namespace hornbeam {
namespace {

using io::Hdf5Group;

constexpr std::uint64_t layout_version = 3;  // 3: rungs and accelerations of the step before
constexpr const char* group_name = "Checkpoint";

/// Visits every number and array of a checkpoint, in one order for writing, reading and summing.
template <class CheckpointRef, class Visitor>
void visit(CheckpointRef& c, Visitor& visitor) {
  auto& s = c.snapshot;
  auto& p = s.particles;
  visitor.number("step", c.step);
  visitor.number("dt", c.dt);
  visitor.number("initial_energy", c.initial_energy);
  visitor.number("time", s.time);
  visitor.number("box_size", s.box_size);
  visitor.number("length_cm", s.units.length_cm);
  visitor.number("mass_g", s.units.mass_g);
  visitor.number("velocity_cm_per_s", s.units.velocity_cm_per_s);
  visitor.number("G", s.units.G);
  visitor.flag("physical", s.units.physical);
  visitor.array("position", p.position);
  visitor.array("velocity", p.velocity);
  visitor.array("mass", p.mass);
  visitor.array("id", p.id);
  visitor.array("family", p.family);
  visitor.array("eps", p.eps);
  visitor.array("internal_energy", p.internal_energy);
  visitor.array("density", p.density);
  visitor.array("smoothing_length", p.smoothing_length);
  visitor.array("acceleration", p.acceleration);
  visitor.array("potential", p.potential);
  visitor.array("rung", p.rung);
  visitor.array("rung_before", p.rung_before);
  visitor.array("acceleration_before", p.acceleration_before);
  visitor.array("configuration", c.configuration);
}

/// FNV-1a (64-bit) over the names' and values' bits, eight bytes at a time for the speed of large arrays.
class Checksum {
 public:
  [[nodiscard]] std::uint64_t value() const { return sum_; }

  template <class T>
  void number(const char*, const T& value) {
    add(std::bit_cast<std::uint64_t>(value));
  }
  void flag(const char*, bool value) { add(value ? 1 : 0); }
  template <class Array>
  void array(const char*, const Array& values) {
    const io::Bytes bytes = std::as_bytes(std::span(values));
    add(bytes.size());
    std::size_t i = 0;
    for (; i + 8 <= bytes.size(); i += 8) add(io::load<std::uint64_t>(bytes, i, false));
    for (; i < bytes.size(); ++i) add(static_cast<std::uint64_t>(bytes[i]));
  }

 private:
  void add(std::uint64_t word) { sum_ = (sum_ ^ word) * 0x100000001b3; }

  std::uint64_t sum_ = 0xcbf29ce484222325;
};

std::uint64_t checksum(const Checkpoint& checkpoint) {
  Checksum sum;
  visit(checkpoint, sum);
  return sum.value();
}

class Writer {
 public:
  explicit Writer(const Hdf5Group& group) : group_(group) {}

  template <class T>
  void number(const char* name, const T& value) {
    group_.write_attribute(name, value);
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

  void number(const char* name, double& value) { value = group_.number(name); }
  void number(const char* name, std::uint64_t& value) { value = group_.counts(name, 1).front(); }
  void flag(const char* name, bool& value) { value = group_.counts(name, 1).front() != 0; }
  void array(const char* name, std::vector<Vec3>& values) {
    if (!group_.has(name)) return;
    group_.check_numbers(name, n_, 3);
    memory::demand(n_, {{name, sizeof(Vec3)}});
    values.resize(n_);
    if (n_ > 0) group_.read(name, n_, 3, values.front().data());
  }
  void array(const char* name, std::vector<double>& values) {
    if (!group_.has(name)) return;
    group_.check_numbers(name, n_, 1);
    memory::demand(n_, {{name, sizeof(double)}});
    values.resize(n_);
    group_.read(name, n_, 1, values.data());
  }
  /// After `position`, whose storage has borne out the count of particles.
  void array(const char* name, std::vector<std::uint64_t>& values) {
    if (!group_.has(name)) return;
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
  const Hdf5Group& group_;
  std::uint64_t n_;
};

}  // namespace

void write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint) {
  const std::string subject = path.string();
  checkpoint.snapshot.particles.validate(subject);
  const io::Hdf5Quiet quiet;
  io::ReplacedFile file(path);
  io::Hdf5File hdf5 = io::Hdf5File::create(file);
  {
    const Hdf5Group root = hdf5.root();
    const Hdf5Group group = root.create(group_name);
    group.write_attribute("version", layout_version);
    group.write_attribute("particles", std::uint64_t{checkpoint.snapshot.particles.size()});
    group.write_attribute("checksum", checksum(checkpoint));
    Writer writer(group);
    visit(checkpoint, writer);
  }
  hdf5.close();
  file.commit();
}

bool is_checkpoint(const std::filesystem::path& path) {
  const io::Hdf5Quiet quiet;
  return io::Hdf5File::open(path).root().has(group_name);
}

Checkpoint read_checkpoint(const std::filesystem::path& path) {
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
  Checkpoint checkpoint;
  Reader reader(group);
  visit(checkpoint, reader);
  checkpoint.snapshot.particles.validate(subject);
  if (checksum(checkpoint) != group.counts("checksum", 1).front()) {
    throw Error(subject, "is damaged: its data do not agree with its checksum");
  }
  return checkpoint;
}

}  // namespace hornbeam
