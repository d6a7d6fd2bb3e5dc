// SPDX-License-Identifier: Apache-2.0
// Whether a dataset has the shape that is wanted, and the file the bytes for it: before memory is taken.
#include <algorithm>
#include <array>
#include <limits>

#include "io/hdf5/hdf5.h"

namespace hornbeam::io {
namespace {

/// The product, or the largest number there is.
std::uint64_t saturated_product(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();
  return b != 0 && a > largest / b ? largest : a * b;
}

/// Bytes of one chunk once unpacked, for which HDF5 takes memory; 0 where there are no chunks.
std::uint64_t chunk_size(hid_t properties, std::uint64_t value_size) {
  if (H5Pget_layout(properties) != H5D_CHUNKED) return 0;
  std::array<hsize_t, H5S_MAX_RANK> dims{};
  const int rank = H5Pget_chunk(properties, H5S_MAX_RANK, dims.data());
  std::uint64_t size = value_size;
  for (int i = 0; i < rank; ++i) size = saturated_product(size, dims[static_cast<std::size_t>(i)]);
  return size;
}

}  // namespace

void Hdf5Group::check_shape(hid_t dataset, const std::string& name, std::uint64_t rows, std::uint64_t columns) const {
  const Hdf5Handle space(H5Dget_space(dataset), H5Sclose);
  std::array<hsize_t, H5S_MAX_RANK> dims{};
  const int rank = H5Sget_simple_extent_dims(space.id(), dims.data(), nullptr);
  if (rank == (columns == 1 ? 1 : 2) && dims[0] == rows && (columns == 1 || dims[1] == columns)) return;
  if (rank == 2 && columns == 1 && dims[0] == rows && dims[1] == 1) return;
  std::string found;
  for (int i = 0; i < rank; ++i) found += (i > 0 ? ", " : "") + std::to_string(dims[static_cast<std::size_t>(i)]);
  fail(name, "has shape (" + found + "): must be (" + std::to_string(rows) +
                 (columns == 1 ? "" : ", " + std::to_string(columns)) + ")");
}

/// Refuses a dataset whose declared size the file cannot hold, before memory for it is taken. Returns the bytes of the
/// file that it takes.
std::uint64_t Hdf5Group::check_storage(hid_t dataset, const std::string& name, std::uint64_t rows,
                                       std::uint64_t columns) const {
  const Hdf5Handle properties(H5Dget_create_plist(dataset), H5Pclose);
  const H5D_layout_t layout = H5Pget_layout(properties.id());
  if (H5Pget_external_count(properties.id()) > 0) {
    fail(name, "has its data in other files that are not HDF5, which are not read");
  }
  check_filters(properties.id(), name);
  if (layout == H5D_VIRTUAL) {
    follow_sources(properties.id(), name, saturated_product(rows, columns));
    return 0;
  }
  const Hdf5Handle type(H5Dget_type(dataset), H5Tclose);
  // deflate, the strongest filter in use, packs at most 1032 bytes into one
  const std::uint64_t packing = H5Pget_nfilters(properties.id()) > 0 ? 1032 : 1;
  const std::uint64_t taken = H5Dget_storage_size(dataset);
  const std::uint64_t stored = std::min(taken, budget_->file_size);
  const std::uint64_t value_size = std::max<std::uint64_t>(H5Tget_size(type.id()), 1);
  const std::uint64_t values = saturated_product(rows, columns);
  if (values / packing > stored / value_size) {
    fail(name, "declares " + std::to_string(rows) + (columns == 1 ? "" : " x " + std::to_string(columns)) +
                   " values, but the file has only " + std::to_string(stored) + " bytes of it");
  }
  const std::uint64_t chunk = chunk_size(properties.id(), value_size);
  if (stored > 0 && chunk / packing > stored) {
    fail(name, "has chunks of " + std::to_string(chunk) + " bytes, but the file has only " + std::to_string(stored) +
                   " bytes of it");
  }
  return taken;
}

/// Refuses a dataset that, with all that were read before, would take more bytes than the file has: datasets that lie
/// in one another let a small file ask for much memory.
void Hdf5Group::claim(hid_t dataset, const std::string& name, std::uint64_t rows, std::uint64_t columns) const {
  const std::uint64_t taken = check_storage(dataset, name, rows, columns);
  if (taken > budget_->file_size - budget_->read) {
    fail(name, "has " + std::to_string(taken) + " bytes, but the file has room for fewer next to its other datasets: " +
                   std::to_string(budget_->file_size));
  }
  budget_->read += taken;
}

}  // namespace hornbeam::io
