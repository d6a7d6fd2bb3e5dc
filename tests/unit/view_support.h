// SPDX-License-Identifier: Apache-2.0
// What the tests of the live view share: particles, requests, a simulation whose steps only count.
#pragma once

#include <optional>
#include <string>

#include "view/live_source.h"
#include "view/server.h"

namespace hornbeam::view {

inline constexpr const char* test_token = "abcdefgh";

inline Snapshot stars(std::size_t n, std::uint64_t first_id = 0) {
  Snapshot snapshot;
  snapshot.particles.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto x = static_cast<double>(i);
    snapshot.particles.position[i] = {1e6 + x, -x, 0.5};
    snapshot.particles.velocity[i] = {x, 0, 0};
    snapshot.particles.mass[i] = 1;
    snapshot.particles.id[i] = first_id + i;
    snapshot.particles.family[i] = Family::star;
  }
  return snapshot;
}

/// With the token.
inline Question question(const std::string& path, const std::string& host = "127.0.0.1:8710") {
  return {"GET", path, {{"token", test_token}}, {{"host", host}}};
}

inline unsigned status(const std::optional<Answer>& answer) { return answer ? answer->status : 0; }

/// A simulation whose steps only count.
struct Counting {
  std::uint64_t step = 0;
  int copies = 0;
  std::size_t n = 4;
  Shot shot() {
    ++copies;
    Shot made;
    made.snapshot = stars(n);
    made.step = step;
    made.changes = 1 + step;
    return made;
  }
  void between_steps(LiveSource& live) {
    live.between_steps(
        true, 1 + step, [&] { return shot(); }, [] { return false; });
  }
};

inline std::optional<Shot> nothing_to_fetch(std::uint64_t /*changes*/) { return {}; }

}  // namespace hornbeam::view
