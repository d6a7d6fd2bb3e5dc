// SPDX-License-Identifier: Apache-2.0
// Copies, pauses and frames of a simulation, see live_source.h.
#include "view/live_source.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "view/failure.h"

namespace hornbeam::view {
namespace {

using Clock = std::chrono::steady_clock;

/// Whoever has requested a newer copy within this time still waits for it: HttpServer asks each 10 ms on his behalf.
constexpr auto hunger = std::chrono::milliseconds(200);
constexpr auto between_looks = std::chrono::milliseconds(50);
/// A copy that failed is not tried again for this long.
constexpr auto after_failure = std::chrono::seconds(1);
constexpr std::size_t longest_line = 1000;

Clock::rep ticks(Clock::time_point time) { return time.time_since_epoch().count(); }

}  // namespace

LiveSource::LiveSource(std::string title, double first_energy, Fetch fetch, double every, std::size_t most, bool kept)
    : title_(std::move(title)),
      first_energy_(first_energy),
      kept_(kept),
      fetch_(std::move(fetch)),
      every_(std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(every))),
      process_(::getpid()),
      frames_(most) {
  said_.reserve(longest_line);
}

bool LiveSource::wants_copy() const {
  const Clock::rep now = ticks(Clock::now());
  return now < hungry_until_ && now >= next_copy_;
}

/// make: returns a copy, or nothing. All that needs memory is within `try`.
template <class Make>
void LiveSource::take(const Make& make) {
  const Clock::time_point began = Clock::now();
  try {
    if (std::optional<Shot> shot = make()) accept(*std::move(shot), began);
  } catch (...) {  // an error of the simulation is thrown again by its own next step
    tell_failure([this](std::string_view text) { say(text); });
    rest_since(began, after_failure);
  }
}

/// Also where there is no memory.
void LiveSource::say(std::string_view text) {
  const std::scoped_lock lock(mutex_);
  said_.assign(text.data(), std::min(text.size(), longest_line));
}

void LiveSource::rest_since(Clock::time_point began, Clock::duration least) {
  const Clock::time_point now = Clock::now();
  next_copy_ = ticks(now + std::max<Clock::duration>(least, Pace::rest * (now - began)));
}

void LiveSource::accept(Shot shot, Clock::time_point began) {
  const double total = shot.energies.total();
  const double change = total - first_energy_;
  const double error = first_energy_ == 0 ? change : change / std::abs(first_energy_);
  const auto made = std::make_shared<const Shot>(std::move(shot));
  {
    const std::scoped_lock lock(mutex_);
    history_.add({made->snapshot.time, static_cast<double>(made->step), total, error});
    shown_changes_ = made->changes;
    shot_ = made;
    said_.clear();
    ++version_;
  }
  hungry_until_ = 0;
  rest_since(began, every_);
}

bool LiveSource::may_step() {
  if (!paused_ || ended_) return true;
  const std::scoped_lock lock(control_mutex_);
  if (steps_asked_ == 0) return false;
  --steps_asked_;
  return true;
}

void LiveSource::between_steps(bool another_follows, std::uint64_t changes, const std::function<Shot()>& make,
                               const Stops& stops) {
  if (process_ != ::getpid()) return;
  const auto show = [&] {
    if (wants_copy() && changes != shown_changes_) take(make);
  };
  show();
  while (another_follows && !may_step() && !stops()) {
    waiting_ = true;
    show();
    std::unique_lock lock(control_mutex_);
    changed_.wait_for(lock, between_looks, [this] { return !paused_ || ended_ || steps_asked_ > 0; });
  }
  waiting_ = false;
}

void LiveSource::end() {
  ended_ = true;
  changed_.notify_all();
}

/// From a simulation that is at rest.
void LiveSource::fetch() {
  const std::unique_lock alone(fetch_mutex_, std::try_to_lock);
  if (!alone.owns_lock() || ticks(Clock::now()) < next_copy_) return;
  take([this] { return fetch_(shown_changes_); });
}

/// A page that has the newest copy waits for another one. What has seen a later one, perhaps of another simulation,
/// gets none.
std::optional<FrameFound> LiveSource::frame(const FrameWish& wish) {
  const auto latest = [this] {
    const std::scoped_lock lock(mutex_);
    return std::pair(shot_, version_);
  };
  auto [shot, version] = latest();
  if (version == wish.after) {
    hungry_until_ = ticks(Clock::now() + hunger);
    if (!working_) fetch();
    std::tie(shot, version) = latest();
  }
  if (version <= wish.after) return {};
  std::shared_ptr<const Frame> frame = frames_.of(shot->snapshot, version, wish.colour);
  if (!frame) return {};
  return FrameFound{std::move(frame), {{"version", version}, {"step", shot->step}}};
}

Json LiveSource::state() {
  const std::scoped_lock lock(mutex_);
  const char* status = ended_ ? "ended" : waiting_ ? "paused" : working_ ? "running" : "at rest";
  return {{"title", title_},          {"live", true},        {"status", status},
          {"paused", paused_.load()}, {"version", version_}, {"message", said_}};
}

Json LiveSource::energy() {
  const auto [history, shot] = [this] {
    const std::scoped_lock lock(mutex_);
    return std::pair(history_, shot_);
  }();
  Json json = history.json();
  json["kept"] = kept_;
  json["seconds"] = shot ? seconds_json(shot->seconds) : Json();
  return json;
}

void LiveSource::control(Control what) {
  {
    const std::scoped_lock lock(control_mutex_);
    if (what == Control::step) ++steps_asked_;
    if (what == Control::go_on) steps_asked_ = 0;
    paused_ = what != Control::go_on;
  }
  changed_.notify_all();
}

}  // namespace hornbeam::view
