// SPDX-License-Identifier: Apache-2.0
// The measures that `hornbeam analyze` offers: one table of flags, each with what it computes.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/names.h"
#include "hornbeam/groups.h"
#include "hornbeam/halo.h"
#include "hornbeam/particles.h"
#include "memory/particles.h"

namespace hornbeam::cli {

/// What measures may depend on besides the snapshot.
struct MeasureSettings {
  std::string file;                               ///< for messages
  double eps = -1.0;                              ///< negative: the snapshot's own
  std::vector<double> edges;                      ///< of profiles' bins; empty: chosen by the measure
  std::vector<Family> families;                   ///< that spherical measures look at; empty: all
  bool draws = false;                             ///< the snapshots, too, of which the families are chosen
  std::vector<ExternalPotential> potentials{};    ///< of the snapshot's run
  Softening kernel = Softening::plummer;          ///< with which it softened
  Boundary boundary{};                            ///< in which it moved
  bool self_gravity = true;                       ///< whether bodies attracted one another there
  GasOptions gas{};                               ///< by what its gas was softened
  std::string model{};                            ///< from which it was drawn; empty: not known
  std::map<std::string, double> model_numbers{};  ///< options of that
  double gamma = 5.0 / 3.0;                       ///< of its gas
  std::string eos;                                ///< the same; empty: not told
  double planet_density = 0;                      ///< mean, of --disc-mass; 0: its own
  analysis::Cosmology cosmology{};                ///< of overdensities
  std::optional<double> critical{};               ///< critical density in the file's units; none: the cosmology's
  GroupOptions groups{};                          ///< of --groups; box, eps, G and kernel come from the snapshot
  std::optional<double> box{};                    ///< edge of the periodic cube; none: the snapshot's
  std::string group_file{};                       ///< where to write all groups; empty: nowhere
  std::string sorted_file{};                      ///< where to write the particles in their order; empty: nowhere
  std::vector<std::string> group_flags{};         ///< given, and options of --groups alone
};

struct Measure {
  std::string flag;  ///< "--energy"
  std::string help;
  /// An object whose values are numbers, arrays of numbers, or one object of these.
  Json (*measure)(const Snapshot&, const MeasureSettings&);
  /// What it takes of memory besides the snapshot.
  memory::Need (*need)(const Snapshot&, const MeasureSettings&) = [](const Snapshot&, const MeasureSettings&) {
    return memory::Need{};
  };
  bool needs_velocities = true;  ///< otherwise files of positions and masses, or of positions alone, are enough
};

/// In the order of help and of printing.
const std::vector<Measure>& measures();
/// Whether the one of that flag is among them.
bool asks_for(const std::vector<const Measure*>& asked, const std::string& flag);

}  // namespace hornbeam::cli
