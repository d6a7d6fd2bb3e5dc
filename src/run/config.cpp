// SPDX-License-Identifier: Apache-2.0
// Reads the sections of a run's configuration, see config.h.
#include "run/config.h"

#include <fmt/format.h>

#include <algorithm>

#include "hornbeam/error.h"
#include "hornbeam/io.h"
#include "run/config_dynamics.h"
#include "run/config_section.h"
#include "run/stray_letter.h"
#include "run/suggest.h"

namespace hornbeam::run {
namespace {

const std::vector<std::string> section_names = {"input",    "ic",         "units", "gravity", "potential", "time",
                                                "boundary", "collisions", "sph",   "output",  "device",    "watchdog"};

std::string position(const toml::source_region& region) {
  return fmt::format("line {}, column {}", region.begin.line, region.begin.column);
}

toml::table parse_toml(std::string_view text, const std::string& subject) {
  if (const std::size_t line = line_of_stray_letter(text)) {
    throw UsageError(subject, fmt::format("line {}: a letter beyond ASCII outside of quotes and comments", line),
                     "put it in quotes");
  }
  if (const std::size_t line = line_of_long_key(text)) {
    throw UsageError(subject, fmt::format("line {}: a key of more than {} parts", line, most_key_parts),
                     "write section.key");
  }
  try {
    return toml::parse(text);
  } catch (const toml::parse_error& error) {
    throw UsageError(subject, fmt::format("{}: {}", position(error.source()), error.description()),
                     "write TOML: key = value lines under [section] headings");
  }
}

/// The value of "a.b=value": TOML where it parses as one value, else a bare string, so that quotes are not needed.
toml::table override_value(const std::string& text) {
  if (line_of_stray_letter(text) > 0 || line_of_long_key(text) > 0) return toml::table{{"value", text}};
  try {
    toml::table parsed = toml::parse("value = " + text);
    if (parsed.size() == 1) return parsed;
  } catch (const toml::parse_error&) {  // not TOML: a bare word
  }
  return toml::table{{"value", text}};
}

void apply_override(toml::table& root, const std::string& text) {
  const std::string subject = "--set " + text;
  const std::size_t equals = text.find('=');
  const std::size_t dot = text.find('.');
  if (equals == std::string::npos || dot == std::string::npos || dot == 0 || dot + 1 >= equals) {
    throw UsageError(subject, "cannot be understood", "write --set section.key=value");
  }
  const std::string section = text.substr(0, dot);
  const std::string key = text.substr(dot + 1, equals - dot - 1);
  if (!root.contains(section)) root.insert(section, toml::table{});
  toml::table* table = root.get(section)->as_table();
  if (table == nullptr) throw UsageError(subject, section + " is not a table of this configuration");
  toml::table value = override_value(text.substr(equals + 1));
  table->insert_or_assign(key, std::move(*value.get("value")));
}

void refuse_unknown_sections(const toml::table& root, const std::string& file) {
  for (const auto& [key, node] : root) {
    const std::string name(key.str());
    if (std::find(section_names.begin(), section_names.end(), name) == section_names.end()) {
      throw UsageError(file + ": " + name, "unknown section", suggestion(name, section_names));
    }
  }
}

void refuse_sections_not_built(const toml::table& root, const std::string& file) {
  for (const char* name : {"collisions", "sph"}) {
    if (ConfigSection(root, name, file).present()) {
      throw UsageError(file + ": " + name, "is not built in this version", "self-gravity in open space is; remove it");
    }
  }
}

std::optional<std::uint64_t> not_negative(std::optional<std::int64_t> value, const std::string& subject) {
  if (!value) return {};
  if (*value < 0) throw UsageError(subject, fmt::format("received {}", *value), "must be 0 or above");
  return static_cast<std::uint64_t>(*value);
}

ModelRequest read_ic(ConfigSection& section) {
  ModelRequest ic;
  ic.model = section.word("model").value_or("");
  const ics::Model& model = find_model(ic.model, section.subject("model"));
  ic.n = not_negative(section.integer("n"), section.subject("n"));
  ic.seed = not_negative(section.integer("seed"), section.subject("seed")).value_or(ic.seed);
  for (const ics::Option& option : model.options) {
    std::string key = option.name;
    std::replace(key.begin(), key.end(), '-', '_');
    if (const auto text = section.text(key)) ic.options[option.name] = *text;
  }
  section.refuse_unknown();
  return ic;
}

void read_source(const toml::table& root, const std::string& file, RunConfig& config) {
  ConfigSection input(root, "input", file);
  config.input_file = input.word("file").value_or("");
  input.refuse_unknown();
  ConfigSection ic(root, "ic", file);
  if (ic.present()) config.ic = read_ic(ic);
  if (config.input_file.empty() == !config.ic.has_value()) {
    throw UsageError(file, config.ic ? "has both [input] and [ic]" : "has neither [input] nor [ic]",
                     "give one of [input] file and [ic] model");
  }
}

Units read_units(ConfigSection& section) {
  const auto system = section.word("system");
  const auto length = section.number("length_cm"), mass = section.number("mass_g");
  const auto velocity = section.number("velocity_cm_per_s");
  section.refuse_unknown();
  const bool any = length || mass || velocity;
  const bool all = length && mass && velocity;
  if (system ? any : any != all) {
    throw UsageError(section.subject("system"), "does not say what the units are",
                     "give system, or all of length_cm, mass_g and velocity_cm_per_s");
  }
  if (system == "galactic") return Units::galactic();
  if (system && system != "nbody") {
    throw UsageError(section.subject("system"), "received " + *system, "there are nbody (G = 1) and galactic");
  }
  Units units;
  if (!all) return units;
  units.length_cm = positive(*length, section.subject("length_cm"));
  units.mass_g = positive(*mass, section.subject("mass_g"));
  units.velocity_cm_per_s = positive(*velocity, section.subject("velocity_cm_per_s"));
  constexpr double G_cgs = 6.6743e-8;  // cm^3 g^-1 s^-2, CODATA 2018
  units.G = G_cgs * units.mass_g / (units.length_cm * units.velocity_cm_per_s * units.velocity_cm_per_s);
  units.physical = true;
  return units;
}

void read_keys(const toml::table& root, const std::string& file, const char* name, SimulationOptions& options) {
  ConfigSection section(root, name, file);
  for (const Key& key : keys()) {
    if (key.section != std::string_view(name)) continue;
    const std::string subject = section.subject(key.name);
    if (const auto* set_number = std::get_if<SetNumber>(&key.set)) {
      if (const auto value = section.number(key.name)) (*set_number)(options, *value, subject);
    } else if (const auto* set_integer = std::get_if<SetInteger>(&key.set)) {
      if (const auto value = section.integer(key.name)) (*set_integer)(options, *value, subject);
    } else if (const auto value = section.word(key.name)) {
      std::get<SetWord>(key.set)(options, *value, subject);
    }
  }
  section.refuse_unknown();
}

void read_boundary(const toml::table& root, const std::string& file) {
  ConfigSection section(root, "boundary", file);
  const std::string kind = section.word("kind").value_or("open");
  if (kind != "open") {
    throw UsageError(section.subject("kind"), "received " + kind + ", which is not built in this version", "open is");
  }
  section.refuse_unknown();
}

OutputPlan read_output(const toml::table& root, const std::string& file) {
  ConfigSection section(root, "output", file);
  OutputPlan plan;
  plan.directory = section.word("directory").value_or(plan.directory);
  if (plan.directory.empty()) throw UsageError(section.subject("directory"), "is empty", "name a folder");
  plan.every = positive(section.number("every"), section.subject("every"));
  plan.times = section.numbers("times").value_or(plan.times);
  plan.energy_every = positive(section.number("energy_every"), section.subject("energy_every"));
  plan.black_holes_every = positive(section.number("black_holes_every"), section.subject("black_holes_every"));
  plan.checkpoint_every = positive(section.number("checkpoint_every"), section.subject("checkpoint_every"));
  plan.wall_every = positive(section.number("wall_every"), section.subject("wall_every"));
  plan.wall_limit = positive(section.number("wall_limit"), section.subject("wall_limit"));
  plan.formats = section.words("formats").value_or(plan.formats);
  for (auto format = plan.formats.begin(); format != plan.formats.end(); ++format) {
    format_named(*format);
    if (std::find(plan.formats.begin(), format, *format) == format) continue;
    throw UsageError(section.subject("formats"), "names " + *format + " twice", "name each format once");
  }
  plan.snapshots = section.truth("snapshots").value_or(plan.snapshots);
  plan.checkpoints = section.truth("checkpoints").value_or(plan.checkpoints);
  for (const char* key : {"checkpoint_every", "wall_every"}) {
    if (plan.checkpoints || !section.has(key)) continue;
    throw UsageError(section.subject(key), "asks for checkpoints, and output.checkpoints = false", "give one of them");
  }
  section.refuse_unknown();
  return plan;
}

Json units_json(const std::optional<Units>& units) {
  if (!units) return "of the input";
  return {{"length_cm", units->length_cm},
          {"mass_g", units->mass_g},
          {"velocity_cm_per_s", units->velocity_cm_per_s},
          {"G", units->G}};
}

}  // namespace

RunConfig parse_config(std::string_view toml_text, const std::vector<std::string>& overrides,
                       const std::string& subject) {
  toml::table root = parse_toml(toml_text, subject);
  for (const std::string& text : overrides) apply_override(root, text);
  refuse_unknown_sections(root, subject);
  refuse_sections_not_built(root, subject);

  RunConfig config;
  read_source(root, subject, config);
  ConfigSection units(root, "units", subject);
  if (units.present()) config.units = read_units(units);
  read_keys(root, subject, "gravity", config.simulation);
  read_keys(root, subject, "device", config.simulation);
  config.simulation.gravity.validate();
  read_time(root, subject, config);
  read_potentials(root, subject, config.simulation);
  read_boundary(root, subject);
  read_watchdog(root, subject, config);
  config.output = read_output(root, subject);
  return config;
}

Json to_json(const RunConfig& config) {
  Json json;
  if (config.ic) {
    json["ic"] = {{"model", config.ic->model}, {"seed", config.ic->seed}};
    if (config.ic->n) json["ic"]["n"] = *config.ic->n;
    for (const auto& [option, value] : config.ic->options) json["ic"][option] = value;
  } else {
    json["input"] = {{"file", config.input_file}};
  }
  json["units"] = units_json(config.units);
  for (const Key& key : keys()) json[key.section][key.name] = key.get(config.simulation);
  json["time"] = time_json(config);
  if (!config.simulation.potentials.empty()) json["potential"] = potentials_json(config.simulation);
  json["boundary"] = {{"kind", "open"}};
  const OutputPlan& plan = config.output;
  json["output"] = {{"directory", plan.directory}, {"times", plan.times}, {"formats", plan.formats}};
  json["output"]["snapshots"] = plan.snapshots;
  json["output"]["checkpoints"] = plan.checkpoints;
  const auto add = [&](const char* key, const std::optional<double>& value) {
    if (value) json["output"][key] = *value;
  };
  add("every", plan.every);
  add("energy_every", plan.energy_every);
  add("black_holes_every", plan.black_holes_every);
  add("checkpoint_every", plan.checkpoint_every);
  add("wall_every", plan.wall_every);
  add("wall_limit", plan.wall_limit);
  json["watchdog"] = watchdog_json(config.watchdog);
  return json;
}

}  // namespace hornbeam::run
