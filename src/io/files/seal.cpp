// SPDX-License-Identifier: Apache-2.0
// Writing and testing seals, see seal.h.
#include "io/files/seal.h"

#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <span>
#include <string_view>
#include <vector>

#include "hornbeam/error.h"

namespace hornbeam::io {
namespace {

constexpr std::string_view opening = "hornbeam checkpoint, layout ";

std::string_view text_of(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};  // NOLINT: bytes of text
}

std::string seal_of(std::uint64_t sum, std::uint64_t size, std::uint64_t layout) {
  char hexadecimal[17];
  std::snprintf(hexadecimal, sizeof hexadecimal, "%016llx", static_cast<unsigned long long>(sum));
  std::string text = std::string(opening) + std::to_string(layout) + "\nbytes " + std::to_string(size) + "\nchecksum " +
                     hexadecimal + "\n";
  text.resize(seal_size, '\n');
  return text;
}

/// Fills `part` from there, as far as the file reaches; returns how many bytes it has read.
std::size_t read_part(const ReplacedFile& file, std::uint64_t from, std::span<std::byte> part) {
  std::size_t done = 0;
  while (done < part.size()) {
    const ssize_t got =
        ::pread(file.descriptor(), part.data() + done, part.size() - done, static_cast<off_t>(from + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) file.fail("cannot read what was written");
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  return done;
}

/// The number that is at the front of `text`.
std::uint64_t number_at(std::string_view text) {
  std::uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

}  // namespace

void Checksum::add_word(std::uint64_t word) { sum_ = std::rotl((sum_ ^ word) * 0x9e3779b97f4a7c15, 29); }

void Checksum::add(Bytes part) {
  std::size_t i = 0;
  for (; i + 8 <= part.size(); i += 8) add_word(load<std::uint64_t>(part, i, false));
  for (; i < part.size(); ++i) add_word(static_cast<std::uint64_t>(part[i]));
}

std::uint64_t checksum(Bytes bytes) {
  Checksum sum(bytes.size());
  sum.add(bytes);
  return sum.value();
}

bool has_seal(Bytes file) { return text_of(file).starts_with(opening); }

void write_seal(ReplacedFile& file, std::uint64_t layout) {
  const std::uint64_t size = regular_file_size(file.temporary());
  Checksum sum(size - seal_size);
  std::vector<std::byte> part(std::size_t{1} << 20);  // not mapped whole: that takes as much address space as the file
  for (std::uint64_t at = seal_size; at < size;) {
    const std::size_t got = read_part(file, at, part);
    if (got == 0) break;
    sum.add(Bytes(part).first(got));
    at += got;
  }
  const std::string seal = seal_of(sum.value(), size, layout);
  for (std::size_t done = 0; done < seal.size();) {
    const ssize_t put = ::pwrite(file.descriptor(), seal.data() + done, seal.size() - done, static_cast<off_t>(done));
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) file.fail("cannot write");
    done += static_cast<std::size_t>(put);
  }
}

void check_seal(Bytes file, std::uint64_t layout, const std::string& subject) {
  const std::string_view text = text_of(file.first(std::min(file.size(), seal_size)));
  const std::uint64_t found = number_at(text.substr(opening.size()));
  if (found != layout && text.size() == seal_size) {
    throw Error(subject, "is a checkpoint of layout " + std::to_string(found) + ": must be " + std::to_string(layout),
                "resume with the version that wrote it");
  }
  constexpr std::string_view size_name = "\nbytes ";
  const auto at = text.find(size_name);
  const std::uint64_t size = at == std::string_view::npos ? 0 : number_at(text.substr(at + size_name.size()));
  if (text.size() < seal_size || size != file.size()) {
    throw Error(subject, "is truncated or damaged: it has " + std::to_string(file.size()) +
                             " bytes, but its first lines state " + std::to_string(size));
  }
  if (text != seal_of(checksum(file.subspan(seal_size)), file.size(), layout))
    throw Error(subject, "is damaged: its checksum is wrong");
}

}  // namespace hornbeam::io
