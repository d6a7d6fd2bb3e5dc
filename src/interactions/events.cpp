// SPDX-License-Identifier: Apache-2.0
// Events, see events.h. Roots and angles are the host's, so that every backend has the same.
#include "interactions/events.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>

#include "hornbeam/error.h"
#include "hornbeam/gravity.h"

namespace hornbeam {
namespace {

constexpr std::array<std::string_view, 4> kind_names = {"merged", "bounced", "left", "halted"};  // as the enumerators

double length(const Vec3& a) { return std::sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]); }

/// In degrees between two vectors; 0 where one of them is 0.
double angle_between(const Vec3& a, const Vec3& b) {
  const Vec3 normal = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  const double along = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  return std::atan2(length(normal), along) * 180 / std::numbers::pi;
}

}  // namespace

std::string_view name(EventKind kind) { return kind_names[static_cast<std::size_t>(kind)]; }

template <>
EventKind parse<EventKind>(std::string_view subject, std::string_view text) {
  const auto found = std::find(kind_names.begin(), kind_names.end(), text);
  if (found != kind_names.end()) return static_cast<EventKind>(found - kind_names.begin());
  throw UsageError(std::string(subject), "received " + std::string(text), "must be merged, bounced, left or halted");
}

Event event_of(EventKind kind, const Encounter& e) {
  const Vec3 approach = {-e.velocity[0], -e.velocity[1], -e.velocity[2]};
  Event event = {.kind = kind,
                 .contact_time = e.time,
                 .ids = e.ids,
                 .mass = e.mass,
                 .speed = length(e.velocity),
                 .angle = angle_between(e.displacement, approach)};
  if (kind == EventKind::merged && e.mass[1] > e.mass[0]) {
    std::swap(event.ids[0], event.ids[1]);
    std::swap(event.mass[0], event.mass[1]);
  }
  return event;
}

}  // namespace hornbeam
