// SPDX-License-Identifier: Apache-2.0
// The records of a Gadget-2 binary file, between their guards, in the file's byte order. For gadget_binary.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "hornbeam/error.h"
#include "io/gadget/binary_layout.h"

namespace hornbeam::io {

struct GadgetVariant {
  int version = 1;
  bool swapped = false;
};

inline std::optional<GadgetVariant> find_variant(Bytes file) {
  if (file.size() < 4) return std::nullopt;
  for (const bool swapped : {false, true}) {
    const auto guard = load<std::uint32_t>(file, 0, swapped);
    if (guard == sizeof(gadget_binary::FileHeader)) return GadgetVariant{1, swapped};
    if (guard == gadget_binary::name_record_size) return GadgetVariant{2, swapped};
  }
  return std::nullopt;
}

/// Walks the records, each between two equal guards that hold its length.
class RecordReader {
 public:
  RecordReader(Bytes file, bool swapped, const std::string& subject)
      : file_(file), swapped_(swapped), subject_(subject) {}

  [[nodiscard]] bool at_end() const { return position_ == file_.size(); }

  Bytes next(const std::string& what) {
    if (file_.size() - position_ < 8) refuse_truncated(what);
    const std::uint64_t size = load<std::uint32_t>(file_, position_, swapped_);
    if (file_.size() - position_ - 8 < size) refuse_truncated(what);
    const std::uint64_t end = load<std::uint32_t>(file_, position_ + 4 + size, swapped_);
    if (end != size) {
      throw Error(subject_, "is damaged: record " + what + " at byte " + std::to_string(position_) +
                                " begins with length " + std::to_string(size) + " and ends with " +
                                std::to_string(end));
    }
    const Bytes record = file_.subspan(position_ + 4, size);
    position_ += size + 8;
    return record;
  }

 private:
  [[noreturn]] void refuse_truncated(const std::string& what) const {
    throw Error(subject_, "is truncated or damaged: record " + what + " at byte " + std::to_string(position_) +
                              " passes the end of the file at " + std::to_string(file_.size()));
  }

  Bytes file_;
  bool swapped_;
  const std::string& subject_;
  std::size_t position_ = 0;
};

}  // namespace hornbeam::io
