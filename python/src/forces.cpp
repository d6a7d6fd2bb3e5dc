// SPDX-License-Identifier: Apache-2.0
// Functions of arrays: forces and neighbours. Options are those of the table, by name.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <cmath>
#include <mutex>
#include <optional>

#include "binding.h"
#include "hornbeam/contacts.h"
#include "hornbeam/error.h"
#include "interactions/neighbours/search.h"
#include "open_devices.h"

namespace hornbeam::python {
namespace {

/// Arrays as python/hornbeam/forces.py has checked them.
struct Asked {
  Particles particles;
  std::size_t targets = 0;  ///< the last particles; 0: all
  run::RunConfig config;
};

Asked asked_of(const Vectors& position, const Numbers& mass, const std::optional<Numbers>& eps,
               const std::optional<Vectors>& targets, const std::optional<Numbers>& target_eps, const nb::dict& options,
               const nb::dict& boundary) {
  Asked asked;
  set_options(options, {"gravity", "device"}, "", asked.config);
  set_options(boundary, {"boundary"}, "boundary.", asked.config);
  if (options.contains("G")) throw UsageError("G", "is an argument of its own");
  Particles& p = asked.particles;
  p.position = vectors_from(position);
  p.mass = numbers_from(mass);
  if (eps) p.eps = numbers_from(*eps);
  if (targets) {
    const std::vector<Vec3> places = vectors_from(*targets);
    asked.targets = places.size();
    p.position.insert(p.position.end(), places.begin(), places.end());
    p.mass.resize(p.position.size(), 0.0);
    if (target_eps) {
      const std::vector<double> lengths = numbers_from(*target_eps);
      p.eps.insert(p.eps.end(), lengths.begin(), lengths.end());
    }
  }
  const std::size_t n = p.position.size();
  p.velocity.resize(n);
  p.family.resize(n, Family::halo);
  p.id.resize(n);
  for (std::size_t i = 0; i < n; ++i) p.id[i] = i;
  return asked;
}

/// (accelerations, potentials, backend)
nb::tuple forces(const Vectors& position, const Numbers& mass, const std::optional<Numbers>& eps,
                 const std::optional<Vectors>& targets, const std::optional<Numbers>& target_eps, double G,
                 const nb::dict& options, const nb::dict& boundary) {
  Asked asked = asked_of(position, mass, eps, targets, target_eps, options, boundary);
  const SimulationOptions& o = asked.config.simulation;
  Particles& p = asked.particles;
  std::string backend;
  {
    const nb::gil_scoped_release free;
    GravityOptions gravity = o.gravity;
    gravity.G = G;
    const std::size_t first = targets ? p.size() - asked.targets : 0;
    const DeviceName name{o.backend, o.device, o.threads};
    ForceEvaluator evaluator = OpenDevices::all().take(name);
    if (targets) {
      evaluator.evaluate_from(first, p, gravity, o.boundary);
    } else {
      evaluator.evaluate(p, gravity, o.boundary);
    }
    backend = evaluator.backend();
    OpenDevices::all().put_back(name, std::move(evaluator));
    p.acceleration.erase(p.acceleration.begin(), p.acceleration.begin() + static_cast<std::ptrdiff_t>(first));
    p.potential.erase(p.potential.begin(), p.potential.begin() + static_cast<std::ptrdiff_t>(first));
  }
  return nb::make_tuple(array_of(std::move(p.acceleration)), array_of(std::move(p.potential)), backend);
}

NeighbourOptions search_options(double box, const nb::dict& options) {
  run::RunConfig config;
  set_options(options, {"device"}, "", config);
  NeighbourOptions search;
  search.box_size = box;
  search.backend = config.simulation.backend;
  search.device = config.simulation.device;
  search.threads = config.simulation.threads;
  return search;
}

/// Positions sorted into a tree, and the searches on it.
class Neighbours {
 public:
  Neighbours(const Vectors& position, double box, const nb::dict& options)
      : position_(vectors_from(position)), options_(search_options(box, options)) {
    const nb::gil_scoped_release free;
    if (options_.box_size > 0) wrap_into_box(position_, options_.box_size);
    check_search(position_, options_);
    tree_ = std::make_unique<NeighbourTree>(position_, options_);
  }

  nb::tuple within(double radius) {
    return rows([&] {
      check_radius(radius, options_);
      return tree_->within(radius);
    });
  }
  nb::tuple nearest(std::int64_t k) {
    return rows([&] {
      check_nearest(k, position_.size());
      return tree_->nearest(static_cast<int>(k));
    });
  }
  nb::object count(double radius) {
    std::vector<std::uint32_t> found;
    {
      const nb::gil_scoped_release free;
      const std::lock_guard lock(mutex_);
      check_radius(radius, options_);
      found = tree_->count_within(radius);
    }
    return array_of(std::move(found));
  }
  [[nodiscard]] std::string backend() const { return tree_->backend(); }
  [[nodiscard]] std::size_t size() const { return position_.size(); }

 private:
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

void bind_forces(nb::module_& m) {
  m.def("forces", &forces, nb::arg("position"), nb::arg("mass"), nb::arg("eps").none(), nb::arg("targets").none(),
        nb::arg("target_eps").none(), nb::arg("G"), nb::arg("options"), nb::arg("boundary"));
  m.def("contacts", &contacts, nb::arg("position"), nb::arg("radius"), nb::arg("velocity").none(), nb::arg("time"),
        nb::arg("box"), nb::arg("options"));
  nb::class_<Neighbours>(m, "Neighbours")
      .def(nb::init<const Vectors&, double, const nb::dict&>())
      .def("within", &Neighbours::within)
      .def("nearest", &Neighbours::nearest)
      .def("count", &Neighbours::count)
      .def("size", &Neighbours::size)
      .def_prop_ro("backend", &Neighbours::backend);
}

}  // namespace hornbeam::python
