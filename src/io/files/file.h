// SPDX-License-Identifier: Apache-2.0
// Files of the operating system: one mapped for reading, and one replaced atomically when written.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "io/files/bytes.h"

namespace hornbeam::io {

/// The size of a regular file. Throws Error(path) where it cannot be opened, and for FIFOs, devices and folders,
/// without waiting for anyone who may or may not write into them.
std::uint64_t regular_file_size(const std::filesystem::path& path);

/// All of a regular file.
std::string read_text(const std::filesystem::path& path);

/// Throws UsageError where `output` is the same file as one of `inputs`, under whatever name: writing would destroy it.
void refuse_same_file(const std::filesystem::path& output, const std::vector<std::filesystem::path>& inputs);

/// A regular file mapped for reading. Throws Error naming the file where it cannot be opened or is empty.
class MappedFile {
 public:
  explicit MappedFile(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  [[nodiscard]] Bytes bytes() const { return bytes_; }

 private:
  Bytes bytes_;
};

/// The file that a temporary of ReplacedFile, which a killed process has left, was to replace; empty for other files.
std::filesystem::path file_to_replace(const std::filesystem::path& temporary);

/// A new file next to the one it will replace. Until commit() the old file stands untouched; without commit() the
/// destructor removes the new one.
class ReplacedFile {
 public:
  /// Creates the temporary; throws Error(final_path) where that is no regular file or may not be written.
  explicit ReplacedFile(const std::filesystem::path& final_path);
  ~ReplacedFile();
  ReplacedFile(const ReplacedFile&) = delete;
  ReplacedFile& operator=(const ReplacedFile&) = delete;

  [[nodiscard]] const std::filesystem::path& temporary() const { return temporary_; }
  [[nodiscard]] int descriptor() const { return descriptor_; }
  /// The name errors are reported under.
  [[nodiscard]] const std::string& subject() const { return subject_; }

  /// Flushes the data to the disk and gives the file its final name.
  void commit();
  /// Throws Error(subject) with errno's message.
  [[noreturn]] void fail(const char* doing) const;

 private:
  std::string subject_;
  std::filesystem::path final_, temporary_;
  int descriptor_ = -1;
};

/// Writes numbers and bytes to a ReplacedFile through a buffer.
class FileWriter {
 public:
  explicit FileWriter(ReplacedFile& file) : file_(file) { buffer_.reserve(capacity); }

  void write(Bytes bytes);
  void write(const std::string& text) { write(std::as_bytes(std::span(text))); }
  template <class T>
  void put(T value, bool swapped) {
    const auto bytes = to_bytes(value, swapped);
    write(bytes);
  }
  /// Must be called last: what is still in the buffer is not written by the destructor.
  void flush();

 private:
  static constexpr std::size_t capacity = 1 << 20;
  ReplacedFile& file_;
  std::vector<std::byte> buffer_;
};

/// What to do about an error of the system when a file was written: no room on the disk, or a file too large; otherwise
/// empty.
std::string remedy_for_room(int error);

/// Replaces the file by one that holds `text`.
void replace_text(const std::filesystem::path& path, const std::string& text);

}  // namespace hornbeam::io
