// SPDX-License-Identifier: Apache-2.0
// From bodies that meet to what becomes of them, on a domain: one walk finds the pairs, a sort gives them their turns,
// and they collide in that order, on devices in rounds. Compiled once a precision (HB_PRECISION).
#include <algorithm>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include "hornbeam/error.h"
#include "interactions/collisions/bodies.h"
#include "interactions/collisions/collision_module.h"
#include "interactions/pair_sources.h"
#include "tree/device/device_sums.h"

HB_OPEN
namespace {

/// One of a list of pairs in the order in which they collide.
struct Turn {
  u64 turn;
  i32 pair;
};
/// Bytes of a pair on the CPU: two bodies, the image of one, and its turn.
constexpr double pair_bytes = 2 * sizeof(u32) + sizeof(i32) + sizeof(Turn);

class DomainCollisions final : public Collisions {
 public:
  DomainCollisions(ParticleDomain& domain, const CollisionOptions& options, CollisionTotals totals);
  void resolve(const CollisionStep& step) override;
  [[nodiscard]] CollisionTotals totals() const override { return totals_; }
  [[nodiscard]] const std::vector<IndexPair>& met() const override { return met_; }
  [[nodiscard]] Bytes bytes() const override;

 private:
  [[nodiscard]] BodyArrays bodies() const;
  void sweep(const CollisionStep& step);
  void demand_one_box(const Vec3& periods);
  [[nodiscard]] i32 find_all_pairs(const PairPoints& points, std::size_t images);
  [[nodiscard]] u32 find_pairs(const PairPoints& points, std::size_t images);
  void take_met(i32 pairs);
  void resolve_in_turn(i32 pairs);
  void resolve_in_rounds(i32 pairs);
  void collide_in_rounds(i32 pairs);
  void make_room(std::size_t pairs);

  ParticleDomain& domain_;
  Device& device_;
  DeviceParticles& p_;
  bool sweeps_, halts_;
  CollisionRule rule_{};
  DeviceArray<pos_t> speeds_, coefficients_, images_, cell_reach_, reach_, since_;
  DeviceArray<u32> found_, first_, second_, place_;
  DeviceArray<i32> in_image_;
  u32 room_ = 0;
  // of pairs in their turn
  DeviceArray<u64> turn_, spare_turn_;
  DeviceArray<u32> order_, spare_order_, waiting_, later_, collided_, claim_, left_;
  DeviceArray<pos_t> flux_, sums_;
  CollisionTotals totals_;
  std::vector<IndexPair> met_;
};

DomainCollisions::DomainCollisions(ParticleDomain& domain, const CollisionOptions& options, CollisionTotals totals)
    : domain_(domain),
      device_(domain.device()),
      p_(domain.particles()),
      sweeps_(options.detection == Detection::swept),
      halts_(options.law == CollisionLaw::halt),
      speeds_(device_),
      coefficients_(device_),
      images_(device_),
      cell_reach_(device_),
      reach_(device_),
      since_(device_),
      found_(device_),
      first_(device_),
      second_(device_),
      place_(device_),
      in_image_(device_),
      turn_(device_),
      spare_turn_(device_),
      order_(device_),
      spare_order_(device_),
      waiting_(device_),
      later_(device_),
      collided_(device_),
      claim_(device_),
      left_(device_),
      flux_(device_),
      sums_(device_),
      totals_(std::move(totals)) {
  const RestitutionTable table = table_of(options);
  upload_all(device_, speeds_, std::vector<pos_t>(table.speeds.begin(), table.speeds.end()));
  upload_all(device_, coefficients_, std::vector<pos_t>(table.coefficients.begin(), table.coefficients.end()));
  rule_.points = static_cast<i32>(table.speeds.size());
  rule_.merges = options.law == CollisionLaw::merge ? 1 : 0;
  rule_.least = static_cast<pos_t>(options.minimum_velocity);
  rule_.lost_slip = static_cast<pos_t>(options.bounce() ? 1 - options.tangential_restitution : 0);
  rule_.friction = static_cast<pos_t>(options.friction.value_or(-1));
  found_.reserve(sizeof(u32));
  left_.reserve(sizeof(u32));
}

void DomainCollisions::make_room(std::size_t pairs) {
  if (device_.is_host()) {
    memory::demand_now(domain_.size(),
                       {{"their " + std::to_string(pairs) + " pairs", 0, pair_bytes * static_cast<double>(pairs)}},
                       static_cast<double>(first_.bytes() + second_.bytes() + in_image_.bytes()));
  }
  first_.reserve(pairs * sizeof(u32));
  second_.reserve(pairs * sizeof(u32));
  in_image_.reserve(pairs * sizeof(i32));
  room_ = static_cast<u32>(first_.bytes() / sizeof(u32));
}

BodyArrays DomainCollisions::bodies() const {
  return {.x = p_.x[0],
          .y = p_.x[1],
          .z = p_.x[2],
          .vx = p_.v[0],
          .vy = p_.v[1],
          .vz = p_.v[2],
          .spin_x = p_.spin[0],
          .spin_y = p_.spin[1],
          .spin_z = p_.spin[2],
          .mass = p_.body_mass,
          .radius = p_.radius,
          .pull = p_.mass,
          .gone = p_.gone,
          .since = sweeps_ ? &since_ : nullptr};
}

/// How far each may have come within the step, beside neighbours that move with the shear as it does.
void DomainCollisions::sweep(const CollisionStep& step) {
  rule_.time = static_cast<pos_t>(step.length);
  reach_.reserve(domain_.size() * sizeof(pos_t));
  since_.reserve(domain_.size() * sizeof(pos_t));
  constexpr double rounding = 1e-9;
  const double shear = 1.5 * step.omega;
  device_.launch(kernels::sweep_bodies{.x = p_.x[0],
                                       .velocity = p_.v,
                                       .radius = p_.radius,
                                       .n = p_.n,
                                       .time = rule_.time,
                                       .shear = static_cast<pos_t>(shear),
                                       .widened = static_cast<pos_t>((1 + rounding) / (1 - shear * step.length)),
                                       .reach = reach_,
                                       .since = since_},
                 plain_variant, p_.n);
}

/// Images beyond the neighbouring boxes are not looked through.
void DomainCollisions::demand_one_box(const Vec3& periods) {
  pos_t largest = 0;
  device_.download(&largest, cell_reach_, 0, sizeof largest);  // that of the root
  for (const double period : periods) {
    if (period == 0 || 2 * static_cast<double>(largest) <= period) continue;
    if (sweeps_)
      throw Error("collisions", "a body moves more than half the box within a step", "take a shorter time.dt");
    throw Error("collisions", "a body has grown larger than the box", "end the run before, or take a larger box");
  }
}

u32 DomainCollisions::find_pairs(const PairPoints& points, std::size_t images) {
  u32 found = 0;
  device_.clear(found_, sizeof found);
  const DeviceArray<pos_t>& reach = sweeps_ ? reach_ : p_.radius;
  launch_pairs<kernels::colliding_of_groups, kernels::colliding_of_each>(
      points, points, true, points.pairs(points, std::numeric_limits<pos_t>::infinity(), images),
      CollidingOptions{room_, rule_.time},
      CollidingArrays{.pairs = points.arrays(points, images_, nullptr, &cell_reach_),
                      .extent = reach,
                      .target_extent = reach,
                      .radius = p_.radius,
                      .vx = p_.v[0],
                      .vy = p_.v[1],
                      .vz = p_.v[2],
                      .found = found_,
                      .pair_first = first_,
                      .pair_second = second_,
                      .in_image = in_image_});
  device_.download(&found, found_, 0, sizeof found);
  return found;
}

/// Once more where there was no room for all.
i32 DomainCollisions::find_all_pairs(const PairPoints& points, std::size_t images) {
  if (room_ == 0) make_room(std::max<std::size_t>(1024, domain_.size() / 2));
  u32 found = find_pairs(points, images);
  constexpr u32 most_pairs = u32{1} << 30;
  if (found > most_pairs) {
    throw Error("collisions", std::to_string(found) + " pairs of bodies touch, more than 2^30",
                "begin with bodies that do not lie in one another");
  }
  if (found > room_) {
    make_room(found + found / 4);
    found = find_pairs(points, images);
  }
  return static_cast<i32>(found);
}

void DomainCollisions::resolve(const CollisionStep& step) {
  met_.clear();
  if (p_.n == 0) return;
  const StageTimer::Scope timed(domain_.timer(), &StageSeconds::collisions);
  rule_.mass_unit = static_cast<pos_t>(domain_.frame().mass);
  rule_.omega = static_cast<pos_t>(step.omega);
  upload_all(device_, images_, image_values(step.images));
  const PairPoints points(domain_);
  if (sweeps_) sweep(step);
  points.reach_of_cells(cell_reach_, sweeps_ ? reach_ : p_.radius);
  if (sweeps_ || rule_.merges) demand_one_box(step.periods);
  const i32 pairs = find_all_pairs(points, step.images.size());
  if (pairs == 0) return;
  if (halts_) return take_met(pairs);
  place_.reserve(domain_.size() * sizeof(u32));
  device_.launch(kernels::invert_order{.from = p_.input, .n = p_.n, .to = place_}, plain_variant, p_.n);
  if (device_.is_host()) {
    resolve_in_turn(pairs);
  } else {
    resolve_in_rounds(pairs);
  }
}

/// Takes the pairs that were found to the host, in order. A pair may touch in several images of a box.
void DomainCollisions::take_met(i32 pairs) {
  std::vector<u32> first(static_cast<std::size_t>(pairs)), second(first.size());
  download_all(device_, first, first_);
  download_all(device_, second, second_);
  for (std::size_t k = 0; k < first.size(); ++k) met_.push_back({first[k], second[k]});
  std::sort(met_.begin(), met_.end());
  met_.erase(std::unique(met_.begin(), met_.end()), met_.end());
  totals_.number += static_cast<std::uint64_t>(pairs);
}

void DomainCollisions::resolve_in_turn(i32 pairs) {
  const BodyArrays arrays = bodies();
  BodiesView view{};
#define HB_HAND(type, field) view.field = static_cast<type*>(arrays.field.handle());
  HB_BODY_FIELDS(HB_HAND)
#undef HB_HAND
  const u32 *first = host_values(first_), *second = host_values(second_), *place = host_values(place_);
  const auto image = [&](i32 k) { return host_values(images_) + host_values(in_image_)[k] * HB_IMAGE_VALUES; };
  const auto at = [&](u32 body) { return static_cast<i32>(place[body]); };
  std::vector<Turn> turns(static_cast<std::size_t>(pairs));
  for (i32 k = 0; k < pairs; ++k) {
    const u64 of_pair = turn_of_pair(first[k], second[k], host_values(in_image_)[k]);
    turns[static_cast<std::size_t>(k)] = {
        turn_of_meeting(view, at(first[k]), at(second[k]), image(k), rule_.time, of_pair), k};
  }
  std::sort(turns.begin(), turns.end(), [](const Turn& a, const Turn& b) { return a.turn < b.turn; });
  for (const Turn& t : turns) {
    pos_t flux = 0;
    const bool did = collide(view, at(first[t.pair]), at(second[t.pair]), image(t.pair), rule_, host_values(speeds_),
                             host_values(coefficients_), &flux);
    totals_.number += did ? 1 : 0;
    totals_.momentum_flux += static_cast<double>(flux);
  }
}

void DomainCollisions::resolve_in_rounds(i32 pairs) {
  const auto count = static_cast<std::size_t>(pairs);
  turn_.reserve(count * sizeof(u64));
  spare_turn_.reserve(turn_.bytes());
  order_.reserve(count * sizeof(u32));
  spare_order_.reserve(order_.bytes());
  for (DeviceArray<u32>* of_turns : {&waiting_, &later_, &collided_}) of_turns->reserve(count * sizeof(u32));
  flux_.reserve(count * sizeof(pos_t));
  claim_.reserve(domain_.size() * sizeof(u32));
  device_.launch(kernels::rank_collisions{.first = first_,
                                          .second = second_,
                                          .in_image = in_image_,
                                          .place = place_,
                                          .pairs = pairs,
                                          .time = rule_.time,
                                          .images = images_,
                                          .bodies = bodies(),
                                          .turn = turn_,
                                          .order = order_,
                                          .waiting = waiting_},
                 plain_variant, pairs);
  device_.sort_pairs(turn_, spare_turn_, order_, spare_order_, pairs, 0, 64);
  collide_in_rounds(pairs);
  const i32 blocks = sum_blocks(pairs);
  sums_.reserve(2 * static_cast<std::size_t>(blocks) * sizeof(pos_t));
  device_.launch(
      kernels::sum_collisions{.flux = flux_, .collided = collided_, .pairs = pairs, .blocks = blocks, .sums = sums_},
      plain_variant, static_cast<i64>(blocks) * HB_BLOCK);
  std::vector<pos_t> sums(2 * static_cast<std::size_t>(blocks));
  download_all(device_, sums, sums_);
  for (std::size_t b = 0; b < sums.size(); b += 2) {
    totals_.momentum_flux += static_cast<double>(sums[b]);
    totals_.number += static_cast<std::uint64_t>(sums[b + 1]);
  }
}

void DomainCollisions::collide_in_rounds(i32 pairs) {
  auto left = static_cast<u32>(pairs);
  const auto launch_for_bodies = [&]<class Launch>(std::type_identity<Launch>, const auto&... more) {
    device_.launch(Launch{first_, second_, place_, order_, waiting_, static_cast<i32>(left), claim_, more...},
                   plain_variant, left);
  };
  const auto launch_collisions = [&]<class Launch>(std::type_identity<Launch>, i64 items, const auto&... lists) {
    device_.launch(Launch{first_, second_, in_image_, place_, order_, waiting_, static_cast<i32>(left), claim_, images_,
                          rule_, speeds_, coefficients_, bodies(), collided_, flux_, lists...},
                   plain_variant, items);
  };
  launch_for_bodies(std::type_identity<kernels::free_bodies>{});
  while (left > HB_LAST_PAIRS) {
    device_.clear(left_, sizeof left);
    launch_for_bodies(std::type_identity<kernels::claim_bodies>{}, p_.gone);
    launch_collisions(std::type_identity<kernels::collide_bodies>{}, left, later_, left_);
    waiting_.swap(later_);
    device_.download(&left, left_, 0, sizeof left);
  }
  if (left > 0) launch_collisions(std::type_identity<kernels::collide_the_last>{}, HB_BLOCK);
}

Bytes DomainCollisions::bytes() const {
  Bytes sum;
  for (const Buffer* b : std::initializer_list<const Buffer*>{
           &speeds_, &coefficients_, &images_,   &cell_reach_, &reach_,      &since_, &found_,       &first_,
           &second_, &place_,        &in_image_, &turn_,       &spare_turn_, &order_, &spare_order_, &waiting_,
           &later_,  &collided_,     &claim_,    &left_,       &flux_,       &sums_}) {
    sum.scratch += b->bytes();
  }
  return sum;
}

}  // namespace

memory::Need domain_collisions_host_need(const Holding& holding) {
  if (!holding.bodies) return {};
  constexpr double swept = 2 * sizeof(pos_t);
  return {{"pairs that collide", pair_bytes / 2 + sizeof(u32) + swept}};
}

std::unique_ptr<Collisions> make_domain_collisions(Domain& domain, const CollisionOptions& options,
                                                   const CollisionTotals& totals) {
  return std::make_unique<DomainCollisions>(static_cast<ParticleDomain&>(domain), options, totals);
}

HB_CLOSE
