// SPDX-License-Identifier: Apache-2.0
// What an evaluation cost and how it softened, as words and JSON: the same for `force`, `bench` and runs.
#pragma once

#include <string>

#include "hornbeam/gravity.h"
#include "hornbeam/particles.h"
#include "run/json.h"

namespace hornbeam::run {

/// The softening length in use: the option's, else the largest of the particles'.
double eps_in_use(const GravityOptions& options, const Particles& particles);
/// "softening plummer, eps 0.05 (file)", "eps 0.01 to 0.04"; `source` in place of eps_source(), where there is one.
std::string softening_line(const GravityOptions& options, const Particles& particles, const std::string& source = "");

/// "1:02:03" or "4:05".
std::string duration(double seconds);

Json to_json(const StageSeconds& seconds);
Json to_json(const Interactions& interactions, std::size_t n);
Json to_json(const Bytes& bytes);

}  // namespace hornbeam::run
