// SPDX-License-Identifier: Apache-2.0
// Potentials of papers and haloes by m200 and c, see named_potentials.h.
#include "run/values/named_potentials.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "hornbeam/error.h"
#include "hornbeam/potential.h"
#include "hornbeam/units.h"
#include "run/config/suggest.h"

namespace hornbeam::run {
namespace {

using FindUnits = std::function<const Units&()>;

bool is_named(const std::string& kind) {
  const auto names = known_potentials();
  return std::find(names.begin(), names.end(), kind) != names.end();
}

double number_of(const toml::table& given, const char* key, const Dimension& dimension, const FindUnits& units,
                 const std::string& subject) {
  const toml::node* const node = given.get(key);
  const std::string name = subject + "." + key;
  if (node == nullptr) throw UsageError(name, "is missing", "a halo with m200 needs c, too");
  if (node->is_number()) return *node->value<double>();
  if (const auto text = node->value<std::string>(); text && dimension != Dimension{}) {
    return number_from(*text, units(), dimension, name);
  }
  throw UsageError(name, "is not a number", "give a number");
}

toml::table section_of(const ExternalPotential& one, const toml::table& given) {
  toml::table section;
  section.insert("kind", std::string(name(one.kind)));
  section.insert("mass", one.mass);
  section.insert("scale", one.scale);
  if (one.kind == PotentialKind::miyamoto_nagai) section.insert("height", one.height);
  for (const char* key : {"centre", "velocity"}) {
    if (const toml::node* const node = given.get(key)) section.insert(key, *node);
  }
  return section;
}

/// Of m200 and c.
ExternalPotential halo_of(const toml::table& given, const FindUnits& units, const std::string& subject) {
  for (const char* key : {"mass", "scale"}) {
    if (!given.contains(key)) continue;
    throw UsageError(subject, fmt::format("has both m200 and {}", key), "give m200 and c, or mass and scale");
  }
  const double m200 = number_of(given, "m200", {.mass = 1}, units, subject),
               c = number_of(given, "c", {}, units, subject);
  const double hubble = given.contains("hubble") ? number_of(given, "hubble", {}, units, subject) : 70.0;
  return nfw_with(m200, c, units(), subject, hubble);
}

void refuse_unknown(const std::string& kind, const std::string& subject) {
  std::vector<std::string> known;
  for (const std::string_view each : potential_kinds()) known.emplace_back(each);
  if (kind.empty() || std::find(known.begin(), known.end(), kind) != known.end()) return;
  for (const auto& each : known_potentials()) known.emplace_back(each);
  throw UsageError(subject + ".kind", "received " + kind, suggestion(kind, known));
}

/// The sections in place of one; none if it stays as it is.
std::vector<toml::table> expanded(const toml::table& given, const FindUnits& units, const std::string& subject) {
  const std::string kind = given.get("kind") == nullptr ? "" : given.get("kind")->value_or(std::string());
  std::vector<ExternalPotential> parts;
  std::vector<std::string_view> known = {"kind", "centre", "velocity"};
  if (is_named(kind)) {
    parts = known_potential(kind, units(), subject + ".kind");
  } else if (kind == "nfw" && (given.contains("m200") || given.contains("c"))) {
    parts = {halo_of(given, units, subject)};
    known.insert(known.end(), {"m200", "c", "hubble"});
  }
  std::vector<toml::table> sections;
  if (parts.empty()) refuse_unknown(kind, subject);
  if (parts.empty()) return sections;
  for (const auto& [key, node] : given) {
    if (std::find(known.begin(), known.end(), key.str()) == known.end()) {
      throw UsageError(fmt::format("{}.{}", subject, key.str()), "is not a key of this potential",
                       fmt::format("{} takes {}", kind, fmt::join(known, ", ")));
    }
  }
  for (const ExternalPotential& part : parts) sections.push_back(section_of(part, given));
  return sections;
}

}  // namespace

void expand_potentials(toml::table& root, const std::string& subject, const FindUnits& units) {
  toml::node* const node = root.get("potential");
  if (node == nullptr) return;
  toml::array all;
  bool any = false;
  const auto add = [&](const toml::node& one, const std::string& name) {
    std::vector<toml::table> sections;
    if (one.is_table()) sections = expanded(*one.as_table(), units, subject + ": " + name);
    any = any || !sections.empty();
    if (sections.empty()) all.push_back(one);
    for (toml::table& section : sections) all.push_back(std::move(section));
  };
  if (const toml::array* const several = node->as_array()) {
    for (std::size_t k = 0; k < several->size(); ++k) add(*several->get(k), fmt::format("potential[{}]", k));
  } else {
    add(*node, "potential");
  }
  if (any) root.insert_or_assign("potential", std::move(all));
}

}  // namespace hornbeam::run
