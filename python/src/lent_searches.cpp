// SPDX-License-Identifier: Apache-2.0
// Trees, neighbours and contacts of arrays that lie on a device, and results that lie there, too (lent_arrays.h).
// python/hornbeam/device_trees.py checks what people give.
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <mutex>

#include "device/devices.h"
#include "hornbeam/error.h"
#include "interactions/collisions/lent_contacts.h"
#include "interactions/neighbours/search.h"
#include "lent_arrays.h"
#include "open_devices.h"
#include "simulation/lent_force_tree.h"

namespace hornbeam::python {
namespace {

std::optional<ArrayOnDevice> view_of(const std::optional<LentArray>& array) {
  return array ? std::optional(array->view()) : std::nullopt;
}

/// A device of its own, on which arrays are searched where they lie.
class SearchDevice {
 public:
  SearchDevice(const std::string& backend, int number) : number_(number) {
    const nb::gil_scoped_release free;
    device_ = OpenDevices::all().take_device(backend, number);
    static_cast<void>(lending_of(*device_));
  }
  ~SearchDevice() {
    const std::string name = backend();
    OpenDevices::all().put_back(name, number_, std::move(device_), bytes_);
  }
  SearchDevice(const SearchDevice&) = delete;
  SearchDevice& operator=(const SearchDevice&) = delete;
  [[nodiscard]] std::string backend() const { return device_->backend(); }
  [[nodiscard]] std::uintptr_t stream() const { return lending_of(*device_).queue(); }
  void wait_for(std::uintptr_t queue) { lending_of(*device_).wait_for(queue); }

 protected:
  [[nodiscard]] LentResult result(std::shared_ptr<void> memory, std::vector<std::size_t> shape,
                                  nb::dlpack::dtype type) const {
    return lent_result(std::move(memory), std::move(shape), type, backend(), number_);
  }

  /// Takes note of memory that was in use: of a tree of so many points, and rows of so many neighbours.
  void use(std::size_t points, std::uint64_t entries) {
    constexpr std::uint64_t point_bytes = 250, entry_bytes = 12;  // with the room to sort them
    bytes_ = std::max(bytes_, points * point_bytes + entries * entry_bytes);
  }

  int number_;
  std::unique_ptr<Device> device_;
  std::uint64_t bytes_ = 0;
  std::mutex mutex_;  ///< several threads wait for one another
};

/// Whole numbers are reported as signed ones, by which the libraries of GPUs index.
class DeviceNeighbours : public SearchDevice {
 public:
  using SearchDevice::SearchDevice;
  /// Targets: the particles, unless there are others.
  struct Points {
    std::optional<LentArray> places;
    DeviceNeighbours* tree = nullptr;
  };

  void load(const LentArray& position, const Vec3& box, const nb::dict& options) {
    options_ = search_options(box, options);
    options_.backend = backend();
    const LentPlaces places{position.view(), box};
    const nb::gil_scoped_release free;
    const std::lock_guard lock(mutex_);
    check_search(*device_, places, options_);
    count_ = places.position.rows;
    search_ = make_search(*device_, places, options_);
    lending_of(*device_).finish();
    use(count_, 0);
  }
  void refit(const LentArray& position) {
    const LentPlaces places{position.view(), periods_of(options_)};
    const nb::gil_scoped_release free;
    const std::lock_guard lock(mutex_);
    if (places.position.rows != count_) {
      throw UsageError("positions", std::to_string(places.position.rows) + " for a tree of " + std::to_string(count_),
                       "give the positions of the same particles");
    }
    check_search(*device_, places, options_);
    search_->move(places);
    lending_of(*device_).finish();
  }
  /// Rows of the particles, of other points, or of those of another tree: (offset, index, distance). radii: one for
  /// each, instead of `radius`.
  nb::tuple within(double radius, const std::optional<LentArray>& radii, const Points& points, bool wide) {
    LentRows rows;
    {
      const nb::gil_scoped_release free;
      const Locks locks(*this, points.tree);
      const std::optional<LentPlaces> at = placed(points.places);
      rows = search_->lend_within(checked(radius, radii, rows_of(points)), wide, targets_of(points, at));
      use_for(points, rows.entries);
    }
    return shown(rows, rows_of(points), {rows.entries}, wide);
  }
  /// The same, or as a table of k columns.
  nb::tuple nearest(std::int64_t k, bool table, const Points& points, bool wide) {
    LentRows rows;
    {
      const nb::gil_scoped_release free;
      const Locks locks(*this, points.tree);
      check_nearest(k, count_, !points.places && points.tree == nullptr);
      const std::optional<LentPlaces> at = placed(points.places);
      rows = search_->lend_nearest(static_cast<int>(k), wide, targets_of(points, at));
      use_for(points, rows.entries);
    }
    const std::size_t n = rows_of(points);
    if (table) return shown(rows, n, {n, static_cast<std::size_t>(k)}, wide);
    return shown(rows, n, {rows.entries}, wide);
  }
  LentResult count(double radius, const std::optional<LentArray>& radii, const Points& points) {
    std::shared_ptr<void> found;
    {
      const nb::gil_scoped_release free;
      const Locks locks(*this, points.tree);
      const std::optional<LentPlaces> at = placed(points.places);
      found = search_->lend_counts(checked(radius, radii, rows_of(points)), targets_of(points, at));
    }
    return result(std::move(found), {rows_of(points)}, nb::dtype<std::int32_t>());
  }
  [[nodiscard]] std::size_t size() const { return count_; }

 private:
  /// Target points, checked.
  [[nodiscard]] std::optional<LentPlaces> placed(const std::optional<LentArray>& points) {
    if (!points) return {};
    const LentPlaces at{points->view(), periods_of(options_)};
    check_search(*device_, at, options_, "target");
    return at;
  }
  /// Takes note of the memory of a search: other points than the tree's own come to these.
  void use_for(const Points& points, std::uint64_t entries) {
    const bool has_others = points.tree != nullptr || points.places;
    use(count_ + (has_others ? rows_of(points) : 0), entries);
  }
  [[nodiscard]] std::size_t rows_of(const Points& points) const {
    if (points.tree != nullptr) return points.tree->count_;
    return points.places ? points.places->view().rows : count_;
  }
  [[nodiscard]] LentPoints targets_of(const Points& points, const std::optional<LentPlaces>& at) const {
    if (points.tree == nullptr) return {at ? &*at : nullptr, nullptr};
    if (periods_of(points.tree->options_) != periods_of(options_)) {
      throw UsageError("targets", "received a tree with another box", "give both trees the same box");
    }
    if (points.tree->backend() != backend() || points.tree->number_ != number_) {
      throw UsageError("targets", "received a tree on another device", "make both trees on the same device");
    }
    return {nullptr, points.tree->search_.get()};
  }
  /// The radii, checked.
  [[nodiscard]] SearchRadius checked(double radius, const std::optional<LentArray>& radii, std::size_t targets) {
    if (!radii) {
      check_radius(radius);
      return radius;
    }
    check_radii(*device_, radii->view(), targets);
    return SearchRadius(radii->view());
  }
  /// Several threads wait for one another, and for those that ask the other tree.
  class Locks {
   public:
    Locks(DeviceNeighbours& one, DeviceNeighbours* other)
        : first_(one.mutex_, std::defer_lock), second_(other != nullptr ? other->mutex_ : one.mutex_, std::defer_lock) {
      if (other == nullptr || other == &one) {
        first_.lock();
      } else {
        std::lock(first_, second_);
      }
    }

   private:
    std::unique_lock<std::mutex> first_, second_;
  };
  [[nodiscard]] nb::tuple shown(const LentRows& rows, std::size_t n, const std::vector<std::size_t>& shape,
                                bool wide) const {
    return nb::make_tuple(result(rows.offset, {n + 1}, nb::dtype<std::int64_t>()),
                          result(rows.index, shape, nb::dtype<std::int32_t>()),
                          result(rows.distance, shape, real_type(wide)));
  }

  std::size_t count_ = 0;
  NeighbourOptions options_;
  std::unique_ptr<NeighbourSearch> search_;
};

class DeviceContacts : public SearchDevice {
 public:
  using SearchDevice::SearchDevice;

  /// (pairs, overlaps, times)
  nb::tuple find(const LentArray& position, const LentArray& radius, const std::optional<LentArray>& velocity,
                 double time, double box, const nb::dict& options, bool wide) {
    NeighbourOptions search = search_options(box, options);
    search.backend = backend();
    const LentSpheres spheres{position.view(), radius.view(), view_of(velocity), time};
    LentContacts found;
    {
      const nb::gil_scoped_release free;
      const std::lock_guard lock(mutex_);
      found = find_contacts(*device_, spheres, search, wide);
      use(spheres.position.rows, found.count);
    }
    return nb::make_tuple(result(found.pairs, {found.count, 2}, nb::dtype<std::int32_t>()),
                          result(found.overlap, {found.count}, real_type(wide)),
                          result(found.time, {found.count}, real_type(wide)));
  }
};

class DeviceTree {
 public:
  DeviceTree(const std::string& backend, int device) : number_(device), tree_(backend, device) {
    static_cast<void>(lending_of(tree_.device()));
  }
  [[nodiscard]] std::string backend() const { return tree_.backend(); }
  [[nodiscard]] std::uintptr_t stream() { return lending_of(tree_.device()).queue(); }
  void wait_for(std::uintptr_t queue) { lending_of(tree_.device()).wait_for(queue); }

  void load(const LentArray& position, const LentArray& mass, const std::optional<LentArray>& eps,
            const nb::dict& boundary, const nb::dict& options) {
    run::RunConfig config;
    set_options(options, {"device"}, "", config);
    precision_ = config.simulation.gravity.precision;
    const Boundary space = boundary_of(boundary);
    const ParticlesOnDevice particles{position.view(), mass.view(), view_of(eps), {}, {}};
    const nb::gil_scoped_release free;
    const std::lock_guard lock(mutex_);
    tree_.load(particles, space);
  }
  void refit(const LentArray& position) {
    const ArrayOnDevice moved = position.view();
    const nb::gil_scoped_release free;
    const std::lock_guard lock(mutex_);
    tree_.refit(moved);
  }
  /// (accelerations, potentials), and with `tides` tidal tensors
  nb::tuple evaluate(const std::optional<LentArray>& targets, const std::optional<LentArray>& target_eps, double G,
                     const nb::dict& options, bool wide, bool tides) {
    run::RunConfig config;
    set_options(options, {"gravity"}, "", config);
    GravityOptions gravity = config.simulation.gravity;
    gravity.G = G;
    gravity.precision = precision_;
    const std::optional<ArrayOnDevice> places = view_of(targets), lengths = view_of(target_eps);
    const std::size_t rows = places ? places->rows : tree_.size(), bytes = rows * (wide ? 8 : 4) + 1;
    std::shared_ptr<void> acceleration, potential, tide;
    {
      const nb::gil_scoped_release free;
      const std::lock_guard lock(mutex_);
      Lending& lending = lending_of(tree_.device());
      acceleration = lending.lend(3 * bytes);
      potential = lending.lend(bytes);
      if (tides) tide = lending.lend(9 * bytes);
      const ForcesOnDevice forces{acceleration.get(), potential.get(), wide, false, tide.get()};
      if (places) {
        tree_.evaluate_at(*places, lengths, gravity, forces);
      } else {
        tree_.evaluate(gravity, forces);
      }
    }
    const auto found = [&](const std::shared_ptr<void>& memory, const std::vector<std::size_t>& shape) {
      return lent_result(memory, shape, real_type(wide), backend(), number_);
    };
    if (!tides) return nb::make_tuple(found(acceleration, {rows, 3}), found(potential, {rows}));
    return nb::make_tuple(found(acceleration, {rows, 3}), found(potential, {rows}), found(tide, {rows, 3, 3}));
  }
  /// Of the tree, as NumPy's arrays.
  nb::dict nodes(const nb::dict& options) {
    return dict_of(of_tree(tree_, &LentForceTree::nodes, options, precision_, mutex_));
  }
  nb::object keys(const nb::dict& options) {
    return array_of(of_tree(tree_, &LentForceTree::keys, options, precision_, mutex_));
  }
  [[nodiscard]] ArrayOnDevice positions() const { return tree_.positions(); }
  [[nodiscard]] std::size_t size() const { return tree_.size(); }

 private:
  int number_;
  Precision precision_ = Precision::mixed;
  LentForceTree tree_;
  std::mutex mutex_;  ///< several threads wait for one another
};

}  // namespace

void bind_lent_searches(nb::module_& m) {
  const auto device = [](auto& bound) -> auto& {
    using T = typename std::remove_reference_t<decltype(bound)>::Type;
    return bound.def(nb::init<const std::string&, int>(), nb::arg("backend"), nb::arg("device"))
        .def_prop_ro("backend", &T::backend)
        .def_prop_ro("stream", &T::stream)
        .def("wait_for", &T::wait_for);
  };
  nb::class_<DeviceNeighbours> neighbours(m, "DeviceNeighbours");
  device(neighbours)
      .def("load", &DeviceNeighbours::load)
      .def("refit", &DeviceNeighbours::refit)
      .def(
          "within",
          [](DeviceNeighbours& s, double radius, const std::optional<LentArray>& radii,
             const std::optional<LentArray>& targets, DeviceNeighbours* tree, bool wide) {
            return s.within(radius, radii, {targets, tree}, wide);
          },
          nb::arg("radius"), nb::arg("radii").none(), nb::arg("targets").none(), nb::arg("tree").none(),
          nb::arg("wide"))
      .def(
          "nearest",
          [](DeviceNeighbours& s, std::int64_t k, bool table, const std::optional<LentArray>& targets,
             DeviceNeighbours* tree, bool wide) {
            return s.nearest(k, table, {targets, tree}, wide);
          },
          nb::arg("k"), nb::arg("table"), nb::arg("targets").none(), nb::arg("tree").none(), nb::arg("wide"))
      .def(
          "count",
          [](DeviceNeighbours& s, double radius, const std::optional<LentArray>& radii,
             const std::optional<LentArray>& targets, DeviceNeighbours* tree) {
            return s.count(radius, radii, {targets, tree});
          },
          nb::arg("radius"), nb::arg("radii").none(), nb::arg("targets").none(), nb::arg("tree").none())
      .def("size", &DeviceNeighbours::size);
  nb::class_<DeviceContacts> contacts(m, "DeviceContacts");
  device(contacts).def("find", &DeviceContacts::find, nb::arg("position"), nb::arg("radius"),
                       nb::arg("velocity").none(), nb::arg("time"), nb::arg("box"), nb::arg("options"),
                       nb::arg("wide"));
  nb::class_<DeviceTree> tree(m, "DeviceTree");
  device(tree)
      .def("load", &DeviceTree::load, nb::arg("position"), nb::arg("mass"), nb::arg("eps").none(), nb::arg("boundary"),
           nb::arg("options"))
      .def("refit", &DeviceTree::refit)
      .def("evaluate", &DeviceTree::evaluate, nb::arg("targets").none(), nb::arg("target_eps").none(), nb::arg("G"),
           nb::arg("options"), nb::arg("wide"), nb::arg("tides") = false)
      .def("nodes", &DeviceTree::nodes, nb::arg("options"))
      .def("keys", &DeviceTree::keys, nb::arg("options"))
      .def("positions", [](nb::object self) { return LentArray(nb::cast<DeviceTree&>(self).positions(), true, self); })
      .def("size", &DeviceTree::size);
}

}  // namespace hornbeam::python
