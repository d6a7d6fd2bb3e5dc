// SPDX-License-Identifier: Apache-2.0
// Collisions on the CPU, one pair after the other, and which way fits a device. Compiled once a precision
// (HB_PRECISION).
#include <algorithm>
#include <vector>

#include "device/host/host_device.h"
#include "interactions/collisions/turns.h"

HB_OPEN
namespace {

/// One of a list of pairs in the order in which they collide.
struct Turn {
  u64 turn;
  i32 pair;
};

class TurnByTurn final : public CollisionTurns {
 public:
  void resolve(const FoundPairs& pairs, CollisionTotals& totals) override;
  void note(const FoundPairs& pairs) override;
  [[nodiscard]] std::uint64_t bytes() const override { return 0; }
};

BodiesView view_of(const BodyArrays& bodies) {
  BodiesView view{};
#define HB_HAND(type, field) view.field = static_cast<type*>(bodies.field.handle());
  HB_BODY_FIELDS(HB_HAND)
#undef HB_HAND
  return view;
}

void TurnByTurn::note(const FoundPairs& pairs) {
  const BodiesView view = view_of(pairs.bodies);
  const u32* place = host_values(pairs.place);
  for (i32 k = 0; k < pairs.count; ++k) {
    const auto at = [&](const DeviceArray<u32>& body) { return static_cast<i32>(place[host_values(body)[k]]); };
    note_pair(view, at(pairs.first), at(pairs.second), static_cast<u32>(k),
              host_values(pairs.images) + host_values(pairs.in_image)[k] * HB_IMAGE_VALUES, pairs.rule.time);
  }
}

void TurnByTurn::resolve(const FoundPairs& pairs, CollisionTotals& totals) {
  const BodiesView view = view_of(pairs.bodies);
  const u32 *first = host_values(pairs.first), *second = host_values(pairs.second), *place = host_values(pairs.place);
  const auto image = [&](i32 k) {
    return host_values(pairs.images) + host_values(pairs.in_image)[k] * HB_IMAGE_VALUES;
  };
  const auto at = [&](u32 body) { return static_cast<i32>(place[body]); };
  std::vector<Turn> turns(static_cast<std::size_t>(pairs.count));
  for (i32 k = 0; k < pairs.count; ++k) {
    const u64 of_pair = turn_of_pair(first[k], second[k], host_values(pairs.in_image)[k]);
    turns[static_cast<std::size_t>(k)] = {
        turn_of_meeting(view, at(first[k]), at(second[k]), image(k), pairs.rule.time, of_pair), k};
  }
  std::sort(turns.begin(), turns.end(), [](const Turn& a, const Turn& b) { return a.turn < b.turn; });
  u32 order = 0;
  for (const Turn& t : turns) {
    pos_t flux = 0;
    const bool did = collide(view, at(first[t.pair]), at(second[t.pair]), order++, image(t.pair), pairs.rule,
                             host_values(pairs.speeds), host_values(pairs.coefficients), &flux);
    totals.number += did ? 1 : 0;
    totals.momentum_flux += static_cast<double>(flux);
  }
}

}  // namespace

std::unique_ptr<CollisionTurns> make_collision_turns(Device& device) {
  if (device.host() != nullptr) return std::make_unique<TurnByTurn>();
  return make_collision_rounds(device);
}

HB_CLOSE
