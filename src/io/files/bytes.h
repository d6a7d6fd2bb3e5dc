// SPDX-License-Identifier: Apache-2.0
// Numbers in either byte order, in memory: what the binary formats are read and written through.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <span>
#include <utility>

namespace hornbeam::io {

static_assert(std::endian::native == std::endian::little, "files are swapped relative to a little-endian machine");

/// A whole file in memory.
using Bytes = std::span<const std::byte>;

/// The value's bytes in file order; swapped: the file is big-endian.
template <class T>
std::array<std::byte, sizeof(T)> to_bytes(T value, bool swapped) {
  auto bytes = std::bit_cast<std::array<std::byte, sizeof(T)>>(value);
  if (swapped) {
    for (std::size_t i = 0; i < sizeof(T) / 2; ++i) std::swap(bytes[i], bytes[sizeof(T) - 1 - i]);
  }
  return bytes;
}

/// The value whose bytes in file order start at `offset`; the caller has checked that they are there.
template <class T>
T load(Bytes file, std::size_t offset, bool swapped) {
  T value;
  std::memcpy(&value, file.data() + offset, sizeof(T));
  return swapped ? std::bit_cast<T>(to_bytes(value, true)) : value;
}

}  // namespace hornbeam::io
