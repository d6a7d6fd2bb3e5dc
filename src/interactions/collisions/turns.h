// SPDX-License-Identifier: Apache-2.0
// How pairs of bodies that were found collide: one after the other in the order of their turns, as far as they share
// bodies. Compiled once a precision.
#pragma once

#include <cstdint>
#include <memory>

#include "interactions/collisions/collision_module.h"
#include "interactions/collisions/kernels/launches.h"
#include "tree/device/device_particles.h"

HB_OPEN

/// Pairs by the bodies' indices on input, and the image of the second.
struct FoundPairs {
  i32 count;
  const DeviceArray<u32>&first, &second;
  const DeviceArray<i32>& in_image;
  i32 n;                          ///< bodies
  const DeviceArray<u32>& place;  ///< of each in the arrays
  const DeviceArray<u32>& gone;   ///< as DeviceParticles has it
  BodyArrays bodies;
  const DeviceArray<pos_t>& images;
  const CollisionRule& rule;
  const DeviceArray<pos_t>&speeds, &coefficients;  ///< of the rule's table
};

class CollisionTurns {
 public:
  virtual ~CollisionTurns() = default;
  /// Adds what has happened to the totals.
  virtual void resolve(const FoundPairs& pairs, CollisionTotals& totals) = 0;
  /// Notes all pairs, to which nothing happens; their order is that in which they were found.
  virtual void note(const FoundPairs& pairs) = 0;
  [[nodiscard]] virtual std::uint64_t bytes() const = 0;
};

/// The one that fits a device.
std::unique_ptr<CollisionTurns> make_collision_turns(Device& device);
/// In rounds, in each of which all pairs collide whose turn it is for both bodies.
std::unique_ptr<CollisionTurns> make_collision_rounds(Device& device);

HB_CLOSE
