// SPDX-License-Identifier: Apache-2.0
// Runs the cases of a benchmark suite: draws their particles, which it keeps for the next case, opens their backends,
// and names every case that is not run.
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/suites/report.h"
#include "bench/suites/shapes.h"
#include "dynamics/particle_system.h"
#include "simulation/check.h"

namespace hornbeam::cli {

/// As the command line gives them.
struct BenchSettings {
  std::string suite;
  std::string backend = "auto";  ///< one by name, or auto, with every backend there is where backends are compared
  Devices device = 0;
  int threads = 0;
  std::optional<std::int64_t> max_n;
  std::int64_t repeat = 5;
  std::int64_t sample = 10000;  ///< particles whose force is summed directly; 0: no errors
  std::filesystem::path folder = ".";
  bool json = false;
  std::vector<std::string> runs{};  ///< merger: which runs; empty: those of the paper
  std::optional<double> end{};      ///< merger: the time to simulate to; occlude: orbits
  std::optional<double>
      wall_limit{};    ///< merger: seconds of the clock after which a run stops; sph: of the longest one
  bool quick = false;  ///< sph: the smallest sizes alone
};

/// One set of particles evaluated with one set of options.
struct Case {
  std::string model{};
  std::size_t n = 0;
  GravityOptions gravity{.accuracy = 0};
  InputOrder input = InputOrder::as_made;
  std::string backend{};        ///< empty: the suite's
  int threads = -1;             ///< negative: as the settings say
  bool errors = false;          ///< compare with the direct sum
  bool distribution = false;    ///< keep the distribution of the errors, too
  std::optional<Json> paper{};  ///< figures of others to stand beside ours
  std::string label{};          ///< what the row shows, where the options do not say it
};

class Runner {
 public:
  Runner(const BenchSettings& settings, Report& report);

  /// The case's row: what `force --json` prints, with model, input, repeats, label and paper. Nothing where it was left
  /// out, which the report then names.
  std::optional<Json> measure(const Case& c);
  /// measure() and Report::add().
  void run(const Case& c);

  /// `sizes` up to --max-n; the others are named as left out.
  std::vector<std::size_t> within(const std::vector<std::size_t>& sizes);
  /// n, or --max-n where that is less, which is named.
  std::size_t at_most(std::size_t n);

  [[nodiscard]] const BenchSettings& settings() const { return settings_; }
  /// The backend of tables ("cuda", not "auto").
  [[nodiscard]] const std::string& backend() const { return backend_; }
  /// Those to compare: the one requested, otherwise one of each kind here, the suite's first.
  [[nodiscard]] std::vector<std::string> backends() const;
  [[nodiscard]] bool has_vote_walk() const { return backend_ != "cpu"; }

 private:
  ParticleSystem open(const Case& c);
  const Particles& particles(const Case& c);
  SampledError errors(const Case& c, ParticleSystem& system);
  std::optional<std::string> reason_against(const Case& c);

  const BenchSettings& settings_;
  Report& report_;
  std::string backend_;

  Particles particles_;
  std::string particles_are_;
  std::vector<std::array<double, 4>> direct_;  ///< see sample_errors()
  std::string direct_is_of_;
  struct Cost {
    std::size_t n;
    double seconds;
  };
  std::map<std::string, Cost> cost_;  ///< of each kind of case, at the last size
};

}  // namespace hornbeam::cli
