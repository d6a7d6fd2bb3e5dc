// SPDX-License-Identifier: Apache-2.0
// Force evaluations measured, see measure.h.
#include "cli/output/measure.h"

#include <algorithm>
#include <chrono>

#include "cli/common.h"
#include "simulation/finite.h"

namespace hornbeam::cli {
namespace {

/// Median over the repetitions of each stage's seconds.
StageSeconds medians(const std::vector<StageSeconds>& runs) {
  StageSeconds median;
  for (double StageSeconds::*stage :
       {&StageSeconds::bound, &StageSeconds::key, &StageSeconds::sort, &StageSeconds::reorder, &StageSeconds::build,
        &StageSeconds::moments, &StageSeconds::walk, &StageSeconds::transfer}) {
    std::vector<double> values;
    values.reserve(runs.size());
    for (const StageSeconds& run : runs) values.push_back(run.*stage);
    std::sort(values.begin(), values.end());
    median.*stage = 0.5 * (values[(values.size() - 1) / 2] + values[values.size() / 2]);
  }
  return median;
}

}  // namespace

Measurement measure(ParticleSystem& system, const std::string& source, const Particles& particles,
                    const GravityOptions& gravity, const Repetition& repetition) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  const std::size_t most = static_cast<std::size_t>(repetition.counted) + (repetition.warm_up ? 1 : 0);
  const GravityOptions used = with_common_eps(gravity, particles);
  std::vector<StageSeconds> runs;
  for (bool last = false; !last;) {
    system.load(particles, used);
    system.build_tree();
    system.evaluate();
    const double passed = std::chrono::duration<double>(Clock::now() - start).count();
    last = runs.size() + 1 >= most || passed >= repetition.enough;
    runs.push_back(system.seconds());
  }
  demand_finite(system, {source, particles});
  if (repetition.warm_up && runs.size() > 1) runs.erase(runs.begin());
  return {medians(runs), static_cast<std::int64_t>(runs.size())};
}

Json measurement_json(const Particles& particles, const GravityOptions& asked, const ParticleSystem& system,
                      const StageSeconds& seconds) {
  const std::size_t n = particles.size();
  run::RunConfig used;
  used.simulation.gravity = system.options();
  Json json = {{"n", n}, {"backend", system.name()}, {"device", system.device()}, {"threads", system.threads()}};
  for (const Key* key : run::evaluation_keys()) {
    const bool told_already = json.contains(key->name);
    const Json value = key->get(used);  // none of what an accuracy replaces
    if (!told_already && !value.is_null()) json[key->name] = value;
  }
  json["eps"] = eps_in_use(asked, particles);
  json["eps_source"] = eps_source(asked, particles);
  json["seconds"] = to_json(seconds);
  json["seconds"]["transfer"] = seconds.transfer;
  json["interactions_per_particle"] = to_json(system.interactions(), n);
  json["particles_per_second"] = seconds.force() > 0.0 ? static_cast<double>(n) / seconds.force() : 0.0;
  json["bytes"] = to_json(system.bytes());
  return json;
}

Json to_json(const ForceError& error) {
  return {
      {"sampled", error.sampled},           {"acc_mean", error.acc_mean},         {"acc_rms", error.acc_rms},
      {"acc_median", error.acc_median},     {"acc_p90", error.acc_p90},           {"acc_p99", error.acc_p99},
      {"acc_max", error.acc_max},           {"promised_rms", error.promised_rms}, {"promised_p99", error.promised_p99},
      {"promised_max", error.promised_max}, {"pot_mean", error.pot_mean},         {"momentum", error.momentum}};
}

}  // namespace hornbeam::cli
