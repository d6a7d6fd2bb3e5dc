// SPDX-License-Identifier: Apache-2.0
// Gas on a domain as a module: what happens in an evaluation and a step, see domain_gas.h. Compiled once a precision
// (HB_PRECISION).
#include "interactions/sph/domain_gas.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <utility>

#include "core/falling_speed.h"
#include "interactions/sph/gas_speeds.h"
#include "interactions/sph/gas_state.h"
#include "interactions/sph/kernels/launches.h"

HB_OPEN

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
  share_ = PairShare(device_, points.tree().groups(), p_.n, due);
  {
    const Sum sum(timer_, &GasSumSeconds::density);
    find_smooth(points, due);
  }
  find_terms();
  const Sum sum(timer_, &GasSumSeconds::forces);
  if (options_.adapts()) find_pulls(points, due);
  if (around_.blocks) rungs_.keep_falls(due_mass_);
  find_forces(points, due);
  exchange_forces();
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

void DomainGas::predict(Particles& copy, const Particles& saved, const std::vector<double>& since, double step) const {
  predict_gas(copy, saved, since, step);
}

void DomainGas::describe(Particles& snapshot) const { add_gas_state(snapshot, materials_, around_.units); }

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
