// SPDX-License-Identifier: Apache-2.0
// A simulation at work: it hands copies over between steps where somebody looks, and waits there where somebody has
// pressed pause. At rest a copy is fetched from it. Python's sim.serve() (python/src/simulation.cpp) is its user.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>

#include "hornbeam/gravity.h"
#include "view/history.h"
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
  /// where it is at work.
  using Fetch = std::function<std::optional<Shot>(std::uint64_t changes)>;
  using Stops = std::function<bool()>;

  /// every: least seconds between two copies, of which no more than a sixth of the time is spent.
  /// first_energy: of which errors are told.
  LiveSource(std::string title, double first_energy, Fetch fetch, double every, std::size_t most);

  // The simulation's side, on the thread that makes the steps.

  /// Before the first step and after each: hands a copy over where one is asked for, and where another step is to
  /// follow waits while it is paused, until go on, step, the view's end or `stops`. changes: as Shot has it.
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
  void take(const std::function<Shot()>& make);
  void accept(Shot shot, Clock::time_point began);
  void fetch();
  void say(const std::string& text);
  std::shared_ptr<const Frame> frame_of(const std::shared_ptr<const Shot>& shot, std::uint64_t version,
                                        const std::string& colour);
  [[nodiscard]] bool may_step();

  const std::string title_;
  const double first_energy_;
  const Fetch fetch_;
  const Clock::duration every_;
  const std::size_t most_;

  std::atomic<bool> working_{false}, waiting_{false}, paused_{false}, ended_{false};
  std::atomic<Clock::rep> hungry_until_{0};  ///< somebody waits for a newer copy, as of then
  std::atomic<Clock::rep> next_copy_{0};     ///< not before
  std::atomic<std::uint64_t> shown_changes_{0};

  std::mutex control_mutex_;
  std::condition_variable changed_;
  std::uint64_t steps_asked_ = 0;

  std::mutex fetch_mutex_;
  std::mutex mutex_;  ///< of what follows
  std::shared_ptr<const Shot> shot_;
  std::uint64_t version_ = 0;
  std::string said_;  ///< why there is no newer copy
  EnergyHistory history_;
  std::shared_ptr<const Frame> frame_;  ///< the last one made
  std::uint64_t frame_version_ = 0;
  std::string frame_colour_;
};

}  // namespace hornbeam::view
