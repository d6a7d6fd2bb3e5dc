// SPDX-License-Identifier: Apache-2.0
// Arrays of the CPU's tree: std::vector whose new values are not written before the stages do, on large pages where
// the system gives them. A million particles and their tree are spread over 35,000 ordinary pages, more than the
// processor remembers, and each costs a fault at its first touch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <type_traits>
#include <vector>
#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace hornbeam {

/// Allocates whole large pages for what fills some, and leaves values uninitialised that are not given any.
template <class T>
struct LargePages {
  typedef T value_type;
  static constexpr std::size_t page = std::size_t{1} << 21;

  LargePages() = default;
  template <class U>
  LargePages(const LargePages<U>& /*other*/) {}  // NOLINT(google-explicit-constructor): as the library's allocators

  T* allocate(std::size_t n) {
    if (n > static_cast<std::size_t>(-1) / sizeof(T) - page) throw std::bad_array_new_length();
    const std::size_t bytes = n * sizeof(T), step = bytes < page ? std::size_t{64} : page;
    void* const p = std::aligned_alloc(step, (bytes + step - 1) / step * step);
    if (p == nullptr) throw std::bad_alloc();
#if defined(__linux__)
    if (step == page) madvise(p, bytes, MADV_HUGEPAGE);
#endif
    return static_cast<T*>(p);
  }
  void deallocate(T* p, std::size_t /*n*/) { std::free(p); }
  template <class U>
  void construct(U* p) {
    static_assert(std::is_trivially_default_constructible_v<U>);
    ::new (static_cast<void*>(p)) U;
  }
  friend bool operator==(const LargePages& /*a*/, const LargePages& /*b*/) { return true; }
};

template <class T>
using Array = std::vector<T, LargePages<T>>;

template <class T>
std::uint64_t bytes_of(const Array<T>& v) {
  return v.capacity() * sizeof(T);
}

}  // namespace hornbeam
