// SPDX-License-Identifier: Apache-2.0
// From the labels of particles (group_linking.h) to a catalogue of groups: what is bound, and the order of groups and
// members. Properties come next: group_properties.cpp.
#include "hornbeam/groups.h"

#include <algorithm>
#include <string>

#include "analysis/groups/group_linking.h"
#include "analysis/groups/group_members.h"
#include "core/short_numbers.h"
#include "device/host/threads.h"
#include "hornbeam/error.h"

namespace hornbeam {
namespace {

using analysis::Members;

void check(const GroupOptions& options) {
  if (options.min_members < 1) {
    throw UsageError("min_members = " + std::to_string(options.min_members), "must be at least 1");
  }
  if (!(options.eps <= 1e150)) throw UsageError("eps = " + shortest(options.eps), "must be at most 1e150");
  if (options.unbind && options.box_size == 0 && options.boundary.kind == BoundaryKind::shear) {
    throw UsageError("unbind", "does not include the tides of a shearing sheet", "leave it out");
  }
}

/// Members of the groups with enough of them, by label; in each by index.
std::vector<Members> gathered(const std::vector<std::uint32_t>& label, std::size_t least) {
  std::vector<std::uint32_t> number(label.size(), 0);
  for (const std::uint32_t of : label) ++number[of];
  std::vector<Members> groups;
  for (std::size_t i = 0; i < label.size(); ++i) {  // number: from sizes to 1 + the group's, 0 for none
    if (label[i] != i) continue;
    const std::uint32_t size = number[i];
    number[i] = 0;
    if (size < least) continue;
    groups.emplace_back().reserve(size);
    number[i] = static_cast<std::uint32_t>(groups.size());
  }
  for (std::size_t i = 0; i < label.size(); ++i) {
    const std::uint32_t group = number[label[i]];
    if (group > 0) groups[group - 1].push_back(static_cast<std::uint32_t>(i));
  }
  return groups;
}

}  // namespace

Vec3 GroupOptions::period() const {
  if (box_size > 0) return {box_size, box_size, box_size};
  return boundary.kind == BoundaryKind::periodic ? boundary.size : Vec3{};
}

void GroupOptions::settle_for(const Snapshot& snapshot, const std::optional<double>& cube) {
  const bool is_cube = snapshot.boundary.kind == BoundaryKind::open || snapshot.boundary.cube() > 0;
  box_size = cube.value_or(is_cube ? snapshot.box_size : 0);
  if (!cube) boundary = snapshot.boundary;
  time = snapshot.time;
  G = snapshot.units.G;
}

std::vector<std::int64_t> GroupCatalogue::group_of(std::size_t particles) const {
  std::vector<std::int64_t> found(particles, -1);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (std::uint64_t k = 0; k < groups[g].size; ++k) {
      found[members[groups[g].first + k]] = static_cast<std::int64_t>(g);
    }
  }
  return found;
}

GroupCatalogue find_groups(const Particles& particles, const GroupOptions& options) {
  check(options);
  if (particles.size() == 0) throw Error("particles", "received none");
  particles.validate("groups");
  GroupCatalogue catalogue;
  const analysis::Linked linked = analysis::linked(particles, options);
  catalogue.linking_length = linked.length;
  catalogue.backend = linked.backend;
  catalogue.seconds_tree = linked.seconds_tree;
  catalogue.seconds_linking = linked.seconds_linking;
  std::vector<Members> groups = gathered(linked.label, static_cast<std::size_t>(options.min_members));
  std::vector<analysis::Bound> bound;
  const Threads scope(options.threads > 0 ? options.threads : omp_get_max_threads());
  if (options.unbind) bound = analysis::unbind(particles, options, groups, catalogue.unbound);
  analysis::fill_catalogue(particles, options, groups, bound, catalogue);
  const auto& primary = options.primary;
  const auto is_attached = [&](std::uint32_t member) {
    return std::find(primary.begin(), primary.end(), particles.family[member]) == primary.end();
  };
  if (!primary.empty()) {
    catalogue.attached =
        static_cast<std::uint64_t>(std::count_if(catalogue.members.begin(), catalogue.members.end(), is_attached));
  }
  return catalogue;
}

}  // namespace hornbeam
