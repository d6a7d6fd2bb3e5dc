// SPDX-License-Identifier: Apache-2.0
// Values as bytes, between processes of one program on machines of one kind.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "hornbeam/error.h"

namespace hornbeam::processes {

using Bytes = std::vector<std::byte>;

template <class T>
requires(std::is_trivially_copyable_v<T>) void put(Bytes& bytes, const T& value) {
  const auto* const from = reinterpret_cast<const std::byte*>(&value);
  bytes.insert(bytes.end(), from, from + sizeof value);
}
inline void put_bytes(Bytes& bytes, const void* from, std::size_t size) {
  const auto* const first = static_cast<const std::byte*>(from);
  put(bytes, size);
  bytes.insert(bytes.end(), first, first + size);
}
inline void put(Bytes& bytes, const std::string& text) { put_bytes(bytes, text.data(), text.size()); }

/// Takes values in the order in which they were put. Throws Error where there are no more.
class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : rest_(bytes) {}

  template <class T>
  T get() {
    T value;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  std::span<const std::byte> get_bytes() { return take(get<std::size_t>()); }
  std::string get_text() {
    const std::span<const std::byte> text = get_bytes();
    return {reinterpret_cast<const char*>(text.data()), text.size()};
  }
  [[nodiscard]] bool is_at_end() const { return rest_.empty(); }

  std::span<const std::byte> take(std::size_t size) {
    if (size > rest_.size()) throw Error("MPI", "a message is too short", "all processes must run one program");
    const std::span<const std::byte> taken = rest_.first(size);
    rest_ = rest_.subspan(size);
    return taken;
  }

 private:
  std::span<const std::byte> rest_;
};

}  // namespace hornbeam::processes
