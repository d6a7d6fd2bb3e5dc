// SPDX-License-Identifier: Apache-2.0
// Functions of arrays: forces and neighbours. Options are those of the table, by name.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <optional>
#include <tuple>

#include "binding.h"
#include "hornbeam/error.h"
#include "hornbeam/forces.h"
#include "interactions/neighbours/search.h"
#include "run/keys.h"
#include "run/suggest.h"

namespace hornbeam::python {
namespace {

[[noreturn]] void refuse_kind(const run::Key& key, nb::handle value, const std::string& subject) {
  const auto type = nb::cast<std::string>(value.type().attr("__name__"));
  throw UsageError(subject, "received " + nb::cast<std::string>(nb::repr(value)) + " (" + type + ")",
                   "give " + key.type());
}

/// What Python has for a key of the table.
run::Value value_of(const run::Key& key, nb::handle value, const std::string& subject) {
  double number = 0;
  std::int64_t integer = 0;
  const bool is_truth = PyBool_Check(value.ptr());
  switch (key.kind) {
    case run::Kind::number:
      if (!is_truth && nb::try_cast(value, number)) return number;
      break;
    case run::Kind::integer:
      if (!is_truth && nb::try_cast(value, integer)) return integer;
      break;
    case run::Kind::truth:
      if (is_truth) return value.is(nb::handle(Py_True));
      break;
    case run::Kind::numbers:
      if (std::vector<double> numbers; nb::try_cast(value, numbers)) return numbers;
      break;
    case run::Kind::words:
      if (std::vector<std::string> words; nb::try_cast(value, words)) return words;
      break;
    case run::Kind::word:
      if (std::string word; nb::try_cast(value, word)) return word;
      break;
  }
  refuse_kind(key, value, subject);
}

/// Sets the options of these sections; others are errors that name the nearest.
void set_options(const nb::dict& options, const std::vector<std::string_view>& sections, const std::string& prefix,
                 run::RunConfig& config) {
  for (const auto& [name_object, value] : options) {
    const auto name = nb::cast<std::string>(name_object);
    std::vector<std::string> known;
    const run::Key* found = nullptr;
    for (const run::Key& key : run::keys()) {
      if (std::find(sections.begin(), sections.end(), key.section) == sections.end()) continue;
      known.push_back(key.name);
      if (key.name == name) found = &key;
    }
    if (found == nullptr) throw UsageError(prefix + name, "unknown option", run::suggestion(name, known));
    run::set_checked(*found, config, value_of(*found, value, prefix + name), prefix + name);
  }
}

using DeviceName = std::tuple<std::string, int, int>;

/// Devices that are open, with some memory: one is opened for every call at the same time, and kept for the next.
class OpenDevices {
 public:
  /// In a process that fork() has made: none may be used there, nor closed.
  void forget() {
    static_cast<void>(new auto(std::move(idle_)));
    idle_.clear();
  }
  ForceEvaluator take(const DeviceName& name) {
    {
      const std::lock_guard lock(mutex_);
      for (auto one = idle_.begin(); one != idle_.end(); ++one) {
        if (one->first != name) continue;
        ForceEvaluator found = std::move(one->second);
        idle_.erase(one);
        return found;
      }
    }
    return ForceEvaluator(std::get<0>(name), std::get<1>(name), std::get<2>(name));
  }
  /// Large ones are let go: nobody may ask again.
  void put_back(const DeviceName& name, ForceEvaluator evaluator) {
    constexpr std::uint64_t most_bytes = 256 << 20;
    constexpr std::size_t most_devices = 4;
    const Bytes held = evaluator.bytes();
    if (held.particles + held.tree + held.scratch > most_bytes) return;
    const std::lock_guard lock(mutex_);
    if (idle_.size() < most_devices) idle_.emplace_back(name, std::move(evaluator));
  }

 private:
  std::mutex mutex_;
  std::vector<std::pair<DeviceName, ForceEvaluator>> idle_;
};

/// Never destroyed: the drivers of devices may be gone before.
OpenDevices& open_devices() {
  static OpenDevices* const all = new OpenDevices;
  return *all;
}

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
    ForceEvaluator evaluator = open_devices().take(name);
    if (targets) {
      evaluator.evaluate_from(first, p, gravity, o.boundary);
    } else {
      evaluator.evaluate(p, gravity, o.boundary);
    }
    backend = evaluator.backend();
    open_devices().put_back(name, std::move(evaluator));
    p.acceleration.erase(p.acceleration.begin(), p.acceleration.begin() + static_cast<std::ptrdiff_t>(first));
    p.potential.erase(p.potential.begin(), p.potential.begin() + static_cast<std::ptrdiff_t>(first));
  }
  return nb::make_tuple(array_of(std::move(p.acceleration)), array_of(std::move(p.potential)), backend);
}

/// Positions sorted into a tree, and the searches on it.
class Neighbours {
 public:
  Neighbours(const Vectors& position, double box, const nb::dict& options) {
    run::RunConfig config;
    set_options(options, {"device"}, "", config);
    options_.box_size = box;
    options_.backend = config.simulation.backend;
    options_.device = config.simulation.device;
    options_.threads = config.simulation.threads;
    position_ = vectors_from(position);
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

}  // namespace

Boundary boundary_of(const nb::dict& keys) {
  run::RunConfig config;
  set_options(keys, {"boundary"}, "boundary.", config);
  return config.simulation.boundary;
}

void bind_forces(nb::module_& m) {
  m.def("after_fork", [] { open_devices().forget(); });
  m.def("forces", &forces, nb::arg("position"), nb::arg("mass"), nb::arg("eps").none(), nb::arg("targets").none(),
        nb::arg("target_eps").none(), nb::arg("G"), nb::arg("options"), nb::arg("boundary"));
  nb::class_<Neighbours>(m, "Neighbours")
      .def(nb::init<const Vectors&, double, const nb::dict&>())
      .def("within", &Neighbours::within)
      .def("nearest", &Neighbours::nearest)
      .def("count", &Neighbours::count)
      .def("size", &Neighbours::size)
      .def_prop_ro("backend", &Neighbours::backend);
}

}  // namespace hornbeam::python
