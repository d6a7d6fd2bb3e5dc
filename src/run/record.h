// SPDX-License-Identifier: Apache-2.0
// What made a snapshot, as text inside of it: written by runs and `hornbeam ic`, read by whoever wants to know.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hornbeam/simulation.h"
#include "run/json.h"
#include "run/model_request.h"

namespace hornbeam::run {

/// JSON of the version, the configuration as understood and the softening. What changes no motion (outputs, the end,
/// threads) is left out: the same run, resumed or not, writes the same bytes.
std::string record_of(const Simulation& simulation, const Json& configuration);
/// The same of what was drawn.
std::string record_of(const ModelRequest& request);

/// The external potentials of the run that wrote it; none where the text does not tell (it is empty, of another
/// program). Throws Error(subject) for what no run can have written.
std::optional<std::vector<ExternalPotential>> potentials_of(const std::string& record, const std::string& subject);
/// The kernel with which that run softened; none where the text does not tell.
std::optional<Softening> kernel_of(const std::string& record, const std::string& subject);

}  // namespace hornbeam::run
