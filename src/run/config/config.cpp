// SPDX-License-Identifier: Apache-2.0
// Reads the sections of a run's configuration, see config.h.
#include "run/config/config.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "hornbeam/error.h"
#include "interactions/modules.h"
#include "run/config/config_section.h"
#include "run/config/keys.h"
#include "run/config/numbers.h"
#include "run/config/stray_letter.h"
#include "run/config/suggest.h"
#include "run/records/groups_beside.h"
#include "run/setup/fit_gas.h"
#include "run/values/quantities.h"

namespace hornbeam::run {
namespace {

std::string position(const toml::source_region& region) {
  return fmt::format("line {}, column {}", region.begin.line, region.begin.column);
}

bool is_end_of_line(std::string_view text, const toml::source_position& at) {
  std::size_t begins = 0;
  for (toml::source_index line = 1; line < at.line; ++line) begins = text.find('\n', begins) + 1;
  const std::size_t place = begins + at.column - 1;
  return place >= text.size() || text[place] == '\n' || text[place] == '\r';
}

toml::table parse_toml(std::string_view text, const std::string& subject) {
  if (const std::size_t line = line_of_stray_letter(text)) {
    throw UsageError(subject, fmt::format("line {}: a non-ASCII letter outside of quotes and comments", line),
                     "put it into quotes");
  }
  if (const std::size_t line = line_of_long_key(text)) {
    throw UsageError(subject, fmt::format("line {}: a key of more than {} parts", line, most_key_parts),
                     "write section.key");
  }
  try {
    return toml::parse(text);
  } catch (const toml::parse_error& error) {
    const bool in_text = error.description().find("control characters") != std::string_view::npos;
    if (in_text && is_end_of_line(text, error.source().begin)) {
      throw UsageError(subject, fmt::format("{}: a quote is not closed", position(error.source())), "close it");
    }
    throw UsageError(subject, fmt::format("{}: {}", position(error.source()), error.description()),
                     "write TOML: key = value lines under [section] headings");
  }
}

/// The value of "a.b=value": TOML where it parses as one value, otherwise a bare string, so that quotes are not needed.
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
    throw UsageError(subject, "is not of the form section.key=value", "write --set section.key=value");
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
  std::vector<std::string> known;
  for (const Section& section : sections()) known.emplace_back(section.name);
  for (const auto& [key, node] : root) {
    const std::string name(key.str());
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      throw UsageError(file + ": " + name, "unknown section", suggestion(name, known));
    }
  }
}

void refuse_sections_not_built(const toml::table& root, const std::string& file) {
  if (ConfigSection(root, "sph", file).present()) {
    throw UsageError(file + ": sph", "is not a section", "the keys of gas are in [gas]");
  }
}

Value value_of(const Key& key, ConfigSection& section) {
  switch (key.kind) {
    case Kind::number:
      return *section.number(key.name);
    case Kind::integer:
      return *section.integer(key.name);
    case Kind::truth:
      return *section.truth(key.name);
    case Kind::numbers:
      return *section.numbers(key.name);
    case Kind::words:
      return *section.words(key.name);
    case Kind::devices:
      return *section.devices(key.name);
    case Kind::word:
      break;
  }
  return *section.word(key.name);
}

/// What `key` does nothing with, and what it does something with.
[[noreturn]] void refuse_idle(const Key& key, const ConfigSection& section, const RunConfig& config) {
  std::string word, others;
  for (const Key& other : keys()) {
    if (other.section == key.section && other.name == key.only.key) word = other.get(config).get<std::string>();
  }
  for (const std::string_view value : key.only.values)
    others += fmt::format("{}\"{}\"", others.empty() ? "" : " or ", value);
  throw UsageError(section.subject(key.name), fmt::format("has no effect with {} = \"{}\"", key.only.key, word),
                   fmt::format("remove it, or set {} = {}", key.only.key, others));
}

[[noreturn]] void refuse_missing(const Key& key, const ConfigSection& section) {
  if (!key.words.empty()) {
    throw UsageError(section.subject(key.name), "is missing", fmt::format("there are {}", fmt::join(key.words, ", ")));
  }
  const bool is_list = key.kind == Kind::numbers || key.kind == Kind::words;
  throw UsageError(section.subject(key.name), "is missing",
                   is_list ? "give it a list, " + key.type() : "give it a number");
}

/// Sets what `section` gives of the table's keys of the section called `name`.
void set_keys(ConfigSection& section, std::string_view name, RunConfig& config) {
  for (const Key& key : keys()) {
    if (key.section != name) continue;
    section.know(key.name);
    if (section.has(key.name)) set_checked(key, config, value_of(key, section), section.subject(key.name));
  }
}

/// The same where these are all of its keys: also checks that they go together.
void read_keys(ConfigSection section, std::string_view name, RunConfig& config) {
  set_keys(section, name, config);
  section.refuse_unknown();
  const auto each = [name](const auto& act) {
    for (const Key& key : keys()) {
      if (key.section == name) act(key);
    }
  };
  each([&](const Key& key) {
    if (section.has(key.name) && !key.applies(config)) refuse_idle(key, section, config);
  });
  each([&](const Key& key) {
    if (!section.has(key.name) && key.is_needed(config)) refuse_missing(key, section);
  });
}

void read_ic(ConfigSection& section, RunConfig& config) {
  ModelRequest& ic = config.ic.emplace();
  ic.softens = true;
  set_keys(section, "ic", config);
  for (const ics::Option& option : find_model(ic.model, section.subject("model")).options) {
    std::string key = option.name;
    std::replace(key.begin(), key.end(), '-', '_');
    if (const auto text = section.text(key)) ic.options[option.name] = *text;
  }
  section.refuse_unknown();
}

void read_source(const toml::table& root, const std::string& file, RunConfig& config, bool particles_given) {
  read_keys(ConfigSection(root, "input", file), "input", config);
  ConfigSection ic(root, "ic", file);
  if (ic.present()) read_ic(ic, config);
  const bool chooses = config.reading.physical || !config.reading.blocks.empty();
  if (chooses && config.input_file.empty()) {
    throw UsageError(file, "has [input] physical or blocks without a file", "give [input] file");
  }
  if (particles_given) {
    if (config.input_file.empty() && !config.ic) return;
    throw UsageError(file, config.ic ? "has both [ic] and particles" : "has both [input] and particles",
                     "give one of them");
  }
  if (config.input_file.empty() == !config.ic.has_value()) {
    throw UsageError(file, config.ic ? "has both [input] and [ic]" : "has neither [input] nor [ic]",
                     "give one of [input] file and [ic] model");
  }
}

void read_units(const toml::table& root, const std::string& file, RunConfig& config) {
  const ConfigSection section(root, "units", file);
  read_keys(section, "units", config);
  if (!section.present()) return;
  const std::string subject = section.subject("");
  config.units = units_of(config.units_asked, subject.substr(0, subject.size() - 1));
  if (config.ic) config.ic->units = config.units;
  if (config.ic) config.ic->of_files = config.units_asked.of_files;
}

/// [potential], or [[potential]] for several.
void read_potentials(const toml::table& root, const std::string& file, RunConfig& config) {
  const toml::node* const node = root.get("potential");
  if (node == nullptr) return;
  const auto read = [&](const ConfigSection& section) {
    ExternalPotential& p = config.simulation.potentials.emplace_back();
    read_keys(section, "potential", config);
    const std::string subject = section.subject("");
    p.validate(subject.substr(0, subject.size() - 1));
  };
  const toml::array* const several = node->as_array();
  if (several == nullptr) return read(ConfigSection(root, "potential", file));
  for (std::size_t k = 0; k < several->size(); ++k) {
    const std::string name = fmt::format("potential[{}]", k);
    toml::table parent;
    parent.insert(name, *several->get(k));
    read(ConfigSection(parent, name, file));
  }
}

void read_output(const toml::table& root, const std::string& file, RunConfig& config) {
  const ConfigSection section(root, "output", file);
  read_keys(section, "output", config);
  for (const char* key : {"checkpoint_every", "wall_every"}) {
    if (config.output.checkpoints || !section.has(key)) continue;
    throw UsageError(section.subject(key), "needs checkpoints, and output.checkpoints = false", "give one of them");
  }
  check_groups(config.output, config.simulation.boundary);
  if (config.output.black_holes_every && takes_out(config.simulation)) {
    throw UsageError(section.subject("black_holes_every"), "cannot be combined with bodies that merge or leave the box",
                     "leave it out");
  }
  const bool files_may_say = !config.boundary_given && !config.ic;
  if (config.output.ring_every && !files_may_say && config.simulation.boundary.kind != BoundaryKind::shear) {
    throw UsageError(section.subject("ring_every"), "can be measured only in a shearing sheet",
                     "give boundary.kind = \"shear\", or leave it out");
  }
}

/// A ring is drawn for the sheet that it is to move in: what [ic] does not say of it, [boundary] says, and both agree.
void fit_ring(RunConfig& config, const std::string& file) {
  if (!config.ic || config.ic->model != "ring") return;
  const Boundary& sheet = config.simulation.boundary;
  if (sheet.kind != BoundaryKind::shear) {
    throw UsageError(file + ": ic.model = ring",
                     "needs a shearing sheet, and boundary.kind = " + std::string(name(sheet.kind)),
                     "give [boundary] kind = \"shear\", size and omega");
  }
  for (const auto& [key, value] :
       {std::pair("size-x", sheet.size[0]), std::pair("size-y", sheet.size[1]), std::pair("omega", sheet.omega)}) {
    const auto [option, is_new] = config.ic->options.try_emplace(key, fmt::format("{}", value));
    if (is_new || std::strtod(option->second.c_str(), nullptr) == value) continue;
    throw UsageError(fmt::format("{}: ic.{}", file, key),
                     fmt::format("is {}, and [boundary] has {}", option->second, value), "leave it out of [ic]");
  }
}

Json asked_units_json(const RunConfig& config) {
  const std::optional<Units>& units = config.units;
  if (!units) return "of the input";
  Json json = {{"length_cm", units->length_cm},
               {"mass_g", units->mass_g},
               {"velocity_cm_per_s", units->velocity_cm_per_s},
               {"G", units->G}};
  if (const double time = chosen_time(config.units_asked); time > 0) json["time_s"] = time;
  return json;
}

/// What the section called `name` says, as the table shows it.
Json section_json(const RunConfig& config, std::string_view name) {
  Json json = Json::object();
  for (const Key& key : keys()) {
    if (key.section != name || !key.applies(config)) continue;
    Json value = key.get(config);
    if (!key.optional || !value.is_null()) json[key.name] = std::move(value);
  }
  return json;
}

Json potentials_json(const RunConfig& config) {
  Json all = Json::array();
  RunConfig one;
  for (const ExternalPotential& p : config.simulation.potentials) {
    one.simulation.potentials = {p};
    all.push_back(section_json(one, "potential"));
  }
  return all;
}

Json ic_json(const RunConfig& config) {
  Json json = section_json(config, "ic");
  for (const auto& [option, value] : config.ic->options) json[option] = value;
  return json;
}

}  // namespace

bool RunConfig::conserves_energy() const {
  const auto& all = simulation.potentials;
  const bool moves = std::any_of(all.begin(), all.end(), [](const auto& p) { return p.velocity != Vec3{}; });
  // forces that know no walls: those of gas, and gravity of an infinite lattice
  const bool seamless = simulation.self_gravity ? simulation.boundary.is_lattice() : simulation.gas.flows();
  const bool walled = simulation.boundary.size != Vec3{} && !(seamless && all.empty());
  const auto is_counted = [](const auto& force) { return bool(force->potential); };
  const bool counted = std::all_of(simulation.forces.begin(), simulation.forces.end(), is_counted);
  return counted && !moves && simulation.collisions.law == CollisionLaw::none && !walled && !simulation.gas.radiates();
}

namespace {

/// Where the end may be absent and is, the table of keys, which asks for one, gets it.
bool give_endless_time(toml::table& root) {
  toml::table* const time = root.contains("time") ? root.get("time")->as_table() : nullptr;
  if (time == nullptr || time->contains("end")) return false;
  time->insert("end", 0.0);
  return true;
}

}  // namespace

RunConfig parse_config(std::string_view toml_text, const std::vector<std::string>& overrides,
                       const std::string& subject, const SaidElsewhere& elsewhere) {
  toml::table root = parse_toml(toml_text, subject);
  for (const std::string& text : overrides) apply_override(root, text);
  refuse_sections_not_built(root, subject);
  refuse_unknown_sections(root, subject);

  const bool is_endless = elsewhere.end && give_endless_time(root);
  RunConfig config;
  const auto read = [&](const char* name) { read_keys(ConfigSection(root, name, subject), name, config); };
  read_source(root, subject, config, elsewhere.particles);
  read_units(root, subject, config);
  take_quantities(root, subject, elsewhere, config);
  read("gravity");
  read("device");
  config.simulation.gravity.validate();
  read("time");
  if (is_endless) config.end = HUGE_VAL;
  read_potentials(root, subject, config);
  read("boundary");
  const ConfigSection boundary(root, "boundary", subject);
  config.boundary_given = boundary.present() && (boundary.has("kind") || !boundary.has("self_gravity"));
  if (boundary.has("size") && !boundary.has("kind")) {
    throw UsageError(subject + ": boundary.kind", "is missing, and boundary.size is given",
                     "give kind = \"open\", \"periodic\" or \"shear\"");
  }
  config.simulation.boundary.validate();
  fit_ring(config, subject);
  read("collisions");
  give_sound_speed(root, config);
  const bool pulls = config.simulation.self_gravity;
  read("gas");
  if (boundary.has("self_gravity") && pulls != config.simulation.self_gravity) {
    throw UsageError(subject + ": gas.self_gravity", "differs from boundary.self_gravity", "give one of them");
  }
  fit_gas(config, ConfigSection(root, "gas", subject));
  config.simulation.gas.validate();
  if (config.simulation.collisions.law != CollisionLaw::bridges) config.simulation.collisions.validate();
  if (!config.conserves_energy()) config.watchdog.energy = 0.0;
  read("watchdog");
  config.watchdog.energy_given = ConfigSection(root, "watchdog", subject).has("energy");
  read_output(root, subject, config);
  return config;
}

Json to_json(const RunConfig& config) {
  Json json;
  for (const Section& section : sections()) {
    const std::string_view name = section.name;
    if (name == "input" && config.ic) continue;
    if (name == "ic") {
      if (config.ic) json["ic"] = ic_json(config);
    } else if (name == "units") {
      json["units"] = asked_units_json(config);
    } else if (name == "potential") {
      if (!config.simulation.potentials.empty()) json["potential"] = potentials_json(config);
    } else {
      json[section.name] = section_json(config, name);
    }
  }
  return json;
}

}  // namespace hornbeam::run
