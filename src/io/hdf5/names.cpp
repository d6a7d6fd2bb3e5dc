// SPDX-License-Identifier: Apache-2.0
// What a group of an HDF5 file holds, by name: the reader's notes show from it what was not read.
#include <algorithm>

#include "hornbeam/error.h"
#include "io/hdf5/hdf5.h"

namespace hornbeam::io {
namespace {

constexpr hsize_t most_names = 10'000;  ///< each is looked up by its number, which takes the longer the larger that is

}  // namespace

std::vector<std::string> Hdf5Group::names() const {
  H5G_info_t info;
  if (H5Gget_info(handle_.id(), &info) < 0) throw Error(subject_, path_ + " cannot be listed");
  std::vector<std::string> found;
  for (hsize_t k = 0; k < std::min(info.nlinks, most_names); ++k) {
    const auto name_of = [&](char* name, std::size_t size) {
      return H5Lget_name_by_idx(handle_.id(), ".", H5_INDEX_NAME, H5_ITER_INC, k, name, size, H5P_DEFAULT);
    };
    const auto length = name_of(nullptr, 0);
    if (length < 0) throw Error(subject_, path_ + " cannot be listed");
    found.emplace_back(static_cast<std::size_t>(length), '\0');
    if (name_of(found.back().data(), found.back().size() + 1) < 0) throw Error(subject_, path_ + " cannot be listed");
  }
  return found;
}

}  // namespace hornbeam::io
