// SPDX-License-Identifier: Apache-2.0
// zlib's unpacking, of pieces of any size: what gzip files and the members of archives share.
#pragma once

#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <span>

#include "io/files/bytes.h"

namespace hornbeam::io {

class Inflater {
 public:
  /// window_bits: as inflateInit2() takes them, which choose the header.
  explicit Inflater(int window_bits) : state_(inflateInit2(&stream_, window_bits)), begun_(state_ == Z_OK) {}
  ~Inflater() {
    if (begun_) inflateEnd(&stream_);
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  /// Whether there is more to unpack.
  [[nodiscard]] bool goes_on() const { return state_ == Z_OK; }
  /// Whether all was unpacked, undamaged.
  [[nodiscard]] bool is_done() const { return state_ == Z_STREAM_END; }
  /// Unpacks from the bytes behind the first `taken` into `to`; moves `taken` behind those read. Returns how many bytes
  /// were made.
  std::size_t unpack(Bytes packed, std::size_t& taken, std::span<std::byte> to) {
    constexpr std::size_t most = std::size_t{1} << 30;  // zlib counts in 32 bits
    const std::size_t in = std::min(most, packed.size() - taken), out = std::min(most, to.size());
    stream_.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(packed.data()) + taken);  // NOLINT: zlib's type
    stream_.next_out = reinterpret_cast<Bytef*>(to.data());                                       // NOLINT: bytes
    stream_.avail_in = static_cast<uInt>(in);
    stream_.avail_out = static_cast<uInt>(out);
    state_ = inflate(&stream_, Z_NO_FLUSH);
    taken += in - stream_.avail_in;
    return out - stream_.avail_out;
  }

 private:
  z_stream stream_{};
  int state_;
  bool begun_;
};

}  // namespace hornbeam::io
