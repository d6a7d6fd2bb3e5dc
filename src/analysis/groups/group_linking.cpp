// SPDX-License-Identifier: Apache-2.0
// The labels of groups, see group_linking.h.
#include "analysis/groups/group_linking.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>
#include <numeric>

#include "analysis/groups/group_members.h"
#include "core/short_numbers.h"
#include "device/devices.h"
#include "hornbeam/analysis.h"
#include "hornbeam/error.h"
#include "interactions/groups/friends.h"
#include "interactions/neighbours/search.h"
#include "tree/boundary.h"

namespace hornbeam {
namespace analysis {
namespace {

double demanded(const char* option, double value) {
  if (value > 0 && value <= 1e150) return value;
  throw UsageError(option + (" = " + shortest(value)), "must be positive and at most 1e150");
}

/// Those of the primary families, which are linked.
struct LinkedParticles {
  std::vector<std::size_t> index;  ///< on input; empty: all particles
  std::vector<Vec3> position;      ///< in the box
};

double mean_mass(const Particles& particles, const LinkedParticles& linked) {
  double mass = 0;
  if (linked.index.empty()) {
    for (const double m : particles.mass) mass += m;
  }
  for (const std::size_t i : linked.index) mass += particles.mass[i];
  return mass / static_cast<double>(linked.position.size());
}

/// Distance between neighbours on a lattice as dense: in a closed box as dense as that, otherwise as the sphere about
/// the middle of the particles that holds half of them.
double mean_separation(const std::vector<Vec3>& position, const GroupBox& box) {
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

double linking_length(const Particles& particles, const LinkedParticles& linked, const GroupOptions& options) {
  if (options.linking_length.has_value() + options.linking_fraction.has_value() + options.linking_density.has_value() >
      1) {
    throw UsageError("groups", "more than one of linking_length, linking_fraction and linking_density", "give one");
  }
  if (options.linking_length) return demanded("linking_length", *options.linking_length);
  double length = 0;
  if (options.linking_density) {
    const double density = demanded("linking_density", *options.linking_density);
    const double mass = mean_mass(particles, linked);
    if (!(mass > 0)) throw Error("particles", "have no mass, which linking_density needs", "give linking_length");
    length = std::cbrt(3 * mass / (2 * std::numbers::pi * density));
  } else {
    const double fraction = demanded("linking_fraction", options.linking_fraction.value_or(0.2));
    length = fraction * mean_separation(linked.position, box_of(options));
    if (!(length > 0))
      throw Error("particles", "at least half of them are at one position, so the mean separation is 0",
                  "give linking_length");
  }
  return length;
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

/// Images of a box other than a cube, in which friends are looked for; empty where nearest images are or none.
std::vector<SourceImage> images_of(const GroupOptions& options) {
  if (options.box_size > 0 || box_of(options).is_open()) return {};
  return neighbouring_images(options.boundary, options.time);
}

/// Links them, positions being in the box.
Friends friends_of(const std::vector<Vec3>& inside, double length, const GroupOptions& options) {
  const NeighbourOptions search = search_options(options);
  check_radius(length, "linking_length");
  if (search.box_size > 0 && length > search.box_size / 2) {
    throw UsageError("linking_length = " + shortest(length),
                     "must be at most half the periodic box, " + shortest(search.box_size / 2));
  }
  if (search.box_size > 0) return find_friends(inside, length, search);
  const GroupBox box = box_of(options);
  for (const double edge : box.period) {
    if (edge == 0 || length <= edge / 2) continue;
    throw UsageError("linking_length = " + shortest(length),
                     "must be at most half the least edge of the periodic box, " + shortest(edge / 2));
  }
  if (box.is_open()) return find_friends(inside, length, search);
  return find_friends(inside, length, search, Walk::group, images_of(options));
}

std::string words_of(const std::vector<Family>& families) {
  std::string words;
  for (const Family family : families) {
    words += (words.empty() ? "" : ", ") + std::string(family_names[static_cast<std::size_t>(family)]);
  }
  return words;
}

std::vector<Family> families_of(const Particles& particles) {
  std::vector<Family> there;
  for (std::size_t k = 0; k < family_count; ++k) {
    const auto& all = particles.family;
    const auto family = static_cast<Family>(k);
    if (std::find(all.begin(), all.end(), family) != all.end()) there.push_back(family);
  }
  return there;
}

LinkedParticles linked_particles(const Particles& particles, const std::vector<Vec3>& inside,
                                 const std::vector<Family>& primary) {
  LinkedParticles linked{.index = places_of(particles, primary), .position = {}};
  if (linked.index.empty()) {
    throw Error("primary types " + words_of(primary),
                "no particle is of these types; the particles are " + words_of(families_of(particles)),
                "name one or more of those");
  }
  linked.position.reserve(linked.index.size());
  for (const std::size_t i : linked.index) linked.position.push_back(inside[i]);
  return linked;
}

/// The nearest of the linked particles to each of the others, with the square of its distance.
NeighbourLists nearest_linked(const LinkedParticles& linked, const std::vector<Vec3>& others,
                              const GroupOptions& options) {
  const NeighbourOptions search = search_options(options);
  const std::vector<SourceImage> images = images_of(options);
  const KeptTargets targets{&others, images.empty() ? one_image : images};
  const auto tree =
      make_search(open_device(search.backend, search.device, search.threads), linked.position, search, Walk::group);
  return tree->keep_nearest(1, targets)->lists();
}

/// Of all particles, from those of the linked ones: each other one is in the group of the nearest of these within the
/// linking length, or otherwise on its own.
std::vector<std::uint32_t> attached(const std::vector<Vec3>& inside, const LinkedParticles& linked,
                                    const std::vector<std::uint32_t>& label_of_linked, double length,
                                    const GroupOptions& options) {
  std::vector<std::uint32_t> label(inside.size());
  std::iota(label.begin(), label.end(), 0U);
  std::vector<bool> is_linked(inside.size(), false);
  const auto label_of = [&](std::size_t k) { return static_cast<std::uint32_t>(linked.index[label_of_linked[k]]); };
  for (std::size_t k = 0; k < linked.index.size(); ++k) {
    label[linked.index[k]] = label_of(k);
    is_linked[linked.index[k]] = true;
  }
  std::vector<std::size_t> other;
  std::vector<Vec3> position;
  for (std::size_t i = 0; i < inside.size(); ++i) {
    if (is_linked[i]) continue;
    other.push_back(i);
    position.push_back(inside[i]);
  }
  if (other.empty()) return label;
  const NeighbourLists nearest = nearest_linked(linked, position, options);
  for (std::size_t k = 0; k < other.size(); ++k) {
    if (nearest.distance2[k] <= length * length) label[other[k]] = label_of(nearest.index[k]);
  }
  std::vector<std::uint32_t> least(inside.size());  // of each label's group, others being among its members now
  std::iota(least.begin(), least.end(), 0U);
  for (std::size_t i = 0; i < label.size(); ++i) {
    least[label[i]] = std::min(least[label[i]], static_cast<std::uint32_t>(i));
  }
  for (std::uint32_t& of : label) of = least[of];
  return label;
}

}  // namespace

Linked linked(const Particles& particles, const GroupOptions& options) {
  std::vector<Vec3> inside = wrapped_positions(particles.position, options);
  const bool all = options.primary.empty();
  const LinkedParticles some = all ? LinkedParticles{.index = {}, .position = std::move(inside)}
                                   : linked_particles(particles, inside, options.primary);
  Linked found;
  found.length = linking_length(particles, some, options);
  Friends friends = friends_of(some.position, found.length, options);
  found.backend = friends.backend;
  found.seconds_tree = friends.tree;
  found.seconds_linking = friends.walk;
  if (all) {
    found.label = std::move(friends.label);
    return found;
  }
  const auto begin = std::chrono::steady_clock::now();
  // NOLINTNEXTLINE(bugprone-use-after-move): moved where all are linked, and not here
  found.label = attached(inside, some, friends.label, found.length, options);
  found.seconds_linking += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return found;
}

}  // namespace analysis

std::vector<std::uint32_t> link_friends(const std::vector<Vec3>& position, double length, const GroupOptions& options) {
  analysis::demanded("linking_length", length);
  return analysis::friends_of(analysis::wrapped_positions(position, options), length, options).label;
}

}  // namespace hornbeam
