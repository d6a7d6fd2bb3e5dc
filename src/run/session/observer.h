// SPDX-License-Identifier: Apache-2.0
// Who watches a run: what it has to say is handed here, as the library itself prints nothing. The command line shows it
// (cli/run_report.h); all is called on the thread that makes the steps.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "run/records/summary.h"

namespace hornbeam::run {

class Session;

/// How far a run has come.
struct Moment {
  double time = 0.0;
  std::uint64_t step = 0;
  double relative_error = 0.0;  ///< of the energy, at the beginning of the step where time lies within one
};

struct Output {
  std::size_t index = 0;
  bool is_snapshot = true;  ///< false: only a row of energy.csv
  Moment at;
};

struct Ending {
  const Session& session;
  RunTotals totals;
  std::string alarm;  ///< that the energy has left; empty where it has not
  std::filesystem::path directory;
  std::size_t outputs = 0;   ///< of the whole run
  std::string yt_line;       ///< opens the last snapshot in yt; empty without one in HDF5
  std::string pynbody_line;  ///< the same for pynbody
  const char* by = nullptr;  ///< who stopped it, where it was stopped
  bool is_by_clock = false;  ///< that was output.wall_limit
  std::string given_up;      ///< LongestStep::given_up()
};

class Observer {
 public:
  Observer() = default;
  virtual ~Observer() = default;
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;

  /// A sentence about what was read, requested or left out.
  virtual void note(const std::string& /*text*/) {}
  /// A sentence about how the run fares.
  virtual void remark(const std::string& /*text*/) {}
  /// Before the first step.
  virtual void begins(const Session& /*session*/, const std::filesystem::path& /*directory*/) {}
  virtual void output(const Output& /*output*/) {}
  /// Whether passes() is to be called now; finding the energy costs something.
  virtual bool wants_moment() { return false; }
  virtual void passes(const Moment& /*moment*/) {}
  virtual void ends(const Ending& /*ending*/) {}
  /// Between two steps, before the first one and after the last, of a session in memory.
  virtual void between_steps(bool /*another_follows*/) {}
  /// The cause of a request to stop, "a signal"; null: none. It may be asked between any two steps.
  virtual const char* asks_to_stop() { return nullptr; }
};

}  // namespace hornbeam::run
