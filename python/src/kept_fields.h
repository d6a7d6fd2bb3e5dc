// SPDX-License-Identifier: Apache-2.0
// What becomes of fields when Python writes to a simulation's particles.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "hornbeam/gas.h"
#include "hornbeam/gravity.h"
#include "hornbeam/particles.h"

namespace hornbeam::python {

/// Names of those that follow from the others: what is written to them is lost.
std::vector<std::string> computed_fields(const GasOptions& gas);

/// Gas that stays has the viscosity that it `had`: its own particles, of others those with the id and at the place of
/// one of them; the rest begin with `starting`.
void keep_viscosity(Particles& p, Particles had, bool others, double starting);

struct EpsSettled {
  bool is_own;       ///< particles have other lengths of their own from now on
  std::string note;  ///< empty: there is nothing to say
};
/// The option eps is that of all particles until someone writes to theirs; it goes before what others bring along.
/// had: what the simulation's particles had, of which some may have left; requested only where it matters. Sets
/// gravity.eps and p.eps.
EpsSettled settle_eps(Particles& p, const std::function<std::vector<double>()>& had, bool others,
                      std::optional<double> option, GravityOptions& gravity);

}  // namespace hornbeam::python
