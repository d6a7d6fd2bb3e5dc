// SPDX-License-Identifier: Apache-2.0
// Sums over purposes and the refusal, see need.h.
#include "memory/need.h"

#include <cmath>

#include "memory/room.h"

namespace hornbeam::memory {
namespace {

/// Libraries' buffers and rounding to pages: of a whole command, and of what is taken at once.
constexpr double kept_free = 24e6, kept_free_now = 2e6;
/// Less than this is not requested: looking costs some 50 us, as much as an evaluation of few particles.
constexpr double not_worth_a_look = 4e6;

std::string by_purpose(std::uint64_t n, const Need& need) {
  std::string text;
  for (const Purpose& p : need.purposes()) {
    const double bytes = p.each * static_cast<double>(n) + p.fixed;
    if (bytes > 0) text += (text.empty() ? "" : ", ") + p.name + " " + shown_bytes(bytes);
  }
  return text;
}

std::string remedy_for(const Need& need, double room, const std::string& more, std::string_view advice) {
  const double most = std::floor((room - need.fixed()) / need.each());
  const std::string less = advice.empty() ? "" : ", " + std::string(advice);
  if (need.each() > 0 && most >= 1) {
    return "use at most " + std::to_string(static_cast<std::uint64_t>(most)) + " particles" + less + ", or " + more;
  }
  return (advice.empty() ? "" : std::string(advice) + ", or ") + more;
}

double usable_of(const Room& there, double held, double spare) { return there.bytes + held - spare; }

void demand_with(double spare, std::uint64_t n, const Need& need, double held, std::string_view advice) {
  const double bytes = need.bytes(n);
  if (bytes - held < not_worth_a_look) return;
  const Room there = room("/", need.reserved());
  const double usable = usable_of(there, held, spare);
  if (bytes <= usable) return;
  throw NoRoom(std::to_string(n) + " particles need about " + shown_bytes(bytes) + " (" + by_purpose(n, need) +
                   "), and " + shown_bytes(there.bytes + held) + " are available within " + there.where +
                   (spare > 0 ? ", of which " + shown_bytes(spare) + " stay free" : ""),
               remedy_for(need, usable, there.remedy, advice), bytes);
}

}  // namespace

double Need::each() const {
  double sum = 0;
  for (const Purpose& p : purposes_) sum += p.each;
  return sum;
}

double Need::fixed() const {
  double sum = 0;
  for (const Purpose& p : purposes_) sum += p.fixed;
  return sum;
}

double Need::reserved() const {
  double sum = 0;
  for (const Purpose& p : purposes_) sum += p.reserved;
  return sum;
}

const Need& larger(std::uint64_t n, const Need& a, const Need& b) { return a.bytes(n) < b.bytes(n) ? b : a; }

void demand(std::uint64_t n, const Need& need, double held, std::string_view advice) {
  demand_with(kept_free, n, need, held, advice);
}

void demand_now(std::uint64_t n, const Need& need, double held, std::string_view advice) {
  demand_with(kept_free_now, n, need, held, advice);
}

bool fits(std::uint64_t n, const Need& need, double held) {
  const double bytes = need.bytes(n);
  return bytes - held < not_worth_a_look || bytes <= usable_of(room("/", need.reserved()), held, kept_free);
}

}  // namespace hornbeam::memory
