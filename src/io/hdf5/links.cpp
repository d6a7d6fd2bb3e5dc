// SPDX-License-Identifier: Apache-2.0
// Where the data of an HDF5 object are: behind links, in the files of a virtual dataset, packed by filters. Other files
// are followed within the folder of the snapshot only, and counted among what may be read.
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <map>

#include "core/shown_text.h"
#include "hornbeam/error.h"
#include "io/files/file.h"
#include "io/hdf5/hdf5.h"

namespace hornbeam::io {
namespace {

namespace fs = std::filesystem;

const char* name_of_filter(H5Z_filter_t filter) {
  for (const auto& [id, name] : {std::pair(H5Z_filter_t{H5Z_FILTER_SZIP}, "szip"),
                                 {32000, "lzf"},
                                 {32001, "blosc"},
                                 {32004, "lz4"},
                                 {32008, "bitshuffle"},
                                 {32013, "zfp"},
                                 {32015, "zstd"},
                                 {32026, "blosc2"}}) {
    if (filter == id) return name;
  }
  return "unknown here";
}

std::uint64_t points_in(hid_t space) {
  return static_cast<std::uint64_t>(std::max<hssize_t>(H5Sget_simple_extent_npoints(space), 0));
}

/// A text that HDF5 hands out in two calls, the first of which gives its length.
template <class Get>
std::string text_from(const Get& get) {
  const auto length = get(nullptr, 0);
  if (length < 0) return "";
  std::string text(static_cast<std::size_t>(length), '\0');
  return get(text.data(), text.size() + 1) < 0 ? "" : text;
}

}  // namespace

void Hdf5Group::admit_file(const std::string& name, const std::string& other) const {
  if (budget_->others.contains(other)) return;
  if (other.empty() || other.find('/') != std::string::npos) {
    throw Error(subject_, path_of(name) + " is in another folder's file, " + shown(other) + ", which is not followed",
                "move that file into the folder of this one, and link to it without a folder");
  }
  const fs::path file = fs::path(subject_).parent_path() / other;
  std::error_code unknown;
  if (!fs::exists(file, unknown)) {
    throw Error(subject_,
                path_of(name) + " has its data in " + shown(other) + ", which is missing from the folder of this file",
                "move that file into the folder of this one");
  }
  budget_->file_size += regular_file_size(file);
  budget_->others.insert(other);
}

/// Links within the file are followed, and those into files of the same folder.
void Hdf5Group::follow_link(const std::string& name) const {
  H5L_info_t info;
  if (H5Lget_info(handle_.id(), name.c_str(), &info, H5P_DEFAULT) < 0) fail(name, "cannot be read: it is not a link");
  if (info.type == H5L_TYPE_HARD) return;
  if (info.type == H5L_TYPE_EXTERNAL) {
    constexpr std::size_t longest = 4096;
    std::vector<char> value(std::min<std::size_t>(info.u.val_size, longest));
    const char *file = nullptr, *object = nullptr;
    unsigned flags = 0;
    if (info.u.val_size > longest ||
        H5Lget_val(handle_.id(), name.c_str(), value.data(), value.size(), H5P_DEFAULT) < 0 ||
        H5Lunpack_elink_val(value.data(), value.size(), &flags, &file, &object) < 0) {
      fail(name, "is a link that cannot be read");
    }
    admit_file(name, file);
  } else if (info.type != H5L_TYPE_SOFT) {
    fail(name, "is an unknown kind of link, which is not followed");
  }
  if (H5Oexists_by_name(handle_.id(), name.c_str(), H5P_DEFAULT) <= 0)
    fail(name, "is a link to something that does not exist");
}

/// Throws unless a source of a virtual dataset is there and holds `points` values more than were taken of it before.
void Hdf5Group::check_source(const std::string& name, const VirtualSource& source, std::uint64_t points,
                             std::uint64_t& used) const {
  admit_file(name, source.file);
  const fs::path path = fs::path(subject_).parent_path() / source.file;
  const Hdf5Handle opened(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  const Hdf5Handle data(opened.valid() ? H5Dopen2(opened.id(), source.dataset.c_str(), H5P_DEFAULT) : -1, H5Dclose);
  if (!data.valid()) {
    throw Error(subject_,
                path_of(name) + " needs " + shown(source.dataset) + " of " + source.file + ", which does not exist",
                "use a complete copy of that file");
  }
  const Hdf5Handle space(H5Dget_space(data.id()), H5Sclose), properties(H5Dget_create_plist(data.id()), H5Pclose);
  const Hdf5Handle type(H5Dget_type(data.id()), H5Tclose);
  check_filters(properties.id(), name);
  const std::uint64_t here = points_in(space.id()), packing = H5Pget_nfilters(properties.id()) > 0 ? 1032 : 1;
  const std::uint64_t size = std::max<std::uint64_t>(H5Tget_size(type.id()), 1);
  const bool stored =
      H5Pget_layout(properties.id()) != H5D_VIRTUAL && here / packing <= H5Dget_storage_size(data.id()) / size;
  if (!stored || points > here - std::min(here, used)) {
    fail(name, "refers to more values of " + shown(source.dataset) + " of " + source.file + " than it has");
  }
  used += points;
}

/// Throws unless the sources of a virtual dataset are there and give all of its values, each of a source once: HDF5
/// takes 0 for those that are missing.
void Hdf5Group::follow_sources(hid_t properties, const std::string& name, std::uint64_t values) const {
  constexpr std::size_t most_sources = 100'000;
  std::size_t count = 0;
  if (H5Pget_virtual_count(properties, &count) < 0 || count > most_sources) {
    fail(name, "has sources that cannot be read");
  }
  std::map<std::string, std::uint64_t> taken;
  Hdf5Handle covered;
  for (std::size_t i = 0; i < count; ++i) {
    const VirtualSource source{
        text_from([&](char* to, std::size_t size) { return H5Pget_virtual_filename(properties, i, to, size); }),
        text_from([&](char* to, std::size_t size) { return H5Pget_virtual_dsetname(properties, i, to, size); })};
    if (source.file == ".") fail(name, "is a virtual dataset of its own file, which is not followed");
    Hdf5Handle filled(H5Pget_virtual_vspace(properties, i), H5Sclose);
    const hssize_t points = H5Sget_select_npoints(filled.id());
    if (points < 0) fail(name, "has a source of unlimited size, which is not followed");
    check_source(name, source, static_cast<std::uint64_t>(points), taken[source.file + "/" + source.dataset]);
    const bool first = !covered.valid() || H5Sget_select_type(filled.id()) == H5S_SEL_ALL;
    covered =
        first ? std::move(filled) : Hdf5Handle(H5Scombine_select(covered.id(), H5S_SELECT_OR, filled.id()), H5Sclose);
  }
  const hssize_t given = covered.valid() ? H5Sget_select_npoints(covered.id()) : 0;
  if (given >= 0 && static_cast<std::uint64_t>(given) == values) return;
  fail(name, "has " + std::to_string(values) + " values, but its sources have " + std::to_string(given));
}

void Hdf5Group::check_filters(hid_t properties, const std::string& name) const {
  const int count = H5Pget_nfilters(properties);
  for (int i = 0; i < count; ++i) {
    unsigned flags = 0;
    std::size_t numbers = 0;
    const H5Z_filter_t filter =
        H5Pget_filter2(properties, static_cast<unsigned>(i), &flags, &numbers, nullptr, 0, nullptr, nullptr);
    if (H5Zfilter_avail(filter) > 0) continue;
    throw Error(subject_,
                path_of(name) + " is packed by filter " + std::to_string(filter) + " (" + name_of_filter(filter) +
                    "), which this HDF5 library does not have",
                "write the file with gzip: h5repack -f GZIP=4 on a machine that has the filter, or "
                "compression=\"gzip\" in h5py");
  }
}

std::vector<std::string> Hdf5Group::attribute_names() const {
  std::vector<std::string> found;
  const auto add = [](hid_t, const char* name, const H5A_info_t*, void* to) -> herr_t {
    static_cast<std::vector<std::string>*>(to)->emplace_back(name);
    return 0;
  };
  H5Aiterate2(handle_.id(), H5_INDEX_NAME, H5_ITER_INC, nullptr, add, &found);
  return found;
}

std::optional<double> Hdf5Group::number_of(const std::string& dataset, const std::string& attribute) const {
  if (!has(dataset)) return std::nullopt;
  const Hdf5Handle of(open_dataset(dataset));
  if (H5Aexists(of.id(), attribute.c_str()) <= 0) return std::nullopt;
  const Hdf5Handle found(H5Aopen(of.id(), attribute.c_str(), H5P_DEFAULT), H5Aclose);
  const Hdf5Handle type(H5Aget_type(found.id()), H5Tclose), space(H5Aget_space(found.id()), H5Sclose);
  const H5T_class_t kind = H5Tget_class(type.id());
  double value = 0;
  if ((kind != H5T_FLOAT && kind != H5T_INTEGER) || points_in(space.id()) != 1) return std::nullopt;
  return H5Aread(found.id(), H5T_NATIVE_DOUBLE, &value) < 0 ? std::nullopt : std::optional(value);
}

std::string Hdf5Group::text_of(const std::string& dataset, const std::string& attribute, std::size_t most) const {
  if (!has(dataset)) return "";
  const Hdf5Handle of(open_dataset(dataset));
  if (H5Aexists(of.id(), attribute.c_str()) <= 0) return "";
  const Hdf5Handle found(H5Aopen(of.id(), attribute.c_str(), H5P_DEFAULT), H5Aclose);
  const Hdf5Handle type(H5Aget_type(found.id()), H5Tclose), space(H5Aget_space(found.id()), H5Sclose);
  if (H5Tget_class(type.id()) != H5T_STRING || points_in(space.id()) != 1) return "";
  if (H5Tis_variable_str(type.id()) > 0) {
    char* read = nullptr;
    if (H5Aread(found.id(), type.id(), &read) < 0 || read == nullptr) return "";
    std::string text(read, strnlen(read, most));
    H5free_memory(read);
    return text;
  }
  if (H5Tget_size(type.id()) > most) return "";
  std::string text(H5Tget_size(type.id()), '\0');
  if (H5Aread(found.id(), type.id(), text.data()) < 0) return "";
  return text.substr(0, text.find('\0'));
}

}  // namespace hornbeam::io
