// SPDX-License-Identifier: Apache-2.0
// The files of a run: snapshots, energy.csv, checkpoint.hdf5, run.json. Every one but energy.csv is replaced whole.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "cli/keys.h"
#include "hornbeam/gravity.h"
#include "hornbeam/io.h"
#include "hornbeam/particles.h"
#include "io/checkpoint.h"

namespace hornbeam::cli {

/// One row of energy.csv.
struct EnergyRow {
  double time = 0.0;
  std::uint64_t step = 0;
  Energies energies;
  double relative_error = 0.0;
  double wall_seconds = 0.0;
};

class RunDirectory {
 public:
  enum class Mode { fresh, overwrite, resume };

  /// Makes the folder. A folder with files of an earlier run is refused when fresh, and cleared of them to overwrite.
  RunDirectory(std::filesystem::path directory, std::vector<std::string> formats, Mode mode);

  [[nodiscard]] const std::filesystem::path& path() const { return directory_; }
  [[nodiscard]] Checkpoint read_checkpoint() const;

  /// Starts energy.csv; rows of an earlier part of the run up to `last_time` are kept.
  /// Returns the wall_seconds of the last row kept, else 0.
  double open_energies(double last_time);
  void append(const EnergyRow& row);

  /// Writes snapshot number `index` in every format; returns what the formats could not hold.
  std::vector<std::string> write_snapshot(std::size_t index, const Snapshot& snapshot) const;
  /// The line that opens snapshot `index` of a G = 1 run in yt; empty where snapshots are not HDF5.
  [[nodiscard]] std::string yt_line(std::size_t index) const;
  void write_checkpoint(const Checkpoint& checkpoint) const;
  void write_summary(const Json& summary) const;

 private:
  [[nodiscard]] std::filesystem::path snapshot_path(std::size_t index, Format format) const;

  std::filesystem::path directory_;
  std::vector<std::string> formats_;
  std::ofstream energies_;
};

}  // namespace hornbeam::cli
