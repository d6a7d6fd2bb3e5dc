// SPDX-License-Identifier: Apache-2.0
// Writing and testing seals, see seal.h.
#include "io/seal.h"

#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <string_view>

#include "hornbeam/error.h"

namespace hornbeam::io {
namespace {

constexpr std::string_view opening = "hornbeam checkpoint, layout ";

std::string_view text_of(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};  // NOLINT: bytes of text
}

std::string seal_of(Bytes file, std::uint64_t layout) {
  char sum[17];
  std::snprintf(sum, sizeof sum, "%016llx", static_cast<unsigned long long>(checksum(file.subspan(seal_size))));
  std::string text = std::string(opening) + std::to_string(layout) + "\nbytes " + std::to_string(file.size()) +
                     "\nchecksum " + sum + "\n";
  text.resize(seal_size, '\n');
  return text;
}

/// The number that stands at the front of `text`.
std::uint64_t number_at(std::string_view text) {
  std::uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

}  // namespace

std::uint64_t checksum(Bytes bytes) {
  std::uint64_t sum = bytes.size();
  const auto add = [&sum](std::uint64_t word) { sum = std::rotl((sum ^ word) * 0x9e3779b97f4a7c15, 29); };
  std::size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) add(load<std::uint64_t>(bytes, i, false));
  for (; i < bytes.size(); ++i) add(static_cast<std::uint64_t>(bytes[i]));
  return sum;
}

bool has_seal(Bytes file) { return text_of(file).starts_with(opening); }

void write_seal(ReplacedFile& file, std::uint64_t layout) {
  const MappedFile written(file.temporary());
  const std::string seal = seal_of(written.bytes(), layout);
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
                             " bytes, its first lines say " + std::to_string(size));
  }
  if (text != seal_of(file, layout)) throw Error(subject, "is damaged: its data do not agree with its checksum");
}

}  // namespace hornbeam::io
