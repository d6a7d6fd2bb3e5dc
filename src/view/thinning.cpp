// SPDX-License-Identifier: Apache-2.0
// The choice by ids, see thinning.h.
#include "view/thinning.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace hornbeam::view {

std::uint64_t scattered(std::uint64_t id) {
  id += 0x9e3779b97f4a7c15U;
  id = (id ^ (id >> 30)) * 0xbf58476d1ce4e5b9U;
  id = (id ^ (id >> 27)) * 0x94d049bb133111ebU;
  return id ^ (id >> 31);
}

std::vector<std::uint32_t> shown_places(const Particles& particles, std::size_t most) {
  const std::size_t n = particles.size();
  std::vector<std::uint32_t> places;
  if (n <= most) {
    places.resize(n);
    std::iota(places.begin(), places.end(), 0U);
    return places;
  }
  std::array<std::size_t, family_count> count{};
  for (const Family family : particles.family) ++count[static_cast<std::size_t>(family)];
  std::size_t whole = 0;
  for (const std::size_t c : count) whole += c < few ? c : 0;
  const double share = static_cast<double>(most - std::min(most, whole)) / static_cast<double>(n - whole);
  const auto bound = static_cast<std::uint64_t>(std::ldexp(share, 64));  // share < 1
  places.reserve(most + most / 64);
  for (std::size_t i = 0; i < n; ++i) {
    const bool is_few = count[static_cast<std::size_t>(particles.family[i])] < few;
    if (is_few || scattered(particles.id[i]) < bound) places.push_back(static_cast<std::uint32_t>(i));
  }
  return places;
}

}  // namespace hornbeam::view
