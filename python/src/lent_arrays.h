// SPDX-License-Identifier: Apache-2.0
// Arrays that lie on a device, of Python's libraries or for them: what comes through DLPack or as a pointer, and
// results. Forces and searches (lent_searches.cpp) go from one to the other.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "binding.h"
#include "hornbeam/device_arrays.h"

namespace hornbeam::python {

/// Any array that a capsule of DLPack holds, or a pointer with shape and strides. It keeps its owner.
class LentArray {
 public:
  explicit LentArray(nb::ndarray<nb::ro> array);
  /// kind: as NumPy's typestr without the byte order, "f8"; strides in bytes.
  LentArray(std::uintptr_t pointer, std::vector<std::int64_t> shape, const std::vector<std::int64_t>& strides,
            const std::string& kind, nb::object owner);
  /// One number for n particles, which lies nowhere.
  LentArray(double value, std::int64_t n) : value_(value), shape_{n}, strides_{0}, kind_("float64") {}

  [[nodiscard]] const std::vector<std::int64_t>& shape() const { return shape_; }
  [[nodiscard]] const std::string& kind() const { return kind_; }  ///< "float64", "float32" or another
  /// Rows without memory: of an array that is traced or was given back.
  [[nodiscard]] bool lies_nowhere() const { return data_ == nullptr && !shape_.empty() && shape_[0] > 0; }
  /// Of memory of our own, which its owner keeps: (N) or (N, 3) doubles.
  LentArray(const ArrayOnDevice& array, bool vectors, nb::object owner);

  /// Of (N, 3) or (N), float or double.
  [[nodiscard]] ArrayOnDevice view() const;

 private:
  nb::ndarray<nb::ro> array_;  ///< of DLPack, as long as we look at it
  nb::object owner_;
  const void* data_ = nullptr;
  double value_ = 0;
  std::vector<std::int64_t> shape_, strides_;  ///< in numbers
  std::string kind_;
};

/// Numbers in C order that lie on a device, for whoever takes them.
struct LentResult {
  std::shared_ptr<void> memory;
  std::vector<std::size_t> shape;
  nb::dlpack::dtype type;
  int device_type, device;  ///< as DLPack numbers them

  [[nodiscard]] std::uintptr_t pointer() const { return reinterpret_cast<std::uintptr_t>(memory.get()); }
  /// Of DLPack.
  [[nodiscard]] nb::object capsule() const;
};

nb::dlpack::dtype real_type(bool wide);
/// Of memory that a device of this backend has borrowed.
LentResult lent_result(std::shared_ptr<void> memory, std::vector<std::size_t> shape, nb::dlpack::dtype type,
                       const std::string& backend, int device);

}  // namespace hornbeam::python
