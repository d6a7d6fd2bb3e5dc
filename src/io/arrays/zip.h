// SPDX-License-Identifier: Apache-2.0
// ZIP archives, as far as NumPy's .npz are such: members stored or deflated, of any size (ZIP64). No library, because
// libzip and minizip copy what is stored, which here is read where it lies in the mapped file, and because a machine
// without packages would have to build one more.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "io/files/file.h"

namespace hornbeam::io {

/// A member of an archive, within the archive's bytes.
struct ZipMember {
  std::string name;
  std::uint64_t start = 0, packed = 0;  ///< where its bytes are, and how many
  std::uint64_t size = 0;               ///< once unpacked
  std::uint32_t checksum = 0;
  bool deflated = false;
};

bool looks_like_zip(Bytes file);

/// The archive's directory. Throws Error(subject) where it is damaged, cut, encrypted or packed in another way; every
/// member then lies within `file`.
std::vector<ZipMember> zip_members(Bytes file, const std::string& subject);

/// A member's contents: in `file` itself where it is stored, else unpacked into `room`. Throws Error(subject) where
/// they do not agree with their checksum.
Bytes zip_contents(Bytes file, const ZipMember& member, std::vector<std::byte>& room, const std::string& subject);

/// Writes an archive of stored members, the same bytes for the same contents.
class ZipWriter {
 public:
  using Sink = std::function<void(Bytes)>;

  /// largest: sizes and offsets from which on numbers take 8 bytes (ZIP64).
  explicit ZipWriter(FileWriter& out, std::uint64_t largest = 0xFFFFFFFF) : out_(out), largest_(largest) {}

  /// A member of what `contents` gives to a sink. It is called twice, since the checksum stands before the bytes.
  void add(const std::string& name, const std::function<void(const Sink&)>& contents);
  /// The directory, at the end.
  void finish();

 private:
  void put(const std::string& bytes);

  FileWriter& out_;
  std::uint64_t largest_, written_ = 0;
  std::vector<ZipMember> members_;  ///< `start` is that of the header before it
};

}  // namespace hornbeam::io
