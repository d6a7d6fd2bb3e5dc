// SPDX-License-Identifier: Apache-2.0
// zlib unpacks, see gzip.h: the members of a file one after the other, as gzip and bgzip write them.
#include "io/gzip.h"

#include <zlib.h>

#include <algorithm>

#include "hornbeam/error.h"
#include "memory/need.h"

namespace hornbeam::io {
namespace {

/// Unpacks one member behind what `to` holds; false where it is damaged. Moves `taken` behind it.
bool inflate_member(Bytes file, std::size_t& taken, std::vector<std::byte>& to) {
  z_stream stream{};
  constexpr int with_gzip_header = MAX_WBITS + 16;
  if (inflateInit2(&stream, with_gzip_header) != Z_OK) return false;
  constexpr std::size_t most = 1U << 24U;
  int state = Z_OK;
  while (state == Z_OK) {
    const std::size_t in = std::min(most, file.size() - taken), made = to.size();
    memory::demand(0, {{"a file unpacked", 0, static_cast<double>(most)}});
    to.resize(made + most);
    stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(file.data()) + taken);  // NOLINT: zlib's type
    stream.next_out = reinterpret_cast<Bytef*>(to.data()) + made;                              // NOLINT: bytes
    stream.avail_in = static_cast<uInt>(in);
    stream.avail_out = static_cast<uInt>(most);
    state = inflate(&stream, Z_NO_FLUSH);
    taken += in - stream.avail_in;
    to.resize(made + most - stream.avail_out);
  }
  inflateEnd(&stream);
  return state == Z_STREAM_END;
}

}  // namespace

bool looks_like_gzip(Bytes file) {
  return file.size() > 2 && file[0] == std::byte{0x1f} && file[1] == std::byte{0x8b} && file[2] == std::byte{8};
}

std::vector<std::byte> unpacked_gzip(Bytes file, const std::string& subject) {
  std::vector<std::byte> all;
  for (std::size_t taken = 0; taken < file.size();) {
    if (!inflate_member(file, taken, all)) throw Error(subject, "is truncated or damaged: gzip does not unpack it");
  }
  return all;
}

}  // namespace hornbeam::io
