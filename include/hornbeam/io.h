// SPDX-License-Identifier: Apache-2.0
// Snapshots to and from files, by format. Readers accept every variant of a format and say which they found.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "hornbeam/particles.h"

namespace hornbeam {

enum class Format { hdf5, tipsy, gadget, csv };

/// How text tables order their columns: named by a header line, or fixed `m x y z vx vy vz`, `x y z vx vy vz m`.
enum class Columns { header, galactics, agama };

/// A format and its variant for writing; readers find the variant of binary files themselves.
/// Names as `--from/--to` spell them: hdf5, tipsy, tipsy-standard, gadget1, gadget2, ... (docs/formats.md).
struct FormatSpec {
  Format format = Format::hdf5;
  bool swapped = false;               ///< write big-endian (tipsy "standard", gadget)
  bool padded = true;                 ///< tipsy: 32-byte header
  bool bonsai_ids = true;             ///< tipsy: ids where phi stands
  int gadget_version = 2;             ///< Gadget-2 binary: format 1 or 2
  bool double_precision = false;      ///< Gadget-2 binary: write 8-byte numbers
  Columns columns = Columns::header;  ///< csv; the one choice that reading needs, too
};

/// The format of a path's extension; throws UsageError naming the known ones.
FormatSpec format_of(const std::filesystem::path& path);
/// The format called `name`; throws UsageError naming the known ones.
FormatSpec format_named(const std::string& name);

/// Reads one snapshot. Throws Error(path, what, remedy) on anything missing, truncated, foreign or inconsistent.
Snapshot read_snapshot(const std::filesystem::path& path);
Snapshot read_snapshot(const std::filesystem::path& path, const FormatSpec& format);

/// Writes to a temporary name beside `path`, flushes to disk, then renames: a failure leaves the previous file whole
/// and no half file under the final name. Returns one sentence for each thing the format cannot hold.
std::vector<std::string> write_snapshot(const std::filesystem::path& path, const Snapshot& snapshot);
/// `record`: text about what made it, which HDF5 keeps beside the particles.
std::vector<std::string> write_snapshot(const std::filesystem::path& path, const Snapshot& snapshot,
                                        const FormatSpec& format, const std::string& record = "");

/// That text, or a checkpoint's; empty where the file has none, as those of other formats.
std::string read_record(const std::filesystem::path& path);

}  // namespace hornbeam
