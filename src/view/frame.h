// SPDX-License-Identifier: Apache-2.0
// What a browser draws of one snapshot: values of the particles that are shown, as small as the eye allows, and what
// is to be said about them. Sources (source.h) make frames; server.cpp sends them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "hornbeam/particles.h"
#include "io/json.h"

namespace hornbeam::view {

/// An array of a frame, row by row, little-endian.
struct FrameArray {
  std::string name;
  std::string type;  ///< "f32", "u32", "u16", "u8"
  int columns = 1;
  std::shared_ptr<const std::string> bytes;
};

// NOLINTNEXTLINE(bugprone-exception-escape): of moving its JSON, which throws only where it is no valid value
struct Frame {
  Json about;                        ///< time, numbers, units, what colours there are
  std::vector<FrameArray> places;    ///< of this moment: position, and value where there is a colour
  std::vector<FrameArray> bodies;    ///< what mostly stays: id, family, radius
  std::string bodies_key;            ///< the same for the same bodies
  std::vector<std::string> colours;  ///< that the particles have
  std::string colour;                ///< the one that it has; empty: none

  /// Whether it is what make_frame() makes of that colour: what is no colour of these particles is none.
  [[nodiscard]] bool shows(const std::string& wanted) const;
  /// Of its arrays.
  [[nodiscard]] std::size_t bytes() const;
};

/// What points may be coloured by besides their family: a field's name, or "speed". Only what the particles have.
std::vector<std::string> colours_of(const Particles& particles);

/// colour: one of colours_of(), or anything else for none; most: particles that are shown at most, about.
Frame make_frame(const Snapshot& snapshot, const std::string& colour, std::size_t most);

/// Returns the frame of the same snapshot in another colour, which shares the arrays of positions and bodies.
Frame recoloured(const Frame& frame, const Snapshot& snapshot, const std::string& colour, std::size_t most);

/// The upper half of a float: a sign, eight bits of exponent, seven of mantissa (bfloat16), rounded down. 0 for what is
/// not above 0.
std::uint16_t half_of(double value);

/// The message of a frame, part after part: "HBV1", the length of the JSON as u32, the JSON padded with blanks to a
/// multiple of 4, then each array that its "arrays" lists (name, type, rows, columns), padded to multiples of 4.
/// Bodies are left out where the other side has them, known by their key. more: besides what the frame says.
std::vector<std::shared_ptr<const std::string>> message_of(const Frame& frame, std::string_view has_bodies,
                                                           const Json& more);

}  // namespace hornbeam::view
