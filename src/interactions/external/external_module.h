// SPDX-License-Identifier: Apache-2.0
// External potentials as what acts on the particles of a domain.
#pragma once

#include <memory>
#include <vector>

#include "hornbeam/potential.h"
#include "interactions/module.h"

namespace hornbeam {

class External : public Module {
 public:
  [[nodiscard]] std::string_view name() const override { return "external"; }
  /// The potentials as they stand at `time`. Best called before particles are loaded, for which the domain then chooses
  /// a unit of mass that fits both.
  virtual void set(const std::vector<ExternalPotential>& potentials, double time) = 0;
};

std::unique_ptr<External> make_external(Domain& domain);

}  // namespace hornbeam
