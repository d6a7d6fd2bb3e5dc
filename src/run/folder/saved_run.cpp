// SPDX-License-Identifier: Apache-2.0
// JSON text in a checkpoint and the checks of what is there, see saved_run.h.
#include "run/folder/saved_run.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include "core/fields.h"
#include "hornbeam/error.h"
#include "run/config/config_json.h"
#include "simulation/validate.h"

namespace hornbeam::run {
namespace {

constexpr const char* remedy = "start a new run with the last snapshot as [input] file";

[[noreturn]] void refuse(const std::string& subject, const std::string& what) {
  throw Error(subject, "does not contain the state of a run: " + what, remedy);
}

const Json& member(const Json& object, const char* key, const std::string& subject) {
  if (!object.is_object() || !object.contains(key)) refuse(subject, std::string(key) + " is missing");
  return object.at(key);
}

double number(const Json& value, const char* name, const std::string& subject) {
  if (!value.is_number() || !std::isfinite(value.get<double>())) {
    refuse(subject, std::string(name) + " = " + value.dump() + " must be a finite number");
  }
  return value.get<double>();
}

int size(const Json& sizes, const char* name, const std::string& subject) {
  const double value = number(member(sizes, name, subject), name, subject);
  constexpr double most = 1 << 30;
  if (value >= 0 && value <= most && value == std::floor(value)) return static_cast<int>(value);
  refuse(subject, std::string(name) + " = " + std::to_string(value) + " must be a whole number from 0");
}

std::uint64_t count(const Json& object, const char* name, const std::string& subject) {
  const Json& value = member(object, name, subject);
  if (value.is_number_unsigned()) return value.get<std::uint64_t>();
  refuse(subject, std::string(name) + " = " + value.dump() + " must be a whole number from 0");
}

CollisionTotals totals(const Json& found, const std::string& subject) {
  CollisionTotals t = {count(found, "number", subject),
                       number(member(found, "momentum_flux", subject), "momentum_flux", subject)};
  if (!found.contains("in_contact")) return t;
  const auto refuse_pairs = [&] { refuse(subject, "in_contact must be a list of pairs of ids"); };
  const Json& pairs = found.at("in_contact");
  if (!pairs.is_array()) refuse_pairs();
  for (const Json& pair : pairs) {
    const auto is_id = [](const Json& id) { return id.is_number_unsigned(); };
    if (!pair.is_array() || pair.size() != 2 || !std::all_of(pair.begin(), pair.end(), is_id)) refuse_pairs();
    t.in_contact.push_back(pair.get<IdPair>());
  }
  return t;
}

Json totals_json(const CollisionTotals& t) {
  Json found = {{"number", t.number}, {"momentum_flux", t.momentum_flux}};
  if (!t.in_contact.empty()) found["in_contact"] = t.in_contact;
  return found;
}

std::vector<RecordedEvent> events(const Json& list, const std::string& subject) {
  std::vector<RecordedEvent> found;
  try {
    for (const Json& row : list) {
      Event e = {.kind = parse<EventKind>("kind", row.at(2).get<std::string>()),
                 .contact_time = row.at(9).get<double>(),
                 .ids = {row.at(3).get<std::uint64_t>(), row.at(4).get<std::uint64_t>()},
                 .mass = {row.at(5).get<double>(), row.at(6).get<double>()},
                 .speed = row.at(7).get<double>(),
                 .angle = row.at(8).get<double>()};
      found.push_back({row.at(0).get<double>(), row.at(1).get<std::uint64_t>(), e});
    }
  } catch (const std::exception& damage) {  // of JSON's types, or of a kind that there is not
    refuse(subject, std::string("events must be a list of rows of events.csv: ") + damage.what());
  }
  return found;
}

SoFar so_far(const Json& found, const std::string& subject) {
  const double error = number(member(found, "largest_error", subject), "largest_error", subject);
  SoFar s;
  s.largest_error = error;
  for (const RecordName& table : record_names) {
    const std::string_view file = table.file;  // earlier versions had neither of these
    if ((file == ring_table.file || file == events_table.file) && !found.contains(table.counted_as)) continue;
    s.rows[table.counted_as] = count(found, table.counted_as, subject);
  }
  if (found.contains("outputs")) {
    s.outputs = count(found, "outputs", subject);
    s.outputs_until = number(member(found, "outputs_until", subject), "outputs_until", subject);
  }
  if (found.contains("events")) s.events = events(found.at("events"), subject);
  if (!found.contains("collisions")) return s;
  s.collisions = totals(member(found, "collisions", subject), subject);
  s.at_ring_row = totals(member(found, "at_ring_row", subject), subject);
  s.ring_time = number(member(found, "ring_time", subject), "ring_time", subject);
  return s;
}

TreeCosts costs(const Json& list, const std::string& subject) {
  if (!list.is_array() || list.size() != 4) refuse(subject, "tree_costs must be four numbers");
  const auto at = [&](std::size_t i) { return number(list[i], "tree_costs", subject); };
  return {.cell = at(0), .expansion = at(1), .build = at(2), .least_due = at(3)};
}

/// A configuration of this version has all of its keys: what one lacks would be taken for a change, or for its default.
RunConfig whole_configuration(const Json& stored, const std::string& subject) {
  RunConfig config = config_from(stored, subject);
  const Json all = to_json(config);
  for (const std::string section : {"gravity", "time", "output", "device", "watchdog"}) {  // each run has these
    if (!stored.contains(section)) refuse(subject, "its configuration lacks " + section);
    for (const auto& [key, value] : all.at(section).items()) {
      if (!stored.at(section).contains(key)) refuse(subject, "its configuration lacks " + section + "." + key);
    }
  }
  return config;
}

void check_particles(const Particles& p, const Json& configuration, const std::string& subject) {
  const SimulationOptions options = whole_configuration(configuration, subject).simulation;
  const std::vector<std::string> missing = missing_to_resume(p, options);
  if (!missing.empty()) refuse(subject, missing.front() + " of the particles is missing");
  if (options.steps != Steps::block) return;
  if (const auto beyond = first_rung_beyond(p, options.max_rung)) {
    refuse(subject, "particle " + std::to_string(beyond->particle) + " is on rung " + std::to_string(beyond->rung) +
                        ", and time.max_rung is " + std::to_string(options.max_rung));
  }
}

}  // namespace

Json events_json(const std::vector<RecordedEvent>& events) {
  Json list = Json::array();
  for (const auto& [time, step, e] : events) {
    list.push_back(
        {time, step, name(e.kind), e.ids[0], e.ids[1], e.mass[0], e.mass[1], e.speed, e.angle, e.contact_time});
  }
  return list;
}

std::string to_text(const SavedRun& run) {
  const TreeCosts& c = run.costs;
  const SoFar& s = run.so_far;
  constexpr double largest = std::numeric_limits<double>::max();
  Json so_far = {{"largest_error", std::min(s.largest_error, largest)}};  // JSON has no infinity
  for (const RecordName& table : record_names) {
    const auto rows = s.rows.find(table.counted_as);
    so_far[table.counted_as] = rows == s.rows.end() ? 0 : rows->second;
  }
  so_far.update({{"collisions", totals_json(s.collisions)},
                 {"ring_time", s.ring_time},
                 {"at_ring_row", totals_json(s.at_ring_row)}});
  if (!s.events.empty()) so_far["events"] = events_json(s.events);
  if (s.outputs) so_far.update({{"outputs", *s.outputs}, {"outputs_until", s.outputs_until}});
  Json json = {{"configuration", run.configuration},
               {"start_time", run.start_time},
               {"sizes", {{"leaf_size", run.leaf_size}, {"group_size", run.group_size}, {"eps", run.eps}}},
               {"tree_costs", {c.cell, c.expansion, c.build, c.least_due}},
               {"usual_speed", run.usual_speed},
               {"so_far", std::move(so_far)}};
  if (!run.forces.empty()) json["own_forces"] = run.forces;
  return json.dump();
}

SavedRun saved_run(const Checkpoint& checkpoint, const std::string& subject) {
  const Json json = Json::parse(checkpoint.configuration, nullptr, false);
  if (!json.is_object()) refuse(subject, "its configuration is missing");
  SavedRun run;
  run.configuration = member(json, "configuration", subject);
  check_particles(checkpoint.snapshot.particles, run.configuration, subject);
  run.start_time = number(member(json, "start_time", subject), "start_time", subject);
  for (const Json& force : json.value("own_forces", Json::array())) {
    if (!force.is_string()) refuse(subject, "own_forces must be a list of names");
    run.forces.push_back(force.get<std::string>());
  }
  const Json& sizes = member(json, "sizes", subject);
  run.leaf_size = size(sizes, "leaf_size", subject);
  run.group_size = size(sizes, "group_size", subject);
  run.eps = sizes.contains("eps") ? number(sizes.at("eps"), "eps", subject) : -1;
  run.costs = costs(member(json, "tree_costs", subject), subject);
  run.usual_speed = number(member(json, "usual_speed", subject), "usual_speed", subject);
  run.so_far = so_far(member(json, "so_far", subject), subject);
  return run;
}

}  // namespace hornbeam::run
