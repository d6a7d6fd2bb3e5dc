// SPDX-License-Identifier: Apache-2.0
// One array in NumPy's .npy format: a header in Python's words, then numbers. Snapshots are made of them in numpy.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/files/bytes.h"

namespace hornbeam::io {

/// An array within a file, whose numbers are read where they stand.
struct NpyArray {
  char kind = 'f';        ///< 'f' floating point, 'i' and 'u' whole numbers, 'b' truth values
  std::size_t width = 8;  ///< bytes of a number
  bool swapped = false;   ///< big-endian
  bool fortran = false;   ///< the first index runs fastest
  std::vector<std::uint64_t> shape;
  Bytes data;

  [[nodiscard]] std::uint64_t rows() const { return shape.empty() ? 1 : shape[0]; }
  [[nodiscard]] std::uint64_t columns() const { return shape.size() < 2 ? 1 : shape[1]; }
  /// Whether it is (rows), or for more than one column (rows, columns).
  [[nodiscard]] bool has_shape(std::uint64_t rows, std::uint64_t columns) const;
  /// "(1000, 3)"
  [[nodiscard]] std::string shape_text() const;
  /// Of an array of one or two dimensions.
  [[nodiscard]] double number(std::uint64_t row, std::uint64_t column = 0) const;
  /// Exactly; false where it is not a whole number of 0 or more.
  [[nodiscard]] bool whole(std::uint64_t row, std::uint64_t& value) const;

 private:
  [[nodiscard]] std::size_t offset(std::uint64_t row, std::uint64_t column) const;
};

bool looks_like_npy(Bytes file);

/// The array that `file` is. Throws Error(subject) where it is damaged, cut, or of what is no number: arrays of Python
/// objects, which only running code from the file could read, structured ones, complex ones.
NpyArray parse_npy(Bytes file, const std::string& subject);

/// What stands before the values of an array in C's order; descr: NumPy's word for its type, "<f8".
std::string npy_header(const std::string& descr, const std::vector<std::uint64_t>& shape);

}  // namespace hornbeam::io
