// SPDX-License-Identifier: Apache-2.0
// Reads [time], [potential] and [watchdog], see config_dynamics.h.
#include "run/config_dynamics.h"

#include <fmt/format.h>

#include "hornbeam/error.h"

namespace hornbeam::run {
namespace {

double required(std::optional<double> value, const std::string& subject) {
  if (!value) throw UsageError(subject, "is missing", "give it a number");
  return *value;
}

double at_least_0(std::optional<double> value, double otherwise, const std::string& subject) {
  if (value && !(*value >= 0.0)) throw UsageError(subject, fmt::format("received {}", *value), "must be 0 or above");
  return value.value_or(otherwise);
}

int whole_from_0(std::optional<std::int64_t> value, int otherwise, int most, const std::string& subject) {
  if (value && (*value < 0 || *value > most)) {
    throw UsageError(subject, fmt::format("received {}", *value), fmt::format("must be from 0 to {}", most));
  }
  return static_cast<int>(value.value_or(otherwise));
}

/// Throws for the first of `keys` that is given: only another kind of steps takes it.
void refuse_idle(const ConfigSection& section, std::initializer_list<const char*> keys, const char* steps) {
  for (const char* key : keys) {
    if (section.has(key)) {
      throw UsageError(section.subject(key), fmt::format("does nothing with steps = \"{}\"", steps),
                       "remove it, or choose steps = \"block\"");
    }
  }
}

Vec3 vector_of(ConfigSection& section, const char* key) {
  const auto values = section.numbers(key);
  if (!values) return {};
  if (values->size() != 3) {
    throw UsageError(section.subject(key), fmt::format("received {} numbers", values->size()), "give x, y and z");
  }
  return {(*values)[0], (*values)[1], (*values)[2]};
}

ExternalPotential read_potential(ConfigSection section) {
  ExternalPotential p;
  p.kind = parse<PotentialKind>(section.subject("kind"), section.word("kind").value_or(""));
  p.scale = section.number("scale").value_or(0.0);
  p.centre = vector_of(section, "centre");
  p.velocity = vector_of(section, "velocity");
  if (p.kind == PotentialKind::logarithmic) {
    p.speed = required(section.number("speed"), section.subject("speed"));
    p.flattening = section.number("flattening").value_or(1.0);
  } else {
    p.mass = required(section.number("mass"), section.subject("mass"));
  }
  if (p.kind == PotentialKind::miyamoto_nagai) p.height = section.number("height").value_or(0.0);
  section.refuse_unknown();
  const std::string subject = section.subject("");
  p.validate(subject.substr(0, subject.size() - 1));
  return p;
}

}  // namespace

double positive(double value, const std::string& subject) {
  if (!(value > 0.0)) throw UsageError(subject, fmt::format("received {}", value), "must be above 0");
  return value;
}

std::optional<double> positive(std::optional<double> value, const std::string& subject) {
  if (value) positive(*value, subject);
  return value;
}

void read_time(const toml::table& root, const std::string& file, RunConfig& config) {
  ConfigSection section(root, "time", file);
  SimulationOptions& o = config.simulation;
  o.steps = parse<Steps>(section.subject("steps"), section.word("steps").value_or("shared"));
  if (o.steps == Steps::shared) refuse_idle(section, {"eta", "eta_change", "max_rung"}, "shared");
  if (o.steps == Steps::symmetrised) refuse_idle(section, {"eta_change"}, "symmetrised");
  o.dt = positive(required(section.number("dt"), section.subject("dt")), section.subject("dt"));
  o.eta = positive(section.number("eta").value_or(o.eta), section.subject("eta"));
  o.eta_change = at_least_0(section.number("eta_change"), o.eta_change, section.subject("eta_change"));
  o.max_rung = whole_from_0(section.integer("max_rung"), o.max_rung, 30, section.subject("max_rung"));
  config.end = required(section.number("end"), section.subject("end"));
  section.refuse_unknown();
}

void read_potentials(const toml::table& root, const std::string& file, SimulationOptions& options) {
  const toml::node* const node = root.get("potential");
  if (node == nullptr) return;
  const toml::array* const several = node->as_array();
  if (several == nullptr) {
    options.potentials.push_back(read_potential(ConfigSection(root, "potential", file)));
    return;
  }
  for (std::size_t k = 0; k < several->size(); ++k) {
    const std::string name = fmt::format("potential[{}]", k);
    toml::table parent;
    parent.insert(name, *several->get(k));
    options.potentials.push_back(read_potential(ConfigSection(parent, name, file)));
  }
}

void read_watchdog(const toml::table& root, const std::string& file, RunConfig& config) {
  ConfigSection section(root, "watchdog", file);
  WatchdogPlan& plan = config.watchdog;
  for (const ExternalPotential& p : config.simulation.potentials) {
    if (p.velocity != Vec3{}) plan.energy = 0.0;  // what moves does work: energy is not conserved
  }
  plan.energy = at_least_0(section.number("energy"), plan.energy, section.subject("energy"));
  plan.runaway = at_least_0(section.number("runaway"), plan.runaway, section.subject("runaway"));
  plan.collapse = section.truth("collapse").value_or(plan.collapse);
  constexpr int most = 1 << 30;
  plan.every = whole_from_0(section.integer("every"), plan.every, most, section.subject("every"));
  section.refuse_unknown();
}

Json time_json(const RunConfig& config) {
  const SimulationOptions& o = config.simulation;
  Json json = {{"dt", o.dt}, {"end", config.end}, {"steps", name(o.steps)}};
  if (o.steps == Steps::shared) return json;
  json["eta"] = o.eta;
  if (o.steps == Steps::block) json["eta_change"] = o.eta_change;
  json["max_rung"] = o.max_rung;
  return json;
}

Json potentials_json(const SimulationOptions& options) {
  Json all = Json::array();
  for (const ExternalPotential& p : options.potentials) {
    Json one = {{"kind", name(p.kind)}, {"scale", p.scale}, {"centre", p.centre}, {"velocity", p.velocity}};
    if (p.kind == PotentialKind::logarithmic) {
      one.update({{"speed", p.speed}, {"flattening", p.flattening}});
    } else {
      one["mass"] = p.mass;
    }
    if (p.kind == PotentialKind::miyamoto_nagai) one["height"] = p.height;
    all.push_back(std::move(one));
  }
  return all;
}

Json watchdog_json(const WatchdogPlan& plan) {
  return {{"energy", plan.energy}, {"runaway", plan.runaway}, {"collapse", plan.collapse}, {"every", plan.every}};
}

}  // namespace hornbeam::run
