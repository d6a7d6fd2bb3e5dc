// SPDX-License-Identifier: Apache-2.0
// What an evaluation cost and how it softened, as words and JSON: the same for `force`, `bench` and runs.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "hornbeam/gravity.h"
#include "hornbeam/particles.h"
#include "io/json.h"

namespace hornbeam::run {

/// The softening length in use: the option's, otherwise the largest of the particles'.
double eps_in_use(const GravityOptions& options, const Particles& particles);
/// "softening plummer, eps 0.05 (file)", "eps 0.01 to 0.04"; `source` in place of eps_source(), where there is one.
std::string softening_line(const GravityOptions& options, const Particles& particles, const std::string& source = "");

/// "accuracy 0.0007" or "theta 0.6", whichever decides.
std::string exactness(const GravityOptions& resolved);

/// "1:02:03" or "4:05".
std::string duration(double seconds);

/// "1 particle", "2 particles"; `word` is one of those to which an s is added.
std::string counted(std::size_t number, std::string_view word);
/// Returns "13 particles outside of the box are wrapped into it", if outside_of_box() counts any. It is a warning if
/// they extend beyond the box, which is called `subject`.
std::string wrapped_note(const std::vector<Vec3>& position, const Vec3& box, std::string_view subject);

Json to_json(const Interactions& interactions, std::size_t n);
Json to_json(const Bytes& bytes);

}  // namespace hornbeam::run
