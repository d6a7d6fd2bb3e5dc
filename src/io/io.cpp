// SPDX-License-Identifier: Apache-2.0
// The way from a file to a snapshot and back: choose the format, read and check; write to a second file, flush, rename.
#include "hornbeam/io.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <numeric>
#include <span>

#include "hornbeam/error.h"
#include "io/arrays/numpy.h"
#include "io/checkpoint.h"
#include "io/cosmology.h"
#include "io/files/file.h"
#include "io/files/gzip.h"
#include "io/files/read_apart.h"
#include "io/formats.h"
#include "io/gadget/binary.h"
#include "io/gadget/hdf5.h"
#include "io/lacking.h"
#include "io/layout.h"
#include "io/nemo.h"
#include "io/parts.h"
#include "io/tables/csv.h"
#include "io/tipsy.h"

namespace hornbeam {
namespace {

namespace fs = std::filesystem;

/// What every snapshot must fulfil, whatever it was read from.
void check(const Snapshot& snapshot, const std::string& subject) {
  if (!std::isfinite(snapshot.time)) throw Error(subject, "has a non-finite time");
  if (!std::isfinite(snapshot.box_size) || snapshot.box_size < 0) {
    throw Error(subject, "the box size is " + std::to_string(snapshot.box_size) + ": must be finite and 0 or more");
  }
  if (!std::isfinite(snapshot.units.G) || snapshot.units.G < 0) {
    throw Error(subject, "its units make G = " + std::to_string(snapshot.units.G) + ": must be finite and 0 or more");
  }
  snapshot.particles.validate(subject);
}

void number_where_ids_repeat(Snapshot& snapshot) {
  Particles& particles = snapshot.particles;
  if (io::are_unique(particles.id)) return;
  std::iota(particles.id.begin(), particles.id.end(), std::uint64_t{0});
  snapshot.notes.emplace_back("ids repeat: particles are numbered in file order instead");
}

/// A file's bytes, unpacked where it is packed by gzip.
class Contents {
 public:
  explicit Contents(const fs::path& path) : file_(path) {
    if (io::looks_like_gzip(file_.bytes())) unpacked_ = io::unpacked_gzip(file_.bytes(), path.string());
  }
  [[nodiscard]] io::Bytes bytes() const { return unpacked_ ? io::Bytes(*unpacked_) : file_.bytes(); }

 private:
  io::MappedFile file_;
  std::optional<std::vector<std::byte>> unpacked_;
};

/// Gadget-2 binary, with all files of its snapshot.
Snapshot read_gadget(const fs::path& path, io::Bytes bytes, const ReadOptions& options) {
  const io::FilesOfSnapshot all = io::files_of_gadget_binary(bytes, path.string());
  if (all.files == 1) return io::parse_gadget_binary(bytes, path.string(), options);
  return io::read_parts(io::parts_of(path, all.files), all.total, [&options](const fs::path& part) {
    const Contents contents(part);
    return io::parse_gadget_binary(contents.bytes(), part.string(), options);
  });
}

/// Reads the formats that are parsed from memory. Content of another known format is named in the error.
Snapshot read_mapped(const fs::path& path, const FormatSpec& format, const ReadOptions& options) {
  const Contents file(path);
  const std::string subject = path.string();
  io::refuse_foreign(file.bytes(), subject);
  if (io::looks_like_nemo(file.bytes())) return io::parse_nemo(file.bytes(), subject, io::lacking_of(options));
  const std::optional<Format> looks_like = io::sniff(file.bytes());
  if (looks_like == Format::hdf5) throw Error(subject, "has HDF5 content", "name its format with --from hdf5");
  switch (format.format) {
    case Format::tipsy: {
      Snapshot snapshot = io::parse_tipsy(file.bytes(), subject);
      io::read_tipsy_param(path, options, snapshot);
      return snapshot;
    }
    case Format::gadget:
      return read_gadget(path, file.bytes(), options);
    case Format::numpy:
      return io::parse_numpy(file.bytes(), subject, io::lacking_of(options));
    default:
      return io::parse_csv(file.bytes(), format.columns, subject, io::lacking_of(options));
  }
}

/// Gadget's layout, or the particles of a checkpoint.
Snapshot read_hdf5(const fs::path& path, const ReadOptions& options) {
  if (!is_checkpoint(path)) {
    const auto read = [&] {
      Checkpoint found;
      found.snapshot = io::read_gadget_hdf5(path, options);
      return found;
    };
    return io::read_apart(path, read, io::ReadLimits(io::size_with_parts(path))).snapshot;
  }
  Snapshot snapshot = read_checkpoint(path).snapshot;
  Particles& p = snapshot.particles;
  for (Vec3& a : p.acceleration) {  // kept for G = 1
    for (double& component : a) component *= snapshot.units.G;
  }
  for (double& potential : p.potential) potential *= snapshot.units.G;
  p.forget_steps();
  snapshot.has_units = true;
  snapshot.notes.emplace_back("a checkpoint; particles are in the order of the run's input");
  return snapshot;
}

FormatSpec format_to_read(const fs::path& path) {
  if (const auto known = io::known_extension(path)) return *known;
  const Contents file(path);
  io::refuse_foreign(file.bytes(), path.string());
  const std::optional<Format> found = io::sniff(file.bytes());
  if (found == Format::nemo) {
    FormatSpec nemo;
    nemo.format = *found;
    return nemo;
  }
  if (!found) throw Error(path.string(), "its content shows no known format", "name its format with --from");
  return format_named(io::name_of(*found));
}

/// HDF5 reads parts of a file, which gzip's have not.
void refuse_packed(const fs::path& path) {
  std::error_code unknown;
  if (!fs::is_regular_file(path, unknown)) return;  // a pipe would wait
  std::array<char, 3> begin{};
  std::ifstream(path, std::ios::binary).read(begin.data(), begin.size());
  if (!io::looks_like_gzip(std::as_bytes(std::span(begin)))) return;
  throw Error(path.string(), "is packed by gzip, and HDF5 files can only be read unpacked", "unpack it with gunzip");
}

Snapshot read(const fs::path& given, const std::optional<FormatSpec>& chosen, const ReadOptions& options) {
  const fs::path path = io::file_of(given);
  const FormatSpec format = chosen ? *chosen : format_to_read(path);
  if (format.format == Format::hdf5) refuse_packed(path);
  Snapshot snapshot = format.format == Format::hdf5 ? read_hdf5(path, options) : read_mapped(path, format, options);
  check(snapshot, path.string());
  const bool is_answered = std::any_of(snapshot.notes.begin(), snapshot.notes.end(), [](const std::string& note) {
    return note.find("cosmolog") != std::string::npos;
  });
  io::add_if(snapshot.notes, options.physical && !is_answered, io::not_cosmological);
  number_where_ids_repeat(snapshot);
  const bool is_said = std::any_of(snapshot.notes.begin(), snapshot.notes.end(),
                                   [](const std::string& note) { return note.starts_with(io::units_not_understood); });
  io::add_if(snapshot.notes, !snapshot.has_units && !is_said,
             "no units in the file: G = 1 is assumed, unless [units] is given");
  return snapshot;
}

}  // namespace

Snapshot read_snapshot(const fs::path& path) { return read(path, {}, {}); }

Snapshot read_snapshot(const fs::path& path, const FormatSpec& format) { return read(path, format, {}); }

Snapshot read_snapshot(const fs::path& path, const std::optional<FormatSpec>& format, const ReadOptions& options) {
  return read(path, format, options);
}

Snapshot read_positions(const fs::path& path) { return read(path, {}, {.positions_alone = true}); }

std::vector<std::string> write_snapshot(const fs::path& path, const Snapshot& snapshot) {
  return write_snapshot(path, snapshot, format_of(path));
}

std::string read_record(const fs::path& path) {
  const fs::path file = io::file_of(path);
  if (format_to_read(file).format != Format::hdf5) return "";
  refuse_packed(file);
  if (is_checkpoint(file)) return read_checkpoint(file).configuration;
  const auto read = [&file] {
    Checkpoint found;
    found.configuration = io::read_gadget_record(file);
    return found;
  };
  return io::read_apart(file, read).configuration;
}

std::vector<std::string> write_snapshot(const fs::path& path, const Snapshot& snapshot, const FormatSpec& format,
                                        const std::string& record) {
  const std::string subject = path.string();
  io::refuse_to_pack(path);
  check(snapshot, subject);
  if (format.format == Format::tipsy) io::check_tipsy_param(path, snapshot.units);
  io::ReplacedFile file(path);
  io::FileWriter out(file);
  std::vector<std::string> sentences;
  switch (format.format) {
    case Format::hdf5:
      sentences = io::write_gadget_hdf5(file, snapshot, format.stars, record);
      break;
    case Format::tipsy:
      sentences = io::write_tipsy(out, snapshot, format, subject);
      break;
    case Format::gadget:
      sentences = io::write_gadget_binary(out, snapshot, format, subject);
      break;
    case Format::csv:
      sentences = io::write_csv(out, snapshot, format.columns, subject);
      break;
    case Format::nemo:
      throw UsageError(subject, "NEMO's format can be read, but not written", "choose hdf5");
    case Format::numpy:
      sentences = io::write_numpy(out, snapshot, format.archive);
      break;
  }
  out.flush();
  file.commit();
  if (format.format == Format::tipsy) {
    const std::vector<std::string> about_units = io::write_tipsy_param(path, snapshot);
    sentences.insert(sentences.end(), about_units.begin(), about_units.end());
  }
  return sentences;
}

}  // namespace hornbeam
