// SPDX-License-Identifier: Apache-2.0
// zlib unpacks, see gzip.h: the members of a file one after the other, as gzip and bgzip write them.
#include "io/files/gzip.h"

#include <span>

#include "hornbeam/error.h"
#include "io/files/inflate.h"
#include "memory/need.h"

namespace hornbeam::io {
namespace {

/// Unpacks one member behind what `to` holds; false where it is damaged. Moves `taken` behind it.
bool inflate_member(Bytes file, std::size_t& taken, std::vector<std::byte>& to) {
  constexpr int with_gzip_header = MAX_WBITS + 16;
  constexpr std::size_t piece = std::size_t{1} << 24;
  Inflater inflater(with_gzip_header);
  while (inflater.goes_on()) {
    const std::size_t made = to.size();
    memory::demand(0, {{"a file unpacked", 0, static_cast<double>(piece)}});
    to.resize(made + piece);
    to.resize(made + inflater.unpack(file, taken, std::span(to).subspan(made)));
  }
  return inflater.is_done();
}

}  // namespace

bool looks_like_gzip(Bytes file) {
  return file.size() >= 3 && file[0] == std::byte{0x1f} && file[1] == std::byte{0x8b} && file[2] == std::byte{8};
}

std::vector<std::byte> unpacked_gzip(Bytes file, const std::string& subject) {
  std::vector<std::byte> all;
  for (std::size_t taken = 0; taken < file.size();) {
    if (!inflate_member(file, taken, all)) throw Error(subject, "is truncated or damaged: gzip cannot unpack it");
  }
  return all;
}

}  // namespace hornbeam::io
