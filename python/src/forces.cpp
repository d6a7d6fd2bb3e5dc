// SPDX-License-Identifier: Apache-2.0
// Functions of arrays: forces and neighbours. Options are those of the table, by name.
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <initializer_list>
#include <mutex>
#include <optional>
#include <utility>

#include "binding.h"
#include "hornbeam/contacts.h"
#include "hornbeam/error.h"
#include "hornbeam/force_tree.h"
#include "interactions/neighbours/search.h"
#include "open_devices.h"
#include "simulation/resolution.h"

namespace hornbeam::python {
namespace {

/// Arrays as python/hornbeam/forces.py has checked them.
struct Asked {
  const Vectors& position;
  const Numbers& mass;
  const std::optional<Numbers>& eps;
  const std::optional<Vectors>& targets;
  const std::optional<Numbers>& target_eps;

  /// As a device takes them.
  [[nodiscard]] ParticlesOnDevice arrays() const {
    const auto view = [](const auto& array, std::int64_t stride) {
      ArrayOnDevice column;
      column.data = array.data();
      column.on_host = true;
      column.rows = array.shape(0);
      column.row_stride = stride;
      return column;
    };
    ParticlesOnDevice all = {view(position, 3), view(mass, 1), {}, {}, {}};
    if (eps) all.eps = view(*eps, 1);
    if (targets) all.targets = view(*targets, 3);
    if (target_eps) all.target_eps = view(*target_eps, 1);
    return all;
  }

  /// As the host takes them, without target points.
  [[nodiscard]] Particles particles() const {
    Particles p;
    p.position = vectors_from(position);
    p.mass = numbers_from(mass);
    if (eps) p.eps = numbers_from(*eps);
    const std::size_t n = p.position.size();
    p.velocity.resize(n);
    p.family.resize(n, Family::halo);
    p.id.resize(n);
    for (std::size_t i = 0; i < n; ++i) p.id[i] = i;
    return p;
  }
};

/// (accelerations, potentials)
using Found = std::pair<nb::object, nb::object>;

/// Arrays go to the device as they are, and the CPU reads them where they lie: by way of Particles a million take 25
/// times as long on a GPU, and a fifth more on a CPU.
Found found(ForceEvaluator& evaluator, const Asked& asked, const GravityOptions& gravity, const Boundary& boundary) {
  const std::size_t rows = (asked.targets ? *asked.targets : asked.position).shape(0);
  std::unique_ptr<double[]> acceleration(new double[3 * rows]), potential(new double[rows]);  // not cleared first
  {
    const nb::gil_scoped_release free;
    evaluator.evaluate(asked.arrays(), gravity, {acceleration.get(), potential.get(), true, true}, boundary);
  }
  return {array_of(std::move(acceleration), {rows, 3}), array_of(std::move(potential), {rows})};
}

/// The warnings of `hornbeam force`, in single precision alone, in which a system far from the origin goes wrong: calls
/// are many and short, and a look at the box of all takes more than a hundredth of one on a GPU.
std::vector<std::string> notes_of(const Asked& asked, const GravityOptions& gravity) {
  const nb::gil_scoped_release free;
  if (gravity.precision != Precision::single) return {};
  return resolution_notes(asked.particles(), gravity);
}

/// (accelerations, potentials, notes)
nb::tuple forces(const Vectors& position, const Numbers& mass, const std::optional<Numbers>& eps,
                 const std::optional<Vectors>& targets, const std::optional<Numbers>& target_eps, double G,
                 const nb::dict& options, const nb::dict& boundary) {
  run::RunConfig config;
  set_options(options, {"gravity", "device"}, "", config);
  set_options(boundary, {"boundary"}, "boundary.", config);
  const SimulationOptions& o = config.simulation;
  GravityOptions gravity = o.gravity;
  gravity.G = G;
  const DeviceName name{o.backend, o.device, o.threads};
  ForceEvaluator evaluator = OpenDevices::all().take(name);
  const Asked asked{position, mass, eps, targets, target_eps};
  const Found forces = found(evaluator, asked, gravity, o.boundary);
  std::vector<std::string> notes = notes_of(asked, gravity);
  if (const std::string passed_over = evaluator.device_note(); !passed_over.empty()) {
    notes.push_back("WARNING: " + passed_over);
  }
  OpenDevices::all().put_back(name, std::move(evaluator));
  return nb::make_tuple(forces.first, forces.second, notes);
}

/// Positions sorted into a tree, and the searches on it.
class Neighbours {
 public:
  Neighbours(const Vectors& position, const Vec3& box, const nb::dict& options)
      : position_(vectors_from(position)), options_(search_options(box, options)) {
    const nb::gil_scoped_release free;
    wrap_into_box(position_, periods_of(options_));
    check_search(position_, options_);
    tree_ = std::make_unique<NeighbourTree>(position_, options_);
  }

  /// Rows of the particles, or of other points: (offset, index, distance). radii: one for each, instead of `radius`.
  nb::tuple within(double radius, const std::optional<Numbers>& radii, const std::optional<Vectors>& points) {
    return rows([&] {
      const std::vector<Vec3> at = placed(points);
      const std::vector<double> each = checked(radius, radii, points ? at.size() : position_.size());
      return tree_->within(radii ? SearchRadius(each) : radius, targets_of(points, at));
    });
  }
  nb::tuple nearest(std::int64_t k, const std::optional<Vectors>& points) {
    return rows([&] {
      check_nearest(k, position_.size(), !points);
      const std::vector<Vec3> at = placed(points);
      return tree_->nearest(static_cast<int>(k), targets_of(points, at));
    });
  }
  nb::object count(double radius, const std::optional<Numbers>& radii, const std::optional<Vectors>& points) {
    std::vector<std::uint32_t> found;
    {
      const nb::gil_scoped_release free;
      const std::lock_guard lock(mutex_);
      const std::vector<Vec3> at = placed(points);
      const std::vector<double> each = checked(radius, radii, points ? at.size() : position_.size());
      found = tree_->count_within(radii ? SearchRadius(each) : radius, targets_of(points, at));
    }
    return array_of(std::move(found));
  }
  void refit(const Vectors& position) {
    std::vector<Vec3> moved = vectors_from(position);
    const nb::gil_scoped_release free;
    const std::lock_guard lock(mutex_);
    if (moved.size() != position_.size()) {
      throw UsageError("positions", std::to_string(moved.size()) + " for a tree of " + std::to_string(position_.size()),
                       "give the positions of the same particles");
    }
    wrap_into_box(moved, periods_of(options_));
    check_search(moved, options_);
    position_ = std::move(moved);
    tree_->move(position_);
  }
  [[nodiscard]] std::string backend() const { return tree_->backend(); }
  [[nodiscard]] std::size_t size() const { return position_.size(); }

 private:
  /// Target points in the box.
  [[nodiscard]] std::vector<Vec3> placed(const std::optional<Vectors>& points) const {
    if (!points) return {};
    std::vector<Vec3> at = vectors_from(*points);
    wrap_into_box(at, periods_of(options_));
    check_search(at, options_, "target");
    return at;
  }
  /// The radii of `targets`, where each has its own.
  static std::vector<double> checked(double radius, const std::optional<Numbers>& radii, std::size_t targets) {
    if (!radii) {
      check_radius(radius);
      return {};
    }
    std::vector<double> each = numbers_from(*radii);
    check_radii(each, targets);
    return each;
  }
  static KeptTargets targets_of(const std::optional<Vectors>& points, const std::vector<Vec3>& at) {
    return {points ? &at : nullptr};
  }
  /// (offset, index, distance)
  template <class Search>
  nb::tuple rows(const Search& search) {
    NeighbourLists found;
    {
      const nb::gil_scoped_release free;
      const std::lock_guard lock(mutex_);
      found = search();
      for (double& square : found.distance2) square = std::sqrt(square);
    }
    return nb::make_tuple(array_of(std::move(found.offset)), array_of(std::move(found.index)),
                          array_of(std::move(found.distance2)));
  }

  std::vector<Vec3> position_;
  NeighbourOptions options_;
  std::unique_ptr<NeighbourTree> tree_;
  std::mutex mutex_;  ///< searches of several threads wait for one another
};

/// Particles in a tree, and the forces they pull with.
class Forces {
 public:
  Forces(const Vectors& position, const Numbers& mass, const std::optional<Numbers>& eps, const nb::dict& boundary,
         const nb::dict& options) {
    run::RunConfig config;
    set_options(options, {"device"}, "", config);
    set_options(boundary, {"boundary"}, "boundary.", config);
    const std::optional<Vectors> no_targets;
    const std::optional<Numbers> no_eps;
    Particles particles = Asked{position, mass, eps, no_targets, no_eps}.particles();
    const SimulationOptions& o = config.simulation;
    precision_ = o.gravity.precision;
    const nb::gil_scoped_release free;
    tree_ = std::make_unique<ForceTree>(std::move(particles), o.boundary, o.backend, o.device, o.threads);
  }

  /// (accelerations, potentials), and with `tides` tidal tensors
  nb::tuple evaluate(const std::optional<Vectors>& targets, const std::optional<Numbers>& target_eps, double G,
                     const nb::dict& options, bool tides) {
    run::RunConfig config;
    set_options(options, {"gravity"}, "", config);
    GravityOptions gravity = config.simulation.gravity;
    gravity.G = G;
    gravity.precision = precision_;
    const std::vector<Vec3> places = targets ? vectors_from(*targets) : std::vector<Vec3>();
    const std::vector<double> eps = target_eps ? numbers_from(*target_eps) : std::vector<double>();
    ForceField field;
    {
      const nb::gil_scoped_release free;
      const std::lock_guard lock(mutex_);
      field = targets ? tree_->evaluate_at(places, eps, gravity, tides) : tree_->evaluate(gravity, tides);
    }
    const nb::object acceleration = array_of(std::move(field.acceleration));
    const nb::object potential = array_of(std::move(field.potential));
    if (!tides) return nb::make_tuple(acceleration, potential);
    return nb::make_tuple(acceleration, potential, array_of(std::move(field.tide)));
  }
  nb::dict nodes(const nb::dict& options) {
    return dict_of(of_tree(*tree_, &ForceTree::nodes, options, precision_, mutex_));
  }
  nb::object keys(const nb::dict& options) {
    return array_of(of_tree(*tree_, &ForceTree::keys, options, precision_, mutex_));
  }
  void refit(const Vectors& position) {
    const std::vector<Vec3> moved = vectors_from(position);
    const nb::gil_scoped_release free;
    const std::lock_guard lock(mutex_);
    tree_->refit(moved);
  }
  [[nodiscard]] std::string backend() const { return tree_->backend(); }

 private:
  Precision precision_;
  std::unique_ptr<ForceTree> tree_;
  std::mutex mutex_;  ///< several threads wait for one another
};

/// (pairs, overlaps, times)
nb::tuple contacts(const Vectors& position, const Numbers& radius, const std::optional<Vectors>& velocity, double time,
                   double box, const nb::dict& options) {
  const NeighbourOptions search = search_options(box, options);
  std::vector<Vec3> places = vectors_from(position);
  const std::vector<double> radii = numbers_from(radius);
  const std::vector<Vec3> velocities = velocity ? vectors_from(*velocity) : std::vector<Vec3>();
  std::vector<std::uint32_t> pairs;
  std::vector<double> overlaps, times;
  {
    const nb::gil_scoped_release free;
    if (box > 0) wrap_into_box(places, box);
    for (const Contact& c : velocity ? find_contacts(places, radii, SphereMotion{velocities, time}, search)
                                     : find_contacts(places, radii, search)) {
      pairs.insert(pairs.end(), {c.first, c.second});
      overlaps.push_back(c.overlap);
      times.push_back(c.time);
    }
  }
  return nb::make_tuple(array_of(std::move(pairs)), array_of(std::move(overlaps)), array_of(std::move(times)));
}

}  // namespace

nb::dict dict_of(TreeNodes&& nodes) {
  nb::dict found;
  found["centre"] = array_of(std::move(nodes.centre));
  found["edge"] = array_of(std::move(nodes.edge));
  found["low"] = array_of(std::move(nodes.low));
  found["high"] = array_of(std::move(nodes.high));
  found["mass"] = array_of(std::move(nodes.mass));
  found["centre_of_mass"] = array_of(std::move(nodes.centre_of_mass));
  found["moment"] = array_of(std::move(nodes.moment));
  found["first"] = array_of(std::move(nodes.first));
  found["count"] = array_of(std::move(nodes.count));
  found["child"] = array_of(std::move(nodes.child));
  found["children"] = array_of(std::move(nodes.children));
  found["order"] = array_of(std::move(nodes.order));
  return found;
}

GravityOptions tree_options(const nb::dict& options, Precision precision) {
  run::RunConfig config;
  set_options(options, {"gravity"}, "", config);
  config.simulation.gravity.precision = precision;
  return config.simulation.gravity;
}

Boundary boundary_of(const nb::dict& keys) {
  run::RunConfig config;
  set_options(keys, {"boundary"}, "boundary.", config);
  return config.simulation.boundary;
}

void bind_forces(nb::module_& m) {
  m.def("after_fork", [] { OpenDevices::all().forget(); });
  m.def("forces", &forces, nb::arg("position"), nb::arg("mass"), nb::arg("eps").none(), nb::arg("targets").none(),
        nb::arg("target_eps").none(), nb::arg("G"), nb::arg("options"), nb::arg("boundary"));
  m.def("contacts", &contacts, nb::arg("position"), nb::arg("radius"), nb::arg("velocity").none(), nb::arg("time"),
        nb::arg("box"), nb::arg("options"));
  nb::class_<Forces>(m, "Forces")
      .def(nb::init<const Vectors&, const Numbers&, const std::optional<Numbers>&, const nb::dict&, const nb::dict&>(),
           nb::arg("position"), nb::arg("mass"), nb::arg("eps").none(), nb::arg("boundary"), nb::arg("options"))
      .def("evaluate", &Forces::evaluate, nb::arg("targets").none(), nb::arg("target_eps").none(), nb::arg("G"),
           nb::arg("options"), nb::arg("tides") = false)
      .def("nodes", &Forces::nodes, nb::arg("options"))
      .def("keys", &Forces::keys, nb::arg("options"))
      .def("refit", &Forces::refit)
      .def_prop_ro("backend", &Forces::backend);
  nb::class_<Neighbours>(m, "Neighbours")
      .def(nb::init<const Vectors&, const Vec3&, const nb::dict&>())
      .def("within", &Neighbours::within, nb::arg("radius"), nb::arg("radii").none(), nb::arg("targets").none())
      .def("nearest", &Neighbours::nearest, nb::arg("k"), nb::arg("targets").none())
      .def("count", &Neighbours::count, nb::arg("radius"), nb::arg("radii").none(), nb::arg("targets").none())
      .def("refit", &Neighbours::refit)
      .def("size", &Neighbours::size)
      .def_prop_ro("backend", &Neighbours::backend);
}

}  // namespace hornbeam::python
