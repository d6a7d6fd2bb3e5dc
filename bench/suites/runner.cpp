// SPDX-License-Identifier: Apache-2.0
// Cases of benchmark suites, see runner.h.
#include "bench/suites/runner.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "cli/memory_plan.h"
#include "cli/output/measure.h"
#include "hornbeam/error.h"

namespace hornbeam::cli {
namespace {

/// A case that would take longer than this, judged by the last size, is left out.
constexpr double longest_evaluation = 60;
/// Evaluations of a case are not repeated beyond this.
constexpr double enough = 8;

/// What a case's cost depends on next to n.
std::string kind_of(const Case& c, const std::string& backend) {
  const GravityOptions& g = c.gravity;
  return fmt::format("{} {} {} {} {} {} {} {} {} {} {} {}", c.model, to_string(c.input), backend, c.threads,
                     name(g.walk), name(g.mac), name(g.curve), name(g.precision), g.theta, g.theta_c, g.order,
                     g.expansion);
}

/// Fractions of the particles whose error is larger: the axis of Bonsai's Fig. 8.
const std::vector<double>& tail_fractions() {
  static const std::vector<double> fractions = {1,   0.999, 0.99, 0.97, 0.95, 0.9,  0.8,  0.7,  0.6,   0.5,   0.4,
                                                0.3, 0.2,   0.1,  0.07, 0.05, 0.03, 0.02, 0.01, 0.005, 0.002, 0.001};
  return fractions;
}

Json distribution_json(const std::vector<double>& ascending) {
  Json fraction = Json::array(), error = Json::array();
  const auto n = static_cast<double>(ascending.size());
  for (const double f : tail_fractions()) {
    if (f * n < 1) break;  // fewer than one particle of the sample
    fraction.push_back(f);
    error.push_back(ascending[static_cast<std::size_t>(std::min(n - 1, std::floor((1 - f) * n)))]);
  }
  return {{"fraction", fraction}, {"error", error}};
}

}  // namespace

Runner::Runner(const BenchSettings& settings, Report& report) : settings_(settings), report_(report) {
  backend_ = open_system(settings.backend, settings.device, settings.threads).name();
}

std::vector<std::string> Runner::backends() const {
  std::vector<std::string> names = {backend_};
  if (settings_.backend != "auto") return names;
  for (const DeviceInfo& device : list_devices()) {
    if (std::find(names.begin(), names.end(), device.backend) == names.end()) names.push_back(device.backend);
  }
  return names;
}

std::vector<std::size_t> Runner::within(const std::vector<std::size_t>& sizes) {
  std::vector<std::size_t> kept, beyond;
  for (const std::size_t n : sizes) {
    (settings_.max_n && n > static_cast<std::size_t>(*settings_.max_n) ? beyond : kept).push_back(n);
  }
  if (!beyond.empty()) {
    report_.leave_out(fmt::format("N = {}", fmt::join(beyond, ", ")),
                      fmt::format("beyond --max-n {}", *settings_.max_n));
  }
  return kept;
}

std::size_t Runner::at_most(std::size_t n) {
  if (!settings_.max_n || n <= static_cast<std::size_t>(*settings_.max_n)) return n;
  report_.leave_out(fmt::format("N = {}", n), fmt::format("beyond --max-n {0}; {0} instead", *settings_.max_n));
  return static_cast<std::size_t>(*settings_.max_n);
}

ParticleSystem Runner::open(const Case& c) {
  const std::string& wanted = c.backend.empty() ? backend_ : c.backend;
  ParticleSystem system =
      open_system(wanted, wanted == backend_ ? settings_.device : 0, c.threads >= 0 ? c.threads : settings_.threads);
  report_.measured_on(wanted, system.device());
  return system;
}

const Particles& Runner::particles(const Case& c) {
  const std::string wanted = fmt::format("{} {} {}", c.model, c.n, to_string(c.input));
  if (particles_are_ != wanted) {
    particles_are_.clear();
    particles_ = {};
    particles_ = draw_shape(c.model, c.n);
    particles_.velocity = {};  // no part of an evaluation
    put_in_order(particles_, c.input);
    particles_are_ = wanted;
  }
  return particles_;
}

SampledError Runner::errors(const Case& c, ParticleSystem& system) {
  const std::string wanted = fmt::format("{} {} {}", particles_are_, c.gravity.eps, name(c.gravity.softening));
  if (direct_is_of_ != wanted) direct_.clear();
  direct_is_of_ = wanted;
  return sample_errors(system, particles_, static_cast<std::size_t>(settings_.sample), settings_.threads, direct_);
}

std::optional<std::string> Runner::reason_against(const Case& c) {
  const std::string& backend = c.backend.empty() ? backend_ : c.backend;
  const auto before = cost_.find(kind_of(c, backend));
  if (before == cost_.end()) return {};
  const double ratio = static_cast<double>(c.n) / static_cast<double>(before->second.n);
  const double seconds = before->second.seconds * (c.gravity.walk == Walk::direct ? ratio * ratio : ratio);
  if (seconds > longest_evaluation) return fmt::format("would take {} about {:.0f} s", backend, seconds);
  return {};
}

std::optional<Json> Runner::measure(const Case& c) {
  const std::string what = fmt::format("{} N = {}, {}, theta {}", c.model, c.n, name(c.gravity.walk), c.gravity.theta);
  if (const auto reason = reason_against(c)) {
    report_.leave_out(what, *reason);
    return {};
  }
  ParticleSystem system = open(c);  // a new one: its bytes are this case's alone
  try {
    const std::int64_t sample = c.errors ? settings_.sample : 0;
    memory::demand(c.n, memory::particles() + force_need(system, c.gravity, {sample, false}, c.n, true),
                   memory::particle_bytes * static_cast<double>(particles_.size()));
    const Particles& p = particles(c);
    const Measurement measurement =
        cli::measure(system, what, p, c.gravity, {.counted = settings_.repeat, .warm_up = true, .enough = enough});
    const double seconds = measurement.seconds.force();
    cost_[kind_of(c, system.name())] = {p.size(), seconds};
    Json row = {{"model", c.model}, {"input", to_string(c.input)}};
    if (!c.label.empty()) row["label"] = c.label;
    row.update(measurement_json(p, c.gravity, system, measurement.seconds));
    row["repeats"] = measurement.repeats;
    if (c.errors && settings_.sample > 0) {
      const SampledError error = errors(c, system);
      row["error"] = to_json(error.summary);
      if (c.distribution) row["distribution"] = distribution_json(error.acceleration);
    }
    if (c.paper) {
      if (c.paper->contains("cache_hits")) row["cache_hits"] = nullptr;  // a profiler's to fill: bench/cache_hits.py
      row["paper"] = *c.paper;
    }
    return row;
  } catch (const NotFinite& e) {  // no case to leave out: what is wrong
    throw NotFinite(what, e.problem, e.remedy);
  } catch (const Error& e) {  // memory or a precision that the device does not have
    report_.leave_out(what, e.what());
    return {};
  }
}

void Runner::run(const Case& c) {
  if (auto row = measure(c)) report_.add(*row);
}

}  // namespace hornbeam::cli
