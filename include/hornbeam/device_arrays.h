// SPDX-License-Identifier: Apache-2.0
// Which devices compute, and arrays of the caller, wherever they lie: forces on those in a device's memory are found
// without a way through the host.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hornbeam {

/// One device by its index, or several, which share the work of one simulation (docs/cards.md).
struct Devices {
  Devices(int index = 0) : indices{index} {}
  /// Returns all devices of the backend.
  static Devices all();
  /// Reads "0", "0,1" or "all". Throws UsageError(subject, ...) for other texts and for an index given twice.
  static Devices from_text(const std::string& text, const std::string& subject);

  [[nodiscard]] bool are_all() const { return indices.empty(); }
  [[nodiscard]] bool is_one() const { return indices.size() == 1; }
  /// Returns the text that from_text() reads.
  [[nodiscard]] std::string text() const;
  bool operator==(const Devices&) const = default;

  std::vector<int> indices;  ///< from 0, each once; empty: all
};

/// Numbers in the memory of the device that works, at any stride, or of the host.
struct ArrayOnDevice {
  const void* data = nullptr;  ///< where the first number is; null: `value` is that of all
  double value = 0;
  bool is_double = true;  ///< else float
  /// In the memory of the host, in C order and of doubles: the CPU reads it where it lies, other devices a copy.
  bool on_host = false;
  std::size_t rows = 0;  ///< particles
  /// In numbers: from one particle to the next, and from x to y of one.
  std::int64_t row_stride = 3, column_stride = 1;
};

/// Particles that attract, and where.
struct ParticlesOnDevice {
  ArrayOnDevice position;                   ///< (N, 3)
  ArrayOnDevice mass;                       ///< (N)
  std::optional<ArrayOnDevice> eps;         ///< (N)
  std::optional<ArrayOnDevice> targets;     ///< (M, 3), where forces are found; none: at the particles
  std::optional<ArrayOnDevice> target_eps;  ///< (M), where there are both targets and eps
};

/// What is found, written in C order.
struct ForcesOnDevice {
  void* acceleration = nullptr;  ///< (M, 3)
  void* potential = nullptr;     ///< (M)
  bool is_double = true;         ///< else float
  bool on_host = false;          ///< in the memory of the host, of doubles
  void* tide = nullptr;          ///< (M, 3, 3), -d2 phi / dx_i dx_j; null: not requested
};

}  // namespace hornbeam
