// SPDX-License-Identifier: Apache-2.0
// Gas on a domain: the sums over its neighbours, one walk after another, and what is done between them. Compiled once a
// precision (HB_PRECISION).
#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <string>
#include <utility>

#include "hornbeam/error.h"
#include "interactions/pair_sources.h"
#include "interactions/sph/gas_module.h"

HB_OPEN
namespace {

/// Least H and largest H in open space over the largest edge of the particles' box, and in a periodic one over its
/// least edge: there particles meet so many layers of images at most.
constexpr double least_part = 1e-7, most_part = 8, most_layers = 4;
/// More than a bracket of H can be halved.
constexpr int most_turns = 200;

class DomainGas final : public Gas {
 public:
  DomainGas(ParticleDomain& domain, const GasOptions& options);

  void load(const Particles& particles) override;
  void evaluate() override;
  bool finish() override;
  void restore() override;
  void set_moment(const GasMoment& moment) override { moment_ = moment; }
  void set_space(GasSpace space) override { space_ = std::move(space); }
  std::uint64_t kick(double dt) override;
  double longest_step() override;
  [[nodiscard]] GasReport report() const override { return report_; }
  [[nodiscard]] Bytes bytes() const override;

 private:
  [[nodiscard]] GasRule rule() const;
  void make_room();
  void bound_smooth(const PairPoints& points);
  void guess(const PairPoints& points);
  void predict();
  void find_smooth(const PairPoints& points);
  void find_terms();
  void find_gradients(const PairPoints& points);
  void find_forces(const PairPoints& points);
  pos_t find_largest(const PairPoints& points, const DeviceArray<pos_t>& values);
  std::size_t find_images(double reach);
  template <class T>
  [[nodiscard]] T value_at(const DeviceArray<T>& array, std::size_t at = 0) const;

  ParticleDomain& domain_;
  Device& device_;
  DeviceParticles& p_;
  GasOptions options_;
  GasMoment moment_;
  GasReport report_;
  GasSpace space_;
  pos_t least_ = 0, most_ = 0;  ///< bounds of H
  i32 gas_ = 0;                 ///< particles of it
  bool guessed_ = false;        ///< whether H has been found before
  // between the sums of one evaluation, in the order of the tree
  DeviceArray<pos_t> vel_[3], energy_, gas_mass_, omega_, pressure_, push_, volume_, sound_, bound_low_, bound_high_;
  DeviceArray<pos_t> images_, cell_reach_, inverse_;
  DeviceArray<u32> settled_, left_;
};

DomainGas::DomainGas(ParticleDomain& domain, const GasOptions& options)
    : domain_(domain), device_(domain.device()), p_(domain.particles()), options_(options) {
  for (DeviceArray<pos_t>* a : {&vel_[0], &vel_[1], &vel_[2], &energy_, &gas_mass_, &omega_, &pressure_, &push_,
                                &volume_, &sound_, &bound_low_, &bound_high_, &images_, &cell_reach_, &inverse_}) {
    *a = DeviceArray<pos_t>(device_);
  }
  for (DeviceArray<u32>* a : {&settled_, &left_}) *a = DeviceArray<u32>(device_);
  left_.reserve(2 * sizeof(u32));
}

template <class T>
T DomainGas::value_at(const DeviceArray<T>& array, std::size_t at) const {
  T value;
  device_.download(&value, array, at * sizeof(T), sizeof value);
  return value;
}

void DomainGas::load(const Particles& particles) {
  gas_ = static_cast<i32>(std::count(particles.family.begin(), particles.family.end(), Family::gas));
  report_ = {};
  moment_ = {};
  guessed_ = false;
  const double start = options_.viscosity == Viscosity::cullen_dehnen && options_.alpha_start >= 0
                           ? options_.alpha_start
                           : options_.alpha;
  if (p_.n == 0) return;
  const std::vector<pos_t> alphas(domain_.size(), static_cast<pos_t>(start));
  device_.upload(p_.alpha, 0, alphas.data(), alphas.size() * sizeof(pos_t));
}

GasRule DomainGas::rule() const {
  GasRule r{};
  r.law = {static_cast<i32>(options_.eos), static_cast<pos_t>(options_.gamma),
           static_cast<pos_t>(options_.sound_speed * options_.sound_speed), static_cast<pos_t>(options_.constant),
           static_cast<pos_t>(options_.critical_density)};
  r.shape = static_cast<i32>(options_.kernel);
  r.viscosity = static_cast<i32>(options_.viscosity);
  r.pulls = space_.pulls ? 1 : 0;
  r.norm = kernel_constant(r.shape);
  r.crowd = static_cast<pos_t>(3 * options_.effective_neighbours() / (4 * std::acos(-1.0)));
  r.tolerance = static_cast<pos_t>(options_.tolerance);
  r.least = least_;
  r.most = most_;
  r.alpha = static_cast<pos_t>(options_.alpha);
  r.alpha_min = static_cast<pos_t>(options_.alpha_min);
  r.beta = static_cast<pos_t>(options_.beta);
  r.conductivity = static_cast<pos_t>(options_.conductivity);
  r.since = static_cast<pos_t>(moment_.since);
  r.step = static_cast<pos_t>(moment_.step);
  r.mass_unit = static_cast<pos_t>(1 / domain_.frame().mass);
  return r;
}

void DomainGas::make_room() {
  const std::size_t values = domain_.size() * sizeof(pos_t), words = domain_.size() * sizeof(u32);
  for (DeviceArray<pos_t>* a : {&vel_[0], &vel_[1], &vel_[2], &energy_, &gas_mass_, &omega_, &pressure_, &push_,
                                &volume_, &sound_, &bound_low_, &bound_high_, &inverse_}) {
    a->reserve(values);
  }
  settled_.reserve(words);
}

/// By the box of all particles and, where there is one, of space.
void DomainGas::bound_smooth(const PairPoints& points) {
  double edge = 0;
  if (device_.is_host()) {
    const CellsView cells = points.host_cells().view();
    edge = std::max({static_cast<double>(cells.high_x[0] - cells.low_x[0]),
                     static_cast<double>(cells.high_y[0] - cells.low_y[0]),
                     static_cast<double>(cells.high_z[0] - cells.low_z[0])});
  } else {
    const DeviceTree& t = points.device_tree();
    edge = std::max({static_cast<double>(value_at(t.high_x()) - value_at(t.low_x())),
                     static_cast<double>(value_at(t.high_y()) - value_at(t.low_y())),
                     static_cast<double>(value_at(t.high_z()) - value_at(t.low_z()))});
  }
  if (!(edge > 0)) edge = static_cast<double>(domain_.frame().cube.edge);
  double most = most_part * edge;
  for (const double side : space_.box) most = side > 0 ? std::min(most, most_layers * side) : most;
  least_ = static_cast<pos_t>(least_part * edge);
  most_ = static_cast<pos_t>(most);
}

void DomainGas::guess(const PairPoints& points) {
  const GasRule r = rule();
  if (!device_.is_host()) {
    device_.launch(
        kernels::guess_smooth{.rule = r, .n = p_.n, .smooth = p_.smooth, .cells = points.device_tree().arrays()},
        plain_variant, p_.n);
    return;
  }
  const Threads scope(threads_for(device_.threads(), p_.n, Work::item));
  const CellsView cells = points.host_cells().view();
  pos_t* const smooth = host_values(p_.smooth);
#pragma omp parallel for schedule(static)
  for (i32 i = 0; i < p_.n; ++i) {
    if (is_gas(smooth[i])) smooth[i] = guessed_smooth(r, cells, i);
  }
}

void DomainGas::predict() {
  device_.launch(kernels::predict_gas{.rule = rule(),
                                      .n = p_.n,
                                      .mass = p_.mass,
                                      .velocity = p_.v,
                                      .pull = p_.pull,
                                      .u = p_.u,
                                      .u_rate = p_.u_rate,
                                      .divergence = p_.divergence,
                                      .smooth = p_.smooth,
                                      .vel = vel_,
                                      .energy = energy_,
                                      .gas_mass = gas_mass_,
                                      .bound_low = bound_low_,
                                      .bound_high = bound_high_,
                                      .settled = settled_},
                 plain_variant, p_.n);
}

/// The largest of values, one a particle; those of cells are left in cell_reach_.
pos_t DomainGas::find_largest(const PairPoints& points, const DeviceArray<pos_t>& values) {
  points.reach_of_cells(cell_reach_, values);
  return value_at(cell_reach_);
}

/// Sources stand in all images that come within `reach`. Returns how many.
std::size_t DomainGas::find_images(double reach) {
  const std::vector<SourceImage> images = space_.images ? space_.images(reach) : one_image;
  upload_all(device_, images_, image_values(images));
  return images.size();
}

void DomainGas::find_smooth(const PairPoints& points) {
  u32 left[2] = {static_cast<u32>(gas_), 0};
  report_.at_limits = 0;
  for (int turn = 0; left[0] > 0; ++turn) {
    if (turn == most_turns) {
      throw Error(
          "gas",
          std::to_string(left[0]) + " particles have no smoothing length after " + std::to_string(most_turns) + " sums",
          "report this as a fault");
    }
    report_.density_sums += left[0];
    const double reach = space_.images ? static_cast<double>(find_largest(points, p_.smooth)) : 0;
    const std::size_t images = find_images(reach);
    device_.clear(left_, sizeof left);
    launch_pairs<kernels::gas_density_of_groups, kernels::gas_density_of_each>(
        points, points, true, points.pairs(points, std::numeric_limits<pos_t>::infinity(), images),
        GasDensityOptions{rule()},
        GasDensityArrays{.pairs = points.arrays(points, images_, nullptr, nullptr),
                         .gas_mass = gas_mass_,
                         .target_gas_mass = gas_mass_,
                         .smooth = p_.smooth,
                         .bound_low = bound_low_,
                         .bound_high = bound_high_,
                         .density = p_.density,
                         .omega = omega_,
                         .settled = settled_,
                         .left = left_});
    device_.download(left, left_, 0, sizeof left);
    report_.at_limits += left[1];
  }
  report_.largest_h = static_cast<double>(find_largest(points, p_.smooth));
}

void DomainGas::find_terms() {
  device_.launch(kernels::find_gas_terms{.rule = rule(),
                                         .n = p_.n,
                                         .smooth = p_.smooth,
                                         .density = p_.density,
                                         .omega = omega_,
                                         .u = p_.u,
                                         .energy = energy_,
                                         .pressure = pressure_,
                                         .sound = sound_,
                                         .push = push_,
                                         .volume = volume_},
                 plain_variant, p_.n);
}

void DomainGas::find_gradients(const PairPoints& points) {
  const std::size_t images = find_images(report_.largest_h);
  launch_pairs<kernels::gas_gradient_of_groups, kernels::gas_gradient_of_each>(
      points, points, true, points.pairs(points, std::numeric_limits<pos_t>::infinity(), images),
      GasGradientOptions{rule()},
      GasGradientArrays{.pairs = points.arrays(points, images_, nullptr, nullptr),
                        .gas_mass = gas_mass_,
                        .target_gas_mass = gas_mass_,
                        .vel_x = vel_[0],
                        .vel_y = vel_[1],
                        .vel_z = vel_[2],
                        .pull_x = p_.pull[0],
                        .pull_y = p_.pull[1],
                        .pull_z = p_.pull[2],
                        .smooth = p_.smooth,
                        .volume = volume_,
                        .sound = sound_,
                        .divergence = p_.divergence,
                        .alpha = p_.alpha});
}

/// cell_reach_ holds the largest H of cells, from find_smooth().
void DomainGas::find_forces(const PairPoints& points) {
  const std::size_t images = find_images(report_.largest_h);
  launch_pairs<kernels::gas_force_of_groups, kernels::gas_force_of_each>(
      points, points, true, points.pairs(points, std::numeric_limits<pos_t>::infinity(), images),
      GasForceOptions{rule(), static_cast<pos_t>(1 / domain_.frame().acceleration())},
      GasForceArrays{.pairs = points.arrays(points, images_, nullptr, &cell_reach_),
                     .smooth = p_.smooth,
                     .target_smooth = p_.smooth,
                     .gas_mass = gas_mass_,
                     .target_gas_mass = gas_mass_,
                     .vel_x = vel_[0],
                     .vel_y = vel_[1],
                     .vel_z = vel_[2],
                     .energy = energy_,
                     .density = p_.density,
                     .pressure = pressure_,
                     .push = push_,
                     .volume = volume_,
                     .sound = sound_,
                     .alpha = p_.alpha,
                     .acc_x = p_.acc[0],
                     .acc_y = p_.acc[1],
                     .acc_z = p_.acc[2],
                     .energy_rate = p_.u_rate,
                     .signal = p_.signal});
}

void DomainGas::evaluate() {
  if (p_.n == 0 || gas_ == 0) return;
  const StageTimer::Scope timed(domain_.timer(), &StageSeconds::gas);
  const PairPoints points(domain_);
  ++report_.evaluations;
  make_room();
  bound_smooth(points);
  if (!guessed_) guess(points);
  guessed_ = true;
  predict();
  find_smooth(points);
  find_terms();
  find_gradients(points);
  find_forces(points);
}

/// Accelerations of all that acts, which predict velocities until the next evaluation.
bool DomainGas::finish() {
  if (p_.n == 0) return false;
  const StageTimer::Scope timed(domain_.timer(), &StageSeconds::gas);
  device_.launch(kernels::remember_pulls{.acc = VectorArgument<const real>(p_.acc),
                                         .n = p_.n,
                                         .unit = static_cast<pos_t>(domain_.frame().acceleration()),
                                         .pull = p_.pull},
                 plain_variant, p_.n);
  return false;
}

void DomainGas::restore() {
  guessed_ = true;
  finish();
}

std::uint64_t DomainGas::kick(double dt) {
  if (p_.n == 0 || gas_ == 0 || options_.eos != EquationOfState::ideal) return 0;
  const StageTimer::Scope timed(domain_.timer(), &StageSeconds::gas);
  device_.clear(left_, sizeof(u32));
  device_.launch(
      kernels::kick_energies{.u_rate = p_.u_rate, .n = p_.n, .step = static_cast<pos_t>(dt), .u = p_.u, .below = left_},
      plain_variant, p_.n);
  return value_at(left_);
}

double DomainGas::longest_step() {
  if (p_.n == 0 || gas_ == 0) return std::numeric_limits<double>::infinity();
  const StageTimer::Scope timed(domain_.timer(), &StageSeconds::gas);
  const PairPoints points(domain_);
  make_room();
  device_.launch(kernels::find_gas_steps{.n = p_.n,
                                         .courant = static_cast<pos_t>(options_.courant),
                                         .force_step = static_cast<pos_t>(options_.force_step),
                                         .smooth = p_.smooth,
                                         .signal = p_.signal,
                                         .pull = p_.pull,
                                         .u = p_.u,
                                         .u_rate = p_.u_rate,
                                         .inverse = inverse_},
                 plain_variant, p_.n);
  return 1 / static_cast<double>(find_largest(points, inverse_));
}

Bytes DomainGas::bytes() const {
  Bytes sum;
  for (const Buffer* b : std::initializer_list<const Buffer*>{
           &vel_[0], &vel_[1], &vel_[2], &energy_, &gas_mass_, &omega_, &pressure_, &push_, &volume_, &sound_,
           &bound_low_, &bound_high_, &images_, &cell_reach_, &inverse_, &settled_, &left_}) {
    sum.scratch += b->bytes();
  }
  return sum;
}

}  // namespace

std::unique_ptr<Gas> make_domain_gas(Domain& domain, const GasOptions& options) {
  return std::make_unique<DomainGas>(static_cast<ParticleDomain&>(domain), options);
}

HB_CLOSE
