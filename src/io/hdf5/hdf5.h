// SPDX-License-Identifier: Apache-2.0
// HDF5's C API behind objects that close themselves and errors that name the file and the object in it.
// Every size is checked against the file before memory is taken. Used by gadget_hdf5.cpp and checkpoint.cpp.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/files/file.h"
#include "io/hdf5/driver.h"
#include "io/hdf5/memory.h"

namespace hornbeam::io {

/// An HDF5 identifier, closed once.
class Hdf5Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Hdf5Handle() = default;
  Hdf5Handle(hid_t id, Close close_function) : id_(id), close_(close_function) {}
  Hdf5Handle(Hdf5Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Hdf5Handle& operator=(Hdf5Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Hdf5Handle() {
    if (id_ >= 0) close_(id_);
  }

  [[nodiscard]] hid_t id() const { return id_; }
  [[nodiscard]] bool valid() const { return id_ >= 0; }
  /// Closes now; false where HDF5 reports a failure.
  bool close() { return close_(std::exchange(id_, -1)) >= 0; }

 private:
  hid_t id_ = -1;
  Close close_ = nullptr;
};

/// Held by whoever calls HDF5: the library as distributions build it knows no threads, and keeps what it does in one
/// place for the whole process.
std::mutex& hdf5_mutex();

/// Holds hdf5_mutex() and Hdf5Memory, and keeps HDF5 from printing its errors while it lives.
class Hdf5Quiet {
 public:
  Hdf5Quiet();
  ~Hdf5Quiet();
  Hdf5Quiet(const Hdf5Quiet&) = delete;
  Hdf5Quiet& operator=(const Hdf5Quiet&) = delete;

 private:
  std::scoped_lock<std::mutex> alone_{hdf5_mutex()};
  Hdf5Memory memory_;
  H5E_auto2_t print_ = nullptr;
  void* data_ = nullptr;
};

/// A two-dimensional dataset being written in blocks of rows.
class Hdf5Writer {
 public:
  Hdf5Writer(Hdf5Handle dataset, std::string subject, std::string path, std::uint64_t columns, hid_t memory_type)
      : dataset_(std::move(dataset)),
        subject_(std::move(subject)),
        path_(std::move(path)),
        columns_(columns),
        memory_type_(memory_type) {}

  void rows(std::uint64_t first, std::uint64_t count, const void* values);
  /// Attribute of one number on the dataset.
  void attribute(const std::string& name, double value);

 private:
  Hdf5Handle dataset_;
  std::string subject_, path_;
  std::uint64_t columns_;
  hid_t memory_type_;
};

/// What the datasets of a file can hold together: no more than the file.
struct Hdf5Budget {
  std::uint64_t file_size, read = 0;  ///< `read`: bytes of the file that datasets read so far claim as theirs
  std::set<std::string> others{};     ///< further files that hold parts of it
};

/// A group of an open file. Reading functions throw Error(file) where the object is absent, of another type or shape.
class Hdf5Group {
 public:
  Hdf5Group(Hdf5Handle handle, std::string subject, std::string path, std::shared_ptr<Hdf5Budget> budget)
      : handle_(std::move(handle)), subject_(std::move(subject)), path_(std::move(path)), budget_(std::move(budget)) {}

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const std::string& subject() const { return subject_; }
  [[nodiscard]] bool has(const std::string& name) const;
  /// Rows of a dataset, 0 where there is none.
  [[nodiscard]] std::uint64_t rows(const std::string& name) const;
  /// The names of all that the group links to, in alphabetical order.
  [[nodiscard]] std::vector<std::string> names() const;
  /// The names of its attributes.
  [[nodiscard]] std::vector<std::string> attribute_names() const;
  /// The first number of an attribute of a dataset, if it is there and a number.
  [[nodiscard]] std::optional<double> number_of(const std::string& dataset, const std::string& attribute) const;
  /// The text of an attribute of a dataset, of `most` bytes at most; empty where it is not there or no such text.
  [[nodiscard]] std::string text_of(const std::string& dataset, const std::string& attribute, std::size_t most) const;
  [[nodiscard]] Hdf5Group open(const std::string& name) const;
  [[nodiscard]] Hdf5Group create(const std::string& name) const;

  [[nodiscard]] bool has_attribute(const std::string& name) const;
  /// Whether there is an attribute of that name, and it is text.
  [[nodiscard]] bool has_text(const std::string& name) const;
  [[nodiscard]] bool has_number(const std::string& name) const;
  /// Throws unless the dataset of that name, or otherwise the attribute, is stored as exactly that type.
  void demand_type(const std::string& name, hid_t type) const;
  /// `count` numbers at most; floating point or integer in the file.
  [[nodiscard]] std::vector<double> numbers(const std::string& name, std::size_t count) const;
  [[nodiscard]] double number(const std::string& name) const;
  /// `count` whole numbers, 0 or more, at most; floating point in the file where all are whole.
  [[nodiscard]] std::vector<std::uint64_t> counts(const std::string& name, std::size_t count) const;
  /// Text of `most` bytes at most.
  [[nodiscard]] std::string text(const std::string& name, std::size_t most) const;
  void write_attribute(const std::string& name, double value) const;
  void write_attribute(const std::string& name, std::string_view text) const;
  void write_attribute(const std::string& name, std::int32_t value) const;
  void write_attribute(const std::string& name, std::uint64_t value) const;
  void write_attribute(const std::string& name, const std::vector<double>& values) const;
  void write_attribute(const std::string& name, const std::vector<std::uint64_t>& values) const;
  void write_attribute(const std::string& name, const std::vector<std::uint32_t>& values) const;

  /// Throws unless the file holds dataset (rows) for columns = 1, else (rows, columns), of floating-point numbers.
  void check_numbers(const std::string& name, std::uint64_t rows, std::uint64_t columns) const;
  /// Reads what check_numbers() accepts.
  void read(const std::string& name, std::uint64_t rows, std::uint64_t columns, double* values) const;
  /// Dataset (rows) of whole numbers, 0 or more; of any type.
  void read(const std::string& name, std::uint64_t rows, std::uint64_t* values) const;
  /// Dataset (rows) of single bytes, however many rows it has.
  [[nodiscard]] std::vector<std::uint8_t> read_bytes(const std::string& name) const;
  /// Creates a dataset of `type`, (rows) for columns = 1, else (rows, columns).
  [[nodiscard]] Hdf5Writer create_dataset(const std::string& name, hid_t type, std::uint64_t rows,
                                          std::uint64_t columns) const;

 private:
  [[nodiscard]] std::string path_of(const std::string& name) const;
  [[noreturn]] void fail(const std::string& name, const std::string& what) const;
  void check_link(const std::string& name) const;
  void follow_link(const std::string& name) const;
  struct VirtualSource {
    std::string file, dataset;
  };
  void check_source(const std::string& name, const VirtualSource& source, std::uint64_t points,
                    std::uint64_t& used) const;
  void follow_sources(hid_t properties, const std::string& name, std::uint64_t values) const;
  void check_filters(hid_t properties, const std::string& name) const;
  /// Counts another file of the same folder, which holds a part of this one, among what may be read.
  void admit_file(const std::string& name, const std::string& other) const;
  [[nodiscard]] Hdf5Handle open_attribute(const std::string& name, std::size_t count, std::size_t& found) const;
  [[nodiscard]] H5T_class_t class_of(const std::string& name) const;
  void write_attribute(const std::string& name, hid_t type, const void* values, std::size_t count, bool scalar) const;
  [[nodiscard]] Hdf5Handle open_dataset(const std::string& name) const;
  void check_numbers(hid_t dataset, const std::string& name, std::uint64_t rows, std::uint64_t columns) const;
  void check_shape(hid_t dataset, const std::string& name, std::uint64_t rows, std::uint64_t columns) const;
  [[nodiscard]] std::uint64_t check_storage(hid_t dataset, const std::string& name, std::uint64_t rows,
                                            std::uint64_t columns) const;
  void claim(hid_t dataset, const std::string& name, std::uint64_t rows, std::uint64_t columns) const;
  void read_checked(hid_t dataset, const std::string& name, hid_t memory_type, void* values) const;

  Hdf5Handle handle_;
  std::string subject_, path_;
  std::shared_ptr<Hdf5Budget> budget_;
};

/// An HDF5 file, open for reading or just created.
class Hdf5File {
 public:
  /// Throws Error(path) where the file is absent, empty, truncated or of another format.
  static Hdf5File open(const std::filesystem::path& path);
  /// Fills the new file; its first `user_block` bytes (0, 512, 1024, ...) are left to the caller.
  static Hdf5File create(const ReplacedFile& target, std::uint64_t user_block = 0);

  [[nodiscard]] Hdf5Group root() const;
  /// Writes all that HDF5 still holds back and closes; throws Error where the disk did not take something.
  void close();

 private:
  Hdf5File(std::string subject, std::uint64_t file_size)
      : subject_(std::move(subject)), budget_(std::make_shared<Hdf5Budget>(Hdf5Budget{file_size})) {}

  std::string subject_;
  std::shared_ptr<Hdf5Budget> budget_;
  // destroyed after the file, which may write until it is closed
  std::unique_ptr<Hdf5Sink> sink_ = std::make_unique<Hdf5Sink>();
  Hdf5Handle driver_;
  Hdf5Handle handle_;
};

}  // namespace hornbeam::io
