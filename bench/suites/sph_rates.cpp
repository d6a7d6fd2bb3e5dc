// SPDX-License-Identifier: Apache-2.0
// Rates of gas, see sph_rates.h.
#include "bench/suites/sph_rates.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "cli/common.h"
#include "cli/output/measure.h"
#include "hornbeam/error.h"
#include "hornbeam/ics.h"
#include "interactions/sph/gas_module.h"
#include "simulation/check.h"

namespace hornbeam::cli {
namespace {

constexpr std::size_t largest_rate = std::size_t{1} << 24;

/// Uniform gas at rest: of a cubic lattice where n is a cube, otherwise a glass of 1,024 times a cube.
Particles uniform_gas(std::size_t n) {
  const auto side = static_cast<std::size_t>(std::llround(std::cbrt(static_cast<double>(n))));
  return ics::make("sedov", n, {},
                   {{"energy", "1e-3"}, {"background", "1"}, {"lattice", side * side * side == n ? "cubic" : "glass"}})
      .particles;
}

/// A uniform ball of it.
Particles ball_of_gas(std::size_t n) { return ics::make("collapse", n, {}, {{"amplitude", "0"}}).particles; }

/// Such gas on the suite's device.
ParticleSystem loaded(Runner& runner, std::size_t n, Precision precision, bool reconstruct) {
  const BenchSettings& settings = runner.settings();
  ParticleSystem system = open_system(runner.backend(), settings.device, settings.threads);
  system.set_boundary({.kind = BoundaryKind::periodic, .size = {1, 1, 1}}, 0);
  GasOptions gas;
  gas.eos = EquationOfState::ideal;
  gas.reconstruct = reconstruct;
  system.set_modules({gas_maker(gas)}, false);
  GravityOptions gravity;
  gravity.eps = 1e-3;
  gravity.precision = precision;
  system.load(uniform_gas(n), gravity);
  return system;
}

std::uint64_t density_sums(const ParticleSystem& system) {
  Reports reports;
  system.report(reports);
  return reports.gas.density_sums;
}

/// A tree and all sums, `repeat` times, where H is known: seconds and rates.
Json rates(Runner& runner, ParticleSystem& system, std::size_t n) {
  system.build_tree();
  system.evaluate();
  const GasSumSeconds from = system.find<Gas>()->sum_seconds();
  const StageSeconds stage = system.seconds();
  const std::uint64_t sums = density_sums(system);
  const auto began = std::chrono::steady_clock::now();
  std::int64_t count = 0;
  double seconds = 0;
  while (count < runner.settings().repeat && seconds < 10) {
    system.build_tree();
    system.evaluate();
    static_cast<void>(system.find<Gas>()->sum_seconds());  // waits
    ++count;
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  }
  const GasSumSeconds to = system.find<Gas>()->sum_seconds();
  const StageSeconds done = system.seconds();
  const auto times = static_cast<double>(count), all = static_cast<double>(n) * times;
  const double walk = done.walk - stage.walk, tree = done.force() - stage.force() - walk;
  return {{"n", n},
          {"backend", runner.backend()},
          {"repeats", count},
          {"seconds",
           {{"step", seconds / times},
            {"gas", (done.gas - stage.gas) / times},
            {"walk", walk / times},
            {"tree", tree / times}}},
          {"density_sums", static_cast<double>(density_sums(system) - sums) / all},
          {"rate",
           {{"step", all / seconds},
            {"tree", all / tree},
            {"density", all / (to.density - from.density)},
            {"forces", all / (to.forces - from.forces)}}}};
}

/// How exact the tree is asked to be: the default, and 3e-3 at 99 %.
struct Opening {
  double theta, theta_c;
  int leaf_size;
};
constexpr Opening openings[] = {{0.6, 0.6, 0}, {1.4, 0.75, 32}};

GravityOptions opened(const Opening& opening, std::size_t n) {
  GravityOptions gravity;
  gravity.accuracy = 0;
  gravity.theta = opening.theta;
  gravity.theta_c = opening.theta_c;
  gravity.leaf_size = opening.leaf_size;
  gravity.eps = std::cbrt(4.18879 / static_cast<double>(n)) / 2;  // half a spacing of a ball of radius 1
  return gravity;
}

/// What the tree's forces on `ball` are off by; those of gas are none of them.
ForceError errors_of_pull(Runner& runner, const Particles& ball, const GravityOptions& gravity) {
  const BenchSettings& settings = runner.settings();
  ParticleSystem system = open_system(runner.backend(), settings.device, settings.threads);
  measure(system, "bench sph", ball, gravity, {});
  return check_forces(system, ball, static_cast<std::size_t>(settings.sample), settings.threads);
}

/// H of n particles in a ball of radius 1.
double smoothing_length_in(double n) { return std::cbrt(100 / n); }

/// The ball with `count` of its particles so far outside that H, with next to none near, is a thousand times that of
/// the others, and `farther` times that: evenly on a sphere, by turns of the golden angle.
Particles with_debris(Particles ball, std::size_t count, double farther) {
  const auto n = static_cast<double>(ball.size());
  const double away = 1000 * farther * smoothing_length_in(n), golden = 2.399963229728653;
  for (std::size_t k = 0; k < count; ++k) {
    const double z = (2 * static_cast<double>(k) + 1) / static_cast<double>(count) - 1,
                 angle = golden * static_cast<double>(k);
    const double r = std::sqrt(1 - z * z);
    ball.position[k * (ball.size() / count)] = {away * r * std::cos(angle), away * r * std::sin(angle), away * z};
  }
  return ball;
}

/// Of gas in open space, whose H is at most `widest` (0: whatever it comes to).
Json rates_of(Runner& runner, const Particles& particles, const GravityOptions& gravity, bool pulls,
              double widest = 0) {
  ParticleSystem system = open_system(runner.backend(), runner.settings().device, runner.settings().threads);
  GasOptions gas;
  gas.eos = EquationOfState::ideal;
  gas.max_smoothing_length = widest;
  system.set_modules({gas_maker(gas)}, pulls);
  system.load(particles, gravity);
  return rates(runner, system, particles.size());
}

/// Next to the same particles, in the same tree, of which none reaches further than twice H in the ball.
Json rates_with_debris(Runner& runner, const Particles& ball, std::size_t debris, double farther) {
  GravityOptions gravity;
  gravity.eps = 1e-3;
  const Particles particles = with_debris(ball, debris, farther);
  Json row = rates_of(runner, particles, gravity, false);
  row["debris"] = debris;
  if (debris == 0) return row;
  const double bound = 2 * smoothing_length_in(static_cast<double>(ball.size()));
  const Json bounded = rates_of(runner, particles, gravity, false, bound);
  row["bounded"] = bounded["seconds"];
  row["over_bounded"] = row["seconds"]["step"].get<double>() / bounded["seconds"]["step"].get<double>();
  return row;
}

/// How many particles a cell of a level holds goes on eightfold from level to level, and what sums cost follows it by
/// some 10 %, with and without debris. So many sizes and distances go round once, each its own way.
constexpr std::size_t tree_phases = 6;

/// Logarithms of a step over that without debris and over that with bounded H, summed over sizes.
struct DebrisSums {
  double over = 0, over_bounded = 0;
  std::size_t sizes = 0;
};
/// By the number of debris.
using DebrisMeans = std::map<std::size_t, DebrisSums>;

void debris_of_size(Runner& runner, Report& report, std::size_t n, double farther, DebrisMeans& means) {
  const Particles ball = ball_of_gas(n);
  double none = 0;
  for (const std::size_t debris : {0, 1, 5, 20}) {
    Json row = rates_with_debris(runner, ball, debris, farther);
    const double step = row["seconds"]["step"].get<double>();
    if (debris == 0) {
      none = step;
    } else {
      row["over"] = step / none;
      row["farther"] = farther;
      DebrisSums& sums = means[debris];
      sums.over += std::log(step / none);
      sums.over_bounded += std::log(row["over_bounded"].get<double>());
      ++sums.sizes;
    }
    report.add(row);
  }
}

/// Of sizes from `first` to `last`; no verdict where some of the phases are lacking.
Json mean_with_debris(std::size_t first, std::size_t last, std::size_t debris, const DebrisSums& sums) {
  const auto sizes = static_cast<double>(sums.sizes);
  const double over = std::exp(sums.over / sizes);
  Json row = {{"n", first}, {"to", last}, {"debris", debris}, {"over", over}};
  row["over_bounded"] = std::exp(sums.over_bounded / sizes);
  if (sums.sizes < tree_phases) return row;
  row["asked"] = "<= 1.1";
  row["met"] = over <= 1.1 ? "met" : "missed";
  return row;
}

Json rates_with_gravity(Runner& runner, const Particles& ball, const Opening& opening) {
  const GravityOptions gravity = opened(opening, ball.size());
  Json row = rates_of(runner, ball, gravity, true);
  row["theta"] = gravity.theta;
  row["theta_c"] = gravity.theta_c;
  row["leaf_size"] = gravity.leaf_size;
  row["eps"] = gravity.eps;
  if (runner.settings().sample > 0) row["error"] = to_json(errors_of_pull(runner, ball, gravity));
  return row;
}

}  // namespace

void rate_part(Runner& runner, Report& report) {
  report.begin("rates", "Uniform gas, C2/100: particles a second of a tree and all sums, and of each",
               {{"N", "/n"},
                {"precision", "/precision", 10},
                {"reconstructed", "/reconstruct", 14},
                {"s", "/seconds/step"},
                {"all", "/rate/step"},
                {"tree", "/rate/tree"},
                {"density", "/rate/density"},
                {"forces", "/rate/forces"},
                {"sums for H", "/density_sums"}});
  std::vector<std::size_t> sizes = {8192, 128000, 1024000, 8192000, 16000000, largest_rate};
  if (runner.settings().quick) sizes = {8192};
  const double limit = runner.settings().wall_limit.value_or(longest_flow) / 10;
  double per_particle = 0;
  for (const std::size_t n : runner.within(sizes)) {
    if (per_particle * static_cast<double>(n) > limit) {
      report.leave_out(fmt::format("rates, N = {}", n), "would take too long; --wall-limit allows it");
      continue;
    }
    for (const auto& [precision, reconstruct] :
         {std::pair(Precision::mixed, false), std::pair(Precision::mixed, true), std::pair(Precision::fp64, false)}) {
      try {
        ParticleSystem system = loaded(runner, n, precision, reconstruct);
        Json row = rates(runner, system, n);
        row["precision"] = name(precision);
        row["reconstruct"] = reconstruct;
        per_particle = row["seconds"]["step"].get<double>() / static_cast<double>(n);
        report.add(row);
      } catch (const NotFinite&) {
        throw;
      } catch (const Error& e) {  // memory
        report.leave_out(fmt::format("rates, N = {}, {}", n, name(precision)), e.what());
      }
    }
  }
  report.remark(
      "others, a whole step: Shamrock 25.5e6 on an H100 and 2.35e6 on 96 cores (fp64, M4/58), SWIFT 8,200 a core, "
      "SPH-EXA 150,000 to 240,000 a core beside this (docs/gas.md)");
}

void gravity_part(Runner& runner, Report& report) {
  report.begin("gravity", "A ball of gas that pulls itself: milliseconds of a step, and errors of the pull",
               {{"N", "/n"},
                {"theta", "/theta"},
                {"theta_c", "/theta_c"},
                {"leaf", "/leaf_size"},
                {"s", "/seconds/step"},
                {"gas", "/seconds/gas"},
                {"walk", "/seconds/walk"},
                {"tree", "/seconds/tree"},
                {"particles/s", "/rate/step", 12},
                {"median", "/error/acc_median"},
                {"99 %", "/error/acc_p99"}});
  std::vector<std::size_t> sizes = {std::size_t{1} << 20, largest_rate};
  if (runner.settings().quick) sizes = {8192};
  for (const std::size_t n : runner.within(sizes)) {
    const Particles ball = ball_of_gas(n);
    for (const Opening& opening : openings) {
      try {
        report.add(rates_with_gravity(runner, ball, opening));
      } catch (const NotFinite&) {
        throw;
      } catch (const Error& e) {  // memory
        report.leave_out(fmt::format("gravity, N = {}, theta {}", n, opening.theta), e.what());
      }
    }
  }
}

void debris_part(Runner& runner, Report& report) {
  report.begin(
      "debris",
      "A ball of gas, and debris that reaches over much of it: a step beside that without debris, whose tree is "
      "another, and beside that of the same particles where H is bounded by twice that in the ball; then means of "
      "logarithms over the sizes of each eightfold of N",
      {{"N", "/n"},
       {"to", "/to"},
       {"debris", "/debris", 7},
       {"s", "/seconds/step"},
       {"gas", "/seconds/gas"},
       {"tree", "/seconds/tree"},
       {"over none", "/over"},
       {"asked", "/asked", 7},
       {"", "/met", 7},
       {"over bounded", "/over_bounded"}});
  const bool quick = runner.settings().quick;
  for (const std::size_t first : quick ? std::vector<std::size_t>{8192} : std::vector<std::size_t>{100000, 1500000}) {
    DebrisMeans means;
    std::size_t last = 0;
    for (std::size_t k = 0; k < (quick ? 1 : tree_phases); ++k) {
      const auto n = static_cast<std::size_t>(static_cast<double>(first) * std::exp2(static_cast<double>(k) / 2));
      if (runner.within({n}).empty()) continue;
      debris_of_size(runner, report, n, std::exp2(static_cast<double>(k) / static_cast<double>(tree_phases)), means);
      last = n;
    }
    for (const auto& [debris, sums] : means) report.add(mean_with_debris(first, last, debris, sums));
  }
}

}  // namespace hornbeam::cli
