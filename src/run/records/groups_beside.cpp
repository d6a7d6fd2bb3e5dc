// SPDX-License-Identifier: Apache-2.0
// Groups of a run's snapshots, see groups_beside.h.
#include "run/records/groups_beside.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "hornbeam/analysis.h"
#include "hornbeam/error.h"
#include "hornbeam/halo.h"
#include "io/group_catalogue.h"

namespace hornbeam::run {
namespace {

std::vector<Family> families_of(const std::vector<std::string>& names, const std::string& key) {
  std::vector<Family> families;
  families.reserve(names.size());
  for (const std::string& name : names) families.push_back(family_of(name, key));
  return families;
}

std::vector<Family> families_of_groups(const OutputPlan& plan) {
  return families_of(plan.groups_types, "output.groups_types");
}

/// Whether any of the particles is of these families, or they are not named.
bool has_any_of(const std::vector<Family>& families, const Particles& particles) {
  const auto is_named = [&](Family f) { return std::find(families.begin(), families.end(), f) != families.end(); };
  return families.empty() || std::any_of(particles.family.begin(), particles.family.end(), is_named);
}

/// Groups are made of primary types, and these are among all types.
void check_primary_types(const OutputPlan& plan) {
  for (const std::string& name : plan.groups_primary_types) {
    const auto& all = plan.groups_types;
    if (all.empty() || std::find(all.begin(), all.end(), name) != all.end()) continue;
    throw UsageError("output.groups_primary_types", fmt::format("received {}, which is not in groups_types", name),
                     "add it to groups_types, or leave groups_types out");
  }
}

}  // namespace

bool has_groups(const OutputPlan& plan, std::size_t index) {
  return plan.groups_every && index % static_cast<std::size_t>(*plan.groups_every) == 0;
}

Family family_of(const std::string& name, const std::string& subject) {
  std::string known;
  for (std::size_t k = 0; k < family_names.size(); ++k) {
    std::string word(family_names[k]);
    std::replace(word.begin(), word.end(), '_', '-');
    if (name == word || name == family_names[k]) return static_cast<Family>(k);
    known += (known.empty() ? "" : ", ") + word;
  }
  throw UsageError(subject, "received " + name, "there are " + known);
}

void check_groups(const OutputPlan& plan, const Boundary& boundary) {
  const GroupOptions& o = plan.groups;
  const int lengths = o.linking_length.has_value() + o.linking_fraction.has_value() + o.linking_density.has_value();
  if (!plan.groups_every) {
    if (lengths == 0 && !o.unbind && plan.groups_types.empty() && plan.groups_primary_types.empty()) return;
    throw UsageError("output.groups_every", "is missing, and other keys of groups are given",
                     "set it; 1 means all snapshots");
  }
  if (lengths > 1) {
    throw UsageError("output.groups_linking_length",
                     "is given together with groups_linking_fraction or groups_linking_density",
                     "give one of the three");
  }
  check_primary_types(plan);
  if (!plan.snapshots) {
    throw UsageError("output.groups_every", "needs snapshots, and output.snapshots = false", "give one of them");
  }
  if (o.unbind && boundary.kind == BoundaryKind::shear) {
    throw UsageError("output.groups_unbind", "does not include the tides of a shearing sheet", "leave it out");
  }
  for (const double edge : boundary.size) {
    if (boundary.kind == BoundaryKind::open || edge == 0 || o.linking_length.value_or(0) <= edge / 2) continue;
    throw UsageError("output.groups_linking_length", "is more than half an edge of the periodic box",
                     "give a smaller length");
  }
}

GroupOptions options_of_groups(const OutputPlan& plan) {
  GroupOptions options = plan.groups;
  options.primary = families_of(plan.groups_primary_types, "output.groups_primary_types");
  return options;
}

std::string no_groups_note(const OutputPlan& plan, const Particles& particles) {
  if (!plan.groups_every || particles.size() == 0) return "";
  for (const auto& [key, names] : {std::pair("output.groups_types", plan.groups_types),
                                   std::pair("output.groups_primary_types", plan.groups_primary_types)}) {
    if (has_any_of(families_of(names, key), particles)) continue;
    return fmt::format("WARNING: {} = {}, and no particle is of that family, so no groups will be found", key,
                       fmt::join(names, ", "));
  }
  return "";
}

void write_groups_of(const std::filesystem::path& path, const Snapshot& snapshot, const OutputPlan& plan,
                     const SimulationOptions& simulation) {
  GroupOptions options = options_of_groups(plan);
  options.settle_for(snapshot);
  options.threads = simulation.threads;
  options.eps = simulation.gravity.eps;
  options.softening = simulation.gravity.softening;
  const std::vector<Family> families = families_of_groups(plan);
  const Snapshot some = families.empty() ? Snapshot{} : analysis::selected(snapshot, families);
  const Snapshot& of = families.empty() ? snapshot : some;
  const bool any = of.particles.size() > 0 && has_any_of(options.primary, of.particles);
  const GroupCatalogue found = any ? find_groups(of.particles, options) : GroupCatalogue{};
  const analysis::Cosmology cosmology;
  const double critical = analysis::critical_density(snapshot.units, cosmology);
  const io::GroupHalos halos = io::halos_about(of.particles, found, options, critical, cosmology);
  io::write_groups(path, found, halos, of, options);
}

}  // namespace hornbeam::run
