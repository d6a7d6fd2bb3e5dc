// SPDX-License-Identifier: Apache-2.0
// NEMO's structured binary: an item is a magic number, its type and name, its shape and its numbers; "(" and ")" are
// the ends of a set of items. Items are found and checked first, then copied into the particles.
#include "io/nemo.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "core/shown_text.h"
#include "hornbeam/error.h"
#include "io/layout.h"
#include "io/tables/number_field.h"

namespace hornbeam::io {
namespace {

constexpr std::uint16_t one_number = 0x0992, many_numbers = 0x0B92;

struct NemoItem {
  char type = 0;  ///< d, f, i, ..., or ( and )
  std::string tag;
  std::uint64_t count = 1;
  Bytes data;
};

std::size_t bytes_of_type(char type) {
  switch (type) {
    case 'a':
    case 'c':
    case 'b':
      return 1;
    case 's':
    case 'h':
      return 2;
    case 'i':
    case 'f':
      return 4;
    case 'l':
    case 'd':
      return 8;
    default:
      return 0;
  }
}

/// Walks the items of a file.
class NemoReader {
 public:
  NemoReader(Bytes file, const std::string& subject)
      : file_(file), subject_(subject), swapped_(!is_magic(load<std::uint16_t>(file, 0, false))) {}

  static bool is_magic(std::uint16_t number) { return number == one_number || number == many_numbers; }
  [[nodiscard]] bool at_end() const { return at_ == file_.size(); }
  [[nodiscard]] bool swapped() const { return swapped_; }

  NemoItem next() {
    const auto magic = take<std::uint16_t>();
    if (!is_magic(magic)) fail("no item begins at byte " + std::to_string(at_ - 2));
    const std::string type = word();
    if (type.size() != 1) fail("an item has no type before byte " + std::to_string(at_));
    NemoItem item{.type = type.front(), .tag = type == ")" ? "" : word(), .data = {}};
    if (item.type == '(' || item.type == ')') return item;
    const std::size_t size = bytes_of_type(item.type);
    if (size == 0) fail("item " + shown(item.tag) + " is of unknown type");
    if (magic == many_numbers) item.count = product_of_shape();
    if (item.count > (file_.size() - at_) / size)
      fail("item " + shown(item.tag) + " extends beyond the end of the file");
    item.data = file_.subspan(at_, item.count * size);
    at_ += item.count * size;
    return item;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(subject_, "is a truncated or damaged NEMO file: " + what);
  }
  template <class T>
  T take() {
    if (file_.size() - at_ < sizeof(T)) fail("it ends within an item");
    at_ += sizeof(T);
    return load<T>(file_, at_ - sizeof(T), swapped_);
  }
  std::string word() {
    constexpr std::size_t longest = 256;
    std::string text;
    for (char c = take<char>(); c != '\0'; c = take<char>()) {
      text += c;
      if (text.size() > longest) fail("a name has no end");
    }
    return text;
  }
  std::uint64_t product_of_shape() {
    std::uint64_t count = 1;
    for (auto edge = take<std::int32_t>(); edge != 0; edge = take<std::int32_t>()) {
      if (edge < 0 || count > file_.size()) fail("an item has an impossible shape");
      count *= static_cast<std::uint64_t>(edge);
    }
    return count;
  }

  Bytes file_;
  const std::string& subject_;
  bool swapped_;
  std::size_t at_ = 0;
};

/// The items of one SnapShot with particles, by name.
struct Frame {
  std::map<std::string, NemoItem> items;

  [[nodiscard]] const NemoItem* find(const std::string& tag) const {
    const auto found = items.find(tag);
    return found == items.end() ? nullptr : &found->second;
  }
};

/// The last frame that has positions; their number goes to `count`.
Frame last_frame(NemoReader& reader, std::size_t& count) {
  Frame last, now;
  std::vector<std::string> open;
  while (!reader.at_end()) {
    NemoItem item = reader.next();
    if (item.type == '(') {
      if (open.empty() && item.tag == "SnapShot") now = {};
      open.push_back(item.tag);
      if (open.size() > 100) break;
    } else if (item.type == ')') {
      if (open.empty()) break;
      const bool ends = open.size() == 1 && open.back() == "SnapShot";
      open.pop_back();
      if (!ends || (now.find("PhaseSpace") == nullptr && now.find("Position") == nullptr)) continue;
      ++count;
      last = std::exchange(now, {});
    } else if (!open.empty() && open.front() == "SnapShot") {
      const std::string tag = item.tag;
      now.items[tag] = std::move(item);
    }
  }
  return last;
}

class NemoParticles {
 public:
  NemoParticles(const Frame& frame, bool swapped, const std::string& subject)
      : frame_(frame), swapped_(swapped), subject_(subject) {}

  Snapshot read(Lacking lacking) {
    const bool phase_space = frame_.find("PhaseSpace") != nullptr;
    const NemoItem& first = *frame_.find(phase_space ? "PhaseSpace" : "Position");
    const std::uint64_t each = phase_space ? 6 : 3;
    n_ = first.count / each;
    if (first.count % each != 0) fail(first, "does not have a whole number of particles");
    const NemoItem* const stated = frame_.find("Nobj");
    if (stated != nullptr && number(*stated, 0) != static_cast<double>(n_)) fail(first, "does not have Nobj particles");
    if (const NemoItem* time = frame_.find("Time")) snapshot_.time = number(*time, 0);
    assign_families(snapshot_.particles, {0, n_, 0, 0, 0, 0}, 4 * sizeof(double) + sizeof(Vec3));
    Particles& p = snapshot_.particles;
    if (phase_space) {
      for (std::uint64_t i = 0; i < 6 * n_; ++i) {
        (i / 3 % 2 == 0 ? p.position : p.velocity)[i / 6][i % 3] = number(first, i);
      }
    } else {
      read_vectors("Position", p.position);
      if (!read_vectors("Velocity", p.velocity)) lack(lacking, row_of(&Particles::velocity), "Velocity");
    }
    if (!read_numbers("Mass", p.mass)) lack(lacking, row_of(&Particles::mass), "Mass");
    read_numbers("Eps", p.eps);
    read_numbers("Potential", p.potential);
    read_vectors("Acceleration", p.acceleration);
    read_keys();
    return std::move(snapshot_);
  }

 private:
  [[noreturn]] void fail(const NemoItem& item, const std::string& what) const {
    throw Error(subject_, "is a damaged NEMO file: item " + shown(item.tag) + " " + what);
  }
  void lack(Lacking lacking, const FieldRow& row, const char* tag) {
    if (lacking == Lacking::refused) throw Error(subject_, std::string("is a NEMO file without item ") + tag);
    assume(snapshot_, row);
  }
  [[nodiscard]] double number(const NemoItem& item, std::uint64_t i) const {
    switch (item.type) {
      case 'd':
        return load<double>(item.data, 8 * i, swapped_);
      case 'f':
        return double{load<float>(item.data, 4 * i, swapped_)};
      case 'i':
        return load<std::int32_t>(item.data, 4 * i, swapped_);
      case 'l':
        return static_cast<double>(load<std::int64_t>(item.data, 8 * i, swapped_));
      default:
        fail(item, "is not numeric");
    }
  }
  /// Whether there are such; throws where they are not as many as there are particles.
  bool read_numbers(const char* tag, std::vector<double>& to) {
    const NemoItem* const item = frame_.find(tag);
    if (item == nullptr) return false;
    if (item->count != n_) fail(*item, "does not have one number for each particle");
    to.resize(n_);
    for (std::uint64_t i = 0; i < n_; ++i) to[i] = number(*item, i);
    return true;
  }
  bool read_vectors(const char* tag, std::vector<Vec3>& to) {
    const NemoItem* const item = frame_.find(tag);
    if (item == nullptr) return false;
    if (item->count != 3 * n_) fail(*item, "does not have three numbers for each particle");
    to.resize(n_);
    for (std::uint64_t i = 0; i < 3 * n_; ++i) to[i / 3][i % 3] = number(*item, i);
    return true;
  }
  void read_keys() {
    const NemoItem* const item = frame_.find("Key");
    std::vector<double> keys;
    if (item != nullptr && read_numbers("Key", keys) &&
        std::none_of(keys.begin(), keys.end(), [](double key) { return key < 0; })) {
      std::copy(keys.begin(), keys.end(), snapshot_.particles.id.begin());
    } else {
      snapshot_.notes.emplace_back("no keys: particles are numbered in file order");
    }
  }

  const Frame& frame_;
  bool swapped_;
  const std::string& subject_;
  std::uint64_t n_ = 0;
  Snapshot snapshot_;
};

}  // namespace

bool looks_like_nemo(Bytes file) {
  if (file.size() < 4) return false;
  const char type = static_cast<char>(file[2]);
  const bool typed = (bytes_of_type(type) > 0 || type == '(') && file[3] == std::byte{0};
  return typed && (NemoReader::is_magic(load<std::uint16_t>(file, 0, false)) ||
                   NemoReader::is_magic(load<std::uint16_t>(file, 0, true)));
}

Snapshot parse_nemo(Bytes file, const std::string& subject, Lacking lacking) {
  NemoReader reader(file, subject);
  std::size_t count = 0;
  const Frame frame = last_frame(reader, count);
  if (count == 0) throw Error(subject, "is a NEMO file without a snapshot that has positions");
  Snapshot snapshot = NemoParticles(frame, reader.swapped(), subject).read(lacking);
  snapshot.notes.insert(snapshot.notes.begin(),
                        std::string("NEMO, ") + (reader.swapped() ? "big-endian" : "little-endian"));
  add_if(snapshot.notes, count > 1, "the last of its " + std::to_string(count) + " snapshots is read");
  return snapshot;
}

}  // namespace hornbeam::io
