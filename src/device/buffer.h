// SPDX-License-Identifier: Apache-2.0
// Device memory as the host holds it, and the arguments of a launch: each takes exactly what its kernel's parameter is,
// so that one of another type does not compile.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>

namespace hornbeam {

class Device;
template <class T>
class ArrayArgument;

/// A piece of device memory, freed with its owner. Grows only on request and then forgets what it held.
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(Device& device) : device_(&device) {}
  Buffer(Buffer&& other) noexcept { swap(other); }
  Buffer& operator=(Buffer&& other) noexcept {
    swap(other);
    return *this;
  }
  ~Buffer() { release(); }

  /// Room for at least `bytes`; what was in it is lost where it has to grow.
  void reserve(std::size_t bytes);
  void release() noexcept;
  void swap(Buffer& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(handle_, other.handle_);
    std::swap(bytes_, other.bytes_);
  }
  [[nodiscard]] void* handle() const { return handle_; }  ///< device pointer or cl_mem; null when empty
  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  /// The same memory as an argument of another type: for rooms that hold one thing after the other.
  template <class T>
  [[nodiscard]] ArrayArgument<T> as() const {
    return ArrayArgument<T>(handle_);
  }

 private:
  Device* device_ = nullptr;
  void* handle_ = nullptr;
  std::size_t bytes_ = 0;
};

/// Device memory that holds values of one type.
template <class T>
class DeviceArray : public Buffer {
 public:
  using Buffer::Buffer;
};

/// A number, or a structure without pointers, of exactly this type: none is converted.
template <class T>
struct ValueArgument {
  template <std::same_as<T> Same>
  ValueArgument(const Same& given) : value(given) {}

  T value;
};

/// An array that a kernel reads (const T) or writes. Whether it is const on the host says nothing of what it holds.
template <class T>
class ArrayArgument {
 public:
  ArrayArgument(const DeviceArray<std::remove_const_t<T>>& array) : handle_(array.handle()) {}
  template <class Written>
  requires(!std::same_as<Written, T> && std::same_as<const Written, T>)
      ArrayArgument(const ArrayArgument<Written>& other)
      : handle_(other.handle()) {}

  /// Memory of another owner, where handles are pointers (device/lending.h).
  static ArrayArgument lent(const void* memory) { return ArrayArgument(const_cast<void*>(memory)); }

  [[nodiscard]] void* handle() const { return handle_; }

 private:
  friend class Buffer;
  template <class>
  friend class OptionalArgument;
  explicit ArrayArgument(void* handle) : handle_(handle) {}

  void* handle_;
};

/// An array that may be null: that of a null pointer is.
template <class T>
class OptionalArgument {
 public:
  OptionalArgument(const DeviceArray<std::remove_const_t<T>>& array) : handle_(array.handle()) {}
  OptionalArgument(std::nullptr_t /*none*/) : handle_(nullptr) {}
  OptionalArgument(const DeviceArray<std::remove_const_t<T>>* array)
      : handle_(array == nullptr ? nullptr : array->handle()) {}
  template <std::convertible_to<ArrayArgument<T>> Other>
  OptionalArgument(const Other& other) : handle_(ArrayArgument<T>(other).handle()) {}
  /// For a kernel that needs it; it must not be null.
  [[nodiscard]] ArrayArgument<T> array() const { return ArrayArgument<T>(handle_); }

  [[nodiscard]] void* handle() const { return handle_; }

 private:
  void* handle_;
};

/// The three arrays of a vector: the first three, where a potential comes after them.
template <class T>
struct VectorArgument {
  template <std::size_t size>
  requires(size >= 3) VectorArgument(const DeviceArray<std::remove_const_t<T>> (&arrays)[size])
      : x(arrays[0]), y(arrays[1]), z(arrays[2]) {}

  ArrayArgument<T> x, y, z;
};

/// The arrays of accelerations and potential.
template <class T>
struct FieldArgument {
  FieldArgument(const DeviceArray<std::remove_const_t<T>> (&arrays)[4])
      : x(arrays[0]), y(arrays[1]), z(arrays[2]), potential(arrays[3]) {}

  ArrayArgument<T> x, y, z, potential;
};

/// The arguments of one launch as drivers take them, in order: made by Device::launch(), from a structure that has
/// their types.
class Arguments {
 public:
  struct Item {
    const void* value;  ///< of `bytes` bytes; for an array, its handle
    std::size_t bytes;
  };

  template <class... T>
  explicit Arguments(const T&... values) {
    static_assert(sizeof...(T) <= most);
    (add(values), ...);
  }
  /// The same with translate(handle) in place of each array's handle.
  template <std::invocable<void*> Translate>
  Arguments(const Arguments& other, const Translate& translate) : Arguments(other.layout(), other.room(), translate) {}
  Arguments(const Arguments&) = delete;
  Arguments& operator=(const Arguments&) = delete;

  [[nodiscard]] std::span<const Item> items() const { return {items_.data(), count_}; }

  static constexpr std::size_t most = 64;

  /// Where the values are in room(), for a launch in another process.
  struct Layout {
    std::array<std::uint16_t, most> at, bytes;
    std::uint16_t count;
    std::uint64_t arrays;  ///< bit k: whether item k is the handle of an array
  };
  [[nodiscard]] Layout layout() const {
    Layout layout{{}, {}, static_cast<std::uint16_t>(count_), arrays_};
    for (std::size_t k = 0; k < count_; ++k) {
      layout.at[k] = static_cast<std::uint16_t>(static_cast<const std::byte*>(items_[k].value) - room_.data());
      layout.bytes[k] = static_cast<std::uint16_t>(items_[k].bytes);
    }
    return layout;
  }
  [[nodiscard]] std::span<const std::byte> room() const { return {room_.data(), at_}; }
  /// From those of another process, with translate(handle) in place of each array's handle.
  template <std::invocable<void*> Translate>
  Arguments(const Layout& layout, std::span<const std::byte> room, const Translate& translate)
      : at_(room.size()), count_(layout.count), arrays_(layout.arrays) {
    std::copy_n(room.begin(), std::min(room.size(), room_.size()), room_.begin());
    for (std::size_t k = 0; k < count_; ++k) {
      std::byte* const value = room_.data() + layout.at.at(k);
      items_.at(k) = {value, layout.bytes[k]};
      if ((arrays_ >> k & 1U) == 0) continue;
      void* handle = nullptr;
      std::memcpy(&handle, value, sizeof handle);
      if (handle != nullptr) handle = translate(handle);
      std::memcpy(value, &handle, sizeof handle);
    }
  }

 private:
  void add(const Buffer& buffer) { add_array(buffer.handle()); }
  template <class T>
  void add(const ArrayArgument<T>& array) {
    add_array(array.handle());
  }
  template <class T>
  void add(const OptionalArgument<T>& array) {
    add_array(array.handle());
  }
  void add_array(void* handle) {
    arrays_ |= std::uint64_t{1} << count_;
    add(handle);
  }
  template <class T>
  void add(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    at_ = (at_ + alignof(T) - 1) / alignof(T) * alignof(T);
    std::memcpy(room_.data() + at_, &value, sizeof(T));
    items_.at(count_++) = {room_.data() + at_, sizeof(T)};
    at_ += sizeof(T);
  }

  alignas(16) std::array<std::byte, 1024> room_;
  std::array<Item, most> items_;
  std::size_t at_ = 0, count_ = 0;
  std::uint64_t arrays_ = 0;  ///< as Layout's
};

}  // namespace hornbeam
