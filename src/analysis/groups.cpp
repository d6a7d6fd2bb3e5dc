// SPDX-License-Identifier: Apache-2.0
// From particles to a catalogue of groups: the linking length, the search (interactions/groups/), what is bound, and
// the order of groups and members. Properties come next: group_properties.cpp.
#include "hornbeam/groups.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "analysis/group_members.h"
#include "core/short_numbers.h"
#include "device/host/threads.h"
#include "dynamics/boundary.h"
#include "hornbeam/error.h"
#include "interactions/groups/friends.h"
#include "interactions/neighbours/search.h"

namespace hornbeam {
namespace {

using analysis::Members;

double demanded(const char* option, double value) {
  if (value > 0 && value <= 1e150) return value;
  throw UsageError(option + (" = " + shortest(value)), "must be positive and at most 1e150");
}

double total_mass(const Particles& particles) {
  double mass = 0;
  for (const double m : particles.mass) mass += m;
  return mass;
}

/// Distance between neighbours on a lattice as dense: in a closed box as dense as that, else as the sphere about the
/// middle of the particles that holds half of them.
double mean_separation(const std::vector<Vec3>& position, const analysis::GroupBox& box) {
  const double n = static_cast<double>(position.size());
  if (box.volume() > 0) return std::cbrt(box.volume() / n);
  const std::size_t half = position.size() / 2;
  const auto middle = [half](std::vector<double>& values) {
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(half), values.end());
    return values[half];
  };
  Vec3 centre{};
  std::vector<double> values(position.size());
  for (int k = 0; k < 3; ++k) {
    std::transform(position.begin(), position.end(), values.begin(), [k](const Vec3& x) { return x[k]; });
    centre[k] = middle(values);
  }
  std::transform(position.begin(), position.end(), values.begin(),
                 [&](const Vec3& x) { return std::hypot(x[0] - centre[0], x[1] - centre[1], x[2] - centre[2]); });
  const double radius = middle(values);
  const double inside = static_cast<double>(half + 1);
  return radius * std::cbrt(4 * std::numbers::pi / 3 / inside);
}

double linking_length(const Particles& particles, const std::vector<Vec3>& position, const GroupOptions& options) {
  if (options.linking_length.has_value() + options.linking_fraction.has_value() + options.linking_density.has_value() >
      1) {
    throw UsageError("groups", "more than one of linking_length, linking_fraction and linking_density", "give one");
  }
  if (options.linking_length) return demanded("linking_length", *options.linking_length);
  double length = 0;
  if (options.linking_density) {
    const double density = demanded("linking_density", *options.linking_density);
    const double mass = total_mass(particles) / static_cast<double>(particles.size());
    if (!(mass > 0))
      throw Error("particles", "have no mass, and the linking length is to be by density", "give linking_length");
    length = std::cbrt(3 * mass / (2 * std::numbers::pi * density));
  } else {
    const double fraction = demanded("linking_fraction", options.linking_fraction.value_or(0.2));
    length = fraction * mean_separation(position, analysis::box_of(options));
    if (!(length > 0))
      throw Error("particles",
                  "stand at one place, half of them or more, so that they have no mean "
                  "separation",
                  "give linking_length");
  }
  return length;
}

void check(const GroupOptions& options) {
  if (options.min_members < 1) {
    throw UsageError("min_members = " + std::to_string(options.min_members), "must be at least 1");
  }
  if (!(options.eps <= 1e150)) throw UsageError("eps = " + shortest(options.eps), "must be at most 1e150");
  if (options.unbind && options.box_size == 0 && options.boundary.kind == BoundaryKind::shear) {
    throw UsageError("unbind", "knows no tides, which a shearing sheet has", "leave it out");
  }
}

NeighbourOptions search_options(const GroupOptions& options) {
  NeighbourOptions search;
  search.box_size = options.box_size;
  search.leaf_size = options.leaf_size;
  search.threads = options.threads;
  search.backend = options.backend;
  search.device = options.device;
  return search;
}

/// Into the box, where friends are looked for.
std::vector<Vec3> wrapped_positions(const std::vector<Vec3>& position, const GroupOptions& options) {
  std::vector<Vec3> inside = position, no_velocities;
  if (options.box_size > 0) {
    wrap_into_box(inside, options.box_size);
  } else {
    options.boundary.validate();
    wrap(inside, no_velocities, options.boundary, options.time);
  }
  check_search(inside, search_options(options));
  return inside;
}

/// Links them, positions being in the box.
Friends linked(const std::vector<Vec3>& inside, double length, const GroupOptions& options) {
  const NeighbourOptions search = search_options(options);
  check_radius(length, search, "linking_length");
  if (search.box_size > 0) return find_friends(inside, length, search);
  const analysis::GroupBox box = analysis::box_of(options);
  for (const double edge : box.period) {
    if (edge == 0 || length <= edge / 2) continue;
    throw UsageError("linking_length = " + shortest(length),
                     "must be at most half the least edge of the periodic box, " + shortest(edge / 2));
  }
  if (box.is_open()) return find_friends(inside, length, search);
  return find_friends(inside, length, search, Walk::group, neighbouring_images(options.boundary, options.time));
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

std::vector<std::int64_t> GroupCatalogue::group_of(std::size_t particles) const {
  std::vector<std::int64_t> found(particles, -1);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (std::uint64_t k = 0; k < groups[g].size; ++k) {
      found[members[groups[g].first + k]] = static_cast<std::int64_t>(g);
    }
  }
  return found;
}

std::vector<std::uint32_t> link_friends(const std::vector<Vec3>& position, double length, const GroupOptions& options) {
  demanded("linking_length", length);
  return linked(wrapped_positions(position, options), length, options).label;
}

GroupCatalogue find_groups(const Particles& particles, const GroupOptions& options) {
  check(options);
  if (particles.size() == 0) throw Error("particles", "there are none to be grouped");
  particles.validate("groups");
  const std::vector<Vec3> position = wrapped_positions(particles.position, options);
  GroupCatalogue catalogue;
  catalogue.linking_length = linking_length(particles, position, options);
  Friends friends = linked(position, catalogue.linking_length, options);
  catalogue.backend = friends.backend;
  catalogue.seconds_tree = friends.tree;
  catalogue.seconds_linking = friends.walk;
  std::vector<Members> groups = gathered(friends.label, static_cast<std::size_t>(options.min_members));
  std::vector<analysis::Bound> bound;
  const Threads scope(options.threads > 0 ? options.threads : omp_get_max_threads());
  if (options.unbind) bound = analysis::unbind(particles, options, groups, catalogue.unbound);
  analysis::fill_catalogue(particles, options, groups, bound, catalogue);
  return catalogue;
}

}  // namespace hornbeam
