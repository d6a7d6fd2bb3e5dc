// SPDX-License-Identifier: Apache-2.0
// Launches for gas that is softened by its H, see gas_pulls.h. Compiled once a precision (HB_PRECISION).
#include "interactions/sph/gas_pulls.h"

#include <algorithm>
#include <limits>

#include "hornbeam/error.h"
#include "interactions/sph/gas_pull.h"
#include "interactions/sph/gas_zeta.h"
#include "interactions/sph/kernels/launches.h"

HB_OPEN

void GasPulls::soften(const Gas& gas) {
  spread_.reserve(domain_.size() * sizeof(pos_t));
  device_.launch(kernels::soften_gas{.rule = gas.rule,
                                     .n = p_.n,
                                     .soft2 = p_.soft2,
                                     .smooth = p_.smooth,
                                     .zeta = p_.zeta,
                                     .spread = spread_,
                                     .places = gas.places,
                                     .states = gas.states},
                 plain_variant, p_.n);
}

/// Where gas meets what gravity has not attracted, there is nothing to put right.
void GasPulls::demand_images(const std::vector<SourceImage>& within) const {
  const std::vector<SourceImage>& pulled = domain_.images();
  const auto is_pulled = [&](const SourceImage& image) {
    return std::any_of(pulled.begin(), pulled.end(),
                       [&](const SourceImage& other) { return other.shift == image.shift; });
  };
  if (std::all_of(within.begin(), within.end(), is_pulled)) return;
  throw UsageError("gas.softening = adaptive", "gas interacts with images of the box that gravity leaves out",
                   "give boundary.n_ghost_x, _y and _z for as many boxes as H extends over, 1 or more along periodic "
                   "axes, or softening = \"fixed\"");
}

void GasPulls::add(const Gas& gas, const DeviceArray<pos_t>& cell_reach, const DeviceArray<pos_t>& images,
                   const std::vector<SourceImage>& within) {
  demand_images(within);
  const PairPoints& points = gas.points;
  const PairOptions pairs = points.pairs(points, no_box(), within.size());
  gathering_.run<gatherers::gas_zeta>(points, pairs, GasZetaOptions{gas.frame, gas.rule},
                                      GasZetaArrays{.pairs = points.arrays(points, images, nullptr, nullptr),
                                                    .places = gas.places,
                                                    .states = gas.states,
                                                    .due_mass = gas.due_mass,
                                                    .smooth = p_.smooth,
                                                    .spread = spread_,
                                                    .density = p_.density,
                                                    .omega = p_.omega,
                                                    .zeta = p_.zeta},
                                      gas.targets);
  if (gas.targets.share.is_shared()) {
    gas.targets.share.exchange(device_, {{&p_.zeta, sizeof(pos_t)}});
    soften(gas);  // the rows of other ranks' gas, again from these
  }
  gathering_.run<gatherers::gas_pull>(points, pairs, GasPullOptions{gas.frame, gas.rule},
                                      GasPullArrays{.pairs = points.arrays(points, images, nullptr, &cell_reach),
                                                    .places = gas.places,
                                                    .states = gas.states,
                                                    .due_mass = gas.due_mass,
                                                    .spread = spread_,
                                                    .acc_x = p_.acc[0],
                                                    .acc_y = p_.acc[1],
                                                    .acc_z = p_.acc[2],
                                                    .potential = p_.acc[3]},
                                      gas.targets);
  constexpr std::size_t bytes = sizeof(real);
  gas.targets.share.exchange(device_,
                             {{&p_.acc[0], bytes}, {&p_.acc[1], bytes}, {&p_.acc[2], bytes}, {&p_.acc[3], bytes}});
}

HB_CLOSE
