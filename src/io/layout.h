// SPDX-License-Identifier: Apache-2.0
// What the formats share: particles grouped by family, and the change of units on the way out, text without its blanks.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "hornbeam/particles.h"

namespace hornbeam::io {

/// How the note begins that shows what looks like units and is none that is understood.
inline const std::string units_not_understood = "units in the file are not understood: ";

/// What stands between the fields of a line.
inline constexpr std::string_view blanks = " \t\r";
/// `text` without the blanks before and after it.
std::string_view trimmed(std::string_view text);

/// Counts of particles by family, as file headers hold them.
using FamilyCounts = std::array<std::uint64_t, family_count>;

/// Input-order indices grouped by family, each family in input order.
struct FamilyOrder {
  FamilyCounts count{};
  std::vector<std::uint64_t> index;
};
FamilyOrder group_by_family(const std::vector<Family>& families);
inline FamilyOrder group_by_family(const Particles& particles) { return group_by_family(particles.family); }
/// Whether grouping changes the order of the particles.
bool is_reordered(const FamilyOrder& order);
/// Sets the particles' families to count[0] gas, then count[1] halo, and so on; resizes them to the total. more: bytes
/// a particle that the reader takes besides. Throws Error where the machine has not that much memory.
void assign_families(Particles& particles, const FamilyCounts& count, double more);

/// Factors that numbers are multiplied with to pass from one set of units to another.
struct UnitScale {
  double length = 1.0, mass = 1.0, velocity = 1.0;
  [[nodiscard]] double time() const { return length / velocity; }
  [[nodiscard]] double specific_energy() const { return velocity * velocity; }
  [[nodiscard]] double acceleration() const { return velocity * velocity / length; }
  [[nodiscard]] double density() const { return mass / (length * length * length); }
  [[nodiscard]] bool is_identity() const { return length == 1.0 && mass == 1.0 && velocity == 1.0; }
};
UnitScale scale_between(const Units& from, const Units& to);

/// Whether no id stands twice.
bool are_unique(std::vector<std::uint64_t> ids);

/// Collects the sentences about what a file does not hold, or how it was read.
inline void add_if(std::vector<std::string>& sentences, bool condition, const std::string& sentence) {
  if (condition) sentences.push_back(sentence);
}

/// Files whose internal energies are entropies A of an ideal gas with gamma 5/3: makes energies of them. Throws
/// Error(subject) where gas lacks the densities for that, or the numbers are comoving.
void energies_of_entropies(Snapshot& snapshot, bool comoving, const std::string& subject);

/// Of formats without a place for what gas is: where it is not ideal, or γ is not the usual one.
void add_lost_gas(std::vector<std::string>& sentences, const Snapshot& snapshot, const std::string& format,
                  bool keeps_gamma = false);

/// Of formats without a place for a box.
void add_lost_box(std::vector<std::string>& sentences, const Snapshot& snapshot, const std::string& format);

/// The value in single precision; throws Error(subject) where it is beyond the largest such number.
float narrowed(double value, const std::string& subject);

}  // namespace hornbeam::io
