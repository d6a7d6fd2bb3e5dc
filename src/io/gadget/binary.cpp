// SPDX-License-Identifier: Apache-2.0
// Reads Gadget-2 binary snapshots: records are found and checked first, then copied into the particles.
#include "io/gadget/binary.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <sstream>

#include "hornbeam/error.h"
#include "io/cosmology.h"
#include "io/gadget/binary_layout.h"
#include "io/gadget/binary_records.h"
#include "io/layout.h"

namespace hornbeam::io {
namespace {

namespace gb = gadget_binary;

struct Header {
  FamilyCounts count{};
  std::array<double, family_count> mass{};
  double time = 0, box_size = 0;
  bool entropies = false;  ///< U holds entropies
  bool more_gas = false;   ///< of a run with cooling or stars, which has further records of gas before HSML
  std::optional<Cosmology> cosmology{};

  [[nodiscard]] std::uint64_t total() const { return std::accumulate(count.begin(), count.end(), std::uint64_t{0}); }
  /// Particles whose masses are in the MASS block.
  [[nodiscard]] std::uint64_t with_mass_block() const {
    std::uint64_t sum = 0;
    for (std::size_t f = 0; f < count.size(); ++f) sum += mass[f] == 0 ? count[f] : 0;
    return sum;
  }
};

/// Gadget's marks of a cosmological run; its time is the scale factor.
std::optional<Cosmology> cosmology_of(const gb::FileHeader& stored) {
  if (!(stored.omega_0 > 0) && !(stored.redshift > 0)) return std::nullopt;
  constexpr double rounding = 1e-3;
  const bool agree = std::abs(stored.time * (1 + stored.redshift) - 1) < rounding;
  return Cosmology{.a = agree ? stored.time : 0,
                   .h = stored.hubble,
                   .per_h = true,
                   .velocity_of_a = 0.5,
                   .omega_matter = stored.omega_0,
                   .omega_lambda = stored.omega_lambda};
}

gb::FileHeader load_header(Bytes record, bool swapped, const std::string& subject) {
  gb::FileHeader stored;
  if (record.size() != sizeof(stored)) {
    throw Error(subject, "has a header record of " + std::to_string(record.size()) + " bytes, not 256");
  }
  std::memcpy(&stored, record.data(), sizeof(stored));
  return swapped ? gb::byte_swapped(stored) : stored;
}

Header parse_header(Bytes record, bool swapped, const std::string& subject) {
  const gb::FileHeader stored = load_header(record, swapped, subject);
  Header header;
  for (std::size_t f = 0; f < header.count.size(); ++f) {
    const std::int32_t count = stored.count[f];
    if (count < 0) throw Error(subject, "npart[" + std::to_string(f) + "] = " + std::to_string(count) + " is negative");
    header.count[f] = static_cast<std::uint64_t>(count);
    header.mass[f] = stored.mass[f];
  }
  header.time = stored.time;
  const bool open = std::equal(gb::open_mark.begin(), gb::open_mark.end(), stored.unused);
  header.box_size = open ? 0.0 : stored.box_size;
  header.entropies = !open && stored.has_entropies();
  header.more_gas = stored.cooling != 0 || stored.star_formation != 0 || stored.metals != 0 || stored.ages != 0;
  header.cosmology = cosmology_of(stored);
  return header;
}

using Blocks = std::map<std::string, Bytes>;

/// Bytes of the values of all blocks but the ids: those of the positions.
std::uint64_t width_of(Bytes positions, const Header& header) {
  return positions.size() == 3 * header.total() * sizeof(double) ? sizeof(double) : sizeof(float);
}

/// Format 1: blocks have no names but a fixed order; which of them a file holds follows from its header. Those of gas
/// are known by their size, too.
Blocks blocks_by_order(RecordReader& records, const Header& header, std::vector<std::string>& notes) {
  Blocks blocks;
  std::vector<std::string> expected{gb::positions, gb::velocities, gb::ids};
  if (header.with_mass_block() > 0) expected.emplace_back(gb::masses);
  for (const std::string& name : expected) {
    if (!records.at_end()) blocks[name] = records.next(name);
  }
  std::vector<std::string> of_gas{gb::internal_energy, gb::density, gb::smoothing_length};
  if (header.more_gas) of_gas.pop_back();  // where it stands the header does not say
  const auto positions = blocks.find(gb::positions);
  const std::uint64_t width = positions == blocks.end() ? 0 : width_of(positions->second, header);
  std::size_t known = 0, ignored = 0;
  while (!records.at_end()) {
    const std::string name = known < of_gas.size() ? of_gas[known] : "after the last known block";
    const Bytes record = records.next(name);
    const bool fits = ignored == 0 && header.count[0] > 0 && record.size() == header.count[0] * width;
    if (fits && known < of_gas.size()) {
      blocks[of_gas[known++]] = record;
    } else {
      ++ignored;
    }
  }
  add_if(notes, ignored > 0,
         std::to_string(ignored) + " further records without a name are not read" +
             (header.more_gas ? " (name all blocks in order with --blocks or input.blocks, such as \"POS VEL ID MASS U "
                                "RHO NE NH HSML\")"
                              : ""));
  return blocks;
}

/// "POS " of "pos" and of "POS\0": as the table of blocks spells it.
std::string usual_name(std::string name) {
  name.resize(4, ' ');
  bool ended = false;
  for (char& c : name) {
    ended = ended || c == '\0';
    c = ended ? ' ' : c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  }
  return name;
}

bool is_known(const std::string& name) {
  return std::find(gb::known_blocks.begin(), gb::known_blocks.end(), name) != gb::known_blocks.end();
}

/// Format 1 whose user names the blocks.
Blocks blocks_as_named(RecordReader& records, std::string names, const std::string& subject,
                       std::vector<std::string>& notes) {
  std::replace(names.begin(), names.end(), ',', ' ');
  std::istringstream words(names);
  Blocks blocks;
  for (std::string word; words >> word;) {
    if (word.size() > 4)
      throw UsageError("blocks", "received '" + word + "'", "give names of 1 to 4 letters, such as POS or HSML");
    const std::string name = usual_name(word);
    if (records.at_end()) throw Error(subject, "ends before block " + name + ", which blocks names");
    if (!blocks.emplace(name, records.next(name)).second) throw UsageError("blocks", "names " + name + " twice");
    add_if(notes, !is_known(name), "block " + name + " is not read");
  }
  std::size_t ignored = 0;
  for (; !records.at_end(); ++ignored) records.next("after the last named block");
  add_if(notes, ignored > 0, std::to_string(ignored) + " further records are not read, as blocks does not name them");
  return blocks;
}

std::string parse_name(Bytes record, const std::string& subject) {
  if (record.size() != gb::name_record_size) {
    throw Error(subject, "is damaged: a block name takes 8 bytes, not " + std::to_string(record.size()));
  }
  std::string name = usual_name({reinterpret_cast<const char*>(record.data()), 4});  // NOLINT: bytes of text
  if (std::any_of(name.begin(), name.end(), [](char c) { return c < ' ' || c > '~'; })) {
    throw Error(subject, "is damaged: a block name is not text");
  }
  return name;
}

Blocks blocks_by_name(RecordReader& records, const std::string& subject, std::vector<std::string>& notes) {
  Blocks blocks;
  while (!records.at_end()) {
    const std::string name = parse_name(records.next("name"), subject);
    add_if(notes, !is_known(name), "block " + name + " is not read");
    if (!blocks.emplace(name, records.next(name)).second) throw Error(subject, "holds block " + name + " twice");
  }
  return blocks;
}

/// Copies blocks into particles. All but ids have values of the positions' width.
class BlockReader {
 public:
  BlockReader(const Blocks& blocks, const Header& header, bool swapped, const std::string& subject)
      : blocks_(blocks), swapped_(swapped), subject_(subject) {
    if (const auto found = blocks.find(gb::positions); found != blocks.end()) width_ = width_of(found->second, header);
  }

  [[nodiscard]] bool has(const std::string& name) const { return blocks_.contains(name); }
  /// Whether the block has exactly `count` numbers.
  [[nodiscard]] bool holds(const std::string& name, std::uint64_t count) const {
    return has(name) && blocks_.at(name).size() == count * width_;
  }

  /// Calls store(i, value) for the `count` values of block `name`.
  template <class Store>
  void read(const std::string& name, std::uint64_t count, Store&& store) const {
    if (count == 0) return;
    const Bytes block = block_of(name);
    if (block.size() != count * width_) {
      throw Error(subject_, "block " + name + " has " + std::to_string(block.size()) + " bytes for " +
                                std::to_string(count) + " numbers: must be " + std::to_string(count * width_) + ", " +
                                std::to_string(width_) + " each as in POS");
    }
    for (std::uint64_t i = 0; i < count; ++i) {
      store(i, width_ == sizeof(double) ? load<double>(block, i * width_, swapped_)
                                        : double{load<float>(block, i * width_, swapped_)});
    }
  }

  void read(const std::string& name, std::vector<Vec3>& to) const {
    read(name, 3 * to.size(), [&](std::uint64_t i, double value) { to[i / 3][i % 3] = value; });
  }

  /// Ids of 4 or 8 bytes.
  void read_ids(std::vector<std::uint64_t>& to) const {
    const Bytes block = block_of(gb::ids);
    const bool narrow = block.size() == to.size() * sizeof(std::uint32_t);
    if (!narrow && block.size() != to.size() * sizeof(std::uint64_t)) {
      throw Error(subject_, "block ID   has " + std::to_string(block.size()) + " bytes for " +
                                std::to_string(to.size()) + " ids: must be 4 or 8 bytes each");
    }
    for (std::uint64_t i = 0; i < to.size(); ++i) {
      to[i] = narrow ? load<std::uint32_t>(block, 4 * i, swapped_) : load<std::uint64_t>(block, 8 * i, swapped_);
    }
  }

  /// Block `name` for the first `count` of `total` particles, 0 for the others; nothing where it is absent.
  void read_optional(const std::string& name, std::uint64_t count, std::uint64_t total, std::vector<double>& to) const {
    if (!has(name) || count == 0) return;
    to.assign(total, 0.0);
    read(name, count, [&](std::uint64_t i, double value) { to[i] = value; });
  }

 private:
  [[nodiscard]] Bytes block_of(const std::string& name) const {
    const auto found = blocks_.find(name);
    if (found == blocks_.end()) throw Error(subject_, "has no block " + name);
    return found->second;
  }

  const Blocks& blocks_;
  bool swapped_;
  const std::string& subject_;
  std::uint64_t width_ = sizeof(float);
};

/// From the block, which may hold all masses or those of types that the header's table gives none.
void read_masses(const BlockReader& reader, const Header& header, Snapshot& snapshot) {
  Particles& particles = snapshot.particles;
  const bool all_in_block = reader.holds(gb::masses, particles.size());
  std::vector<std::uint64_t> from_block;
  from_block.reserve(all_in_block ? particles.size() : header.with_mass_block());
  std::uint64_t i = 0;
  for (std::size_t f = 0; f < header.count.size(); ++f) {
    for (std::uint64_t k = 0; k < header.count[f]; ++k, ++i) {
      particles.mass[i] = header.mass[f];
      if (all_in_block || header.mass[f] == 0) from_block.push_back(i);
    }
  }
  bool differs = false;
  reader.read(gb::masses, from_block.size(), [&](std::uint64_t k, double value) {
    double& mass = particles.mass[from_block[k]];
    constexpr double single_precision = 1e-6;
    differs = differs || (mass > 0 && std::abs(value / mass - 1) > single_precision);
    mass = value;
  });
  add_if(snapshot.notes, differs,
         "masses are read from block MASS; the different ones in the header's table are not used");
}

void refuse_negative_energies(const Particles& particles, std::uint64_t gas, const std::string& subject) {
  for (std::uint64_t i = 0; !particles.internal_energy.empty() && i < gas; ++i) {
    const double u = particles.internal_energy[i];
    if (!(u < 0)) continue;
    throw Error(
        subject,
        "particle " + std::to_string(i) + ": internal energy = " + std::to_string(u) + " in block U; must be 0 or more",
        "if that record is another quantity, name the blocks in their order with --blocks or input.blocks");
  }
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
    if (n > 0) reader.read_ids(particles.id);
  } else {
    snapshot.notes.emplace_back("no ids: particles are numbered in file order");
  }
  read_masses(reader, header, snapshot);
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

namespace {

/// The first record of the file, which is its header, and what is read after it.
struct Start {
  GadgetVariant variant;
  RecordReader records;
  Bytes header;
};

Start start_of(Bytes file, const std::string& subject) {
  const std::optional<GadgetVariant> variant = find_variant(file);
  if (!variant) {
    throw Error(subject, "is not a Gadget-2 binary file: it begins with no record guard of 8 or 256",
                "name another format with --from");
  }
  Start start{*variant, RecordReader(file, variant->swapped, subject), {}};
  if (variant->version == 2 && parse_name(start.records.next("name"), subject) != gb::head) {
    throw Error(subject, "is not a Gadget-2 binary file: its first block is not HEAD");
  }
  start.header = start.records.next("header");
  return start;
}

}  // namespace

FilesOfSnapshot files_of_gadget_binary(Bytes file, const std::string& subject) {
  const Start start = start_of(file, subject);
  const gb::FileHeader stored = load_header(start.header, start.variant.swapped, subject);
  FilesOfSnapshot found;
  std::uint64_t here = 0;
  for (std::size_t f = 0; f < family_count; ++f) {
    found.total += stored.total_count[f] + (std::uint64_t{stored.total_count_high[f]} << 32U);
    here += static_cast<std::uint64_t>(std::max(stored.count[f], 0));
  }
  found.files = stored.files > 1 && here != found.total ? static_cast<std::uint64_t>(stored.files) : 1;
  return found;
}

Snapshot parse_gadget_binary(Bytes file, const std::string& subject, const ReadOptions& options) {
  Start start = start_of(file, subject);
  const auto [version, swapped] = start.variant;
  const Header header = parse_header(start.header, swapped, subject);
  Snapshot snapshot;
  snapshot.time = header.time;
  snapshot.box_size = header.box_size;
  snapshot.notes.push_back("Gadget-2 binary, format " + std::to_string(version) + ", " +
                           (swapped ? "big-endian" : "little-endian"));
  const Blocks blocks = version == 2 ? blocks_by_name(start.records, subject, snapshot.notes)
                        : options.blocks.empty()
                            ? blocks_by_order(start.records, header, snapshot.notes)
                            : blocks_as_named(start.records, options.blocks, subject, snapshot.notes);
  check_counts(blocks, header, subject);
  read_particles(BlockReader(blocks, header, swapped, subject), header, snapshot);
  refuse_negative_energies(snapshot.particles, header.count[0], subject);
  if (header.entropies) energies_of_entropies(snapshot, header.cosmology.has_value(), subject);
  if (header.cosmology && options.physical) make_physical(*header.cosmology, subject, snapshot);
  if (header.cosmology && !options.physical) leave_comoving(*header.cosmology, snapshot);
  add_if(snapshot.notes, options.physical && !header.cosmology, not_cosmological);
  return snapshot;
}

}  // namespace hornbeam::io
