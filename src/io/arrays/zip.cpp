// SPDX-License-Identifier: Apache-2.0
// ZIP's records (PKWARE's APPNOTE 6.3): its directory at the end of the file and the headers before members. zlib
// unpacks and counts checksums.
#include "io/arrays/zip.h"

#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>

#include "hornbeam/error.h"
#include "io/files/inflate.h"
#include "memory/need.h"

namespace hornbeam::io {
namespace {

constexpr std::uint32_t local_mark = 0x04034b50, central_mark = 0x02014b50, end_mark = 0x06054b50;
constexpr std::uint32_t end64_mark = 0x06064b50, locator64_mark = 0x07064b50;
constexpr std::size_t local_size = 30, central_size = 46, end_size = 22, end64_size = 56, locator64_size = 20;
constexpr std::uint32_t in_8_bytes = 0xFFFFFFFF;  ///< in place of a number that stands elsewhere
constexpr std::uint16_t of_zip64 = 1;             ///< the extra field that holds it

/// Values of an archive, each checked to lie within the file.
class ZipFile {
 public:
  ZipFile(Bytes file, const std::string& subject) : file_(file), subject_(subject) {}

  template <class T>
  [[nodiscard]] T at(std::uint64_t offset) const {
    demand(offset, sizeof(T));
    return load<T>(file_, offset, false);
  }
  void demand(std::uint64_t offset, std::uint64_t size) const {
    if (offset > file_.size() || size > file_.size() - offset)
      fail("its directory lists data beyond the end of the file");
  }
  [[nodiscard]] std::string text(std::uint64_t offset, std::uint64_t size) const {
    demand(offset, size);
    return {reinterpret_cast<const char*>(file_.data()) + offset, size};  // NOLINT: bytes of text
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(subject_, "is a truncated or damaged archive (.npz): " + what);
  }

  /// The record that ends the archive: a comment of as many bytes as it says may follow.
  [[nodiscard]] std::uint64_t find_end() const {
    constexpr std::uint64_t longest_comment = 0xFFFF;
    if (file_.size() < end_size) fail("it has no directory");
    const std::uint64_t last = file_.size() - end_size;
    for (std::uint64_t back = 0; back <= std::min(last, longest_comment); ++back) {
      if (at<std::uint32_t>(last - back) == end_mark && at<std::uint16_t>(last - back + 20) == back) return last - back;
    }
    fail("it has no directory");
  }

  /// Where the directory starts and how many members it has.
  struct Directory {
    std::uint64_t start, count;
  };
  [[nodiscard]] Directory directory() const {
    const std::uint64_t end = find_end();
    const Directory found{at<std::uint32_t>(end + 16), at<std::uint16_t>(end + 10)};
    const bool elsewhere = found.start == in_8_bytes || found.count == 0xFFFF;
    if (end < locator64_size || at<std::uint32_t>(end - locator64_size) != locator64_mark) {
      if (elsewhere) fail("it has no directory of large sizes");
      return found;
    }
    const auto end64 = at<std::uint64_t>(end - locator64_size + 8);
    if (at<std::uint32_t>(end64) != end64_mark) fail("its directory of large sizes is missing");
    demand(end64, end64_size);
    return {at<std::uint64_t>(end64 + 48), at<std::uint64_t>(end64 + 32)};
  }

  /// Sizes and place of a member that are too large for the directory's own fields, in this order.
  void read_zip64(std::uint64_t extra, std::uint64_t extra_size, ZipMember& member) const {
    const std::uint64_t end = extra + extra_size;
    while (extra + 4 <= end) {
      const std::uint64_t start = extra + 4, size = at<std::uint16_t>(extra + 2);
      if (at<std::uint16_t>(extra) == of_zip64) {
        std::uint64_t next = start;
        for (std::uint64_t* number : {&member.size, &member.packed, &member.start}) {
          if (*number != in_8_bytes || next + 8 > start + size) continue;
          *number = at<std::uint64_t>(next);
          next += 8;
        }
      }
      extra = start + size;
    }
  }

  /// The member whose entry in the directory is at `entry`, which moves on to the next.
  [[nodiscard]] ZipMember member(std::uint64_t& entry) const {
    if (at<std::uint32_t>(entry) != central_mark) fail("its directory is incomplete");
    demand(entry, central_size);
    const auto flags = at<std::uint16_t>(entry + 8), method = at<std::uint16_t>(entry + 10);
    const std::uint64_t name_size = at<std::uint16_t>(entry + 28), extra_size = at<std::uint16_t>(entry + 30);
    ZipMember found;
    found.name = text(entry + central_size, name_size);
    found.checksum = at<std::uint32_t>(entry + 16);
    found.packed = at<std::uint32_t>(entry + 20);
    found.size = at<std::uint32_t>(entry + 24);
    found.start = at<std::uint32_t>(entry + 42);
    demand(entry + central_size + name_size, extra_size);
    read_zip64(entry + central_size + name_size, extra_size, found);
    if ((flags & 1) != 0) throw Error(subject_, "is an encrypted archive", "unpack it first");
    if (method != 0 && method != 8) {
      throw Error(subject_, "is an archive packed by method " + std::to_string(method),
                  "known: stored (np.savez) and deflated (np.savez_compressed)");
    }
    found.deflated = method == 8;
    skip_local_header(found, name_size);
    entry += central_size + name_size + extra_size + at<std::uint16_t>(entry + 32);
    return found;
  }

 private:
  void skip_local_header(ZipMember& member, std::uint64_t name_size) const {
    if (at<std::uint32_t>(member.start) != local_mark) fail(member.name + " is not at the position in the directory");
    demand(member.start, local_size);
    const bool same_size = at<std::uint16_t>(member.start + 26) == name_size;
    if (!same_size || text(member.start + local_size, name_size) != member.name) {
      fail(member.name + " has another name than in the directory");
    }
    member.start += local_size + at<std::uint16_t>(member.start + 26) + at<std::uint16_t>(member.start + 28);
    demand(member.start, member.packed);
    // deflate packs no more than 1032 bytes into one
    const bool fits = member.deflated ? member.size / 1032 <= member.packed : member.size == member.packed;
    if (!fits) fail(member.name + " cannot have its size in the directory");
  }

  Bytes file_;
  const std::string& subject_;
};

std::uint32_t checksum_of(Bytes bytes, std::uint32_t before = 0) {
  if (bytes.empty()) return before;  // zlib takes no bytes at no place for a request to begin again
  return static_cast<std::uint32_t>(
      crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));  // NOLINT: bytes
}

/// Whether `packed` unpacks to as many bytes as `to` has, and no more.
bool inflate_to(Bytes packed, std::vector<std::byte>& to) {
  constexpr int without_header = -MAX_WBITS;
  Inflater inflater(without_header);
  std::size_t taken = 0, made = 0;
  while (inflater.goes_on()) made += inflater.unpack(packed, taken, std::span(to).subspan(made));
  return inflater.is_done() && made == to.size();
}

/// Numbers one after the other, as the records hold them.
template <class... Numbers>
std::string record(Numbers... numbers) {
  std::string bytes;
  const auto add = [&bytes](auto number) {
    for (const std::byte byte : to_bytes(number, false)) bytes += static_cast<char>(byte);
  };
  (add(numbers), ...);
  return bytes;
}

std::uint16_t u16(std::uint64_t value) { return static_cast<std::uint16_t>(value); }
std::uint32_t u32(std::uint64_t value) { return static_cast<std::uint32_t>(value); }

/// What headers say of a member, in both its places: version needed, flags, method, time and day, checksum, two sizes.
std::string about(const ZipMember& member, bool large) {
  constexpr std::uint64_t midnight = 0, first_day = (1 << 5) + 1;  // of 1980: the same contents, the same bytes
  const std::uint32_t size = large ? in_8_bytes : u32(member.size);
  return record(u16(large ? 45 : 20), u16(0), u16(0), u16(midnight), u16(first_day), member.checksum, size, size,
                u16(member.name.size()));
}

}  // namespace

bool looks_like_zip(Bytes file) {
  if (file.size() < end_size) return false;
  const auto mark = load<std::uint32_t>(file, 0, false);
  return mark == local_mark || mark == end_mark;
}

std::vector<ZipMember> zip_members(Bytes file, const std::string& subject) {
  const ZipFile zip(file, subject);
  const ZipFile::Directory directory = zip.directory();
  std::vector<ZipMember> members;
  std::uint64_t entry = directory.start;
  for (std::uint64_t i = 0; i < directory.count; ++i) members.push_back(zip.member(entry));
  return members;
}

Bytes zip_contents(Bytes file, const ZipMember& member, std::vector<std::byte>& room, const std::string& subject) {
  Bytes contents = file.subspan(member.start, member.packed);
  if (member.deflated) {
    memory::demand(0, {{"an array unpacked", 0, static_cast<double>(member.size)}});
    room.resize(member.size);
    if (!inflate_to(contents, room)) throw Error(subject, member.name + " in it is damaged: it cannot be unpacked");
    contents = room;
  }
  if (checksum_of(contents) != member.checksum) {
    throw Error(subject, member.name + " in it is damaged: its checksum is wrong");
  }
  return contents;
}

void ZipWriter::put(const std::string& bytes) {
  out_.write(bytes);
  written_ += bytes.size();
}

void ZipWriter::add(const std::string& name, const std::function<void(const Sink&)>& contents) {
  ZipMember member{.name = name, .start = written_};
  contents([&](Bytes bytes) {
    member.checksum = checksum_of(bytes, member.checksum);
    member.size += bytes.size();
  });
  const bool large = member.size >= largest_;
  const std::string extra = large ? record(of_zip64, u16(16), member.size, member.size) : "";
  put(record(local_mark) + about(member, large) + record(u16(extra.size())) + name + extra);
  contents([&](Bytes bytes) {
    out_.write(bytes);
    written_ += bytes.size();
  });
  members_.push_back(member);
}

void ZipWriter::finish() {
  const std::uint64_t start = written_;
  for (const ZipMember& member : members_) {
    const bool large = member.size >= largest_, far = member.start >= largest_;
    std::string extra;
    if (large) extra += record(member.size, member.size);
    if (far) extra += record(member.start);
    if (!extra.empty()) extra = record(of_zip64, u16(extra.size())) + extra;
    put(record(central_mark, u16(45)) + about(member, large) +
        record(u16(extra.size()), u16(0), u16(0), u16(0), u32(0)) + record(far ? in_8_bytes : u32(member.start)) +
        member.name + extra);
  }
  const std::uint64_t size = written_ - start, count = members_.size();
  const bool far = start >= largest_ || size >= largest_ || count >= 0xFFFF;
  if (far) {
    const std::uint64_t end64 = written_;
    put(record(end64_mark, std::uint64_t{end64_size - 12}, u16(45), u16(45), u32(0), u32(0), count, count, size,
               start));
    put(record(locator64_mark, u32(0), end64, u32(1)));
  }
  put(record(end_mark, u16(0), u16(0), u16(far ? 0xFFFF : count), u16(far ? 0xFFFF : count),
             far ? in_8_bytes : u32(size), far ? in_8_bytes : u32(start), u16(0)));
}

}  // namespace hornbeam::io
