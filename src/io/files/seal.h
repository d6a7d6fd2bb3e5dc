// SPDX-License-Identifier: Apache-2.0
// The seal of a checkpoint: text in the 512 bytes before its HDF5, which HDF5 skips (its "user block"), naming the
// layout, the size and a checksum over all the rest. It is tested before the HDF5 library sees the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "io/files/bytes.h"
#include "io/files/file.h"

namespace hornbeam::io {

inline constexpr std::size_t seal_size = 512;

/// Whether the bytes begin with a seal, whole or damaged.
bool has_seal(Bytes file);

/// Seals what has been written behind the first 512 bytes.
void write_seal(ReplacedFile& file, std::uint64_t layout);

/// Throws Error(subject) unless the seal is of this layout and agrees with the whole file.
void check_seal(Bytes file, std::uint64_t layout, const std::string& subject);

/// 64-bit checksum. Each step is a bijection of the sum for any eight bytes, and of the eight bytes for any sum: damage
/// within one word of eight bytes is always seen, any other with a chance of 2^-64 to be missed.
/// zlib's sums have 32 bits, and checkpoints of earlier versions have this one.
class Checksum {
 public:
  /// size: bytes of all parts together.
  explicit Checksum(std::uint64_t size) : sum_(size) {}
  /// The next part; only the last one may have another size than a multiple of 8.
  void add(Bytes part);
  [[nodiscard]] std::uint64_t value() const { return sum_; }

 private:
  void add_word(std::uint64_t word);
  std::uint64_t sum_;
};
std::uint64_t checksum(Bytes bytes);

}  // namespace hornbeam::io
