// SPDX-License-Identifier: Apache-2.0
// Collisions by kernels, in rounds. Compiled once a precision (HB_PRECISION).
#include <initializer_list>
#include <type_traits>
#include <utility>
#include <vector>

#include "interactions/collisions/kernels/launches.h"
#include "interactions/collisions/turns.h"
#include "tree/device/device_sums.h"

HB_OPEN
namespace {

class CollisionRounds final : public CollisionTurns {
 public:
  explicit CollisionRounds(Device& device);
  void resolve(const FoundPairs& pairs, CollisionTotals& totals) override;
  void note(const FoundPairs& pairs) override;
  [[nodiscard]] std::uint64_t bytes() const override;

 private:
  void collide(const FoundPairs& pairs);
  /// On the rank in use, or on all alike.
  void collide_here(const FoundPairs& pairs);

  Device& device_;
  // of pairs in their turn
  DeviceArray<u64> turn_, spare_turn_;
  DeviceArray<u32> order_, spare_order_, waiting_, later_, collided_, claim_, left_;
  DeviceArray<pos_t> flux_, sums_;
};

CollisionRounds::CollisionRounds(Device& device)
    : device_(device),
      turn_(device),
      spare_turn_(device),
      order_(device),
      spare_order_(device),
      waiting_(device),
      later_(device),
      collided_(device),
      claim_(device),
      left_(device),
      flux_(device),
      sums_(device) {
  left_.reserve(sizeof(u32));
}

void CollisionRounds::resolve(const FoundPairs& pairs, CollisionTotals& totals) {
  const auto count = static_cast<std::size_t>(pairs.count);
  turn_.reserve(count * sizeof(u64));
  spare_turn_.reserve(turn_.bytes());
  order_.reserve(count * sizeof(u32));
  spare_order_.reserve(order_.bytes());
  for (DeviceArray<u32>* of_turns : {&waiting_, &later_, &collided_}) of_turns->reserve(count * sizeof(u32));
  flux_.reserve(count * sizeof(pos_t));
  claim_.reserve(static_cast<std::size_t>(pairs.n) * sizeof(u32));
  device_.launch(kernels::rank_collisions{.first = pairs.first,
                                          .second = pairs.second,
                                          .in_image = pairs.in_image,
                                          .place = pairs.place,
                                          .pairs = pairs.count,
                                          .time = pairs.rule.time,
                                          .images = pairs.images,
                                          .bodies = pairs.bodies,
                                          .turn = turn_,
                                          .order = order_,
                                          .waiting = waiting_},
                 plain_variant, pairs.count);
  device_.sort_pairs(turn_, spare_turn_, order_, spare_order_, pairs.count, 0, 64);
  collide(pairs);
  const i32 blocks = sum_blocks(pairs.count);
  sums_.reserve(2 * static_cast<std::size_t>(blocks) * sizeof(pos_t));
  device_.launch(
      kernels::sum_collisions{
          .flux = flux_, .collided = collided_, .pairs = pairs.count, .blocks = blocks, .sums = sums_},
      plain_variant, static_cast<i64>(blocks) * HB_BLOCK);
  std::vector<pos_t> sums(2 * static_cast<std::size_t>(blocks));
  device_.download(sums.data(), sums_, 0, sums.size() * sizeof(pos_t));
  for (std::size_t b = 0; b < sums.size(); b += 2) {
    totals.momentum_flux += static_cast<double>(sums[b]);
    totals.number += static_cast<std::uint64_t>(sums[b + 1]);
  }
}

void CollisionRounds::note(const FoundPairs& pairs) {
  device_.launch(kernels::note_meetings{.first = pairs.first,
                                        .second = pairs.second,
                                        .in_image = pairs.in_image,
                                        .place = pairs.place,
                                        .pairs = pairs.count,
                                        .time = pairs.rule.time,
                                        .images = pairs.images,
                                        .bodies = pairs.bodies},
                 plain_variant, pairs.count);
}

/// Whether a pair of which a body is removed in a round is over in the same one is a matter of time, so that each rank
/// has a count of its own then.
void CollisionRounds::collide(const FoundPairs& pairs) {
  if (pairs.gone.handle() == nullptr) return collide_here(pairs);
  device_.on_each_rank([&](int /*rank*/) { collide_here(pairs); });
}

void CollisionRounds::collide_here(const FoundPairs& pairs) {
  auto left = static_cast<u32>(pairs.count);
  const DeviceArray<u32>*waiting = &waiting_, *later = &later_;
  const auto launch_for_bodies = [&]<class Launch>(std::type_identity<Launch>, const auto&... more) {
    device_.launch(
        Launch{pairs.first, pairs.second, pairs.place, order_, *waiting, static_cast<i32>(left), claim_, more...},
        plain_variant, left);
  };
  const auto launch_collisions = [&]<class Launch>(std::type_identity<Launch>, i64 items, const auto&... lists) {
    device_.launch(
        Launch{pairs.first, pairs.second, pairs.in_image, pairs.place, order_, *waiting, static_cast<i32>(left), claim_,
               pairs.images, pairs.rule, pairs.speeds, pairs.coefficients, pairs.bodies, collided_, flux_, lists...},
        plain_variant, items);
  };
  launch_for_bodies(std::type_identity<kernels::free_bodies>{});
  while (left > HB_LAST_PAIRS) {
    device_.clear(left_, sizeof left);
    launch_for_bodies(std::type_identity<kernels::claim_bodies>{}, pairs.gone);
    launch_collisions(std::type_identity<kernels::collide_bodies>{}, left, *later, left_);
    std::swap(waiting, later);
    device_.download(&left, left_, 0, sizeof left);
  }
  if (left > 0) launch_collisions(std::type_identity<kernels::collide_the_last>{}, HB_BLOCK);
}

std::uint64_t CollisionRounds::bytes() const {
  std::uint64_t sum = 0;
  for (const Buffer* b : std::initializer_list<const Buffer*>{&turn_, &spare_turn_, &order_, &spare_order_, &waiting_,
                                                              &later_, &collided_, &claim_, &left_, &flux_, &sums_}) {
    sum += b->bytes();
  }
  return sum;
}

}  // namespace

std::unique_ptr<CollisionTurns> make_collision_rounds(Device& device) {
  return std::make_unique<CollisionRounds>(device);
}

HB_CLOSE
