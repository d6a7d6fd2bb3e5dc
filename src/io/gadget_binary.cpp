// SPDX-License-Identifier: Apache-2.0
// Reads Gadget-2 binary snapshots: records are found and checked first, then copied into the particles.
#include "io/gadget_binary.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

#include "hornbeam/error.h"
#include "io/gadget_binary_layout.h"
#include "io/layout.h"

namespace hornbeam::io {
namespace {

namespace gb = gadget_binary;

struct Variant {
  int version = 1;
  bool swapped = false;
};

std::optional<Variant> find_variant(Bytes file) {
  if (file.size() < 4) return std::nullopt;
  for (const bool swapped : {false, true}) {
    const auto guard = load<std::uint32_t>(file, 0, swapped);
    if (guard == sizeof(gb::FileHeader)) return Variant{1, swapped};
    if (guard == gb::name_record_size) return Variant{2, swapped};
  }
  return std::nullopt;
}

/// Walks the records, each between two equal guards that hold its length.
class RecordReader {
 public:
  RecordReader(Bytes file, bool swapped, const std::string& subject)
      : file_(file), swapped_(swapped), subject_(subject) {}

  [[nodiscard]] bool at_end() const { return position_ == file_.size(); }

  Bytes next(const std::string& what) {
    if (file_.size() - position_ < 8) refuse_truncated(what);
    const std::uint64_t size = load<std::uint32_t>(file_, position_, swapped_);
    if (file_.size() - position_ - 8 < size) refuse_truncated(what);
    const std::uint64_t end = load<std::uint32_t>(file_, position_ + 4 + size, swapped_);
    if (end != size) {
      throw Error(subject_, "is damaged: record " + what + " at byte " + std::to_string(position_) +
                                " begins with length " + std::to_string(size) + " and ends with " +
                                std::to_string(end));
    }
    const Bytes record = file_.subspan(position_ + 4, size);
    position_ += size + 8;
    return record;
  }

 private:
  [[noreturn]] void refuse_truncated(const std::string& what) const {
    throw Error(subject_, "is truncated or damaged: record " + what + " at byte " + std::to_string(position_) +
                              " passes the end of the file at " + std::to_string(file_.size()));
  }

  Bytes file_;
  bool swapped_;
  const std::string& subject_;
  std::size_t position_ = 0;
};

struct Header {
  FamilyCounts count{};
  std::array<double, family_count> mass{};
  double time = 0, box_size = 0;
  bool cosmological = false;

  [[nodiscard]] std::uint64_t total() const { return std::accumulate(count.begin(), count.end(), std::uint64_t{0}); }
  /// Particles whose masses are in the MASS block.
  [[nodiscard]] std::uint64_t with_mass_block() const {
    std::uint64_t sum = 0;
    for (std::size_t f = 0; f < count.size(); ++f) sum += mass[f] == 0 ? count[f] : 0;
    return sum;
  }
};

Header parse_header(Bytes record, bool swapped, const std::string& subject) {
  gb::FileHeader stored;
  if (record.size() != sizeof(stored)) {
    throw Error(subject, "has a header record of " + std::to_string(record.size()) + " bytes, not 256");
  }
  std::memcpy(&stored, record.data(), sizeof(stored));
  if (swapped) stored = gb::byte_swapped(stored);
  Header header;
  for (std::size_t f = 0; f < header.count.size(); ++f) {
    const std::int32_t count = stored.count[f];
    if (count < 0) throw Error(subject, "npart[" + std::to_string(f) + "] = " + std::to_string(count) + " is negative");
    header.count[f] = static_cast<std::uint64_t>(count);
    header.mass[f] = stored.mass[f];
  }
  if (stored.files > 1) {
    throw Error(subject, "is one of " + std::to_string(stored.files) + " files of a snapshot",
                "join them into one file first");
  }
  header.time = stored.time;
  const bool open = std::equal(gb::open_mark.begin(), gb::open_mark.end(), stored.unused);
  header.box_size = open ? 0.0 : stored.box_size;
  header.cosmological = stored.omega_0 > 0;
  return header;
}

using Blocks = std::map<std::string, Bytes>;

/// Format 1: blocks have no names but a fixed order; which of them a file holds follows from its header.
Blocks blocks_by_order(RecordReader& records, const Header& header, std::vector<std::string>& notes) {
  Blocks blocks;
  std::vector<std::string> expected{gb::positions, gb::velocities, gb::ids};
  if (header.with_mass_block() > 0) expected.emplace_back(gb::masses);
  if (header.count[0] > 0) expected.insert(expected.end(), {gb::internal_energy, gb::density, gb::smoothing_length});
  for (const std::string& name : expected) {
    if (!records.at_end()) blocks[name] = records.next(name);
  }
  std::size_t ignored = 0;
  for (; !records.at_end(); ++ignored) records.next("after the last known block");
  add_if(notes, ignored > 0, std::to_string(ignored) + " further records without a name are not read");
  return blocks;
}

std::string parse_name(Bytes record, const std::string& subject) {
  if (record.size() != gb::name_record_size) {
    throw Error(subject, "is damaged: a block name takes 8 bytes, not " + std::to_string(record.size()));
  }
  std::string name(reinterpret_cast<const char*>(record.data()), 4);  // NOLINT: bytes of text
  if (std::any_of(name.begin(), name.end(), [](char c) { return c < ' ' || c > '~'; })) {
    throw Error(subject, "is damaged: a block name is not text");
  }
  return name;
}

Blocks blocks_by_name(RecordReader& records, const std::string& subject, std::vector<std::string>& notes) {
  Blocks blocks;
  while (!records.at_end()) {
    const std::string name = parse_name(records.next("name"), subject);
    const bool known = std::find(gb::known_blocks.begin(), gb::known_blocks.end(), name) != gb::known_blocks.end();
    add_if(notes, !known, "block " + name + " is not read");
    if (!blocks.emplace(name, records.next(name)).second) throw Error(subject, "holds block " + name + " twice");
  }
  return blocks;
}

/// Copies blocks into particles; numbers are 4 or 8 bytes wide, told by the block's length.
class BlockReader {
 public:
  BlockReader(const Blocks& blocks, bool swapped, const std::string& subject)
      : blocks_(blocks), swapped_(swapped), subject_(subject) {}

  [[nodiscard]] bool has(const std::string& name) const { return blocks_.contains(name); }

  /// Calls store(i, value) for the `count` numbers of block `name`.
  template <class Narrow, class Wide, class Store>
  void read(const std::string& name, std::uint64_t count, Store&& store) const {
    if (count == 0) return;
    const auto found = blocks_.find(name);
    if (found == blocks_.end()) throw Error(subject_, "has no block " + name);
    const Bytes block = found->second;
    if (block.size() == count * sizeof(Narrow)) {
      for (std::uint64_t i = 0; i < count; ++i) store(i, load<Narrow>(block, i * sizeof(Narrow), swapped_));
    } else if (block.size() == count * sizeof(Wide)) {
      for (std::uint64_t i = 0; i < count; ++i) store(i, load<Wide>(block, i * sizeof(Wide), swapped_));
    } else {
      throw Error(subject_, "block " + name + " has " + std::to_string(block.size()) + " bytes for " +
                                std::to_string(count) + " numbers: neither 4 nor 8 each");
    }
  }

  void read(const std::string& name, std::vector<Vec3>& to) const {
    read<float, double>(name, 3 * to.size(), [&](std::uint64_t i, double value) { to[i / 3][i % 3] = value; });
  }

  /// Block `name` for the first `count` of `total` particles, 0 for the others; nothing where it is absent.
  void read_optional(const std::string& name, std::uint64_t count, std::uint64_t total, std::vector<double>& to) const {
    if (!has(name) || count == 0) return;
    to.assign(total, 0.0);
    read<float, double>(name, count, [&](std::uint64_t i, double value) { to[i] = value; });
  }

 private:
  const Blocks& blocks_;
  bool swapped_;
  const std::string& subject_;
};

void read_masses(const BlockReader& reader, const Header& header, Particles& particles) {
  std::vector<std::uint64_t> from_block;
  from_block.reserve(header.with_mass_block());
  std::uint64_t i = 0;
  for (std::size_t f = 0; f < header.count.size(); ++f) {
    for (std::uint64_t k = 0; k < header.count[f]; ++k, ++i) {
      particles.mass[i] = header.mass[f];
      if (header.mass[f] == 0) from_block.push_back(i);
    }
  }
  reader.read<float, double>(gb::masses, from_block.size(),
                             [&](std::uint64_t k, double value) { particles.mass[from_block[k]] = value; });
}

/// Throws unless the positions, which every file has, can hold the header's particles: nothing is allocated before.
void check_counts(const Blocks& blocks, const Header& header, const std::string& subject) {
  const auto positions = blocks.find(gb::positions);
  if (header.total() == 0) {
    if (positions == blocks.end() || positions->second.empty()) return;
    throw Error(subject, "its header counts 0 particles, but block POS has " +
                             std::to_string(positions->second.size()) + " bytes");
  }
  if (positions == blocks.end()) throw Error(subject, std::string("has no block ") + gb::positions);
  if (positions->second.size() < 12 * header.total()) {
    throw Error(subject, "block POS has " + std::to_string(positions->second.size()) + " bytes for the " +
                             std::to_string(header.total()) + " particles of the header");
  }
}

void read_particles(const BlockReader& reader, const Header& header, Snapshot& snapshot) {
  Particles& particles = snapshot.particles;
  double more = sizeof(std::uint64_t);  // where masses go
  for (const char* name : {gb::internal_energy, gb::density, gb::smoothing_length, gb::potential}) {
    if (reader.has(name)) more += sizeof(double);
  }
  assign_families(particles, header.count, more + (reader.has(gb::acceleration) ? sizeof(Vec3) : 0));
  const std::uint64_t n = particles.size();
  reader.read(gb::positions, particles.position);
  reader.read(gb::velocities, particles.velocity);
  if (reader.has(gb::ids)) {
    reader.read<std::uint32_t, std::uint64_t>(gb::ids, n,
                                              [&](std::uint64_t i, std::uint64_t value) { particles.id[i] = value; });
  } else {
    snapshot.notes.emplace_back("no ids: particles are numbered in file order");
  }
  read_masses(reader, header, particles);
  reader.read_optional(gb::internal_energy, header.count[0], n, particles.internal_energy);
  reader.read_optional(gb::density, header.count[0], n, particles.density);
  reader.read_optional(gb::smoothing_length, header.count[0], n, particles.smoothing_length);
  reader.read_optional(gb::potential, n, n, particles.potential);
  if (n > 0 && reader.has(gb::acceleration)) {
    particles.acceleration.resize(n);
    reader.read(gb::acceleration, particles.acceleration);
  }
}

}  // namespace

bool looks_like_gadget_binary(Bytes file) { return find_variant(file).has_value(); }

Snapshot parse_gadget_binary(Bytes file, const std::string& subject) {
  const std::optional<Variant> variant = find_variant(file);
  if (!variant) {
    throw Error(subject, "is not a Gadget-2 binary file: it begins with no record guard of 8 or 256",
                "name another format with --from");
  }
  RecordReader records(file, variant->swapped, subject);
  if (variant->version == 2 && parse_name(records.next("name"), subject) != gb::head) {
    throw Error(subject, "is not a Gadget-2 binary file: its first block is not HEAD");
  }
  const Header header = parse_header(records.next("header"), variant->swapped, subject);
  Snapshot snapshot;
  snapshot.time = header.time;
  snapshot.box_size = header.box_size;
  snapshot.notes.push_back("Gadget-2 binary, format " + std::to_string(variant->version) + ", " +
                           (variant->swapped ? "big-endian" : "little-endian"));
  add_if(snapshot.notes, header.cosmological, "cosmological factors are not applied: numbers are taken as they stand");
  const Blocks blocks = variant->version == 2 ? blocks_by_name(records, subject, snapshot.notes)
                                              : blocks_by_order(records, header, snapshot.notes);
  check_counts(blocks, header, subject);
  read_particles(BlockReader(blocks, variant->swapped, subject), header, snapshot);
  return snapshot;
}

}  // namespace hornbeam::io
