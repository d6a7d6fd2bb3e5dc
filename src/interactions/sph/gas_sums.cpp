// SPDX-License-Identifier: Apache-2.0
// The sums of gas over its neighbours: H and density, pressures, softening by H, forces. Compiled once a precision
// (HB_PRECISION).
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <type_traits>

#include "hornbeam/error.h"
#include "interactions/sph/domain_gas.h"
#include "interactions/sph/gas_density.h"
#include "interactions/sph/gas_force.h"
#include "interactions/sph/gas_force_midway.h"
#include "interactions/sph/kernels/launches.h"
#include "tree/boundary.h"

HB_OPEN
namespace {

/// Least H and largest H in open space over the largest edge of the particles' box, and in a periodic one over its
/// least edge, wherever the particles are in it: there they meet so many layers of images at most.
constexpr double least_part = 1e-7, most_part = 8, most_layers = 4;
/// The particles' edge counts as no less: next to a box, of which units are, fp32 holds no powers of what is much
/// smaller.
constexpr double least_part_of_box = 0.01;
/// More than a bracket of H can be halved.
constexpr int most_turns = 200;

}  // namespace

/// By the box of all particles and, where there is one, of space.
void DomainGas::bound_smooth(const PairPoints& points) {
  double edge = points.largest_edge();
  if (!(edge > 0)) edge = static_cast<double>(domain_.frame().cube.edge);
  double layers = std::numeric_limits<double>::infinity();
  for (const double side : box_) {
    layers = side > 0 ? std::min(layers, most_layers * side) : layers;
    edge = std::max(edge, least_part_of_box * side);
  }
  double most = std::isfinite(layers) ? layers : most_part * edge;
  if (options_.max_smoothing_length > 0) most = std::min(most, options_.max_smoothing_length);
  least_ = static_cast<pos_t>(std::min(least_part * edge, most / 2));
  most_ = static_cast<pos_t>(most);
}

void DomainGas::guess(const PairPoints& points) {
  device_.launch(
      kernels::guess_smooth{.rule = rule(), .n = p_.n, .smooth = p_.smooth, .cells = points.tree().cells().arrays()},
      plain_variant, p_.n);
}

/// What sums read of the gas, at the time of the evaluation; how much of it is due.
u32 DomainGas::predict() {
  device_.clear(left_, sizeof(u32));
  device_.launch(kernels::predict_gas{.frame = gather_frame(),
                                      .rule = rule(),
                                      .clock = moment_.block ? clock_of(*moment_.block) : GasClock{},
                                      .rungs = p_.rung,
                                      .begun = p_.begun,
                                      .n = p_.n,
                                      .position = VectorArgument<const pos_t>(p_.x),
                                      .mass = p_.mass,
                                      .velocity = p_.v,
                                      .pull = p_.pull,
                                      .u = p_.u,
                                      .u_rate = p_.u_rate,
                                      .divergence = p_.divergence,
                                      .smooth = p_.smooth,
                                      .density = p_.density,
                                      .energy = energy_,
                                      .gas_mass = gas_mass_,
                                      .due_mass = due_mass_,
                                      .lapse = lapse_,
                                      .bound_low = bound_low_,
                                      .bound_high = bound_high_,
                                      .settled = settled_,
                                      .due = left_,
                                      .places = places_,
                                      .states = states_},
                 plain_variant, p_.n);
  return moment_.block ? value_at(left_) : static_cast<u32>(gas_);
}

/// Null: all of them.
const Groups* DomainGas::due_groups() const {
  return domain_.targets().are_some() ? &domain_.targets().groups() : nullptr;
}

/// Those of a sum of which so many particles ask something.
GatherTargets DomainGas::targets(u32 due) const { return {due, options_.effective_neighbours(), due_groups(), share_}; }

/// The largest of values, one a particle; those of cells are left in cell_reach_.
pos_t DomainGas::find_largest(const PairPoints& points, const DeviceArray<pos_t>& values) {
  points.reach_of_cells(cell_reach_, values);
  return value_at(cell_reach_);
}

/// Sources are in all images that come within `reach`.
std::vector<SourceImage> DomainGas::find_images(double reach) {
  std::vector<SourceImage> images = images_within(around_.boundary, 0, reach);
  upload_all(device_, images_, image_values(images));
  return images;
}

GatherFrame DomainGas::gather_frame() const {
  const KeyCube& cube = domain_.frame().cube;
  const pos_t half = cube.edge / 2;
  return {cube.x + half, cube.y + half, cube.z + half, static_cast<pos_t>(domain_.frame().length)};
}

/// Of gas of which the sums are no numbers: find_smooth() would go on for ever.
void DomainGas::report_unsettled(u32 count) {
  share_.exchange(device_, {{&settled_, sizeof(u32)}});
  std::vector<u32> input(domain_.size()), settled(domain_.size());
  device_.download(input.data(), p_.input, 0, input.size() * sizeof(u32));
  device_.download(settled.data(), settled_, 0, settled.size() * sizeof(u32));
  u32 first = std::numeric_limits<u32>::max();
  for (std::size_t i = 0; i < input.size(); ++i) first = settled[i] == 0 ? std::min(first, input[i]) : first;
  const std::string others = count > 1 ? " and " + std::to_string(count - 1) + " others have" : " has";
  const bool widest = domain_.precision() == Precision::fp64;
  throw Error("gas",
              "particle " + std::to_string(first) + others + " no density, because sums of masses there overflow " +
                  "precision " + std::string(hornbeam::name(domain_.precision())),
              std::string("check for masses, positions or velocities of gas that are far from all others, or take ") +
                  (widest ? "" : "precision double or ") + "other units");
}

void DomainGas::find_smooth(const PairPoints& points, u32 due) {
  u32 left[2] = {due, 0};
  report_.sought = due;
  report_.at_limits = 0;
  for (int turn = 0; left[0] > 0; ++turn) {
    if (turn == most_turns) report_unsettled(left[0]);
    report_.density_sums += left[0];
    if (turn > 0 && box_ != Vec3{}) share_.exchange(device_, {{&p_.smooth, sizeof(pos_t)}});
    // H may grow by the margin within a walk
    const double reach =
        box_ != Vec3{} ? static_cast<double>(find_largest(points, p_.smooth)) * HB_MARGIN_gas_density : 0;
    const std::size_t images = find_images(reach).size();
    device_.clear(left_, sizeof left);
    gathering_.run<gatherers::gas_density>(points, points.pairs(points, no_box(), images),
                                           GasDensityOptions{gather_frame(), rule()},
                                           GasDensityArrays{.pairs = points.arrays(points, images_, nullptr, nullptr),
                                                            .places = places_,
                                                            .states = states_,
                                                            .gas_mass = gas_mass_,
                                                            .smooth = p_.smooth,
                                                            .bound_low = bound_low_,
                                                            .bound_high = bound_high_,
                                                            .density = p_.density,
                                                            .omega = p_.omega,
                                                            .divergence = p_.divergence,
                                                            .curl = curl_,
                                                            .change = change_,
                                                            .stretch_x = p_.stretch[0],
                                                            .stretch_y = p_.stretch[1],
                                                            .stretch_z = p_.stretch[2],
                                                            .shear_x = p_.shear[0],
                                                            .shear_y = p_.shear[1],
                                                            .shear_z = p_.shear[2],
                                                            .settled = settled_,
                                                            .left = left_},
                                           targets(left[0]));
    if (!share_.is_shared()) device_.download(left, left_, 0, sizeof left);
    for (std::size_t k = 0; share_.is_shared() && k < 2; ++k) {
      left[k] = static_cast<u32>(share_.total(device_, left_, k));
    }
    report_.at_limits += left[1];
  }
  exchange_densities();
  report_.largest_h = reach_ = static_cast<double>(find_largest(points, p_.smooth));
}

/// Brackets and marks of settled gas stay with their rank.
void DomainGas::exchange_densities() {
  constexpr std::size_t bytes = sizeof(pos_t);
  share_.exchange(device_, {{&p_.smooth, bytes},
                            {&p_.density, bytes},
                            {&p_.omega, bytes},
                            {&p_.divergence, bytes},
                            {&curl_, bytes},
                            {&change_, bytes}});
  if (!options_.reconstructs()) return;
  share_.exchange(device_, {{&p_.stretch[0], bytes},
                            {&p_.stretch[1], bytes},
                            {&p_.stretch[2], bytes},
                            {&p_.shear[0], bytes},
                            {&p_.shear[1], bytes},
                            {&p_.shear[2], bytes}});
}

void DomainGas::exchange_forces() {
  share_.exchange(device_, {{&p_.acc[0], sizeof(real)},
                            {&p_.acc[1], sizeof(real)},
                            {&p_.acc[2], sizeof(real)},
                            {&p_.u_rate, sizeof(pos_t)},
                            {&p_.signal, sizeof(pos_t)}});
}

void DomainGas::find_terms() {
  device_.launch(kernels::find_gas_terms{.rule = rule(),
                                         .n = p_.n,
                                         .laws = laws_,
                                         .tables = tables_,
                                         .material = p_.material,
                                         .smooth = p_.smooth,
                                         .density = p_.density,
                                         .omega = p_.omega,
                                         .u = p_.u,
                                         .energy = energy_,
                                         .divergence = p_.divergence,
                                         .curl = curl_,
                                         .change = change_,
                                         .due_mass = due_mass_,
                                         .lapse = lapse_,
                                         .alpha = p_.alpha,
                                         .places = places_,
                                         .states = states_},
                 plain_variant, p_.n);
}

/// Of gas that is softened by its H, in the place of what the walk has made of its pairs; cell_reach_ holds how far at
/// most it is so then, which is H or more.
void DomainGas::find_pulls(const PairPoints& points, u32 due) {
  const GasPulls::Gas gas{points, gather_frame(), rule(), places_, states_, due_mass_, targets(due)};
  pulls_.soften(gas);
  reach_ = static_cast<double>(find_largest(points, pulls_.spread()));
  const std::vector<SourceImage> images = find_images(reach_);
  pulls_.add(gas, cell_reach_, images_, images);
}

/// cell_reach_ holds the largest H of cells, from find_smooth(), or more.
void DomainGas::find_forces(const PairPoints& points, u32 due) {
  const std::size_t images = find_images(reach_).size();
  const PairOptions pairs = points.pairs(points, no_box(), images);
  const GasForceOptions options{gather_frame(), rule(), static_cast<pos_t>(1 / domain_.frame().acceleration())};
  // in the order of HB_ARRAYS_gas_force
  const auto arrays = [&]<class Arrays>(std::type_identity<Arrays> /*type*/, const auto&... more) {
    return Arrays{points.arrays(points, images_, nullptr, &cell_reach_),
                  places_,
                  states_,
                  due_mass_,
                  p_.smooth,
                  p_.pull[0],
                  p_.pull[1],
                  p_.pull[2],
                  lapse_,
                  p_.acc[0],
                  p_.acc[1],
                  p_.acc[2],
                  p_.u_rate,
                  p_.signal,
                  more...};
  };
  if (!options_.reconstructs()) {
    return gathering_.run<gatherers::gas_force>(points, pairs, options, arrays(std::type_identity<GasForceArrays>()),
                                                targets(due));
  }
  device_.launch(kernels::strain_gas{.rule = rule(),
                                     .n = p_.n,
                                     .stretch = VectorArgument<const pos_t>(p_.stretch),
                                     .shear = VectorArgument<const pos_t>(p_.shear),
                                     .strains = strains_},
                 plain_variant, p_.n);
  gathering_.run<gatherers::gas_force_midway>(
      points, pairs, options, arrays(std::type_identity<GasForceMidwayArrays>(), strains_), targets(due));
}

HB_CLOSE
