// SPDX-License-Identifier: Apache-2.0
// An HDF5 file driver that writes to an open descriptor and keeps failures to itself until the file is closed.
#pragma once

#include <hdf5.h>

namespace hornbeam::io {

/// Where the driver writes, and errno of its first failure. Must outlive the HDF5 file.
struct Hdf5Sink {
  int descriptor = -1;
  int error = 0;
};

/// Registers the driver and sets it on `access`. HDF5 1.10 crashes at exit after a write has failed on a file, so its
/// writes never fail here: the caller looks at sink.error after closing. Returns the driver's id for H5FDunregister.
hid_t use_sink_driver(hid_t access, Hdf5Sink* sink);

}  // namespace hornbeam::io
