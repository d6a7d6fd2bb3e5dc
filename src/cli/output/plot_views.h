// SPDX-License-Identifier: Apache-2.0
// What `hornbeam analyze --plot` shows of a snapshot besides its numbers: pictures and maps, which
// python/hornbeam/panels.py puts on axes as hornbeam.plot's.
#pragma once

#include <string>
#include <vector>

#include "cli/names.h"
#include "hornbeam/particles.h"

namespace hornbeam::cli {

/// The most snapshots that are drawn where nothing is measured.
inline constexpr std::size_t most_views = 24;

/// Those that go with measures, by their flags: with --ring its bodies from above, with --disc or --bar the galaxy face
/// on and edge on, with --profile the surface density, with --groups the particles. Without measures what the snapshot
/// is: a ring where it has radii and a box, a galaxy where it has a disc, else what `hornbeam render` draws.
///
/// A list of objects: panel ("picture", "density"), of (the measure), file, title, time, axis, and of a picture rgb
/// (text, two hexadecimal digits a byte), width, height, centre, extent and for a ring box; of a density
/// surface_density (rows of numbers, the lowest first), centre, extent (the width).
Json plot_views(Snapshot& snapshot, const std::string& file, const std::vector<std::string>& flags,
                const std::vector<Family>& families);

}  // namespace hornbeam::cli
