// SPDX-License-Identifier: Apache-2.0
// Which particles are shown where there are more than a browser draws: chosen by their ids, so that they are the same
// ones in every frame. frame.cpp comes after it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "hornbeam/particles.h"

namespace hornbeam::view {

/// Families with fewer particles than this are shown whole: one black hole in a million stars stays.
inline constexpr std::size_t few = 1000;

/// A number that looks random and is the same for the same id, wherever and whenever: splitmix64's finaliser.
std::uint64_t scattered(std::uint64_t id);

/// Returns the indices of the particles that are shown, ascending. With at most `most` these are all. Otherwise they
/// are all of small families, and of the others those whose scattered() id is below one bound, about `most` together. A
/// larger `most` includes all of these.
std::vector<std::uint32_t> shown_places(const Particles& particles, std::size_t most);

}  // namespace hornbeam::view
