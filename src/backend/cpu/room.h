// SPDX-License-Identifier: Apache-2.0
// Growing memory for code that is compiled once an instruction set and may not use the library's containers.
#pragma once

#include <cstdlib>

#include "backend/cpu/simd.h"

HB_ISA_OPEN

/// Memory that grows and keeps what it holds; freed with its owner.
template <class T>
class Room {
 public:
  Room() = default;
  ~Room() { std::free(data_); }
  Room(const Room&) = delete;
  Room& operator=(const Room&) = delete;
  /// Makes room for at least n values.
  void reserve(i32 n) {
    if (n <= size_) return;
    const i32 size = n + n / 2;
    T* const data = static_cast<T*>(std::realloc(data_, static_cast<std::size_t>(size) * sizeof(T)));
    if (data == nullptr) std::abort();  // an exception cannot leave a parallel region
    data_ = data, size_ = size;
  }
  T& operator[](i32 i) const { return data_[i]; }
  T* operator+(i32 i) const { return data_ + i; }

 private:
  T* data_ = nullptr;
  i32 size_ = 0;
};

HB_ISA_CLOSE
