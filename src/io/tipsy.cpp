// SPDX-License-Identifier: Apache-2.0
// Reads and writes Tipsy records; their units live in a text file next to them (tipsy_param.cpp).
#include "io/tipsy.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>

#include "hornbeam/error.h"
#include "io/layout.h"
#include "io/tables/number_field.h"

namespace hornbeam::io {
namespace {

/// Where the values of one kind of record stand, beyond mass (0), position (4) and velocity (16).
/// The last 4 bytes hold the potential or Bonsai's id; the last 8 Bonsai's 64-bit id.
struct RecordKind {
  Family family;
  std::size_t size, eps;
  std::array<std::size_t, 2> not_kept;  ///< metals, time of formation; 0: none
};
constexpr std::array<RecordKind, 3> kinds{
    {{Family::gas, 48, 36, {0, 40}}, {Family::halo, 36, 28, {0, 0}}, {Family::star, 44, 36, {28, 32}}}};
constexpr std::size_t gas_density = 28, gas_temperature = 32;
constexpr std::int32_t bonsai_wide_version = 2;  ///< in the padding: ids are 64-bit

enum class Tail { potential, id32, id64 };

struct Layout {
  bool swapped = false;
  std::size_t header = 0;                ///< 28 or 32 bytes
  std::array<std::uint64_t, 3> count{};  ///< gas, dark, star
  double time = 0;
  std::int32_t version = 0;  ///< what the padding holds
  std::size_t more = 0;      ///< bytes that a record's position takes beyond 12: 12 where it is of 8-byte numbers

  /// Bytes of a record.
  [[nodiscard]] std::size_t size(const RecordKind& kind) const { return kind.size + more; }
  /// Where in a record a number that follows the position is.
  [[nodiscard]] std::size_t after_position(std::size_t at) const { return at + more; }
  [[nodiscard]] std::uint64_t data_size() const {
    return count[0] * size(kinds[0]) + count[1] * size(kinds[1]) + count[2] * size(kinds[2]);
  }
  [[nodiscard]] std::uint64_t total() const { return count[0] + count[1] + count[2]; }
};

std::optional<Layout> plausible_header(Bytes file, bool swapped) {
  if (file.size() < 28) return std::nullopt;
  std::array<std::int32_t, 5> number{};  // bodies, dimensions, gas, dark, star
  for (std::size_t i = 0; i < number.size(); ++i) number[i] = load<std::int32_t>(file, 8 + 4 * i, swapped);
  const auto [bodies, dimensions, gas, dark, star] = number;
  if (dimensions != 3 || gas < 0 || dark < 0 || star < 0) return std::nullopt;
  if (std::int64_t{gas} + dark + star != bodies) return std::nullopt;
  Layout layout;
  layout.swapped = swapped;
  layout.count = {static_cast<std::uint64_t>(gas), static_cast<std::uint64_t>(dark), static_cast<std::uint64_t>(star)};
  layout.time = load<double>(file, 0, swapped);
  return layout;
}

/// Calls visit(kind, offset) for each record in file order.
template <class Visit>
void for_each_record(const Layout& layout, Visit&& visit) {
  std::size_t offset = layout.header;
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    for (std::uint64_t i = 0; i < layout.count[k]; ++i, offset += layout.size(kinds[k])) visit(kinds[k], offset);
  }
}

/// What a mass must exceed for that of a file without padding to be told from other numbers.
constexpr float least_told_mass = 1e-19F;

/// A file with padding that lacks its last 4 bytes has the length of one without. Read as that, it shows the last
/// number of each particle as the mass of the next: an id or a negative potential, neither above least_told_mass.
bool has_mass(Bytes file, const Layout& layout) {
  bool found = false;
  for_each_record(layout, [&](const RecordKind&, std::size_t offset) {
    found = found || load<float>(file, offset, layout.swapped) > least_told_mass;
  });
  return found;
}

Layout find_layout(Bytes file, const std::string& subject) {
  for (const bool swapped : {false, true}) {
    std::optional<Layout> layout = plausible_header(file, swapped);
    if (!layout) continue;
    constexpr std::size_t double_positions = 12;
    layout->more = double_positions;
    if (layout->total() == 0 || (file.size() != 32 + layout->data_size() && file.size() != 28 + layout->data_size())) {
      layout->more = 0;
    }
    if (file.size() == 32 + layout->data_size()) {
      layout->header = 32;
      layout->version = load<std::int32_t>(file, 28, swapped);
      return *layout;
    }
    if (file.size() == 28 + layout->data_size()) {
      layout->header = 28;
      if (layout->total() == 0 || has_mass(file, *layout)) return *layout;
      throw Error(subject, "is truncated by 4 bytes, or none of its particles has mass");
    }
    throw Error(subject, "is truncated or damaged: its Tipsy header counts " + std::to_string(layout->total()) +
                             " particles, which need " + std::to_string(28 + layout->data_size()) + " or " +
                             std::to_string(32 + layout->data_size()) + " bytes, but it has " +
                             std::to_string(file.size()));
  }
  throw Error(subject, "is not a Tipsy file: no header with 3 dimensions and matching counts in either byte order",
              "name another format with --from");
}

template <class T>
std::vector<std::uint64_t> read_tails(Bytes file, const Layout& layout) {
  std::vector<std::uint64_t> tails;
  tails.reserve(layout.total());
  for_each_record(layout, [&](const RecordKind& kind, std::size_t offset) {
    tails.push_back(load<T>(file, offset + layout.size(kind) - sizeof(T), layout.swapped));
  });
  return tails;
}

/// Whether these ids, read as 4-byte numbers, are all positive potentials of a usual size: ids below 786 million are
/// numbers below 1e-10.
bool look_like_potentials(const std::vector<std::uint64_t>& ids) {
  return !ids.empty() && std::all_of(ids.begin(), ids.end(), [](std::uint64_t id) {
    const auto number = std::bit_cast<float>(static_cast<std::uint32_t>(id));
    return number >= 1e-10F && std::isfinite(number);
  });
}

/// Bonsai keeps ids where the potential stands. They are distinguished by being unique, below 2^31 and not all positive
/// values of a usual size: of a negative potential the sign bit is set. Fills ids unless it returns Tail::potential.
Tail find_ids(Bytes file, const Layout& layout, std::vector<std::uint64_t>& ids) {
  if (layout.version == bonsai_wide_version) {
    ids = read_tails<std::uint64_t>(file, layout);
    if (are_unique(ids)) return Tail::id64;
  }
  ids = read_tails<std::uint32_t>(file, layout);
  const bool small = std::all_of(ids.begin(), ids.end(), [](std::uint64_t id) { return id >> 31 == 0; });
  return small && are_unique(ids) && !look_like_potentials(ids) ? Tail::id32 : Tail::potential;
}

void describe(const Layout& layout, Tail tail, std::vector<std::string>& notes) {
  const char* const order = layout.swapped ? "big-endian (standard)" : "little-endian";
  const char* const what = tail == Tail::id32   ? "Bonsai's 32-bit ids in place of the potential"
                           : tail == Tail::id64 ? "Bonsai's 64-bit ids in place of softening and potential"
                                                : "no ids: particles are numbered in file order";
  notes.push_back("Tipsy, " + std::string(order) + ", " + std::to_string(layout.header) + "-byte header, " +
                  (layout.more > 0 ? "positions of 8 bytes, " : "") + what);
}

void clear_if_all_zero(std::vector<double>& array) {
  if (std::all_of(array.begin(), array.end(), [](double value) { return value == 0; })) array.clear();
}

/// Everything but ids. Softening, density, energy and potential that are 0 throughout count as not stored. Temperatures
/// are internal energies until a .param gives units a size (read_tipsy_param()).
void read_records(Bytes file, const Layout& layout, Tail tail, Snapshot& snapshot) {
  Particles& particles = snapshot.particles;
  const auto read = {&particles.eps, &particles.density, &particles.internal_energy, &particles.potential};
  for (auto* array : read) array->resize(particles.size());
  bool has_more = false;
  std::size_t i = 0;
  for_each_record(layout, [&](const RecordKind& kind, std::size_t offset) {
    const auto number = [&](std::size_t at) {
      return double{load<float>(file, offset + layout.after_position(at), layout.swapped)};
    };
    particles.mass[i] = double{load<float>(file, offset, layout.swapped)};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      particles.position[i][axis] = layout.more > 0 ? load<double>(file, offset + 4 + 8 * axis, layout.swapped)
                                                    : double{load<float>(file, offset + 4 + 4 * axis, layout.swapped)};
      particles.velocity[i][axis] = number(16 + 4 * axis);
    }
    const bool eps_is_id = tail == Tail::id64 && kind.family != Family::gas;
    if (!eps_is_id) particles.eps[i] = number(kind.eps);
    if (kind.family == Family::gas) {
      particles.density[i] = number(gas_density);
      particles.internal_energy[i] = number(gas_temperature);
    }
    if (tail == Tail::potential) particles.potential[i] = number(kind.size - 4);
    for (const std::size_t at : kind.not_kept) has_more |= at != 0 && tail != Tail::id64 && number(at) != 0;
    ++i;
  });
  for (auto* array : read) clear_if_all_zero(*array);
  add_if(snapshot.notes, has_more, "metallicities and times of formation are not kept");
  add_if(snapshot.notes, !particles.internal_energy.empty(),
         "internal energies are the file's temperatures without conversion, as no .param file describes the gas");
}

Tail tail_to_write(const Particles& particles, const FormatSpec& format) {
  if (!format.bonsai_ids) return Tail::potential;
  const bool wide = std::any_of(particles.id.begin(), particles.id.end(), [](std::uint64_t id) { return id >> 31; });
  return wide || look_like_potentials(particles.id) ? Tail::id64 : Tail::id32;
}

std::vector<std::string> losses(const Snapshot& snapshot, const FamilyOrder& order, Tail tail) {
  const Particles& p = snapshot.particles;
  std::vector<std::string> lost{"tipsy keeps positions, velocities and masses in single precision"};
  const std::uint64_t renamed = order.count[2] + order.count[3] + order.count[5];
  add_if(lost, renamed > 0,
         "tipsy has only gas, dark matter and stars: " + std::to_string(renamed) +
             " disc, bulge and black-hole particles became stars");
  add_if(lost, tail == Tail::potential, "tipsy: ids are dropped in this variant");
  add_if(lost, tail == Tail::potential && is_reordered(order), "tipsy: particles are reordered by type");
  add_if(lost, tail == Tail::id64 && !p.eps.empty(), "tipsy: ids above 2^31 take the place of softening");
  add_if(lost, tail != Tail::potential && !p.potential.empty(), "tipsy: ids take the place of potentials");
  add_if(lost, !p.acceleration.empty(), "tipsy: accelerations are dropped");
  add_if(lost, !p.internal_energy.empty(),
         snapshot.units.physical
             ? "tipsy: internal energies are written as temperatures, in K, of ideal gas"
             : "tipsy: internal energies are stored as temperatures, because with G = 1 there are no units");
  add_if(lost, !p.smoothing_length.empty(), "tipsy: smoothing lengths are dropped");
  add_unknown_fields(
      lost, p, "tipsy",
      {"eps", "internal_energy", "density", "smoothing_length", "acceleration", "potential", "temperature"});
  add_lost_box(lost, snapshot, "tipsy");
  add_lost_gas(lost, snapshot, "tipsy", snapshot.units.physical);
  return lost;
}

void write_header(FileWriter& out, const FamilyOrder& order, double time, Tail tail, const FormatSpec& format) {
  const auto& count = order.count;
  const std::uint64_t total = order.index.size();
  out.put(time, format.swapped);
  for (const std::uint64_t number : {total, std::uint64_t{3}, count[0], count[1], total - count[0] - count[1]}) {
    out.put(static_cast<std::int32_t>(number), format.swapped);
  }
  const std::int32_t version = tail == Tail::id64 ? bonsai_wide_version : 0;
  if (format.padded || version != 0) out.put(version, format.swapped);
}

const RecordKind& kind_of(Family family) {
  return family == Family::gas ? kinds[0] : family == Family::halo ? kinds[1] : kinds[2];
}

}  // namespace

bool looks_like_tipsy(Bytes file) { return plausible_header(file, false) || plausible_header(file, true); }

Snapshot parse_tipsy(Bytes file, const std::string& subject) {
  const Layout layout = find_layout(file, subject);
  Snapshot snapshot;
  snapshot.time = layout.time;
  assign_families(snapshot.particles, {layout.count[0], layout.count[1], 0, 0, layout.count[2], 0},
                  sizeof(std::uint64_t) + 4 * sizeof(double));  // ids apart; softening, density, energy and potential
  std::vector<std::uint64_t> ids;
  const Tail tail = find_ids(file, layout, ids);
  describe(layout, tail, snapshot.notes);
  if (tail != Tail::potential) snapshot.particles.id = std::move(ids);
  read_records(file, layout, tail, snapshot);
  add_if(snapshot.notes, !snapshot.particles.eps.empty(), "softening per particle from the file");
  return snapshot;
}

namespace {

/// Writes the record of particle i of these.
class RecordWriter {
 public:
  RecordWriter(FileWriter& out, const Snapshot& snapshot, Tail tail, bool swapped, const std::string& subject)
      : out_(out),
        particles_(snapshot.particles),
        scale_(scale_between(snapshot.units, tipsy_units())),
        kelvin_(kelvin_per_energy(snapshot.units, snapshot.gas)),
        tail_(tail),
        swapped_(swapped),
        subject_(subject) {}

  void write(std::size_t i) const {
    const Family family = kind_of(particles_.family[i]).family;
    put(particles_.mass[i] * scale_.mass);
    for (const double x : particles_.position[i]) put(x * scale_.length);
    for (const double v : particles_.velocity[i]) put(v * scale_.velocity);
    const double eps = particles_.eps.empty() ? 0.0 : particles_.eps[i] * scale_.length;
    if (family == Family::gas) {
      put(particles_.density.empty() ? 0.0 : particles_.density[i] * scale_.density());
      put(temperature(i));
      put(eps);
      if (tail_ != Tail::id64) put(0.0);  // metals
    } else {
      if (family == Family::star) put(0.0), put(0.0);  // metals, time of formation
      if (tail_ != Tail::id64) put(eps);
    }
    if (tail_ == Tail::id64) out_.put(particles_.id[i], swapped_);
    if (tail_ == Tail::id32) out_.put(static_cast<std::uint32_t>(particles_.id[i]), swapped_);
    if (tail_ == Tail::potential) {
      put(particles_.potential.empty() ? 0.0 : particles_.potential[i] * scale_.specific_energy());
    }
  }

 private:
  void put(double value) const { out_.put(narrowed(value, subject_), swapped_); }
  /// From which readers make energies again.
  [[nodiscard]] double temperature(std::size_t i) const {
    if (!particles_.internal_energy.empty()) return particles_.internal_energy[i] * kelvin_;
    return particles_.temperature.empty() ? 0.0 : particles_.temperature[i];
  }

  FileWriter& out_;
  const Particles& particles_;
  UnitScale scale_;
  double kelvin_;
  Tail tail_;
  bool swapped_;
  const std::string& subject_;
};

}  // namespace

std::vector<std::string> write_tipsy(FileWriter& out, const Snapshot& snapshot, const FormatSpec& format,
                                     const std::string& subject) {
  const Particles& particles = snapshot.particles;
  if (particles.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
    throw Error(subject, "Tipsy files have at most 2147483647 particles, not " + std::to_string(particles.size()),
                "choose hdf5");
  }
  const FamilyOrder order = group_by_family(particles);
  const Tail tail = tail_to_write(particles, format);
  const UnitScale scale = scale_between(snapshot.units, tipsy_units());
  const bool unpadded = !format.padded && tail != Tail::id64;
  const auto has_told_mass = [&](double mass) { return mass * scale.mass > least_told_mass; };
  if (unpadded && particles.size() > 0 && std::none_of(particles.mass.begin(), particles.mass.end(), has_told_mass)) {
    throw Error(subject, "if no particle has mass, Tipsy without padding looks like a truncated file", "choose tipsy");
  }
  write_header(out, order, snapshot.time * scale.time(), tail, format);
  const RecordWriter record(out, snapshot, tail, format.swapped, subject);
  for (const std::uint64_t i : order.index) record.write(i);
  return losses(snapshot, order, tail);
}

}  // namespace hornbeam::io
