// SPDX-License-Identifier: Apache-2.0
// Measures of snapshots as arrays: hornbeam/analysis.h and hornbeam/groups.h.
#include <nanobind/stl/array.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <optional>
#include <utility>

#include "binding.h"
#include "hornbeam/analysis.h"
#include "hornbeam/groups.h"
#include "hornbeam/halo.h"
#include "hornbeam/io.h"
#include "io/group_catalogue.h"
#include "physics/sph_kernel.h"
#include "run/records/exact_flows.h"
#include "run/records/figures.h"
#include "run/records/impact_measure.h"
#include "run/records/record.h"
#include "run/records/ring_measure.h"

namespace hornbeam::python {
namespace {

/// What is measured without the interpreter's lock.
template <class Measure>
auto freely(const Measure& measure) {
  const nb::gil_scoped_release free;
  return measure();
}

nb::tuple tuple_of(const Vec3& v) { return nb::make_tuple(v[0], v[1], v[2]); }

/// What a run's record says of its forces, as `hornbeam analyze` takes it; an empty one: none but self-gravity. The
/// softening is the one requested, otherwise the run's.
struct EnergyForces {
  EnergyForces(const std::string& record, const std::optional<std::string>& softening)
      : run(run::recorded(record, "record")),
        kernel(softening ? parse<Softening>("softening", *softening) : run.kernel.value_or(Softening::plummer)),
        potentials(run.potentials.value_or(std::vector<ExternalPotential>{})),
        gas(run::energies_of_gas(run)) {}
  run::Recorded run;
  Softening kernel;
  std::vector<ExternalPotential> potentials;
  GasOptions gas;
};

Energies energies(const Snapshot& snapshot, double eps, const std::optional<std::string>& softening, int threads,
                  const std::string& record) {
  const EnergyForces f(record, softening);
  return freely(
      [&] { return analysis::energies(snapshot, eps, threads, f.potentials, f.kernel, f.run.self_gravity, f.gas); });
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

nb::dict disc(const Snapshot& snapshot, double eps, const std::optional<std::string>& softening, int bins,
              const std::vector<double>& edges, const std::string& record) {
  const EnergyForces f(record, softening);
  auto found = freely([&] { return analysis::disc_profile(snapshot, eps, bins, edges, f.potentials, f.kernel); });
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
  d["noise"] = found.noise;
  d["angle"] = found.angle;
  return d;
}

nb::dict bound(const Snapshot& snapshot, double eps, const std::optional<std::string>& softening,
               std::optional<std::array<double, 3>> centre, int threads) {
  analysis::BoundOptions options;
  options.eps = eps;
  options.G = snapshot.units.G;
  options.threads = threads;
  options.centre = centre;
  if (softening) options.softening = parse<Softening>("softening", *softening);
  auto found = freely([&] { return analysis::bound(snapshot.particles, options); });
  nb::dict d;
  d["mass"] = found.mass;
  d["centre"] = tuple_of(found.centre);
  d["velocity"] = tuple_of(found.velocity);
  d["half_mass_radius"] = found.half_mass_radius;
  std::vector<std::uint8_t> is_bound(snapshot.particles.size(), 0);
  for (const std::uint32_t i : found.members) is_bound[i] = 1;
  d["bound"] = array_of(std::move(is_bound));
  return d;
}

nb::dict halo(const Snapshot& snapshot, std::optional<std::array<double, 3>> centre, double hubble, double omega_m) {
  const analysis::Cosmology cosmology{.hubble = hubble, .omega_m = omega_m};
  const auto found = freely([&] {
    return analysis::halo(snapshot.particles, centre ? *centre : analysis::centre_of_density(snapshot.particles),
                          snapshot.units.G, analysis::critical_density(snapshot.units, cosmology),
                          analysis::virial_overdensity(cosmology));
  });
  nb::dict d;
  d["centre"] = tuple_of(found.centre);
  for (const auto& [name, sphere] :
       {std::pair("200c", found.m200c), std::pair("500c", found.m500c), std::pair("vir", found.virial)}) {
    d[(std::string("m") + name).c_str()] = sphere.mass;
    d[(std::string("r") + name).c_str()] = sphere.radius;
  }
  d["v_max"] = found.v_max;
  d["r_max"] = found.r_max;
  return d;
}

nb::dict surface_density(const Snapshot& snapshot, int axis, const std::vector<int>& families, std::optional<int> bins,
                         std::optional<double> width) {
  std::vector<Family> shown;
  for (const int family : families) shown.push_back(static_cast<Family>(family));
  auto map = freely([&] { return analysis::surface_density(snapshot.particles, axis, shown, bins, width); });
  nb::dict d;
  d["surface_density"] = array_of(std::move(map.value)).attr("reshape")(map.bins, map.bins);
  d["centre"] = tuple_of(map.centre);
  d["extent"] = map.width;
  return d;
}

/// An array of one value of each group, or of each halo.
template <class T, class Each, class Get>
nb::object column(const std::vector<Each>& all, const Get& get) {
  std::vector<T> values;
  values.reserve(all.size());
  for (const Each& one : all) values.push_back(get(one));
  return array_of(std::move(values));
}

/// By the names that analysis.halo() has.
void add_halos(const std::vector<analysis::Halo>& halos, nb::dict& d) {
  using analysis::Halo;
  d["centre"] = column<Vec3>(halos, [](const Halo& h) { return h.centre; });
  d["m200c"] = column<double>(halos, [](const Halo& h) { return h.m200c.mass; });
  d["r200c"] = column<double>(halos, [](const Halo& h) { return h.m200c.radius; });
  d["m500c"] = column<double>(halos, [](const Halo& h) { return h.m500c.mass; });
  d["r500c"] = column<double>(halos, [](const Halo& h) { return h.m500c.radius; });
  d["mvir"] = column<double>(halos, [](const Halo& h) { return h.virial.mass; });
  d["rvir"] = column<double>(halos, [](const Halo& h) { return h.virial.radius; });
  d["v_max"] = column<double>(halos, [](const Halo& h) { return h.v_max; });
  d["r_max"] = column<double>(halos, [](const Halo& h) { return h.r_max; });
}

/// halos: hubble and omega_m, of those that are measured about the groups.
nb::dict groups(const Snapshot& snapshot, std::optional<double> length, std::optional<double> fraction,
                std::optional<double> density, std::int64_t min_members, bool unbind, double eps,
                std::optional<double> box, int threads, const std::string& backend, const std::vector<int>& primary,
                const std::optional<std::pair<double, double>>& halos) {
  GroupOptions options;
  for (const int family : primary) options.primary.push_back(static_cast<Family>(family));
  options.linking_length = length;
  options.linking_fraction = fraction;
  options.linking_density = density;
  options.min_members = min_members;
  options.unbind = unbind;
  options.eps = eps;
  options.settle_for(snapshot, box);
  options.threads = threads;
  options.backend = backend;
  GroupCatalogue found;
  io::GroupHalos about;
  std::vector<std::int64_t> group_of;
  freely([&] {
    found = find_groups(snapshot.particles, options);
    group_of = found.group_of(snapshot.particles.size());
    if (!halos) return;
    const analysis::Cosmology cosmology{halos->first, halos->second};
    about = io::halos_about(snapshot.particles, found, options, analysis::critical_density(snapshot.units, cosmology),
                            cosmology);
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
  d["radius_200"] = column<double>(found.groups, [](const Group& g) { return g.radius_200; });
  d["spans_box"] = column<std::uint8_t>(found.groups, [](const Group& g) { return std::uint8_t(g.spans_box); });
  d["most_bound"] = column<std::int64_t>(found.groups, [](const Group& g) { return g.most_bound; });
  if (halos) add_halos(about.halos, d);
  return d;
}

nb::dict black_holes(const Snapshot& snapshot) {
  const auto found = freely([&] { return analysis::black_holes(snapshot.particles); });
  nb::dict d;
  d["count"] = found.count;
  d["distance"] = found.distance;
  d["speed"] = found.speed;
  return d;
}

nb::object ring(const Snapshot& snapshot, const std::optional<nb::dict>& boundary, bool self_gravity) {
  const Boundary sheet = boundary ? boundary_of(*boundary) : snapshot.boundary;
  return object_of(freely([&] { return run::ring_measure(snapshot, sheet, self_gravity); }));
}

nb::object exact(const Snapshot& snapshot, const std::string& model, const std::map<std::string, double>& numbers,
                 double gamma, const std::string& eos, const std::string& subject) {
  return object_of(freely([&] { return run::exact_flow(snapshot, {model, numbers, gamma, eos}, subject); }));
}

nb::object disc_mass(const Snapshot& snapshot, double planet_density) {
  return object_of(freely([&] { return run::disc_mass(snapshot, planet_density); }));
}

/// What the record of a run says that measures depend on, or the particles where it is silent.
nb::dict recorded(const std::string& record, const Snapshot& snapshot) {
  const run::Recorded run = run::recorded(record, "record", snapshot.gas);
  nb::dict d;
  d["model"] = run.model;
  d["numbers"] = run.model_numbers;
  d["gamma"] = run.gamma;
  d["eos"] = run.eos_of_gas;
  d["self_gravity"] = run.self_gravity;
  return d;
}

/// C w(q) of a kernel by its name: W(r, H) H^3 at q = r / H.
nb::object kernel_values(const std::string& kernel, const Numbers& q) {
  const auto shape = static_cast<mixed::i32>(parse<SphKernel>("kernel", kernel));
  std::vector<double> values(q.shape(0));
  for (std::size_t k = 0; k < values.size(); ++k) {
    values[k] = mixed::kernel_constant(shape) * mixed::kernel_value(shape, static_cast<mixed::real>(q.data()[k]));
  }
  return array_of(std::move(values));
}

}  // namespace

void bind_analysis(nb::module_& m) {
  m.def("kernel_values", &kernel_values);
  m.def("energies", &energies, nb::arg("snapshot"), nb::arg("eps"), nb::arg("softening").none(), nb::arg("threads"),
        nb::arg("record"));
  m.def("virial_ratio", &analysis::virial_ratio);
  m.def("bound", &bound, nb::arg("snapshot"), nb::arg("eps"), nb::arg("softening").none(), nb::arg("centre").none(),
        nb::arg("threads"));
  m.def("halo", &halo, nb::arg("snapshot"), nb::arg("centre").none(), nb::arg("hubble"), nb::arg("omega_m"));
  m.def("centre_of_density",
        [](const Snapshot& s) { return tuple_of(freely([&] { return analysis::centre_of_density(s.particles); })); });
  m.def("lagrangian_radii", [](const Snapshot& s, const std::vector<double>& fractions) {
    return array_of(freely([&] { return analysis::lagrangian_radii(s.particles, fractions); }));
  });
  m.def("profile", &profile);
  m.def("anisotropy", &anisotropy);
  m.def("disc", &disc, nb::arg("snapshot"), nb::arg("eps"), nb::arg("softening").none(), nb::arg("bins"),
        nb::arg("edges"), nb::arg("record"));
  m.def("bar", &bar);
  m.def("surface_density", &surface_density, nb::arg("snapshot"), nb::arg("axis"), nb::arg("families"),
        nb::arg("bins").none(), nb::arg("width").none());
  m.def("black_holes", &black_holes);
  m.def("ring", &ring, nb::arg("snapshot"), nb::arg("boundary").none(), nb::arg("self_gravity"));
  m.def("exact", &exact);
  m.def("disc_mass", &disc_mass);
  m.def("recorded", &recorded);
  m.def(
      "wrapped_note",
      [](const Snapshot& snapshot, std::optional<double> box) {
        GroupOptions options;
        options.settle_for(snapshot, box);
        const double edge = options.box_size;
        return edge > 0 ? run::wrapped_note(snapshot.particles.position, {edge, edge, edge}, "the box") : "";
      },
      nb::arg("snapshot"), nb::arg("box").none());
  m.def("without_images", &run::without_images);
  m.def("read_record", [](const std::string& path) { return read_record(path); });
  m.def("groups", &groups, nb::arg("snapshot"), nb::arg("length").none(), nb::arg("fraction").none(),
        nb::arg("density").none(), nb::arg("min_members"), nb::arg("unbind"), nb::arg("eps"), nb::arg("box").none(),
        nb::arg("threads"), nb::arg("backend"), nb::arg("primary"), nb::arg("halos").none());
}

}  // namespace hornbeam::python
