// SPDX-License-Identifier: Apache-2.0
// Growing memory for code that is compiled once an instruction set and may not use the library's containers.
#pragma once

#include <cstdlib>
#include <new>

#include "device/host/kernels.h"
#include "device/host/simd.h"

HB_ISA_OPEN

/// Thrown by Room where the machine has not that much memory; may not leave a parallel region (see Rescue).
struct OutOfRoom {
  u64 bytes;
};

/// Memory that grows and keeps what it holds; freed with its owner.
template <class T>
class Room {
 public:
  Room() = default;
  ~Room() { std::free(data_); }
  Room(const Room&) = delete;
  Room& operator=(const Room&) = delete;
  /// Makes room for at least n values, or throws OutOfRoom.
  void reserve(i64 n) {
    if (n <= size_) return;
    const i64 size = n + n / 2;
    T* const data = static_cast<T*>(std::realloc(data_, static_cast<std::size_t>(size) * sizeof(T)));
    if (data == nullptr) throw OutOfRoom{static_cast<u64>(size) * sizeof(T)};
    data_ = data;
    size_ = size;
  }
  T& operator[](i32 i) const { return data_[i]; }
  T* operator+(i32 i) const { return data_ + i; }

 private:
  T* data_ = nullptr;
  i64 size_ = 0;
};

/// A large value of one thread, aligned for packs, made at its first use; freed with its owner.
template <class T>
class Owned {
 public:
  Owned() = default;
  ~Owned() {
    if (value_ != nullptr) value_->~T();
    std::free(value_);
  }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  T& operator*() {
    constexpr std::size_t bytes = (sizeof(T) + 63) / 64 * 64;
    if (value_ == nullptr) {
      void* const memory = std::aligned_alloc(64, bytes);
      if (memory == nullptr) throw OutOfRoom{bytes};
      value_ = new (memory) T;
    }
    return *value_;
  }
  [[nodiscard]] bool is_made() const { return value_ != nullptr; }

 private:
  T* value_ = nullptr;
};

/// Carries OutOfRoom out of a parallel region, which exceptions may not leave. The threads run() their work; once one
/// has failed, the rest is left out. check(), after the region, throws Error.
class Rescue {
 public:
  template <class Work>
  void run(Work work) {
    if (__atomic_load_n(&needed_, __ATOMIC_RELAXED) != 0) return;
    try {
      work();
    } catch (const OutOfRoom& trouble) {
      __atomic_store_n(&needed_, trouble.bytes, __ATOMIC_RELAXED);
    }
  }
  void check() const {
    if (needed_ != 0) refuse_memory(needed_);
  }

 private:
  u64 needed_ = 0;
};

HB_ISA_CLOSE
