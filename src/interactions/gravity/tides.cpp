// SPDX-License-Identifier: Apache-2.0
// walk, of tidal tensors: by the cells and quadrupoles of the tree, for each target by itself. Compiled once a
// precision (HB_PRECISION).
#include <algorithm>
#include <vector>

#include "device/kernels/sizes.h"
#include "interactions/gravity/domain_gravity.h"
#include "interactions/gravity/kernels/launches.h"
#include "physics/tides.h"
#include "tree/lent_columns.h"

HB_OPEN
namespace {

/// Component k of target i is tide[k n + i].
std::vector<double> matrices_of(Device& device, const DeviceParticles& targets, const DeviceArray<real>& tide,
                                double unit) {
  const auto n = static_cast<std::size_t>(targets.n);
  std::vector<u32> input(n);
  device.download(input.data(), targets.input, 0, n * sizeof(u32));
  std::vector<real> values(HB_TIDES * n);
  device.download(values.data(), tide, 0, values.size() * sizeof(real));
  std::vector<double> matrices(9 * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (i32 k = 0; k < 9; ++k) {
      const auto from = static_cast<std::size_t>(tide_component(k / 3, k % 3)) * n + i;
      matrices[9 * std::size_t{input[i]} + static_cast<std::size_t>(k)] = static_cast<double>(values[from]) * unit;
    }
  }
  return matrices;
}

}  // namespace

/// Each target by itself. Ranks share them.
void DomainGravity::walk_tides(const DeviceParticles& targets, const DeviceArray<real>& last, DeviceArray<real>& tide) {
  const bool own = &targets == &p_;
  WalkOptions options = walk_options(options_.mac);
  if (options_.walk == Walk::direct) options.cells = 0;
  const Turns turns = device_.share(targets.n, HB_BLOCK);
  const auto walk = [&](const RankShare& share, i64 count, const SourceImage& image) {
    options.image = &image == &domain_.images().front() ? 0 : 1;
    device_.launch(kernels::walk_tides{.options = options,
                                       .share = share,
                                       .own = own && options.image == 0 ? 1 : 0,
                                       .shift_x = static_cast<pos_t>(image.shift[0]),
                                       .shift_y = static_cast<pos_t>(image.shift[1]),
                                       .shift_z = static_cast<pos_t>(image.shift[2]),
                                       .n = targets.n,
                                       .last_acceleration = options_.mac == Mac::relative ? &last : nullptr,
                                       .tide = tide,
                                       .particles = p_.arrays(),
                                       .targets = targets.arrays(),
                                       .cells = domain_.tree().cells().arrays()},
                   plain_variant, count);
  };
  for (const SourceImage& image : domain_.images()) {
    launch_shared(device_, turns, targets.n, [&](const RankShare& share, i64 count) { walk(share, count, image); });
  }
  std::vector<Exchanged> components;
  const std::size_t row = sizeof(real);
  for (std::size_t k = 0; k < HB_TIDES; ++k)
    components.push_back({&tide, row, k * static_cast<std::size_t>(targets.n) * row});
  device_.exchange(components, turns);
}

void DomainGravity::give_tides_at(const DeviceParticles& targets, const Groups& groups, const ForcesOnDevice& forces) {
  if (forces.tide == nullptr) return;
  const auto n = static_cast<std::size_t>(targets.n);
  constexpr std::size_t walked = HB_TIDES + 2;  // walks by groups write four components at a time
  DeviceArray<real> tide(device_), last(device_);
  tide.reserve(walked * n * sizeof(real));
  const bool relative = options_.mac == Mac::relative;
  if (relative) {
    last.reserve(n * sizeof(real));
    device_.launch(kernels::remember_accelerations{.acc = targets.acc, .picks = nullptr, .n = targets.n, .size = last},
                   plain_variant, targets.n);
  }
  if (!walk_->give_tides(run_of(options_.mac), p_, domain_.tree(), targets, groups, relative ? &last : nullptr, tide)) {
    walk_tides(targets, last, tide);
  }
  if (is_lattice()) {
    far_images_.add_tides({p_, targets, nullptr, targets.n, 0}, domain_.frame(), domain_.lattice(), tide);
  }
  const double unit = domain_.frame().acceleration() * domain_.frame().length;
  if (forces.on_host) {
    const std::vector<double> matrices = matrices_of(device_, targets, tide, unit);
    std::copy(matrices.begin(), matrices.end(), static_cast<double*>(forces.tide));
    return;
  }
  device_.launch(kernels::give_tides{.input = targets.input,
                                     .tide = tide,
                                     .n = targets.n,
                                     .unit = unit,
                                     .wide = forces.is_double ? 1 : 0,
                                     .tides = ArrayArgument<u8>::lent(forces.tide)},
                 plain_variant, targets.n);
}

HB_CLOSE
