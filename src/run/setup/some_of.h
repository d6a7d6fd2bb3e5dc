// SPDX-License-Identifier: Apache-2.0
// A part of the particles, for what is looked at before a run: within a second, and next to nothing of its memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "hornbeam/particles.h"

namespace hornbeam::run {

/// Numbers of particles of a family, or of all: every so-manieth, at most `most`.
inline std::vector<std::size_t> some_of(const Particles& p, std::size_t most, std::optional<Family> family = {}) {
  const auto fits = [&](std::size_t i) { return !family || p.family[i] == *family; };
  const std::size_t all =
      family ? static_cast<std::size_t>(std::count(p.family.begin(), p.family.end(), *family)) : p.size();
  const std::size_t stride = all <= most ? 1 : (all - 1) / most + 1;
  std::vector<std::size_t> some;
  for (std::size_t i = 0, seen = 0; i < p.size(); ++i) {
    if (fits(i) && seen++ % stride == 0) some.push_back(i);
  }
  return some;
}

}  // namespace hornbeam::run
