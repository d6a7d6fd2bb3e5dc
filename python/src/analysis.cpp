// SPDX-License-Identifier: Apache-2.0
// Measures of snapshots as arrays: hornbeam/analysis.h and hornbeam/groups.h.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <optional>

#include "binding.h"
#include "hornbeam/analysis.h"
#include "hornbeam/groups.h"

namespace hornbeam::python {
namespace {

/// What is measured without the interpreter's lock.
template <class Measure>
auto freely(const Measure& measure) {
  const nb::gil_scoped_release free;
  return measure();
}

nb::tuple tuple_of(const Vec3& v) { return nb::make_tuple(v[0], v[1], v[2]); }

Energies energies(const Snapshot& snapshot, double eps, const std::string& softening, int threads) {
  const auto kernel = parse<Softening>("softening", softening);
  return freely([&] { return analysis::energies(snapshot, eps, threads, {}, kernel); });
}

nb::dict profile(const Snapshot& snapshot, int bins, const std::vector<double>& edges) {
  auto found = freely([&] { return analysis::profile(snapshot.particles, snapshot.units.G, bins, edges); });
  nb::dict d;
  d["radius"] = array_of(std::move(found.radius));
  d["density"] = array_of(std::move(found.density));
  d["mass"] = array_of(std::move(found.mass));
  d["circular_velocity"] = array_of(std::move(found.circular_velocity));
  return d;
}

nb::dict anisotropy(const Snapshot& snapshot, int bins, const std::vector<double>& edges) {
  auto found = freely([&] { return analysis::anisotropy(snapshot.particles, bins, edges); });
  nb::dict d;
  d["radius"] = array_of(std::move(found.radius));
  d["radial_dispersion"] = array_of(std::move(found.radial_dispersion));
  d["tangential_dispersion"] = array_of(std::move(found.tangential_dispersion));
  d["anisotropy"] = array_of(std::move(found.anisotropy));
  return d;
}

nb::dict disc(const Snapshot& snapshot, double eps, const std::string& softening, int bins,
              const std::vector<double>& edges) {
  const auto kernel = parse<Softening>("softening", softening);
  auto found = freely([&] { return analysis::disc_profile(snapshot, eps, bins, edges, {}, kernel); });
  nb::dict d;
  d["radius"] = array_of(std::move(found.radius));
  d["count"] = array_of(std::move(found.count));
  d["surface_density"] = array_of(std::move(found.surface_density));
  d["scale_height"] = array_of(std::move(found.scale_height));
  d["rotation"] = array_of(std::move(found.rotation));
  d["radial_dispersion"] = array_of(std::move(found.radial_dispersion));
  d["azimuthal_dispersion"] = array_of(std::move(found.azimuthal_dispersion));
  d["vertical_dispersion"] = array_of(std::move(found.vertical_dispersion));
  d["circular_velocity"] = array_of(std::move(found.circular_velocity));
  d["toomre_q"] = array_of(std::move(found.toomre_q));
  return d;
}

nb::dict bar(const Snapshot& snapshot, int bins, const std::vector<double>& edges) {
  auto found = freely([&] { return analysis::bar(snapshot.particles, bins, edges); });
  nb::dict d;
  d["radius"] = array_of(std::move(found.radius));
  d["amplitude"] = array_of(std::move(found.amplitude));
  d["strength"] = found.strength;
  d["angle"] = found.angle;
  return d;
}

/// An array of one value of each group.
template <class T, class Get>
nb::object column(const std::vector<Group>& groups, const Get& get) {
  std::vector<T> values;
  values.reserve(groups.size());
  for (const Group& group : groups) values.push_back(get(group));
  return array_of(std::move(values));
}

nb::dict groups(const Snapshot& snapshot, std::optional<double> length, std::optional<double> fraction,
                std::optional<double> density, std::int64_t min_members, bool unbind, double eps, int threads,
                const std::string& backend) {
  GroupOptions options;
  options.linking_length = length;
  options.linking_fraction = fraction;
  options.linking_density = density;
  options.min_members = min_members;
  options.unbind = unbind;
  options.eps = eps;
  options.G = snapshot.units.G;
  options.boundary = snapshot.boundary;
  options.box_size =
      snapshot.boundary.kind == BoundaryKind::open || snapshot.boundary.cube() > 0 ? snapshot.box_size : 0;
  options.time = snapshot.time;
  options.threads = threads;
  options.backend = backend;
  GroupCatalogue found;
  std::vector<std::int64_t> group_of;
  freely([&] {
    found = find_groups(snapshot.particles, options);
    group_of = found.group_of(snapshot.particles.size());
  });
  nb::dict d;
  d["linking_length"] = found.linking_length;
  d["group"] = array_of(std::move(group_of));
  d["size"] = column<std::uint64_t>(found.groups, [](const Group& g) { return g.size; });
  d["mass"] = column<double>(found.groups, [](const Group& g) { return g.mass; });
  d["position"] = column<Vec3>(found.groups, [](const Group& g) { return g.position; });
  d["velocity"] = column<Vec3>(found.groups, [](const Group& g) { return g.velocity; });
  d["dispersion"] = column<double>(found.groups, [](const Group& g) { return g.dispersion; });
  d["half_mass_radius"] = column<double>(found.groups, [](const Group& g) { return g.half_mass_radius; });
  d["most_bound"] = column<std::int64_t>(found.groups, [](const Group& g) { return g.most_bound; });
  return d;
}

}  // namespace

void bind_analysis(nb::module_& m) {
  m.def("energies", &energies);
  m.def("virial_ratio", &analysis::virial_ratio);
  m.def("centre_of_density",
        [](const Snapshot& s) { return tuple_of(freely([&] { return analysis::centre_of_density(s.particles); })); });
  m.def("lagrangian_radii", [](const Snapshot& s, const std::vector<double>& fractions) {
    return array_of(freely([&] { return analysis::lagrangian_radii(s.particles, fractions); }));
  });
  m.def("profile", &profile);
  m.def("anisotropy", &anisotropy);
  m.def("disc", &disc);
  m.def("bar", &bar);
  m.def("groups", &groups, nb::arg("snapshot"), nb::arg("length").none(), nb::arg("fraction").none(),
        nb::arg("density").none(), nb::arg("min_members"), nb::arg("unbind"), nb::arg("eps"), nb::arg("threads"),
        nb::arg("backend"));
}

}  // namespace hornbeam::python
