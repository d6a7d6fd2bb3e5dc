// SPDX-License-Identifier: Apache-2.0
// `hornbeam-bench merger`: Bonsai's merger of two galaxies. Each run is a `hornbeam run` of its own in a folder that
// stays, so that the same command goes on with what was stopped.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "bench/suites/merger_figures.h"
#include "bench/suites/merger_results.h"
#include "bench/suites/suites.h"
#include "cli/common.h"
#include "hornbeam/bonsai_merger.h"
#include "hornbeam/error.h"
#include "io/files/file.h"
#include "io/files/program.h"
#include "run/folder/folder_lock.h"

namespace hornbeam::cli {
namespace {

namespace fs = std::filesystem;

/// The parts of one of the two galaxies at the paper's size, in units of which a smaller run has fewer.
constexpr std::size_t paper_n = 240002, unit = 24, halo_share = 20, disc_share = 3;
constexpr double paper_end = 1000, direct_end = 320;
/// Between and after the passages: snapshots for pictures and profiles.
constexpr double looks[] = {100, 160, 200, 260, 290, direct_end, 400, 600};

struct MergerRun {
  std::string name;
  double theta = 0;  ///< 0: direct summation
  bool block = false;
};
const std::vector<MergerRun>& known_runs() {
  static const std::vector<MergerRun> runs = {
      {"theta-0.75", 0.75}, {"theta-0.5", 0.5}, {"direct", 0}, {"block-0.75", 0.75, true}, {"block-0.5", 0.5, true}};
  return runs;
}

/// Bonsai's own criterion, as the configuration says; expansions may reach nearer than multipoles.
std::vector<std::string> opening(const MergerRun& run) {
  if (run.theta == 0) return {"gravity.walk=direct"};
  return {fmt::format("gravity.theta={}", run.theta), fmt::format("gravity.theta_c={}", run.theta + 0.25)};
}

std::vector<MergerRun> chosen_runs(const std::vector<std::string>& names) {
  std::map<std::string, MergerRun> known;
  for (const MergerRun& run : known_runs()) known[run.name] = run;
  std::vector<MergerRun> chosen;
  chosen.reserve(names.size());
  for (const std::string& name : names) chosen.push_back(among(known, name, "--runs"));
  if (names.empty()) chosen.assign(known_runs().begin(), known_runs().begin() + 2);
  return chosen;
}

double end_of(const MergerRun& run, const BenchSettings& settings) {
  const double end = settings.end.value_or(paper_end);
  return run.theta > 0 ? end : std::min(end, direct_end);
}

/// What this run changes in the configuration of examples/bonsai_merger.toml.
std::vector<std::string> overrides(const MergerRun& run, std::size_t n, const BenchSettings& settings,
                                   const fs::path& folder) {
  const double end = end_of(run, settings);
  std::string times;
  for (const double t : looks) {
    if (t < end) times += fmt::format("{}{}", times.empty() ? "" : ", ", t);
  }
  const std::size_t share = (n / 2 - 1) / unit;
  std::vector<std::string> set = {
      fmt::format("ic.n={}", n), fmt::format("ic.halo_number={}", share * halo_share),
      fmt::format("ic.disc_number={}", share * disc_share),
      fmt::format("ic.bulge_number={}", share * (unit - halo_share - disc_share)), fmt::format("time.end={}", end),
      fmt::format("output.directory={}", folder.string()), fmt::format("output.every={}", std::max(end, 1.0)),
      fmt::format("output.times=[{}]", times), "output.energy_every=0.25", "output.black_holes_every=0.25",
      // sums that nothing reads would take a tenth of the time
      "watchdog.every=64"};
  for (std::string& key : opening(run)) set.push_back(std::move(key));
  if (run.block) set.insert(set.end(), {"time.steps=block", "time.dt=0.03125", "time.eta=0.3"});
  if (settings.wall_limit) set.push_back(fmt::format("output.wall_limit={}", *settings.wall_limit));
  return set;
}

/// Whether the folder holds the run as requested, come to its end: then nothing has to be computed again.
bool is_done(const fs::path& folder, std::size_t n, double end) {
  const Json summary = read_json(folder / "run.json");
  return summary.is_object() && summary["totals"]["finished"] == true && summary["totals"]["particles"] == n &&
         summary["configuration"]["time"]["end"] == end;
}

/// Starts or continues the run; throws Error with what it said where it fails.
void simulate(const MergerRun& run, std::size_t n, Runner& runner, Report& report, const fs::path& folder) {
  const BenchSettings& settings = runner.settings();
  if (is_done(folder, n, end_of(run, settings))) return;
  const fs::path config = folder.parent_path() / "bonsai_merger.toml", log = folder.string() + ".log";
  fs::create_directories(folder);
  const bool resumes = fs::exists(folder / "checkpoint.hdf5");
  static_cast<void>(run::FolderLock(folder));  // before the log of a run is emptied that is under way
  io::replace_text(config, bonsai_merger_toml);
  std::vector<std::string> words = {"run",      config.string(),        "--backend", runner.backend(),
                                    "--device", settings.device.text(), "--threads", std::to_string(settings.threads)};
  for (std::string& change : overrides(run, n, settings, folder)) {
    words.insert(words.end(), {"--set", std::move(change)});
  }
  if (resumes) words.emplace_back("--resume");
  report.remark(fmt::format("{} {}, see {}", resumes ? "going on with" : "running", run.name, log.string()));
  const int status = io::status_of_program(fs::read_symlink("/proc/self/exe"), words, log);
  if (status != static_cast<int>(cli::Exit::done) && status != static_cast<int>(cli::Exit::stopped)) {
    throw Error(run.name, io::last_line(log), "remove " + folder.string() + " to begin it anew");
  }
}

std::optional<Json> figures_of(const MergerRun& run) {
  for (const merger::MergerRow& row : merger::table_2) {
    if (row.theta != run.theta) continue;
    return Json{{"n", paper_n},
                {"energy_error", row.energy_error},
                {"end", paper_end},
                {"gtx480_seconds", row.gtx480_seconds},
                {"h200_seconds", row.h200_seconds},
                {"asked_seconds", row.asked_seconds}};
  }
  return {};
}

void run_all(const std::vector<MergerRun>& runs, std::size_t n, const fs::path& home, Runner& runner, Report& report) {
  report.begin("merger", "Table 2: two galaxies 1 : 3, dt 1/64, eps 0.1",
               {{"run", "/label"},
                {"N", "/n"},
                {"to t", "/time"},
                {"wall s", "/wall_seconds"},
                {"asked", "/paper/asked_seconds"},
                {"Bonsai, H200", "/paper/h200_seconds"},
                {"largest dE", "/energy_error"},
                {"Bonsai", "/paper/energy_error"},
                {"1st", "/passages/0/time"},
                {"2nd", "/passages/1/time"},
                {"3rd", "/passages/2/time"}});
  for (const MergerRun& run : runs) {
    const fs::path folder = home / run.name;
    simulate(run, n, runner, report, folder);
    Json row = {{"label", run.name}};
    row.update(merger_row(folder));
    if (auto figures = figures_of(run)) row["paper"] = *figures;
    report.measured_on(row["backend"], row["device"]);
    report.add(row);
    if (!row["finished"]) {
      report.leave_out(
          fmt::format("{} from t = {} to {}", run.name, row["time"].get<double>(), row["end"].get<double>()),
          "--wall-limit was reached: the same command goes on from there");
    }
  }
}

void compare(const std::vector<MergerRun>& runs, Report& report) {
  report.begin("agreement",
               "The same against the most exact run: largest differences until the third passage, and of profiles",
               {{"run", "/label"},
                {"against", "/against"},
                {"until t", "/until"},
                {"distance", "/distance"},
                {"at t", "/profile/time"},
                {"density", "/profile/density"},
                {"mass", "/profile/mass"},
                {"v circ", "/profile/circular_velocity"}});
  const std::vector<Json> rows = report.rows("merger");
  const auto exactness = [&](std::size_t i) { return runs[i].theta + (runs[i].block ? 0.01 : 0.0); };
  std::size_t best = 0;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (exactness(i) < exactness(best)) best = i;
  }
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (i != best) report.add(merger_agreement(rows[i], rows[best]));
  }
}

}  // namespace

void bench_merger(Runner& runner, Report& report) {
  const BenchSettings& settings = runner.settings();
  const std::vector<MergerRun> runs = chosen_runs(settings.runs);
  // each galaxy has a black hole and whole shares
  const std::size_t n = 2 * ((runner.at_most(paper_n) / 2 - 1) / unit * unit + 1);
  if (n < 2 + 2 * unit) throw UsageError("--max-n", "is too small for two galaxies", "must be 50 or more");
  const fs::path home = fs::absolute(settings.folder) / "merger";
  fs::create_directories(home);
  const run::FolderLock lock(home);
  run_all(runs, n, home, runner, report);
  compare(runs, report);
  draw_merger(home / runs.front().name, fs::absolute(settings.folder) / "bench_merger_picture.png");
}

}  // namespace hornbeam::cli
