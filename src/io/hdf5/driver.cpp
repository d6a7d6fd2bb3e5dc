// SPDX-License-Identifier: Apache-2.0
// The callbacks HDF5 asks of a file driver, over pread, pwrite and ftruncate.
#include "io/hdf5/driver.h"

#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <type_traits>

namespace hornbeam::io {
namespace {

/// HDF5 hands drivers pointers to the first member.
struct SinkFile {
  H5FD_t common;
  Hdf5Sink* sink;
  haddr_t end_of_allocation, end_of_file;
};
static_assert(std::is_standard_layout_v<SinkFile>);

/// What HDF5 copies along with the access properties.
struct SinkPointer {
  Hdf5Sink* sink;
};

constexpr haddr_t largest_address = std::numeric_limits<off_t>::max();

SinkFile* own(H5FD_t* file) { return reinterpret_cast<SinkFile*>(file); }                    // NOLINT: first member
const SinkFile* own(const H5FD_t* file) { return reinterpret_cast<const SinkFile*>(file); }  // NOLINT: first member

H5FD_t* open_sink(const char*, unsigned, hid_t access, haddr_t) {
  const auto* const pointer = static_cast<const SinkPointer*>(H5Pget_driver_info(access));
  auto* const file = new SinkFile{};
  file->sink = pointer->sink;
  return &file->common;
}

herr_t close_sink(H5FD_t* file) {
  delete own(file);
  return 0;
}

int compare(const H5FD_t* a, const H5FD_t* b) { return a < b ? -1 : (a > b ? 1 : 0); }

herr_t query(const H5FD_t*, unsigned long* flags) {
  *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
           H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

haddr_t end_of_allocation(const H5FD_t* file, H5FD_mem_t) { return own(file)->end_of_allocation; }
haddr_t end_of_file(const H5FD_t* file, H5FD_mem_t) { return own(file)->end_of_file; }

herr_t set_end_of_allocation(H5FD_t* file, H5FD_mem_t, haddr_t address) {
  own(file)->end_of_allocation = address;
  return 0;
}

/// Bytes beyond the end of the file read as 0.
herr_t read(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, size_t size, void* buffer) {
  auto* to = static_cast<char*>(buffer);
  while (size > 0) {
    const ssize_t got = ::pread(own(file)->sink->descriptor, to, size, static_cast<off_t>(address));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return -1;
    if (got == 0) {
      std::memset(to, 0, size);
      return 0;
    }
    to += got;
    size -= static_cast<size_t>(got);
    address += static_cast<haddr_t>(got);
  }
  return 0;
}

herr_t write(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, size_t size, const void* buffer) {
  SinkFile& self = *own(file);
  const auto* from = static_cast<const char*>(buffer);
  self.end_of_file = std::max(self.end_of_file, address + size);
  while (size > 0 && self.sink->error == 0) {
    const ssize_t put = ::pwrite(self.sink->descriptor, from, size, static_cast<off_t>(address));
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) {
      self.sink->error = errno;
      break;
    }
    from += put;
    size -= static_cast<size_t>(put);
    address += static_cast<haddr_t>(put);
  }
  return 0;
}

herr_t truncate(H5FD_t* file, hid_t, hbool_t) {
  SinkFile& self = *own(file);
  if (self.sink->error == 0 && self.end_of_file != self.end_of_allocation &&
      ::ftruncate(self.sink->descriptor, static_cast<off_t>(self.end_of_allocation)) != 0) {
    self.sink->error = errno;
  }
  self.end_of_file = self.end_of_allocation;
  return 0;
}

H5FD_class_t sink_class() {
  H5FD_class_t driver{};
#if H5_VERSION_GE(1, 13, 0)
  driver.version = H5FD_CLASS_VERSION;
  driver.value = static_cast<H5FD_class_value_t>(512);  // the first number free for private drivers
#endif
  driver.name = "hornbeam_sink";
  driver.maxaddr = largest_address;
  driver.fc_degree = H5F_CLOSE_WEAK;
  driver.fapl_size = sizeof(SinkPointer);
  driver.open = open_sink;
  driver.close = close_sink;
  driver.cmp = compare;
  driver.query = query;
  driver.get_eoa = end_of_allocation;
  driver.set_eoa = set_end_of_allocation;
  driver.get_eof = end_of_file;
  driver.read = read;
  driver.write = write;
  driver.truncate = truncate;
  return driver;
}

}  // namespace

hid_t use_sink_driver(hid_t access, Hdf5Sink* sink) {
  const H5FD_class_t driver = sink_class();
  const hid_t id = H5FDregister(&driver);
  const SinkPointer pointer{sink};
  H5Pset_driver(access, id, &pointer);
  return id;
}

}  // namespace hornbeam::io
