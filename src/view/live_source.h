// SPDX-License-Identifier: Apache-2.0
// A simulation at work: it hands copies over between steps if a page requests them, and waits there while it is paused.
// At rest a copy is fetched from it. Nothing that fails here ends the run: it becomes a line in the page. Python's
// sim.serve() (python/src/simulation.cpp) is its user.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string_view>

#include "hornbeam/gravity.h"
#include "view/history.h"
#include "view/live_frames.h"
#include "view/source.h"

namespace hornbeam::view {

/// A copy of a simulation between two steps.
struct Shot {
  Snapshot snapshot;
  std::uint64_t step = 0;
  Energies energies;
  StageSeconds seconds;
  std::uint64_t changes = 0;  ///< counts whatever changes the simulation
};

class LiveSource : public Source {
 public:
  /// Called on the server's threads: a copy of a simulation that is at rest and has changed since `changes`; nothing
  /// where it is at work. It may throw anything.
  using Fetch = std::function<std::optional<Shot>(std::uint64_t changes)>;
  using Stops = std::function<bool()>;

  /// every: least seconds between two copies, of which no more than a sixth of the time is spent.
  /// first_energy: of which errors are reported; kept: whether changes of the energy are errors.
  LiveSource(std::string title, double first_energy, Fetch fetch, double every, std::size_t most, bool kept = true);

  // The simulation's side, on the thread that makes the steps.

  /// Called before the first step and after each. Hands a copy over on request. If another step follows, it waits while
  /// paused, until go on, step, the view's end or `stops`. changes: see Shot. The page reports what `make` throws, and
  /// the next copy is tried a second later. In a forked child it does nothing.
  void between_steps(bool another_follows, std::uint64_t changes, const std::function<Shot()>& make,
                     const Stops& stops);
  /// Whether steps are being made now.
  void at_work(bool is) { working_ = is; }
  /// No more waiting: the view ends.
  void end();

  // The side of those who look.

  Json state() override;
  std::optional<FrameFound> frame(const FrameWish& wish) override;
  Json energy() override;
  void control(Control what) override;
  [[nodiscard]] bool paused() const { return paused_; }

 private:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] bool wants_copy() const;
  template <class Make>
  void take(const Make& make);
  void accept(Shot shot, Clock::time_point began);
  void rest_since(Clock::time_point began, Clock::duration least);
  void fetch();
  void say(std::string_view text);
  [[nodiscard]] bool may_step();

  const std::string title_;
  const double first_energy_;
  const bool kept_;
  const Fetch fetch_;
  const Clock::duration every_;
  const pid_t process_;

  std::atomic<bool> working_{false}, waiting_{false}, paused_{false}, ended_{false};
  std::atomic<Clock::rep> hungry_until_{0};  ///< someone waits for a newer copy, as of then
  std::atomic<Clock::rep> next_copy_{0};     ///< not before
  std::atomic<std::uint64_t> shown_changes_{0};

  std::mutex control_mutex_;
  std::condition_variable changed_;
  std::uint64_t steps_asked_ = 0;

  std::mutex fetch_mutex_;
  std::mutex mutex_;  ///< of what follows
  std::shared_ptr<const Shot> shot_;
  std::uint64_t version_ = 0;
  std::string said_;  ///< why there is no newer copy; what it holds is never enlarged
  EnergyHistory history_;
  LiveFrames frames_;
};

}  // namespace hornbeam::view
