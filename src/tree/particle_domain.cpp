// SPDX-License-Identifier: Apache-2.0
// The particles' path to cells, and those that leave. Loading and storing: particle_domain_host.cpp. Compiled once a
// precision (HB_PRECISION).
#include "tree/particle_domain.h"

#include <algorithm>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include "hornbeam/error.h"
#include "memory/room.h"
#include "physics/expansion.h"
#include "tree/frame.h"
#include "tree/host/host_need.h"
#include "tree/sample.h"

HB_OPEN

ParticleDomain::ParticleDomain(Device& device)
    : device_(device),
      timer_(device),
      p_(device),
      remembered_(device),
      tree_(make_tree(device)),
      targets_(make_target_set(device)) {}

/// Room for what is loaded; what evaluations and steps leave comes later.
void ParticleDomain::reserve(const Holding& holding) {
  const auto reserve_row = [&](const StoreRow& row, Buffer& array) {
    if (is_loaded(row.held, holding)) {
      array.reserve(size() * row.bytes);
    } else {
      array.release();
    }
  };
  for_each_array_of(reserve_row, p_);
}

/// What every load begins with: room for n particles, which are numbered and have no accelerations yet.
void ParticleDomain::begin_load(std::size_t n, const DomainOptions& options, const Holding& holding) {
  options_ = options;
  remembered_ = DeviceParticles(device_);
  const bool keeps_soft2 = n == size() && !holding.own_eps && p_.eps.bytes() == 0;
  if (!keeps_soft2) p_.soft2_unit = 0;
  p_.n = static_cast<i32>(n);
  frame_.G = options.G;
  reserve(holding);
  if (p_.n == 0) return;
  for (const Buffer& b : p_.acc) device_.clear(b, size() * sizeof(real));
  device_.launch(kernels::number_items{.n = p_.n, .numbers = p_.input}, plain_variant, p_.n);
}

/// The particles' total is about 1, unless what attracts them is far above it, as it is for tracers.
void ParticleDomain::choose_scales(double total, double extent) {
  largest_ = extent;
  constexpr double usual = 0x1p60;
  p_.eps_unit = extent > 1 / usual && extent < usual ? 1.0 : 1 / power_of_two_over(extent, 0);
  constexpr double far_above = 0x1p40;
  double strongest = 0;
  for (const FrameUser* user : users_) strongest = std::max(strongest, user->frame_mass(extent));
  frame_.mass = power_of_two_over(std::max(total, strongest / far_above), 0);
}

/// Accelerations and potentials go with the unit, by powers of two, which change no digits: by factor after factor, as
/// their product may be out of the range that the values are in.
/// Unless they are softened by more; devices may take the least numbers for 0.
void ParticleDomain::refuse_lost_lengths() const {
  const bool small = frame_.cube.extent > 0 && frame_.cube.extent < least_extent;
  const bool lost = p_.n > 1 && largest_ > 0 && largest_ < std::numeric_limits<pos_t>::min();
  if (!small && !lost) return;
  const auto softens = [](const FrameUser* user) { return user->frame_length({{}, least_extent}) > 0; };
  if (std::any_of(users_.begin(), users_.end(), softens)) return;
  throw Error("positions", "differ by less than precision " + std::string(name(this_precision)) + " resolves",
              "give lengths in smaller units, or a softening");
}

KeyBox ParticleDomain::cube() const {
  return {{static_cast<double>(frame_.cube.x), static_cast<double>(frame_.cube.y), static_cast<double>(frame_.cube.z)},
          static_cast<double>(frame_.cube.edge)};
}

void ParticleDomain::choose_length() {
  const KeyBox box = cube();
  double demanded = box.edge;
  for (const FrameUser* user : users_) demanded = std::max(demanded, user->frame_length(box));
  const double length = frame_unit(frame_.cube, demanded);
  const double before = std::exchange(frame_.length, length);
  if (length == before) return;
  const auto scale = [&](const DeviceArray<real>& values, i32 times) {
    if (values.bytes() == 0) return;
    device_.launch(
        kernels::scale_reals{.values = values, .factor = static_cast<real>(before / length), .times = times, .n = p_.n},
        plain_variant, p_.n);
  };
  for (int k = 0; k < 3; ++k) {
    for (const DeviceArray<real>* values : {&p_.acc[k], &p_.before[k], &p_.earlier[k], &p_.fall[k]}) scale(*values, 2);
  }
  scale(p_.acc[3], 1);
  scale(p_.last, 2);
}

void ParticleDomain::build() {
  timer_.trim();
  if (p_.n == 0) return;
  const i32 curve = options_.curve == Curve::hilbert ? HB_CURVE_HILBERT : HB_CURVE_MORTON;
  const auto timed = [&](StageTimer::Stage stage, const auto& act) {
    const StageTimer::Scope scope(timer_, stage);
    act();
  };
  timed(&StageSeconds::bound, [&] {
    frame_.cube = tree_->bound(p_);
    refuse_lost_lengths();
    choose_length();
  });
  timed(&StageSeconds::key, [&] {
    if (!tree_->has_room(p_.n)) {
      tree_->release_cells();
      targets_->release();
      for (FrameUser* user : users_) user->make_room();
    }
    tree_->make_keys(p_, frame_.cube, curve);
  });
  timed(&StageSeconds::sort, [&] { tree_->sort(p_.n); });
  timed(&StageSeconds::reorder, [&] { tree_->reorder(p_); });
  timed(&StageSeconds::build, [&] {
    const i32 stride = HB_MOMENT_STRIDE(std::max(options_.moment_order, tree_->least_moment_order()));
    const TreePlan plan{options_.leaf_size, stride, {.size = options_.group_size}, options_.direct};
    tree_->build(p_, frame_.cube, curve, plan);
  });
  timed(&StageSeconds::reorder, [&] { tree_->reorder_rest(p_); });
}

void ParticleDomain::take_all() { targets_->take_all(p_, *tree_); }

void ParticleDomain::take_due(int least) {
  const StageTimer::Scope timed(timer_, &StageSeconds::walk);
  if (p_.n > 0) targets_->take_due(p_, *tree_, least);
}

/// values becomes values[from[0 .. count)].
template <class Launch, class T>
void ParticleDomain::keep(DeviceArray<T>& values, const DeviceArray<u32>& from, i32 count) {
  DeviceArray<T> left(device_);
  left.reserve(static_cast<std::size_t>(count) * sizeof(T));
  device_.launch(Launch{.from = values, .place = from, .n = count, .to = left}, plain_variant, count);
  values.swap(left);
}

std::size_t ParticleDomain::take_out(const Departing& departing) {
  if (p_.n == 0 || p_.gone.bytes() == 0) return 0;
  DeviceArray<u32> kept(device_), kept_on_input(device_), from(device_);
  for (DeviceArray<u32>* marks : {&kept, &kept_on_input}) marks->reserve((size() + 1) * sizeof(u32));
  device_.launch(
      kernels::mark_kept{.input = p_.input, .n = p_.n, .gone = p_.gone, .kept = kept, .kept_on_input = kept_on_input},
      plain_variant, p_.n + 1);
  device_.exclusive_scan(kept, p_.n + 1);
  u32 left = 0;
  device_.download(&left, kept, size() * sizeof left, sizeof left);
  const std::size_t gone = size() - left;
  if (gone == 0) return 0;
  if (departing) {
    if (const std::vector<Departure> outside = departures(); !outside.empty()) departing(outside);
  }
  device_.clear(p_.gone, size() * sizeof(u32));
  from.reserve(std::max<std::size_t>(left, 1) * sizeof(u32));
  device_.launch(kernels::list_marks{.sums = kept, .count = p_.n, .list = from.as<i32>()}, plain_variant, p_.n);
  const auto count = static_cast<i32>(left);
  const auto keep_row = [&](const StoreRow& row, auto& array) {
    if (array.bytes() == 0 || left == 0 || row.held == Held::leaving) return;
    using Values = std::decay_t<decltype(array)>;
    if constexpr (std::is_same_v<Values, DeviceArray<pos_t>>) {
      keep<kernels::gather_positions>(array, from, count);
    } else if constexpr (std::is_same_v<Values, DeviceArray<real>>) {
      keep<kernels::gather_reals>(array, from, count);
    } else {
      keep<kernels::gather_words>(array, from, count);
    }
  };
  for_each_array_of(keep_row, p_);
  if (left > 0) {
    keep<kernels::gather_words>(p_.origin, from, count);
    device_.exclusive_scan(kept_on_input, p_.n + 1);
    device_.launch(kernels::gather_words{.from = kept_on_input, .place = p_.input, .n = count, .to = from},
                   plain_variant, count);
    p_.input.swap(from);
  }
  p_.n = count;
  return gone;
}

std::vector<Motion> ParticleDomain::motions(const std::vector<std::size_t>& which) {
  if (p_.n == 0 || which.empty()) return {};
  const StageTimer::Scope timed(timer_, &StageSeconds::transfer);
  return Sample(device_, p_, which).motions();
}

void ParticleDomain::remember() {
  const double needed = copy_margin * static_cast<double>(p_.bytes()), free = static_cast<double>(device_.free_bytes());
  if (remembered_.bytes() == 0 && free < needed) {
    const bool is_shared_gas = p_.smooth.bytes() > 0 && p_.rung.bytes() == 0;  // which has no steps without a copy
    throw Error("memory",
                "the copy of the particles for a repeated step needs " + memory::shown_bytes(needed) + ", and " +
                    memory::shown_bytes(free) + " are free on " + device_.description(),
                is_shared_gas ? "use fewer particles" : "use fewer particles, or time.steps = shared");
  }
  remembered_.copy(p_, device_);
  remembered_length_ = frame_.length;
}

void ParticleDomain::go_back() {
  p_.copy(remembered_, device_);
  frame_.length = remembered_length_;
}

Bytes ParticleDomain::bytes() const {
  return {p_.bytes() + remembered_.bytes(), tree_->tree_bytes(), tree_->scratch_bytes() + targets_->bytes()};
}

std::unique_ptr<Domain> make_particle_domain(Device& device) { return std::make_unique<ParticleDomain>(device); }

HB_CLOSE
