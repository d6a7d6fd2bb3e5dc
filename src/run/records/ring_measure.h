// SPDX-License-Identifier: Apache-2.0
// The measure --ring of `hornbeam analyze`, hornbeam.analysis.ring() in Python.
#pragma once

#include "hornbeam/boundary.h"
#include "hornbeam/particles.h"
#include "io/json.h"

namespace hornbeam::run {

/// What ring.csv has of one moment, the photometric depth, wakes and overlaps (docs/analysis.md): an object of numbers.
/// self_gravity: whether bodies attracted one another. Throws as hornbeam/ring.h does.
Json ring_measure(const Snapshot& snapshot, const Boundary& sheet, bool self_gravity);

}  // namespace hornbeam::run
