// SPDX-License-Identifier: Apache-2.0
// Gas on a domain: the sums over its neighbours, one walk after another, and what is done between them. Compiled once a
// precision (HB_PRECISION). A file longer than 400 lines: half of it are launches, which name each array once.
#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "core/falling_speed.h"
#include "hornbeam/error.h"
#include "interactions/gathering.h"
#include "interactions/sph/gas_density.h"
#include "interactions/sph/gas_force.h"
#include "interactions/sph/gas_force_midway.h"
#include "interactions/sph/gas_pulls.h"
#include "interactions/sph/gas_rungs.h"
#include "interactions/sph/gas_speeds.h"
#include "interactions/sph/gas_state.h"
#include "interactions/sph/kernels/launches.h"
#include "interactions/sph/material_laws.h"
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

constexpr std::size_t columns_of_sums = 8;

class DomainGas final : public Gas {
 public:
  DomainGas(ParticleDomain& domain, GasOptions options, Materials materials, Surroundings around);

  [[nodiscard]] double frame_length(const KeyBox& cube) const override;
  void load(const Particles& particles) override;
  void evaluate() override;
  bool finish() override;
  void restore() override;
  [[nodiscard]] bool needs_boxes() const override { return true; }  // neighbours are searched in them
  void set_moment(const StepMoment& moment) override { moment_ = moment; }
  double step_limit() override;
  bool step_begin(const Kick& kick) override { return kick_energies(kick, true); }
  bool step_end(const Kick& kick) override { return kick_energies(kick, false); }
  void ask_for_steps(const BlockMoment& /*block*/, double stricter) override { rungs_.ask(options_, stricter); }
  void limit_rungs(const BlockMoment& block, int deeper, RungCensus& census) override;
  [[nodiscard]] StepWords step_words() const override;
  [[nodiscard]] bool predicts() const override { return true; }
  void predict(Particles& copy, const Particles& saved, const std::vector<double>& since, double step) const override {
    predict_gas(copy, saved, since, step);
  }
  void describe(Particles& snapshot) const override { add_gas_state(snapshot, materials_, around_.units); }
  void report(Reports& reports) const override { reports.gas = report_; }
  void add_energies(Energies& energies) override;
  [[nodiscard]] std::optional<Cause> cause(const Particles& particles, std::size_t i) const override;
  GasSumSeconds sum_seconds() override { return timer_.seconds(); }
  [[nodiscard]] Bytes bytes() const override;

 private:
  [[nodiscard]] GasRule rule() const;
  bool kick_energies(const Kick& kick, bool begins);
  /// Values of each particle, between the sums of one evaluation.
  std::array<DeviceArray<pos_t>*, columns_of_sums> columns() {
    return {&energy_, &gas_mass_, &due_mass_, &lapse_, &curl_, &change_, &bound_low_, &bound_high_};
  }
  void reserve_sums();
  [[nodiscard]] const Groups* due_groups() const;
  [[nodiscard]] GatherTargets targets(u32 due) const;
  void bound_smooth(const PairPoints& points);
  void guess(const PairPoints& points);
  u32 predict();
  [[nodiscard]] GatherFrame gather_frame() const;
  [[noreturn]] void report_unsettled(u32 count);
  void find_smooth(const PairPoints& points, u32 due);
  void find_terms();
  void find_pulls(const PairPoints& points, u32 due);
  void find_forces(const PairPoints& points, u32 due);
  pos_t find_largest(const PairPoints& points, const DeviceArray<pos_t>& values);
  std::vector<SourceImage> find_images(double reach);
  template <class T>
  [[nodiscard]] T value_at(const DeviceArray<T>& array, std::size_t at = 0) const;

  ParticleDomain& domain_;
  Device& device_;
  DeviceParticles& p_;
  GasOptions options_;
  Materials materials_;
  StepMoment moment_;
  GasReport report_;
  Surroundings around_;
  Vec3 box_{};  ///< edges of a periodic box; 0: of an open axis
  SecondsTimer<GasSumSeconds> timer_;
  pos_t least_ = 0, most_ = 0;  ///< bounds of H
  pos_t speed_unit_ = 1;        ///< internal speed per speed
  i32 gas_ = 0;                 ///< particles of it
  bool guessed_ = false;        ///< whether H has been found before
  GasRungs rungs_;
  GasPulls pulls_;
  Gathering gathering_;
  double reach_ = 0;  ///< of what forces are summed over
  // between the sums of one evaluation, in the order of the tree
  DeviceArray<pos_t> energy_, gas_mass_, due_mass_, lapse_, curl_, change_, bound_low_, bound_high_;
  DeviceArray<real> places_, states_, strains_;  ///< rows, see walk/gather.h
  DeviceArray<pos_t> images_, cell_reach_;
  DeviceArray<u32> settled_, left_;
  DeviceArray<MaterialLaw> laws_;
  DeviceArray<pos_t> tables_;
};

DomainGas::DomainGas(ParticleDomain& domain, GasOptions options, Materials materials, Surroundings around)
    : domain_(domain),
      device_(domain.device()),
      p_(domain.particles()),
      options_(std::move(options)),
      materials_(std::move(materials)),
      around_(std::move(around)),
      box_(around_.boundary.kind == BoundaryKind::open ? Vec3{} : around_.boundary.size),
      timer_(domain.device()),
      rungs_(domain),
      pulls_(domain),
      gathering_(domain.device()),
      laws_(domain.device()),
      tables_(domain.device()) {
  for (DeviceArray<pos_t>* a : columns()) *a = DeviceArray<pos_t>(device_);
  for (DeviceArray<pos_t>* a : {&images_, &cell_reach_}) *a = DeviceArray<pos_t>(device_);
  for (DeviceArray<real>* a : {&places_, &states_, &strains_}) *a = DeviceArray<real>(device_);
  for (DeviceArray<u32>* a : {&settled_, &left_}) *a = DeviceArray<u32>(device_);
  left_.reserve(2 * sizeof(u32));
  upload_laws(device_, materials_, laws_, tables_);
}

/// Images stand an edge of the box away, however little of it the particles take.
double DomainGas::frame_length(const KeyBox& /*cube*/) const { return *std::max_element(box_.begin(), box_.end()); }

template <class T>
T DomainGas::value_at(const DeviceArray<T>& array, std::size_t at) const {
  T value;
  device_.download(&value, array, at * sizeof(T), sizeof value);
  return value;
}

void DomainGas::load(const Particles& particles) {
  const double fall = around_.attracted ? falling_speed(particles, domain_.frame().G) : 0;
  speed_unit_ = speed_unit_of(particles, std::max(options_.sound_speed, fall));
  gas_ = static_cast<i32>(std::count(particles.family.begin(), particles.family.end(), Family::gas));
  report_ = {};
  timer_.clear();
  moment_ = {};
  guessed_ = false;
  if (p_.n == 0) return;
  std::vector<pos_t> alphas(domain_.size(), static_cast<pos_t>(options_.starting_alpha()));
  for (std::size_t i = 0; i < particles.viscosity.size(); ++i) {  // of a run that goes on otherwise
    alphas[i] = static_cast<pos_t>(std::min(particles.viscosity[i], options_.alpha));
  }
  device_.upload(p_.alpha, 0, alphas.data(), alphas.size() * sizeof(pos_t));
  if (p_.material.bytes() == 0) return;
  std::vector<u32> places(domain_.size(), 0);
  for (std::size_t i = 0; i < places.size() && !particles.material.empty(); ++i) {
    if (particles.family[i] != Family::gas) continue;
    places[i] = static_cast<u32>(materials_.place_of(static_cast<int>(particles.material[i])));
  }
  device_.upload(p_.material, 0, places.data(), places.size() * sizeof(u32));
}

GasRule DomainGas::rule() const {
  GasRule r{};
  r.law = {static_cast<i32>(options_.eos), static_cast<pos_t>(options_.gamma),
           static_cast<pos_t>(options_.sound_speed * options_.sound_speed), static_cast<pos_t>(options_.constant),
           static_cast<pos_t>(options_.critical_density)};
  r.shape = static_cast<i32>(options_.kernel);
  r.viscosity = static_cast<i32>(options_.viscosity);
  r.pulls = around_.attracted ? 1 : 0;
  r.blocks = around_.blocks ? 1 : 0;
  r.reconstructs = options_.reconstructs() ? 1 : 0;
  r.mixes = p_.material.bytes() > 0 ? 1 : 0;
  r.norm = kernel_constant(r.shape);
  if (options_.bias_correction) {
    r.excess = static_cast<pos_t>(own_excess(options_.kernel, options_.effective_neighbours())) *
               kernel_value(r.shape, static_cast<pos_t>(0));
  }
  r.crowd = static_cast<pos_t>(3 * options_.effective_neighbours() / (4 * std::acos(-1.0)));
  // H is known to a rounding of the sums
  r.tolerance = static_cast<pos_t>(std::max(options_.tolerance, 16.0 * std::numeric_limits<real>::epsilon()));
  r.least = least_;
  r.most = most_;
  r.alpha = static_cast<pos_t>(options_.alpha);
  r.alpha_min = static_cast<pos_t>(options_.alpha_min);
  r.beta = static_cast<real>(options_.beta);
  r.conductivity = static_cast<real>(options_.conductivity);
  r.spacing = static_cast<real>(std::cbrt(1 / static_cast<double>(r.crowd)));
  r.since = static_cast<pos_t>(moment_.since);
  r.step = static_cast<pos_t>(moment_.step);
  r.mass_unit = static_cast<pos_t>(1 / domain_.frame().mass);
  r.length_unit = static_cast<pos_t>(domain_.frame().length);
  r.speed_unit = speed_unit_;
  return r;
}

void DomainGas::reserve_sums() {
  const std::size_t values = domain_.size() * sizeof(pos_t), words = domain_.size() * sizeof(u32);
  for (DeviceArray<pos_t>* a : columns()) a->reserve(values);
  places_.reserve(domain_.size() * HB_PLACE_ROW * sizeof(real));
  states_.reserve(domain_.size() * HB_STATE_ROW * sizeof(real));
  if (options_.reconstructs()) strains_.reserve(domain_.size() * HB_STRAIN_ROW * sizeof(real));
  settled_.reserve(words);
}

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
GatherTargets DomainGas::targets(u32 due) const { return {due, options_.effective_neighbours(), due_groups()}; }

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
    device_.download(left, left_, 0, sizeof left);
    report_.at_limits += left[1];
  }
  report_.largest_h = reach_ = static_cast<double>(find_largest(points, p_.smooth));
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

void DomainGas::evaluate() {
  if (p_.n == 0 || gas_ == 0) return;
  const StageTimer::Scope timed(domain_.timer(), &StageSeconds::gas);
  const PairPoints points(domain_);
  ++report_.evaluations;
  reserve_sums();
  bound_smooth(points);
  if (!guessed_) guess(points);
  guessed_ = true;
  using Sum = SecondsTimer<GasSumSeconds>::Scope;
  timer_.trim();
  const u32 due = predict();
  {
    const Sum sum(timer_, &GasSumSeconds::density);
    find_smooth(points, due);
  }
  find_terms();
  const Sum sum(timer_, &GasSumSeconds::forces);
  if (options_.adapts()) find_pulls(points, due);
  if (around_.blocks) rungs_.keep_falls(due_mass_);
  find_forces(points, due);
}

/// Accelerations of all that acts, which predict velocities until the next evaluation.
bool DomainGas::finish() {
  if (p_.n == 0) return false;
  const StageTimer::Scope timed(domain_.timer(), &StageSeconds::gas);
  if (moment_.block) rungs_.keep_accelerations(clock_of(*moment_.block));
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

/// Energies below 0 refuse the step where they are heat.
bool DomainGas::kick_energies(const Kick& kick, bool begins) {
  std::uint64_t below = 0;
  if (kick.block) {
    below = rungs_.step_energies(clock_of(*kick.block), begins);
  } else if (gas_ > 0 && options_.has_energy()) {
    below = rungs_.kick_energies(kick.length);
  }
  return below == 0 || !options_.is_heat();
}

StepWords DomainGas::step_words() const {
  return {"gas", "loses more internal energy than it has",
          "check for gas particles at one position, or for masses, velocities or energies that are too large"};
}

/// Of gas whose gravity, too, is finite.
std::optional<Cause> DomainGas::cause(const Particles& particles, std::size_t i) const {
  if (particles.family[i] != Family::gas) return {};
  return Cause{"gravity is finite there, but sums over the gas are not",
               "check for gas whose energies, masses or lengths differ much from all others, or take precision double "
               "or other units"};
}

double DomainGas::step_limit() {
  if (p_.n == 0 || gas_ == 0) return std::numeric_limits<double>::infinity();
  rungs_.ask(options_, 1);
  const StageTimer::Scope timed(domain_.timer(), &StageSeconds::gas);
  return 1 / static_cast<double>(find_largest(PairPoints(domain_), p_.asked));
}

void DomainGas::limit_rungs(const BlockMoment& block, int deeper, RungCensus& census) {
  if (p_.n == 0 || gas_ == 0) return;
  const StageTimer::Scope timed(domain_.timer(), &StageSeconds::gas);
  const PairPoints points(domain_);
  reserve_sums();
  const GasRungs::Gas gas{points, images_, cell_reach_, find_images(report_.largest_h).size(), gas_mass_, due_mass_};
  if (deeper > 0) return rungs_.deepen(clock_of(block), deeper, gas, census);
  if (options_.limiter) report_.woken += rungs_.limit(clock_of(block), gas, due_groups(), census);
}

/// What the free energy of gas has beyond the internal energy. Particles are summed in parts, and these in order, so
/// that the number of threads changes nothing.
void DomainGas::add_energies(Energies& energies) {
  if (p_.n == 0 || gas_ == 0 || !has_free_energy(options_)) return;
  std::vector<pos_t> density(domain_.size());
  std::vector<real> mass(domain_.size());
  device_.download(density.data(), p_.density, 0, density.size() * sizeof(pos_t));
  device_.download(mass.data(), p_.mass, 0, mass.size() * sizeof(real));
  constexpr std::size_t part = 1U << 14U;
  std::vector<double> sums((density.size() + part - 1) / part, 0);
#pragma omp parallel for schedule(static)
  for (std::size_t k = 0; k < sums.size(); ++k) {
    for (std::size_t i = k * part; i < std::min((k + 1) * part, density.size()); ++i) {
      if (!(density[i] > 0)) continue;
      const double own_mass = static_cast<double>(mass[i]) / domain_.frame().mass;
      sums[k] += own_mass * free_energy_beyond(options_, static_cast<double>(density[i]));
    }
  }
  for (const double sum : sums) energies.thermal += sum;
}

Bytes DomainGas::bytes() const {
  Bytes sum;
  for (const Buffer* b : std::initializer_list<const Buffer*>{
           &energy_, &gas_mass_, &due_mass_, &lapse_, &curl_, &change_, &bound_low_, &bound_high_, &places_, &states_,
           &strains_, &images_, &cell_reach_, &settled_, &left_, &laws_, &tables_}) {
    sum.scratch += b->bytes();
  }
  sum.scratch += rungs_.bytes() + pulls_.bytes() + gathering_.bytes();
  return sum;
}

}  // namespace

/// As DomainGas::reserve_sums(), GasPulls and GasRungs reserve, and what load() makes on its way.
memory::Need domain_gas_host_need(const Holding& holding) {
  if (!holding.gas) return {};
  const int rows = HB_PLACE_ROW + HB_STATE_ROW + (holding.strained ? HB_STRAIN_ROW : 0);
  const double sums = static_cast<double>(columns_of_sums * sizeof(pos_t) + rows * sizeof(real) + sizeof(u32));
  const double more = (holding.softened ? sizeof(pos_t) : 0) + (holding.rungs ? sizeof(u32) : 0);
  return {{"sums of gas", sums + more}};
}

std::unique_ptr<Gas> make_domain_gas(Domain& domain, const GasOptions& options, const Materials& materials,
                                     const Surroundings& around) {
  return std::make_unique<DomainGas>(static_cast<ParticleDomain&>(domain), options, materials, around);
}

HB_CLOSE
