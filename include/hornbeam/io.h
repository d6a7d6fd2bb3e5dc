// SPDX-License-Identifier: Apache-2.0
// Snapshots to and from files, by format. Readers accept every variant of a format and say which they found.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "hornbeam/particles.h"

namespace hornbeam {

enum class Format { hdf5, tipsy, gadget, csv, numpy, nemo };  ///< nemo: read only, known by its content

/// How text tables order their columns: named by a header line, or fixed `m x y z vx vy vz`, `x y z vx vy vz m`.
enum class Columns { header, galactics, agama };

/// A format and its variant for writing; readers find the variant of binary files themselves.
/// Names as `--from/--to` spell them: hdf5, tipsy, tipsy-standard, gadget1, gadget2, ... (docs/formats.md).
struct FormatSpec {
  Format format = Format::hdf5;
  bool stars = false;                 ///< hdf5: particles of disc and bulge as stars
  bool swapped = false;               ///< write big-endian (tipsy "standard", gadget)
  bool padded = true;                 ///< tipsy: 32-byte header
  bool bonsai_ids = true;             ///< tipsy: ids where phi stands
  int gadget_version = 2;             ///< Gadget-2 binary: format 1 or 2
  bool double_precision = false;      ///< Gadget-2 binary: write 8-byte numbers
  Columns columns = Columns::header;  ///< csv; the one choice that reading needs, too
  bool archive = true;                ///< numpy: named arrays (.npz), otherwise one of seven columns (.npy)
};

/// The format in which a path of that extension is written; throws UsageError naming the known ones and `option`, by
/// which users name a format, if any.
FormatSpec format_of(const std::filesystem::path& path, const std::string& option = "");
/// The format called `name`; throws UsageError naming the known ones and `subject`, what it was given as, if any.
FormatSpec format_named(const std::string& name, const std::string& subject = "");

/// Reads one snapshot. Throws Error(path, what, remedy) on anything missing, truncated, foreign or inconsistent.
Snapshot read_snapshot(const std::filesystem::path& path);
Snapshot read_snapshot(const std::filesystem::path& path, const FormatSpec& format);

/// What a user may choose when a file is read.
struct ReadOptions {
  /// For uses that positions are enough for: where the file has no velocities they are 0, where it has no masses they
  /// are 1/N, and a note says so.
  bool positions_alone = false;
  /// Cosmological files: apply a and h, so that comoving numbers, and those per h, become physical ones.
  bool physical = false;
  /// Gadget-2 binary of format 1: its blocks in their order, as "POS VEL ID MASS U RHO NE NH HSML". Empty: the usual.
  std::string blocks{};
};

/// Reads with these choices. format: empty for the one that the file has.
Snapshot read_snapshot(const std::filesystem::path& path, const std::optional<FormatSpec>& format,
                       const ReadOptions& options);

/// As read_snapshot(), if only positions are needed. Without velocities in the file they are 0, and without
/// masses they are 1/N; a note reports it. Formats that always have both (Tipsy, Gadget-2 binary) are read as
/// usual.
Snapshot read_positions(const std::filesystem::path& path);

/// Writes to a temporary name next to `path`, flushes to disk, then renames: a failure leaves the previous file whole
/// and no half file under the final name. Returns one sentence for each thing the format cannot hold.
std::vector<std::string> write_snapshot(const std::filesystem::path& path, const Snapshot& snapshot);
/// `record`: text about what made it, which HDF5 keeps besides the particles.
std::vector<std::string> write_snapshot(const std::filesystem::path& path, const Snapshot& snapshot,
                                        const FormatSpec& format, const std::string& record = "");

/// That text, or a checkpoint's; empty where the file has none, as those of other formats.
std::string read_record(const std::filesystem::path& path);

}  // namespace hornbeam
