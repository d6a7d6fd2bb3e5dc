// SPDX-License-Identifier: Apache-2.0
// Gas among the particles of a domain.
#pragma once

#include <memory>

#include "hornbeam/gas.h"
#include "interactions/module.h"

namespace hornbeam {

/// Of device time since load(), all particles' sums together.
struct GasSumSeconds {
  double density = 0, forces = 0;  ///< gradients are gathered with the density
};

/// Gas as benchmarks measure it.
class Gas : public Module {
 public:
  /// Waits for what is under way.
  virtual GasSumSeconds sum_seconds() = 0;
};

/// Null if gas does not flow.
std::shared_ptr<ModuleMaker> gas_maker(const GasOptions& options);

}  // namespace hornbeam
