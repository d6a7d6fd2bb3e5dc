// SPDX-License-Identifier: Apache-2.0
// `hornbeam-bench`: the papers' tables, theirs compared with ours, as text, JSON and a plot.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>
#include <memory>

#include "bench/suites/plot.h"
#include "bench/suites/suites.h"
#include "cli/commands.h"
#include "cli/common.h"
#include "cli/shell/help_format.h"
#include "hornbeam/error.h"
#include "hornbeam/version.h"
#include "run/config/config_json.h"

namespace hornbeam::cli {
namespace {

const Suite& find_suite(const std::string& name) {
  std::string known;
  for (const Suite& suite : suites()) {
    if (suite.name == name) return suite;
    known += (known.empty() ? "" : ", ") + suite.name;
  }
  throw UsageError("bench " + name, "is no suite of this version", "there are " + known);
}

Json head(const Suite& suite, const BenchSettings& settings) {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  return {{"suite", suite.name},
          {"source", suite.source},
          {"version", version},
          {"commit", commit},
          {"date", fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now))},
          {"settings",
           {{"backend", settings.backend},
            {"device", run::json_of_devices(settings.device)},
            {"threads", settings.threads},
            {"max_n", settings.max_n ? Json(*settings.max_n) : Json()},
            {"repeat", settings.repeat},
            {"sample", settings.sample}}}};
}

void run_suite(const BenchSettings& settings) {
  const Suite& suite = find_suite(settings.suite);
  std::filesystem::create_directories(settings.folder);
  const std::filesystem::path path = settings.folder / ("bench_" + suite.name + ".json");
  Report report(head(suite, settings), settings.json, path);
  Runner runner(settings, report);
  if (!settings.json) {
    fmt::print("bench {}: {}\n", suite.name, suite.summary);
    if (!suite.source.empty()) fmt::print("beside {}\n", suite.source);
    for (const DeviceInfo& device : list_devices()) fmt::print("here {}: {}\n", device.backend, device.device);
  }
  suite.run(runner, report);
  report.save();
  std::filesystem::path png = path;
  const std::string plotted = plot_bench(path, png.replace_extension(".png"));
  if (settings.json) {
    fmt::print("{}\n", report.json().dump(2));
  } else {
    fmt::print("\nwrote {}; {}\n", path.string(), plotted);
  }
}

void add_number(CLI::App& program, const std::string& flag, std::int64_t least, const std::string& help,
                const std::function<void(std::int64_t)>& set) {
  program
      .add_option_function<std::string>(
          flag, [=](const std::string& text) { set(integer_from_text_in(least, most_particles, text, flag)); }, help)
      ->type_name("INT");
}

void add_positive(CLI::App& program, const std::string& flag, const std::string& help,
                  const std::function<void(double)>& set) {
  program
      .add_option_function<std::string>(
          flag,
          [=](const std::string& text) {
            const double value = number_from_text(text, flag);
            if (!(value > 0)) throw UsageError(flag, "received " + text, "must be above 0");
            set(value);
          },
          help)
      ->type_name("FLOAT");
}

}  // namespace

Exit run_bench(int argc, char** argv) {
  if (argc > 1 && std::string(argv[1]) == "run") return run_command(argc, argv);  // `merger` starts its runs so
  CLI::App program("Hornbeam's benchmarks: the papers' tables, theirs beside ours", "hornbeam-bench");
  fit_help(program);
  const auto settings = std::make_shared<BenchSettings>();
  const auto options = std::make_shared<SimulationOptions>();
  std::string names, summaries;
  for (const Suite& suite : suites()) {
    names += (names.empty() ? "" : ",") + suite.name;
    summaries += fmt::format("\n{}: {}", suite.name, suite.summary);
  }
  program.add_option("SUITE", settings->suite, "one of" + summaries)->required()->type_name("{" + names + "}");
  add_key_flags(program, *options, {"backend", "device", "threads"});
  add_number(program, "--max-n", 1, "leave larger sizes out", [settings](std::int64_t v) { settings->max_n = v; });
  add_number(program, "--repeat", 1, "evaluate each case this often and report medians (default: 5)",
             [settings](std::int64_t v) { settings->repeat = v; });
  add_number(program, "--sample", 0, "particles whose force is summed directly (default: 10000; 0: no errors)",
             [settings](std::int64_t v) { settings->sample = v; });
  program
      .add_option("--runs", settings->runs,
                  "merger: some of theta-0.75, theta-0.5, direct, block-0.75, block-0.5 (default: the first two); "
                  "sph: some of rates, gravity, debris, sod, sedov, noh, sound-wave, gresho, kelvin-helmholtz, "
                  "square, blob, evrard")
      ->type_name("NAME");
  add_positive(program, "--end",
               "merger: simulate to this time (default: 1000, direct 320); occlude: orbits to Fig. 27 (2)",
               [settings](double v) { settings->end = v; });
  add_positive(program, "--wall-limit",
               "merger: stop each run after so many seconds; the same command goes on with it; sph: leave out what "
               "takes longer (900)",
               [settings](double v) { settings->wall_limit = v; });
  program.add_flag("--quick", settings->quick, "sph: the smallest sizes alone");
  program.add_option("-o", settings->folder, "folder of bench_SUITE.json and .png (default: here)")->type_name("PATH");
  program.add_flag("--json", settings->json, "print the JSON object instead of tables");
  program.callback([settings, options] {
    settings->backend = options->backend;
    settings->device = options->device;
    settings->threads = options->threads;
    run_suite(*settings);
  });
  return parse_and_run(program, argc, argv);
}

}  // namespace hornbeam::cli
