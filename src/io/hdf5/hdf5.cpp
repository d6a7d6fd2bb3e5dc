// SPDX-License-Identifier: Apache-2.0
// The checks around HDF5's calls: links, types, shapes and storage first, memory and data afterwards.
#include "io/hdf5/hdf5.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>

#include "hornbeam/error.h"

namespace hornbeam::io {
namespace {

/// HDF5's innermost message; of a failed system call only the operating system's words.
std::string hdf5_reason() {
  std::string reason;
  const auto take_innermost = [](unsigned n, const H5E_error2_t* error, void* data) -> herr_t {
    if (n == 0 && error->desc != nullptr) *static_cast<std::string*>(data) = error->desc;
    return 0;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_innermost, &reason);
  constexpr std::string_view system_message = "error message = '";
  if (const auto begin = reason.find(system_message); begin != std::string::npos) {
    reason = reason.substr(begin + system_message.size());
    reason = reason.substr(0, reason.find('\''));
  }
  return reason.empty() ? "HDF5 gives no reason" : reason;
}

Hdf5Handle simple_space(std::uint64_t rows, std::uint64_t columns) {
  const std::array<hsize_t, 2> dims{rows, columns};
  return {H5Screate_simple(columns == 1 ? 1 : 2, dims.data(), nullptr), H5Sclose};
}

/// Properties of a new group, dataset or file: without the time of day, so that identical runs write identical files.
Hdf5Handle timeless(hid_t kind) {
  Hdf5Handle properties(H5Pcreate(kind), H5Pclose);
  H5Pset_obj_track_times(properties.id(), false);
  return properties;
}

/// Whole numbers that are stored as floating point; false where one is none.
bool to_whole(const std::vector<double>& read, std::uint64_t* values) {
  constexpr double exact_below = 9007199254740992.0;  // 2^53: every smaller whole number is a double
  for (const double number : read) {
    if (!(number >= 0 && number < exact_below) || number != std::floor(number)) return false;
    *values++ = static_cast<std::uint64_t>(number);
  }
  return true;
}

}  // namespace

std::mutex& hdf5_mutex() {
  static std::mutex mutex;
  return mutex;
}

Hdf5Quiet::Hdf5Quiet() {
  H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Hdf5Quiet::~Hdf5Quiet() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }

void Hdf5Writer::rows(std::uint64_t first, std::uint64_t count, const void* values) {
  const std::array<hsize_t, 2> start{first, 0};
  const std::array<hsize_t, 2> extent{count, columns_};
  const Hdf5Handle in_memory = simple_space(count, columns_);
  const Hdf5Handle in_file(H5Dget_space(dataset_.id()), H5Sclose);
  if (H5Sselect_hyperslab(in_file.id(), H5S_SELECT_SET, start.data(), nullptr, extent.data(), nullptr) < 0 ||
      H5Dwrite(dataset_.id(), memory_type_, in_memory.id(), in_file.id(), H5P_DEFAULT, values) < 0) {
    throw Error(subject_, "cannot write " + path_ + ": " + hdf5_reason());
  }
}

void Hdf5Writer::attribute(const std::string& name, double value) {
  const Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const Hdf5Handle attribute(
      H5Acreate2(dataset_.id(), name.c_str(), H5T_IEEE_F64LE, space.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  if (!attribute.valid() || H5Awrite(attribute.id(), H5T_NATIVE_DOUBLE, &value) < 0) {
    throw Error(subject_, "cannot write " + path_ + " " + name + ": " + hdf5_reason());
  }
}

std::string Hdf5Group::path_of(const std::string& name) const { return (path_ == "/" ? path_ : path_ + "/") + name; }

void Hdf5Group::fail(const std::string& name, const std::string& what) const {
  throw Error(subject_, path_of(name) + " " + what);
}

bool Hdf5Group::has(const std::string& name) const { return H5Lexists(handle_.id(), name.c_str(), H5P_DEFAULT) > 0; }

std::uint64_t Hdf5Group::rows(const std::string& name) const {
  if (!has(name)) return 0;
  const Hdf5Handle dataset = open_dataset(name);
  const Hdf5Handle space(H5Dget_space(dataset.id()), H5Sclose);
  std::array<hsize_t, H5S_MAX_RANK> dims{};
  return H5Sget_simple_extent_dims(space.id(), dims.data(), nullptr) > 0 ? dims[0] : 0;
}

void Hdf5Group::check_link(const std::string& name) const {
  if (!has(name)) fail(name, "is missing");
  follow_link(name);
}

Hdf5Group Hdf5Group::open(const std::string& name) const {
  check_link(name);
  Hdf5Handle group(H5Gopen2(handle_.id(), name.c_str(), H5P_DEFAULT), H5Gclose);
  if (!group.valid()) fail(name, "is not a group");
  return {std::move(group), subject_, path_of(name), budget_};
}

Hdf5Group Hdf5Group::create(const std::string& name) const {
  const Hdf5Handle properties = timeless(H5P_GROUP_CREATE);
  Hdf5Handle group(H5Gcreate2(handle_.id(), name.c_str(), H5P_DEFAULT, properties.id(), H5P_DEFAULT), H5Gclose);
  if (!group.valid()) fail(name, "cannot be created: " + hdf5_reason());
  return {std::move(group), subject_, path_of(name), budget_};
}

bool Hdf5Group::has_attribute(const std::string& name) const { return H5Aexists(handle_.id(), name.c_str()) > 0; }

Hdf5Handle Hdf5Group::open_attribute(const std::string& name, std::size_t count, std::size_t& found) const {
  if (!has_attribute(name)) fail("attribute " + name, "is missing");
  Hdf5Handle attribute(H5Aopen(handle_.id(), name.c_str(), H5P_DEFAULT), H5Aclose);
  const Hdf5Handle space(attribute.valid() ? H5Aget_space(attribute.id()) : -1, H5Sclose);
  const hssize_t points = space.valid() ? H5Sget_simple_extent_npoints(space.id()) : -1;
  if (points < 0) fail("attribute " + name, "cannot be read: " + hdf5_reason());
  if (points == 0 || static_cast<std::uint64_t>(points) > count) {
    fail("attribute " + name,
         "has " + std::to_string(points) + " values: must have " + (count == 1 ? "" : "1 to ") + std::to_string(count));
  }
  found = static_cast<std::size_t>(points);
  return attribute;
}

std::vector<double> Hdf5Group::numbers(const std::string& name, std::size_t count) const {
  std::size_t found = 0;
  const Hdf5Handle attribute = open_attribute(name, count, found);
  const Hdf5Handle type(H5Aget_type(attribute.id()), H5Tclose);
  const H5T_class_t kind = H5Tget_class(type.id());
  if (kind != H5T_FLOAT && kind != H5T_INTEGER) fail("attribute " + name, "is of the wrong type: must be a number");
  std::vector<double> values(found);
  if (H5Aread(attribute.id(), H5T_NATIVE_DOUBLE, values.data()) < 0) {
    fail("attribute " + name, "cannot be read: " + hdf5_reason());
  }
  return values;
}

void Hdf5Group::demand_type(const std::string& name, hid_t type) const {
  Hdf5Handle found;
  if (has(name)) {
    found = Hdf5Handle(H5Dget_type(open_dataset(name).id()), H5Tclose);
  } else {
    const Hdf5Handle attribute(H5Aopen(handle_.id(), name.c_str(), H5P_DEFAULT), H5Aclose);
    if (attribute.valid()) found = Hdf5Handle(H5Aget_type(attribute.id()), H5Tclose);
  }
  if (!found.valid() || H5Tequal(found.id(), type) <= 0) fail(name, "is missing or of a wrong type");
}

double Hdf5Group::number(const std::string& name) const { return numbers(name, 1).front(); }

std::vector<std::uint64_t> Hdf5Group::counts(const std::string& name, std::size_t count) const {
  std::size_t found = 0;
  const Hdf5Handle attribute = open_attribute(name, count, found);
  const Hdf5Handle type(H5Aget_type(attribute.id()), H5Tclose);
  std::vector<std::uint64_t> values(found);
  if (H5Tget_class(type.id()) == H5T_FLOAT) {
    const std::vector<double> read = numbers(name, count);
    if (!to_whole(read, values.data()))
      fail("attribute " + name, "is of the wrong type: must be whole numbers, 0 or more");
    return values;
  }
  if (H5Tget_class(type.id()) != H5T_INTEGER) fail("attribute " + name, "is of the wrong type: must be whole numbers");
  const bool is_signed = H5Tget_sign(type.id()) == H5T_SGN_2;
  if (H5Aread(attribute.id(), is_signed ? H5T_NATIVE_INT64 : H5T_NATIVE_UINT64, values.data()) < 0) {
    fail("attribute " + name, "cannot be read: " + hdf5_reason());
  }
  if (is_signed && std::any_of(values.begin(), values.end(), [](std::uint64_t value) { return value >> 63; })) {
    fail("attribute " + name, "is negative: must be 0 or more");
  }
  return values;
}

bool Hdf5Group::has_text(const std::string& name) const { return class_of(name) == H5T_STRING; }

bool Hdf5Group::has_number(const std::string& name) const {
  const H5T_class_t kind = class_of(name);
  return kind == H5T_INTEGER || kind == H5T_FLOAT;
}

H5T_class_t Hdf5Group::class_of(const std::string& name) const {
  if (!has_attribute(name)) return H5T_NO_CLASS;
  const Hdf5Handle attribute(H5Aopen(handle_.id(), name.c_str(), H5P_DEFAULT), H5Aclose);
  const Hdf5Handle type(H5Aget_type(attribute.id()), H5Tclose);
  return H5Tget_class(type.id());
}

std::string Hdf5Group::text(const std::string& name, std::size_t most) const {
  std::size_t found = 0;
  const Hdf5Handle attribute = open_attribute(name, 1, found);
  const Hdf5Handle type(H5Aget_type(attribute.id()), H5Tclose);
  const bool is_text = H5Tget_class(type.id()) == H5T_STRING;
  if (is_text && H5Tis_variable_str(type.id()) > 0) {  // as h5py writes it
    char* read = nullptr;
    if (H5Aread(attribute.id(), type.id(), &read) < 0) fail("attribute " + name, "cannot be read: " + hdf5_reason());
    const std::unique_ptr<char, herr_t (*)(void*)> kept(read, H5free_memory);
    std::string value = read == nullptr ? "" : std::string(read, strnlen(read, most + 1));
    if (value.size() <= most) return value;
  }
  const std::size_t size = H5Tget_size(type.id());
  if (!is_text || H5Tis_variable_str(type.id()) != 0 || size > most) {
    fail("attribute " + name, "is of the wrong type: must be text of at most " + std::to_string(most) + " bytes");
  }
  std::string value(size, '\0');
  if (H5Aread(attribute.id(), type.id(), value.data()) < 0) {
    fail("attribute " + name, "cannot be read: " + hdf5_reason());
  }
  return value.substr(0, value.find('\0'));
}

void Hdf5Group::write_attribute(const std::string& name, hid_t type, const void* values, std::size_t count,
                                bool scalar) const {
  const Hdf5Handle space = scalar ? Hdf5Handle(H5Screate(H5S_SCALAR), H5Sclose) : simple_space(count, 1);
  const Hdf5Handle attribute(H5Acreate2(handle_.id(), name.c_str(), type, space.id(), H5P_DEFAULT, H5P_DEFAULT),
                             H5Aclose);
  if (!attribute.valid() || H5Awrite(attribute.id(), type, values) < 0) {
    fail("attribute " + name, "cannot be written: " + hdf5_reason());
  }
}

void Hdf5Group::write_attribute(const std::string& name, double value) const {
  write_attribute(name, H5T_NATIVE_DOUBLE, &value, 1, true);
}
void Hdf5Group::write_attribute(const std::string& name, std::string_view text) const {
  const Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.id(), std::max<std::size_t>(text.size(), 1));
  write_attribute(name, type.id(), text.data(), 1, true);
}
void Hdf5Group::write_attribute(const std::string& name, std::int32_t value) const {
  write_attribute(name, H5T_NATIVE_INT32, &value, 1, true);
}
void Hdf5Group::write_attribute(const std::string& name, std::uint64_t value) const {
  write_attribute(name, H5T_NATIVE_UINT64, &value, 1, true);
}
void Hdf5Group::write_attribute(const std::string& name, const std::vector<double>& values) const {
  write_attribute(name, H5T_NATIVE_DOUBLE, values.data(), values.size(), false);
}
void Hdf5Group::write_attribute(const std::string& name, const std::vector<std::uint64_t>& values) const {
  write_attribute(name, H5T_NATIVE_UINT64, values.data(), values.size(), false);
}
void Hdf5Group::write_attribute(const std::string& name, const std::vector<std::uint32_t>& values) const {
  write_attribute(name, H5T_NATIVE_UINT32, values.data(), values.size(), false);
}

Hdf5Handle Hdf5Group::open_dataset(const std::string& name) const {
  check_link(name);
  Hdf5Handle dataset(H5Dopen2(handle_.id(), name.c_str(), H5P_DEFAULT), H5Dclose);
  if (!dataset.valid()) fail(name, "cannot be read as a dataset: " + hdf5_reason());
  return dataset;
}

void Hdf5Group::read_checked(hid_t dataset, const std::string& name, hid_t memory_type, void* values) const {
  if (H5Dread(dataset, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0) {
    fail(name, "cannot be read: " + hdf5_reason());
  }
}

void Hdf5Group::check_numbers(hid_t dataset, const std::string& name, std::uint64_t rows, std::uint64_t columns) const {
  const Hdf5Handle type(H5Dget_type(dataset), H5Tclose);
  if (H5Tget_class(type.id()) != H5T_FLOAT) fail(name, "is of the wrong type: must be floating-point numbers");
  check_shape(dataset, name, rows, columns);
  static_cast<void>(check_storage(dataset, name, rows, columns));
}

void Hdf5Group::check_numbers(const std::string& name, std::uint64_t rows, std::uint64_t columns) const {
  check_numbers(open_dataset(name).id(), name, rows, columns);
}

void Hdf5Group::read(const std::string& name, std::uint64_t rows, std::uint64_t columns, double* values) const {
  const Hdf5Handle dataset = open_dataset(name);
  check_numbers(dataset.id(), name, rows, columns);
  claim(dataset.id(), name, rows, columns);
  read_checked(dataset.id(), name, H5T_NATIVE_DOUBLE, values);
}

void Hdf5Group::read(const std::string& name, std::uint64_t rows, std::uint64_t* values) const {
  const Hdf5Handle dataset = open_dataset(name);
  const Hdf5Handle type(H5Dget_type(dataset.id()), H5Tclose);
  const bool floating = H5Tget_class(type.id()) == H5T_FLOAT;
  if (!floating && H5Tget_class(type.id()) != H5T_INTEGER) fail(name, "is of the wrong type: must be whole numbers");
  check_shape(dataset.id(), name, rows, 1);
  claim(dataset.id(), name, rows, 1);
  if (floating) {
    std::vector<double> read(rows);
    read_checked(dataset.id(), name, H5T_NATIVE_DOUBLE, read.data());
    if (!to_whole(read, values)) fail(name, "has values that are not whole numbers, 0 or more");
    return;
  }
  const bool is_signed = H5Tget_sign(type.id()) == H5T_SGN_2;
  read_checked(dataset.id(), name, is_signed ? H5T_NATIVE_INT64 : H5T_NATIVE_UINT64, values);
  if (is_signed && std::any_of(values, values + rows, [](std::uint64_t value) { return value >> 63; })) {
    fail(name, "has negative values: must be 0 or more");
  }
}

std::vector<std::uint8_t> Hdf5Group::read_bytes(const std::string& name) const {
  const Hdf5Handle dataset = open_dataset(name);
  const Hdf5Handle type(H5Dget_type(dataset.id()), H5Tclose);
  if (H5Tequal(type.id(), H5T_STD_U8LE) <= 0) fail(name, "is of the wrong type: must be bytes");
  const Hdf5Handle space(H5Dget_space(dataset.id()), H5Sclose);
  const auto rows = static_cast<std::uint64_t>(std::max<hssize_t>(H5Sget_simple_extent_npoints(space.id()), 0));
  check_shape(dataset.id(), name, rows, 1);
  claim(dataset.id(), name, rows, 1);
  std::vector<std::uint8_t> values(rows);
  read_checked(dataset.id(), name, H5T_NATIVE_UINT8, values.data());
  return values;
}

Hdf5Writer Hdf5Group::create_dataset(const std::string& name, hid_t type, std::uint64_t rows,
                                     std::uint64_t columns) const {
  const Hdf5Handle space = simple_space(rows, columns);
  const Hdf5Handle properties = timeless(H5P_DATASET_CREATE);
  Hdf5Handle dataset(
      H5Dcreate2(handle_.id(), name.c_str(), type, space.id(), H5P_DEFAULT, properties.id(), H5P_DEFAULT), H5Dclose);
  if (!dataset.valid()) fail(name, "cannot be created: " + hdf5_reason());
  return {std::move(dataset), subject_, path_of(name), columns, type};
}

Hdf5File Hdf5File::open(const std::filesystem::path& path) {
  const std::string subject = path.string();
  const std::uint64_t size = regular_file_size(path);
  if (size == 0) throw Error(subject, "is empty (0 bytes)");
  Hdf5File file(subject, size);
  file.handle_ = Hdf5Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (!file.handle_.valid()) throw Error(subject, "is not an HDF5 file, or is incomplete: " + hdf5_reason());
  return file;
}

Hdf5File Hdf5File::create(const ReplacedFile& target, std::uint64_t user_block) {
  Hdf5File file(target.subject(), std::numeric_limits<std::uint64_t>::max());
  file.sink_->descriptor = target.descriptor();
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  file.driver_ = Hdf5Handle(use_sink_driver(access.id(), file.sink_.get()), H5FDunregister);
  const Hdf5Handle properties = timeless(H5P_FILE_CREATE);
  H5Pset_userblock(properties.id(), user_block);
  file.handle_ =
      Hdf5Handle(H5Fcreate(target.temporary().c_str(), H5F_ACC_TRUNC, properties.id(), access.id()), H5Fclose);
  if (!file.handle_.valid()) throw Error(target.subject(), "cannot create: " + hdf5_reason());
  return file;
}

Hdf5Group Hdf5File::root() const {
  Hdf5Handle group(H5Gopen2(handle_.id(), "/", H5P_DEFAULT), H5Gclose);
  if (!group.valid()) throw Error(subject_, "has no root group: " + hdf5_reason());
  return {std::move(group), subject_, "/", budget_};
}

void Hdf5File::close() {
  const std::string reason = handle_.close() ? "" : hdf5_reason();
  if (sink_->error != 0) {
    throw Error(subject_, std::string("cannot write: ") + std::strerror(sink_->error), remedy_for_room(sink_->error));
  }
  if (!reason.empty()) throw Error(subject_, "cannot write: " + reason);
}

}  // namespace hornbeam::io
