// SPDX-License-Identifier: Apache-2.0
// Copies, pauses and frames of a simulation, see live_source.h.
#include "view/live_source.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "hornbeam/error.h"
#include "run/summary.h"

namespace hornbeam::view {
namespace {

using Clock = std::chrono::steady_clock;

/// Whoever has asked for a newer copy within this time still waits for it: HttpServer asks each 10 ms on his behalf.
constexpr auto hunger = std::chrono::milliseconds(200);
constexpr auto between_looks = std::chrono::milliseconds(50);
/// Copies may take a sixth of the time.
constexpr int rest = 5;

Clock::rep ticks(Clock::time_point time) { return time.time_since_epoch().count(); }

}  // namespace

LiveSource::LiveSource(std::string title, double first_energy, Fetch fetch, double every, std::size_t most)
    : title_(std::move(title)),
      first_energy_(first_energy),
      fetch_(std::move(fetch)),
      every_(std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(every))),
      most_(most) {}

bool LiveSource::wants_copy() const {
  const Clock::rep now = ticks(Clock::now());
  return now < hungry_until_ && now >= next_copy_;
}

void LiveSource::take(const std::function<Shot()>& make) {
  const Clock::time_point began = Clock::now();
  try {
    accept(make(), began);
  } catch (const Error& error) {  // the simulation's own next step reports it to whom it concerns
    say(error.what());
  }
}

void LiveSource::say(const std::string& text) {
  const std::scoped_lock lock(mutex_);
  said_ = text;
}

void LiveSource::accept(Shot shot, Clock::time_point began) {
  const Clock::time_point now = Clock::now();
  next_copy_ = ticks(now + std::max<Clock::duration>(every_, rest * (now - began)));
  hungry_until_ = 0;
  const std::scoped_lock lock(mutex_);
  const double total = shot.energies.total();
  const double change = total - first_energy_;
  const double error = first_energy_ == 0 ? change : change / std::abs(first_energy_);
  history_.add({shot.snapshot.time, static_cast<double>(shot.step), total, error});
  shown_changes_ = shot.changes;
  shot_ = std::make_shared<const Shot>(std::move(shot));
  said_.clear();
  ++version_;
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
  const Clock::time_point began = Clock::now();
  if (!alone.owns_lock() || ticks(began) < next_copy_) return;
  try {
    if (std::optional<Shot> found = fetch_(shown_changes_)) accept(*std::move(found), began);
  } catch (const Error& error) {
    say(error.what());
  }
}

std::optional<FrameFound> LiveSource::frame(const FrameWish& wish) {
  const auto latest = [this] {
    const std::scoped_lock lock(mutex_);
    return std::pair(shot_, version_);
  };
  auto [shot, version] = latest();
  if (version <= wish.after) {
    hungry_until_ = ticks(Clock::now() + hunger);
    if (!working_) fetch();
    std::tie(shot, version) = latest();
  }
  if (version <= wish.after) return {};
  return FrameFound{frame_of(shot, version, wish.colour), {{"version", version}, {"step", shot->step}}};
}

std::shared_ptr<const Frame> LiveSource::frame_of(const std::shared_ptr<const Shot>& shot, std::uint64_t version,
                                                  const std::string& colour) {
  {
    const std::scoped_lock lock(mutex_);
    if (frame_ && frame_version_ == version && frame_colour_ == colour) return frame_;
  }
  auto made = std::make_shared<const Frame>(make_frame(shot->snapshot, colour, most_));
  const std::scoped_lock lock(mutex_);
  frame_ = made;
  frame_version_ = version;
  frame_colour_ = colour;
  return made;
}

Json LiveSource::state() {
  const std::scoped_lock lock(mutex_);
  const char* status = ended_ ? "ended" : waiting_ ? "paused" : working_ ? "running" : "at rest";
  return {{"title", title_},          {"live", true},        {"status", status},
          {"paused", paused_.load()}, {"version", version_}, {"message", said_}};
}

Json LiveSource::energy() {
  const std::scoped_lock lock(mutex_);
  Json json = history_.json();
  json["seconds"] = shot_ ? run::seconds_json(shot_->seconds) : Json();
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
