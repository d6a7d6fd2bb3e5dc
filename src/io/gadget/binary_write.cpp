// SPDX-License-Identifier: Apache-2.0
// Writes Gadget-2 binary snapshots: header, then one record a quantity, particles grouped by type.
#include <algorithm>
#include <limits>

#include "hornbeam/error.h"
#include "hornbeam/units.h"
#include "io/gadget/binary.h"
#include "io/gadget/binary_layout.h"
#include "io/layout.h"
#include "io/tables/number_field.h"
#include "io/tools.h"

namespace hornbeam::io {
namespace {

namespace gb = gadget_binary;

/// Writes records of one quantity, with their guards and, in format 2, the record that names them.
class BlockWriter {
 public:
  BlockWriter(FileWriter& out, const FormatSpec& format, const std::string& subject)
      : out_(out), format_(format), subject_(subject) {}

  void begin(const char* name, std::uint64_t size) {
    // 8 bytes are kept free for format 2, whose name record holds the length with both guards
    if (size > std::numeric_limits<std::uint32_t>::max() - 8) {
      throw Error(
          subject_,
          "block " + std::string(name) + " needs " + std::to_string(size) + " bytes, but Gadget-2 records end at 4 GiB",
          "choose hdf5");
    }
    size_ = static_cast<std::uint32_t>(size);
    if (format_.gadget_version == 2) {
      put(gb::name_record_size);
      out_.write(std::string(name));
      put(size_ + 8);
      put(gb::name_record_size);
    }
    put(size_);
  }
  void end() { put(size_); }

  template <class T>
  void put(T value) {
    out_.put(value, format_.swapped);
  }
  void put_real(double value) {
    if (format_.double_precision) {
      put(value);
    } else {
      put(narrowed(value, subject_));
    }
  }

  /// One record with `columns` numbers for each of `rows`; number(row, column) gives them.
  template <class Number>
  void real_block(const char* name, std::uint64_t rows, std::uint64_t columns, Number&& number) {
    begin(name, rows * columns * (format_.double_precision ? sizeof(double) : sizeof(float)));
    for (std::uint64_t row = 0; row < rows; ++row) {
      for (std::uint64_t column = 0; column < columns; ++column) put_real(number(row, column));
    }
    end();
  }

 private:
  FileWriter& out_;
  const FormatSpec& format_;
  const std::string& subject_;
  std::uint32_t size_ = 0;
};

void write_header(FileWriter& out, BlockWriter& records, const Snapshot& snapshot, const FamilyOrder& order,
                  bool swapped) {
  gb::FileHeader header;
  for (std::size_t f = 0; f < order.count.size(); ++f) {
    header.count[f] = static_cast<std::int32_t>(order.count[f]);
    header.total_count[f] = static_cast<std::uint32_t>(order.count[f]);
  }
  header.time = snapshot.time;
  header.box_size = cube_for_tools(snapshot);
  if (!(snapshot.box_size > 0)) std::copy(gb::open_mark.begin(), gb::open_mark.end(), header.unused);
  header.files = 1;
  if (swapped) header = gb::byte_swapped(header);
  records.begin(gb::head, sizeof(header));
  out.write(std::as_bytes(std::span(&header, 1)));
  records.end();
}

void write_ids(BlockWriter& records, const Particles& particles, const FamilyOrder& order) {
  const bool wide = std::any_of(particles.id.begin(), particles.id.end(), [](std::uint64_t id) { return id >> 32; });
  records.begin(gb::ids, order.index.size() * (wide ? sizeof(std::uint64_t) : sizeof(std::uint32_t)));
  for (const std::uint64_t i : order.index) {
    if (wide) {
      records.put(particles.id[i]);
    } else {
      records.put(static_cast<std::uint32_t>(particles.id[i]));
    }
  }
  records.end();
}

/// Which optional blocks are written. Format 1 shows blocks only by their order, so that each needs those before it.
struct OptionalBlocks {
  bool internal_energy, density, smoothing_length, potential, acceleration;

  OptionalBlocks(const Particles& p, const FamilyOrder& order, int version) {
    const bool named = version == 2;
    const bool gas = order.count[0] > 0;
    internal_energy = gas && !p.internal_energy.empty();
    density = gas && !p.density.empty() && (named || internal_energy);
    smoothing_length = gas && !p.smoothing_length.empty() && (named || density);
    potential = named && !p.potential.empty();
    acceleration = named && !p.acceleration.empty();
  }
};

std::vector<std::string> losses(const Snapshot& snapshot, const OptionalBlocks& written, const FormatSpec& format) {
  const Particles& p = snapshot.particles;
  std::vector<std::string> lost;
  add_if(lost, !format.double_precision, "gadget binary keeps positions, velocities and masses in single precision");
  add_if(lost, !p.eps.empty(), "gadget binary: per-particle softening is dropped");
  add_if(lost, !snapshot.units.physical, "gadget binary: units are not stored; readers assume kpc, 1e10 Msun and km/s");
  add_if(lost, snapshot.units.physical,
         "gadget binary: units are not stored; the numbers are in " + described(snapshot.units));
  add_if(lost, !p.potential.empty() && !written.potential, "gadget binary, format 1: potentials are dropped");
  add_if(lost, !p.acceleration.empty() && !written.acceleration, "gadget binary, format 1: accelerations are dropped");
  const bool gas = std::find(p.family.begin(), p.family.end(), Family::gas) != p.family.end();
  const bool gas_lost =
      (!p.density.empty() && !written.density) || (!p.smoothing_length.empty() && !written.smoothing_length);
  add_if(
      lost, gas && gas_lost,
      "gadget binary, format 1: densities and smoothing lengths are dropped, because blocks before them are missing");
  const Boundary& box = snapshot.boundary;
  add_if(lost, box.kind != BoundaryKind::open && box.cube() == 0,
         "gadget binary: the box is not stored, because it is not a cube");
  add_if(lost, box.cube() > 0 && box.has_images(),
         "gadget binary: only the edge of the box is stored, not the number of images that attract");
  add_lost_gas(lost, snapshot, "gadget binary");
  add_unknown_fields(lost, p, "gadget binary",
                     {"eps", "internal_energy", "density", "smoothing_length", "acceleration", "potential"});
  return lost;
}

}  // namespace

std::vector<std::string> write_gadget_binary(FileWriter& out, const Snapshot& snapshot, const FormatSpec& format,
                                             const std::string& subject) {
  const Particles& p = snapshot.particles;
  const FamilyOrder order = group_by_family(p);
  const OptionalBlocks has(p, order, format.gadget_version);
  const std::uint64_t n = p.size();
  const std::uint64_t gas = order.count[0];
  BlockWriter records(out, format, subject);

  const auto vectors = [&](const char* name, const std::vector<Vec3>& values) {
    records.real_block(name, n, 3, [&](auto row, auto column) { return values[order.index[row]][column]; });
  };
  const auto scalars = [&](const char* name, std::uint64_t rows, const std::vector<double>& values) {
    records.real_block(name, rows, 1, [&](auto row, auto) { return values[order.index[row]]; });
  };
  write_header(out, records, snapshot, order, format.swapped);
  vectors(gb::positions, p.position);
  vectors(gb::velocities, p.velocity);
  write_ids(records, p, order);
  scalars(gb::masses, n, p.mass);
  if (has.internal_energy) scalars(gb::internal_energy, gas, p.internal_energy);
  if (has.density) scalars(gb::density, gas, p.density);
  if (has.smoothing_length) scalars(gb::smoothing_length, gas, p.smoothing_length);
  if (has.potential) scalars(gb::potential, n, p.potential);
  if (has.acceleration) vectors(gb::acceleration, p.acceleration);
  return losses(snapshot, has, format);
}

}  // namespace hornbeam::io
