// SPDX-License-Identifier: Apache-2.0
// What `hornbeam run` shows: the run's observer, which prints, and lets signals stop it.
#pragma once

#include <cmath>
#include <filesystem>
#include <optional>
#include <string>

#include "cli/output/progress.h"
#include "hornbeam/units.h"
#include "run/session/session.h"

namespace hornbeam::cli {

class RunReport : public run::Observer {
 public:
  void note(const std::string& text) override;
  void remark(const std::string& text) override;
  void begins(const run::Session& session, const std::filesystem::path& directory) override;
  void output(const run::Output& output) override;
  bool wants_moment() override;
  void passes(const run::Moment& moment) override;
  void ends(const run::Ending& ending) override;
  const char* asks_to_stop() override;

 private:
  /// What is reported of the energy's error; not a number where it shows nothing.
  [[nodiscard]] double told(double error) const { return tells_energy_ ? error : std::nan(""); }

  std::optional<Progress> progress_;
  bool tells_energy_ = true;
  ShownTime time_{};           ///< in which times are printed
  std::size_t particles_ = 0;  ///< at the start
};

/// The first SIGINT, SIGTERM, SIGUSR1 or SIGHUP asks runs to stop; a second one has its usual effect. An ignored SIGHUP
/// stays so.
void catch_stop_signals();
/// Whether one has come.
bool stop_asked();

}  // namespace hornbeam::cli
