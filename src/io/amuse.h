// SPDX-License-Identifier: Apache-2.0
// Particle sets that AMUSE writes as HDF5 (write_set_to_file, versions 1 and 2).
#pragma once

#include "hornbeam/particles.h"
#include "io/hdf5/hdf5.h"

namespace hornbeam::io {

bool is_amuse(const Hdf5Group& root);

/// The last of the sets that the file holds. Its units are those of x, mass and vx.
Snapshot read_amuse(const Hdf5Group& root);

}  // namespace hornbeam::io
