// SPDX-License-Identifier: Apache-2.0
// From touching bodies to bounces on a domain: one walk finds the pairs, a sort gives them their turns, and they bounce
// in that order, on devices in rounds. Compiled once a precision (HB_PRECISION).
#include <algorithm>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include "hornbeam/error.h"
#include "interactions/collisions/bodies.h"
#include "interactions/collisions/collision_module.h"
#include "interactions/pair_sources.h"
#include "tree/device_sums.h"

HB_OPEN
namespace {

class DomainCollisions final : public Collisions {
 public:
  DomainCollisions(ParticleDomain& domain, const CollisionOptions& options);
  void resolve(const std::vector<SourceImage>& images) override;
  [[nodiscard]] CollisionTotals totals() const override { return totals_; }
  [[nodiscard]] Bytes bytes() const override;

 private:
  [[nodiscard]] i32 find_pairs(std::size_t images);
  [[nodiscard]] u32 find_pairs(const PairPoints& points, std::size_t images);
  void resolve_in_turn(i32 pairs);
  void resolve_in_rounds(i32 pairs);
  void bounce_in_rounds(i32 pairs);
  void make_room(std::size_t pairs);

  ParticleDomain& domain_;
  Device& device_;
  DeviceParticles& p_;
  CollisionRule rule_{};
  DeviceArray<pos_t> speeds_, coefficients_, images_, cell_reach_;
  DeviceArray<u32> found_, first_, second_, place_;
  DeviceArray<i32> in_image_;
  u32 room_ = 0;
  // of pairs in their turn
  DeviceArray<u64> turn_, spare_turn_;
  DeviceArray<u32> order_, spare_order_, bounced_, claim_, left_;
  DeviceArray<pos_t> flux_, sums_;
  CollisionTotals totals_;
};

DomainCollisions::DomainCollisions(ParticleDomain& domain, const CollisionOptions& options)
    : domain_(domain),
      device_(domain.device()),
      p_(domain.particles()),
      speeds_(device_),
      coefficients_(device_),
      images_(device_),
      cell_reach_(device_),
      found_(device_),
      first_(device_),
      second_(device_),
      place_(device_),
      in_image_(device_),
      turn_(device_),
      spare_turn_(device_),
      order_(device_),
      spare_order_(device_),
      bounced_(device_),
      claim_(device_),
      left_(device_),
      flux_(device_),
      sums_(device_) {
  const RestitutionTable table = table_of(options);
  upload_all(device_, speeds_, std::vector<pos_t>(table.speeds.begin(), table.speeds.end()));
  upload_all(device_, coefficients_, std::vector<pos_t>(table.coefficients.begin(), table.coefficients.end()));
  rule_ = {static_cast<i32>(table.speeds.size()), static_cast<pos_t>(options.minimum_velocity)};
  found_.reserve(sizeof(u32));
  left_.reserve(sizeof(u32));
}

void DomainCollisions::make_room(std::size_t pairs) {
  first_.reserve(pairs * sizeof(u32));
  second_.reserve(pairs * sizeof(u32));
  in_image_.reserve(pairs * sizeof(i32));
  room_ = static_cast<u32>(first_.bytes() / sizeof(u32));
}

u32 DomainCollisions::find_pairs(const PairPoints& points, std::size_t images) {
  u32 found = 0;
  device_.clear(found_, sizeof found);
  launch_pairs<kernels::colliding_of_groups, kernels::colliding_of_each>(
      points, points, true, points.pairs(points, std::numeric_limits<pos_t>::infinity(), images),
      CollidingOptions{room_},
      CollidingArrays{.pairs = points.arrays(points, images_, nullptr, &cell_reach_),
                      .radius = p_.radius,
                      .target_radius = p_.radius,
                      .vx = p_.v[0],
                      .target_vx = p_.v[0],
                      .vy = p_.v[1],
                      .target_vy = p_.v[1],
                      .vz = p_.v[2],
                      .target_vz = p_.v[2],
                      .found = found_,
                      .pair_first = first_,
                      .pair_second = second_,
                      .in_image = in_image_});
  device_.download(&found, found_, 0, sizeof found);
  return found;
}

/// Once more where there was no room for all.
i32 DomainCollisions::find_pairs(std::size_t images) {
  const PairPoints points(domain_);
  points.reach_of_cells(cell_reach_, p_.radius);
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

void DomainCollisions::resolve(const std::vector<SourceImage>& images) {
  if (p_.n == 0) return;
  const StageTimer::Scope timed(domain_.timer(), &StageSeconds::collisions);
  upload_all(device_, images_, image_values(images));
  const i32 pairs = find_pairs(images.size());
  if (pairs == 0) return;
  place_.reserve(domain_.size() * sizeof(u32));
  device_.launch(kernels::invert_order{.from = p_.input, .n = p_.n, .to = place_}, plain_variant, p_.n);
  if (device_.is_host()) {
    resolve_in_turn(pairs);
  } else {
    resolve_in_rounds(pairs);
  }
}

void DomainCollisions::resolve_in_turn(i32 pairs) {
  struct Turn {
    u64 turn;
    i32 pair;
  };
  const u32 *first = host_values(first_), *second = host_values(second_), *place = host_values(place_);
  std::vector<Turn> turns(static_cast<std::size_t>(pairs));
  for (i32 k = 0; k < pairs; ++k) turns[static_cast<std::size_t>(k)] = {turn_of_pair(first[k], second[k]), k};
  std::sort(turns.begin(), turns.end(), [](const Turn& a, const Turn& b) { return a.turn < b.turn; });
  const BodiesView bodies = {host_values(p_.x[0]),      host_values(p_.x[1]),  host_values(p_.x[2]),
                             host_values(p_.v[0]),      host_values(p_.v[1]),  host_values(p_.v[2]),
                             host_values(p_.body_mass), host_values(p_.radius)};
  for (const Turn& t : turns) {
    const auto a = static_cast<i32>(place[first[t.pair]]), b = static_cast<i32>(place[second[t.pair]]);
    pos_t flux = 0;
    const bool did = bounce(bodies, a, b, host_values(images_) + host_values(in_image_)[t.pair] * HB_IMAGE_VALUES,
                            rule_, host_values(speeds_), host_values(coefficients_), &flux);
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
  bounced_.reserve(count * sizeof(u32));
  flux_.reserve(count * sizeof(pos_t));
  claim_.reserve(domain_.size() * sizeof(u32));
  device_.launch(
      kernels::rank_collisions{.first = first_, .second = second_, .pairs = pairs, .turn = turn_, .order = order_},
      plain_variant, pairs);
  device_.sort_pairs(turn_, spare_turn_, order_, spare_order_, pairs, 0, 64);
  device_.clear(bounced_, count * sizeof(u32));
  bounce_in_rounds(pairs);
  const i32 blocks = sum_blocks(pairs);
  sums_.reserve(2 * static_cast<std::size_t>(blocks) * sizeof(pos_t));
  device_.launch(
      kernels::sum_collisions{.flux = flux_, .bounced = bounced_, .pairs = pairs, .blocks = blocks, .sums = sums_},
      plain_variant, static_cast<i64>(blocks) * HB_BLOCK);
  std::vector<pos_t> sums(2 * static_cast<std::size_t>(blocks));
  download_all(device_, sums, sums_);
  for (std::size_t b = 0; b < sums.size(); b += 2) {
    totals_.momentum_flux += static_cast<double>(sums[b]);
    totals_.number += static_cast<std::uint64_t>(sums[b + 1]);
  }
}

void DomainCollisions::bounce_in_rounds(i32 pairs) {
  const auto launch_for_waiting = [&]<class Launch>(std::type_identity<Launch>) {
    device_.launch(Launch{.first = first_,
                          .second = second_,
                          .place = place_,
                          .order = order_,
                          .bounced = bounced_,
                          .pairs = pairs,
                          .claim = claim_},
                   plain_variant, pairs);
  };
  for (u32 left = 1; left > 0;) {
    device_.clear(left_, sizeof left);
    launch_for_waiting(std::type_identity<kernels::free_bodies>{});
    launch_for_waiting(std::type_identity<kernels::claim_bodies>{});
    device_.launch(kernels::collide_bodies{.first = first_,
                                           .second = second_,
                                           .in_image = in_image_,
                                           .place = place_,
                                           .order = order_,
                                           .claim = claim_,
                                           .pairs = pairs,
                                           .images = images_,
                                           .rule = rule_,
                                           .speeds = speeds_,
                                           .coefficients = coefficients_,
                                           .position = p_.x,
                                           .mass = p_.body_mass,
                                           .radius = p_.radius,
                                           .velocity = p_.v,
                                           .bounced = bounced_,
                                           .flux = flux_,
                                           .left = left_},
                   plain_variant, pairs);
    device_.download(&left, left_, 0, sizeof left);
  }
}

Bytes DomainCollisions::bytes() const {
  Bytes sum;
  for (const Buffer* b : std::initializer_list<const Buffer*>{
           &speeds_, &coefficients_, &images_, &cell_reach_, &found_, &first_, &second_, &place_, &in_image_, &turn_,
           &spare_turn_, &order_, &spare_order_, &bounced_, &claim_, &left_, &flux_, &sums_}) {
    sum.scratch += b->bytes();
  }
  return sum;
}

}  // namespace

std::unique_ptr<Collisions> make_domain_collisions(Domain& domain, const CollisionOptions& options) {
  return std::make_unique<DomainCollisions>(static_cast<ParticleDomain&>(domain), options);
}

HB_CLOSE
