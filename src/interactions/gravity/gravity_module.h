// SPDX-License-Identifier: Apache-2.0
// Gravity between the particles of a domain.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <memory>
#include <vector>

#include "hornbeam/force_tree.h"
#include "hornbeam/gravity.h"
#include "interactions/module.h"
#include "memory/need.h"

namespace hornbeam {

/// A sample of the last walk next to what it should be.
struct ForceSample {
  std::vector<std::array<double, 4>> walked;  ///< acceleration and potential of each particle requested
  std::vector<std::array<double, 4>> direct;  ///< the same by direct summation over all particles in fp64; empty where
                                              ///< that is left to the CPU's oracle
  double momentum = 0;                        ///< |sum m a| / sum m |a| over all particles
};

/// Lengths that are this many times the edge of the particles' cube ask for units of their own: 1 / r^3 leaves the
/// range of fp32 farther out.
inline constexpr double far_above = 0x1p16;

class Gravity : public Module {
 public:
  /// Of the evaluations to come, as plan_gravity() made them; before load().
  virtual void set_options(const GravityOptions& planned) = 0;
  [[nodiscard]] virtual const GravityOptions& options() const = 0;  ///< with leaf_size, group_size as chosen
  [[nodiscard]] virtual Interactions interactions() const = 0;      ///< of the last evaluation
  /// |a| of the evaluation before, by which the relative criterion goes, counts no more.
  virtual void forget_accelerations() = 0;
  /// What refit() may leave until a walk needs it.
  virtual void refit_now() = 0;
  /// How far the target points are for which the next build() chooses its units; 0: about as far as the particles.
  virtual void set_reach(double reach) = 0;
  /// What places are attracted with that are none of the particles, from the tree as it is; they have eps where
  /// particles have lengths of their own. All lie on the device.
  virtual void pull_at(const LentTargets& places, const ForcesOnDevice& forces) = 0;
  /// The tidal tensors at the particles, without their own, if `forces` asks for them. After an evaluation.
  virtual void give_tides(const ForcesOnDevice& forces) = 0;
  /// Cells of the tree as it is, with order 2 or more.
  virtual TreeNodes nodes() = 0;
  /// Keys of the particles along the tree's curve, in the order of input.
  virtual std::vector<std::uint64_t> keys() = 0;
  /// The forces of the last evaluation at particles `which` (indices on input, ascending); `direct`: and direct sums.
  virtual ForceSample sample(const std::vector<std::size_t>& which, bool direct) = 0;
};

/// Options with leaf_size and group_size chosen so that n particles fit. Throws UsageError for options that the device
/// lacks, Error where memory is short: needed by purpose, had, what to change. held: bytes that may be used again.
GravityOptions plan_gravity(Device& device, std::uint64_t n, const GravityOptions& options, const Holding& holding,
                            std::uint64_t held);
/// What an evaluation takes of the host's memory. others: what arrays of other interactions take where they lie.
memory::Need gravity_host_need(Device& device, const GravityOptions& options, const Holding& holding,
                               const memory::Need& others);
/// Bits of a device's lists for the number of a particle or a cell, next to that of one of its images.
inline int bits_beside_images(std::size_t images) { return 31 - static_cast<int>(std::bit_width(images - 1)); }
/// How the domain is to make its tree for a planned evaluation.
DomainOptions domain_options(const GravityOptions& o);

/// Throws UsageError for options of gravity that do not go together with others, or for gravity that is left out.
void gravity_conflicts(const SimulationOptions& options);

std::unique_ptr<Gravity> make_gravity(Domain& domain);

}  // namespace hornbeam
