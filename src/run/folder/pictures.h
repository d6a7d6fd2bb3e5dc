// SPDX-License-Identifier: Apache-2.0
// What a picture must know of the run that made its snapshot: its box and its gas. Before it: files; after it:
// hornbeam/render.h.
#pragma once

#include <filesystem>
#include <string>

#include "hornbeam/io.h"
#include "hornbeam/render.h"

namespace hornbeam::run {

/// The snapshot of a file with the box in which its particles moved.
Snapshot read_with_box(const std::filesystem::path& file, const ReadOptions& options = {});
/// The same for pictures, for which positions are enough.
Snapshot read_for_picture(const std::filesystem::path& file);

/// How a patch of a ring is shown from above: its bodies as spheres, its box and a part of the images around it. Throws
/// UsageError where bodies have no radius, or there is no box.
render::Options view_of_ring(const Snapshot& snapshot);

/// Gives the options what a record (run/record.h) says of the gas, or the particles where it is silent. Throws
/// UsageError where they ask for a quantity of ideal gas and the run had another; `subject` is what messages call the
/// run's file.
void settle_gas(render::Options& options, const std::optional<GasParameters>& gas_then, const std::string& record,
                const std::string& subject);

/// A warning where pressures or temperatures are drawn of gas of which it is not known what it is, nor these; else
/// empty.
std::string assumed_gas_note(const render::Options& options, const Particles& particles);

}  // namespace hornbeam::run
