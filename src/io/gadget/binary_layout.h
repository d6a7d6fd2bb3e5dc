// SPDX-License-Identifier: Apache-2.0
// The header record and block names of Gadget-2 binary files, shared by their reader and writer.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

#include "io/files/bytes.h"

namespace hornbeam::io::gadget_binary {

constexpr std::uint32_t name_record_size = 8;  ///< of the record before each block of format 2: name, next length
constexpr const char* head = "HEAD";
constexpr const char* positions = "POS ";
constexpr const char* velocities = "VEL ";
constexpr const char* ids = "ID  ";
constexpr const char* masses = "MASS";
constexpr const char* internal_energy = "U   ";
constexpr const char* density = "RHO ";
constexpr const char* smoothing_length = "HSML";
constexpr const char* potential = "POT ";
constexpr const char* acceleration = "ACCE";
inline constexpr std::array known_blocks{positions, velocities,       ids,       masses,      internal_energy,
                                         density,   smoothing_length, potential, acceleration};

/// In the unused bytes of the header of an open system, which has a box for yt alone (cube_for_tools()).
constexpr std::string_view open_mark = "Hornbeam: no periodic box";

/// The 256 bytes of the header record, in the machine's byte order.
struct FileHeader {
  std::int32_t count[6] = {};
  double mass[6] = {};  ///< > 0: of every particle of that type, which then has no entry in the MASS block
  double time = 0, redshift = 0;
  std::int32_t star_formation = 0, feedback = 0;
  std::uint32_t total_count[6] = {};
  std::int32_t cooling = 0, files = 0;
  double box_size = 0, omega_0 = 0, omega_lambda = 0, hubble = 0;
  std::int32_t ages = 0, metals = 0;
  std::uint32_t total_count_high[6] = {};
  char unused[64] = {};

  /// Flag_Entropy_ICs, in the first of the bytes that Gadget-1 leaves unused; those stay in the file's order.
  [[nodiscard]] bool has_entropies() const {
    std::uint32_t flag = 0;
    std::memcpy(&flag, unused, sizeof(flag));
    return flag == 1 || flag == 1U << 24U;
  }
};
static_assert(sizeof(FileHeader) == 256);

/// The header with every number's bytes reversed.
inline FileHeader byte_swapped(FileHeader header) {
  const auto swap = [](auto& number) {
    using T = std::remove_reference_t<decltype(number)>;
    number = std::bit_cast<T>(to_bytes(number, true));
  };
  const auto swap_all = [&](auto&... numbers) { (swap(numbers), ...); };
  for (int f = 0; f < 6; ++f) {
    swap_all(header.count[f], header.mass[f], header.total_count[f], header.total_count_high[f]);
  }
  swap_all(header.time, header.redshift, header.star_formation, header.feedback, header.cooling, header.files,
           header.box_size, header.omega_0, header.omega_lambda, header.hubble, header.ages, header.metals);
  return header;
}

}  // namespace hornbeam::io::gadget_binary
