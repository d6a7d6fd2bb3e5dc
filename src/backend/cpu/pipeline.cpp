// SPDX-License-Identifier: Apache-2.0
// The particle's path on the CPU, from load to store. Compiled once a precision (HB_PRECISION).
#include "backend/cpu/pipeline.h"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <new>

#include "backend/cpu/kernels.h"
#include "backend/cpu/tree.h"
#include "backend/evaluation.h"
#include "backend/timed.h"
#include "hornbeam/error.h"
#include "physics/expansion.h"
#include "stages/kick_drift.h"

HB_OPEN
namespace {

/// Particles summed before the sums are combined, in order: energies do not depend on the number of threads.
constexpr i32 energy_block = 4096;

template <class T>
std::uint64_t bytes_of(const Array<T>& v) {
  return v.capacity() * sizeof(T);
}

class Pipeline final : public Backend {
 public:
  Pipeline(InstructionSet isa, int threads, std::string device)
      : kernels_(kernels_of(isa)), threads_(threads), device_(std::move(device)) {}

  [[nodiscard]] std::string name() const override { return "cpu"; }
  [[nodiscard]] std::string device() const override { return device_; }
  [[nodiscard]] int threads() const override { return threads_; }
  [[nodiscard]] const GravityOptions& options() const override { return options_; }
  [[nodiscard]] const StageSeconds& seconds() const override { return seconds_; }
  [[nodiscard]] Interactions interactions() const override { return interactions_; }
  [[nodiscard]] Bytes bytes() const override;

  void admit(u64 n, const GravityOptions& options) override;
  void load(const Particles& particles, const GravityOptions& options) override;
  void build_tree() override;
  void walk() override;
  void kick(double dt) override;
  void drift(double dt) override;
  Energies energies() override;
  void store(Particles& particles) override;
  void restore(const Particles& particles) override;
  ForceSample sample(const std::vector<std::size_t>& which) override;

 private:
  void bound();
  void key();
  void reorder();
  void moments(Mac mac);
  void walk_once();
  void remember_accelerations();
  const u32* input_order();
  template <class T>
  void reorder_array(Array<T>& values, Array<T>& scratch);
  [[nodiscard]] WalkOptions walk_options(Mac mac) const;
  [[nodiscard]] ParticlesView view() const {
    return {x_[0].data(), x_[1].data(), x_[2].data(), mass_.data(), soft2_.data()};
  }
  [[nodiscard]] i32 n() const { return static_cast<i32>(input_.size()); }
  /// User's acceleration and potential per internal one.
  [[nodiscard]] double acceleration_unit() const { return options_.G * unit_ * unit_ / mass_unit_; }
  [[nodiscard]] double potential_unit() const { return options_.G * unit_ / mass_unit_; }

  const Kernels& kernels_;
  int threads_;
  std::string device_;
  GravityOptions options_;
  StageSeconds seconds_;
  Interactions interactions_;

  // particles, in the order of the last sort
  Array<pos_t> x_[3], v_[3];
  Array<real> mass_, soft2_, eps_;  ///< eps_ only where particles differ; in the user's units
  Array<real> acc_[4], last_;       ///< last_: |a| for the relative criterion
  Array<u32> input_;                ///< index on input
  Array<u32> order_;                ///< see input_order()
  double eps_for_all_ = 0;

  KeyCube cube_{};
  double unit_ = 1, mass_unit_ = 1;
  Array<SortEntry> entries_, sort_scratch_;
  Array<pos_t> pos_scratch_;  ///< kept from step to step, as is the next
  Array<real> real_scratch_;
  Array<u64> keys_;
  Tree tree_;
};

void Pipeline::admit(u64 n, const GravityOptions&) {
  if (n > (u64{1} << 30)) {
    throw Error("particles", std::to_string(n) + " are more than one CPU run holds, 2^30", "use fewer");
  }
}

void Pipeline::load(const Particles& particles, const GravityOptions& options) {
  omp_set_num_threads(threads_);
  options.validate();
  if (options.walk == Walk::vote) {
    throw UsageError("walk = vote", "is for GPUs and not built for the CPU", "use group, stackless or direct");
  }
  admit(particles.size(), options);
  seconds_ = {}, interactions_ = {};
  Timed timed(seconds_.transfer);
  options_ = options;
  if (options_.leaf_size == 0) options_.leaf_size = 16;
  if (options_.group_size == 0) options_.group_size = 128;
  const std::size_t count = particles.size();
  const std::size_t room = count + read_ahead;  // the same for all arrays, which change places when reordered
  try {
    for (int k = 0; k < 3; ++k) {
      x_[k].resize(room);
      v_[k].resize(particles.velocity.empty() ? 0 : room);
    }
    mass_.resize(room), soft2_.resize(room), input_.resize(count);
    eps_.resize(options.eps >= 0 || particles.eps.empty() ? 0 : room);
    for (auto& a : acc_) a.assign(count, 0);
  } catch (const std::bad_alloc&) {
    throw Error("memory", std::to_string(count) + " particles do not fit", "use fewer particles or a larger machine");
  }
  double total = 0;
  for (const double m : particles.mass) total += m;
  mass_unit_ = power_of_two_over(total, 0);
  eps_for_all_ = std::max(options.eps, 0.0);
  for (std::size_t i = 0; i < count; ++i) {
    for (int k = 0; k < 3; ++k) x_[k][i] = static_cast<pos_t>(particles.position[i][k]);
    mass_[i] = static_cast<real>(particles.mass[i] * mass_unit_);
    input_[i] = static_cast<u32>(i);
  }
  for (std::size_t i = 0; i < particles.velocity.size(); ++i) {
    for (int k = 0; k < 3; ++k) v_[k][i] = static_cast<pos_t>(particles.velocity[i][k]);
  }
  for (std::size_t i = 0; i < count && !eps_.empty(); ++i) eps_[i] = static_cast<real>(particles.eps[i]);
  last_.clear();
}

void Pipeline::build_tree() {
  omp_set_num_threads(threads_);
  bound();
  key();
  {
    Timed timed(seconds_.sort);
    sort_entries(entries_, sort_scratch_);
  }
  reorder();
  {
    Timed timed(seconds_.build);
    tree_.build(keys_, options_.leaf_size, walk_options(options_.mac).moment_stride);
    if (options_.walk == Walk::group) tree_.make_groups(options_.group_size, view());
    if (options_.walk == Walk::direct) tree_.make_groups(direct_group_size, view());
  }
  if (options_.walk == Walk::direct) return;
  moments(options_.mac == Mac::relative && last_.empty() ? Mac::offset : options_.mac);
}

void Pipeline::bound() {
  Timed timed(seconds_.bound);
  if (n() == 0) return;
  const pos_t* const position[3] = {x_[0].data(), x_[1].data(), x_[2].data()};
  cube_ = key_cube(position, n());
  unit_ = power_of_two_over(static_cast<double>(cube_.edge), internal_edge_exponent);
}

void Pipeline::key() {
  Timed timed(seconds_.key);
  entries_.resize(input_.size());
  const i32 curve = options_.curve == Curve::hilbert ? HB_CURVE_HILBERT : HB_CURVE_MORTON;
  kernels_.keys(x_[0].data(), x_[1].data(), x_[2].data(), input_.data(), n(), cube_, curve, entries_.data());
}

template <class T>
void Pipeline::reorder_array(Array<T>& values, Array<T>& scratch) {
  if (values.empty()) return;
  scratch.resize(values.size());
#pragma omp parallel for schedule(static)
  for (i32 i = 0; i < n(); ++i) scratch[i] = values[entries_[i].place];
  values.swap(scratch);
}

void Pipeline::reorder() {
  Timed timed(seconds_.reorder);
  keys_.resize(input_.size());
  for (int k = 0; k < 3; ++k) {
    reorder_array(x_[k], pos_scratch_);
    reorder_array(v_[k], pos_scratch_);
  }
  reorder_array(mass_, real_scratch_);
  reorder_array(eps_, real_scratch_);
  reorder_array(last_, real_scratch_);
#pragma omp parallel for schedule(static)
  for (i32 i = 0; i < n(); ++i) {
    keys_[i] = entries_[i].key;
    input_[i] = entries_[i].input;
    const double eps = (eps_.empty() ? eps_for_all_ : static_cast<double>(eps_[i])) * unit_;
    soft2_[i] = eps < least_eps ? 0 : static_cast<real>(eps * eps / 2);
  }
}

WalkOptions Pipeline::walk_options(Mac mac) const {
  WalkOptions w = evaluation_options(options_, mac, !eps_.empty(), 1);
  w.unit = static_cast<pos_t>(unit_);
  w.cells = tree_.size();
  w.particles = n();
  return w;
}

void Pipeline::moments(Mac mac) {
  Timed timed(seconds_.moments);
  tree_.compute_moments(kernels_, view(), cube_, walk_options(mac));
}

void Pipeline::walk() {
  omp_set_num_threads(threads_);
  if (options_.mac == Mac::relative && options_.walk != Walk::direct && last_.empty() && n() > 0) {
    walk_once();  // its moments are those of `offset`
    moments(Mac::relative);
  }
  walk_once();
}

void Pipeline::walk_once() {
  Timed timed(seconds_.walk);
  const bool first = options_.mac == Mac::relative && last_.empty();
  const WalkOptions options = walk_options(first ? Mac::offset : options_.mac);
  WalkArrays arrays{view(),
                    tree_.view(),
                    last_.empty() ? nullptr : last_.data(),
                    nullptr,
                    {acc_[0].data(), acc_[1].data(), acc_[2].data(), acc_[3].data()}};
  switch (options_.walk) {
    case Walk::direct:
      kernels_.sum_direct(arrays, view(), nullptr, tree_.groups().data(), static_cast<i32>(tree_.groups().size()),
                          options);
      interactions_ = {static_cast<u64>(n()) * static_cast<u64>(std::max(n() - 1, 0)), 0, 0};
      break;
    case Walk::stackless:
      if (options_.curve == Curve::none) arrays.order = input_order();
      interactions_ = kernels_.walk_stackless(arrays, options);
      break;
    default:
      interactions_ = kernels_.walk_groups(arrays, tree_.groups().data(), tree_.block_begin().data(),
                                           static_cast<i32>(tree_.block_begin().size()) - 1, options);
  }
  if (options_.mac == Mac::relative) remember_accelerations();
}

/// Places along the curve in the order of the input: what walking unsorted particles means (Nakasato 2012, Table 2).
const u32* Pipeline::input_order() {
  order_.resize(input_.size());
  for (std::size_t i = 0; i < input_.size(); ++i) order_[input_[i]] = static_cast<u32>(i);
  return order_.data();
}

void Pipeline::remember_accelerations() {
  last_.resize(input_.size() + read_ahead);
#pragma omp parallel for schedule(static)
  for (i32 i = 0; i < n(); ++i) {
    last_[i] = std::sqrt(acc_[0][i] * acc_[0][i] + acc_[1][i] * acc_[1][i] + acc_[2][i] * acc_[2][i]);
  }
}

void Pipeline::kick(double dt) {
  Timed timed(seconds_.kick_drift);
  omp_set_num_threads(threads_);
  const auto step = static_cast<pos_t>(dt * acceleration_unit());
#pragma omp parallel for schedule(static)
  for (i32 i = 0; i < n(); ++i) {
    for (int k = 0; k < 3; ++k) v_[k][i] = kicked(v_[k][i], acc_[k][i], step);
  }
}

void Pipeline::drift(double dt) {
  Timed timed(seconds_.kick_drift);
  omp_set_num_threads(threads_);
  const auto step = static_cast<pos_t>(dt);
#pragma omp parallel for schedule(static)
  for (i32 i = 0; i < n(); ++i) {
    for (int k = 0; k < 3; ++k) x_[k][i] = drifted(x_[k][i], v_[k][i], step);
  }
}

Energies Pipeline::energies() {
  Timed timed(seconds_.energy);
  omp_set_num_threads(threads_);
  const i32 blocks = (n() + energy_block - 1) / energy_block;
  std::vector<Energies> part(static_cast<std::size_t>(blocks));
#pragma omp parallel for schedule(static)
  for (i32 b = 0; b < blocks; ++b) {
    Energies e;
    for (i32 i = b * energy_block; i < std::min(n(), (b + 1) * energy_block); ++i) {
      const double m = static_cast<double>(mass_[i]) / mass_unit_;
      const double x = x_[0][i], y = x_[1][i], z = x_[2][i], vx = v_[0][i], vy = v_[1][i], vz = v_[2][i];
      e.kinetic += 0.5 * m * (vx * vx + vy * vy + vz * vz);
      e.potential += 0.5 * m * static_cast<double>(acc_[3][i]) * potential_unit();
      e.momentum[0] += m * vx, e.momentum[1] += m * vy, e.momentum[2] += m * vz;
      e.angular_momentum[0] += m * (y * vz - z * vy);
      e.angular_momentum[1] += m * (z * vx - x * vz);
      e.angular_momentum[2] += m * (x * vy - y * vx);
    }
    part[b] = e;
  }
  Energies sum;
  for (const Energies& e : part) {
    sum.kinetic += e.kinetic;
    sum.potential += e.potential;
    for (int k = 0; k < 3; ++k) {
      sum.momentum[k] += e.momentum[k];
      sum.angular_momentum[k] += e.angular_momentum[k];
    }
  }
  return sum;
}

void Pipeline::store(Particles& particles) {
  Timed timed(seconds_.transfer);
  const std::size_t count = input_.size();
  particles.acceleration.resize(count);
  particles.potential.resize(count);
  const double a_unit = acceleration_unit(), p_unit = potential_unit();
  for (std::size_t i = 0; i < count; ++i) {
    const u32 to = input_[i];
    for (int k = 0; k < 3; ++k) {
      particles.position[to][k] = static_cast<double>(x_[k][i]);
      particles.acceleration[to][k] = static_cast<double>(acc_[k][i]) * a_unit;
      if (!v_[0].empty()) particles.velocity[to][k] = static_cast<double>(v_[k][i]);
    }
    particles.potential[to] = static_cast<double>(acc_[3][i]) * p_unit;
  }
}

void Pipeline::restore(const Particles& particles) {
  Timed timed(seconds_.transfer);
  const double a_unit = acceleration_unit(), p_unit = potential_unit();
  for (std::size_t i = 0; i < input_.size(); ++i) {
    const u32 from = input_[i];
    for (int k = 0; k < 3; ++k) acc_[k][i] = static_cast<real>(particles.acceleration[from][k] / a_unit);
    acc_[3][i] = static_cast<real>(particles.potential[from] / p_unit);
  }
  if (options_.mac == Mac::relative) remember_accelerations();
}

ForceSample Pipeline::sample(const std::vector<std::size_t>& which) {
  ForceSample s;
  s.walked.resize(which.size());
  const double units[4] = {acceleration_unit(), acceleration_unit(), acceleration_unit(), potential_unit()};
  double sum[3] = {0, 0, 0}, size = 0;
  for (std::size_t i = 0; i < input_.size(); ++i) {
    const double m = static_cast<double>(mass_[i]);
    double a2 = 0;
    for (int k = 0; k < 3; ++k) {
      const double a = static_cast<double>(acc_[k][i]);
      sum[k] += m * a, a2 += a * a;
    }
    size += m * std::sqrt(a2);
    const auto found = std::lower_bound(which.begin(), which.end(), input_[i]);
    if (found == which.end() || *found != input_[i]) continue;
    auto& to = s.walked[static_cast<std::size_t>(found - which.begin())];
    for (int k = 0; k < 4; ++k) to[k] = static_cast<double>(acc_[k][i]) * units[k];
  }
  if (size > 0) s.momentum = std::sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]) / size;
  return s;
}

Bytes Pipeline::bytes() const {
  Bytes b;
  for (int k = 0; k < 3; ++k) b.particles += bytes_of(x_[k]) + bytes_of(v_[k]);
  for (const auto& a : acc_) b.particles += bytes_of(a);
  b.particles += bytes_of(mass_) + bytes_of(soft2_) + bytes_of(eps_) + bytes_of(last_) + bytes_of(input_);
  b.tree = tree_.bytes() + bytes_of(keys_);
  b.scratch = bytes_of(entries_) + bytes_of(sort_scratch_) + bytes_of(order_) + bytes_of(pos_scratch_) +
              bytes_of(real_scratch_);
  return b;
}

}  // namespace

void refuse_memory(u64 bytes) {
  throw Error("memory", std::to_string(bytes) + " more bytes are needed and not there",
              "use fewer particles, smaller groups or neighbourhoods, or a larger machine");
}

const Kernels& kernels_of(InstructionSet isa) {
#if defined(HORNBEAM_X86)
  if (isa == InstructionSet::avx512) return kernels_avx512();
  if (isa == InstructionSet::avx2) return kernels_avx2();
#endif
  (void)isa;
  return kernels_generic();
}

std::unique_ptr<Backend> make_pipeline(InstructionSet isa, int threads, const std::string& device) {
  return std::make_unique<Pipeline>(isa, threads, device);
}

HB_CLOSE
