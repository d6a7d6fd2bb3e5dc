// SPDX-License-Identifier: Apache-2.0
// Whether this process may fork(): not once MPI runs, since memory that it has registered with a network is then no
// longer what the card writes to.
#pragma once

namespace hornbeam {

namespace detail {
inline bool forks_are_forbidden = false;
}

inline void forbid_forks() { detail::forks_are_forbidden = true; }
[[nodiscard]] inline bool may_fork() { return !detail::forks_are_forbidden; }

}  // namespace hornbeam
