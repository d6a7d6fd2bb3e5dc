// SPDX-License-Identifier: Apache-2.0
// Forces between arrays on a device, see lent_arrays.h. python/hornbeam/device_arrays.py checks what people give.
#include "lent_arrays.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "device/devices.h"
#include "hornbeam/error.h"
#include "open_devices.h"

namespace hornbeam::python {
namespace {

std::string name_of(nb::dlpack::dtype type) {
  if (type.lanes != 1) return "of " + std::to_string(type.lanes) + " lanes";
  const char* const codes[] = {"int", "uint", "float", "handle", "bfloat", "complex", "bool"};
  return (type.code < 7 ? codes[type.code] : "code " + std::to_string(type.code) + " of ") + std::to_string(type.bits);
}

constexpr int dlpack_cpu = 1, dlpack_cuda = 2;

/// A device that takes arrays where they lie, from when their owners are asked for them until the forces are there.
class DeviceForces {
 public:
  DeviceForces(const std::string& backend, int device)
      : name_(backend, device, 0), evaluator_(OpenDevices::all().take(name_)) {}

  [[nodiscard]] std::uintptr_t stream() const { return evaluator_->stream(); }
  void wait_for(std::uintptr_t stream) { evaluator_->wait_for(stream); }

  /// (accelerations, potentials)
  nb::tuple evaluate(const LentArray& position, const LentArray& mass, const std::optional<LentArray>& eps,
                     const std::optional<LentArray>& targets, const std::optional<LentArray>& target_eps, double G,
                     const nb::dict& options, const nb::dict& boundary, bool is_double) {
    if (!evaluator_)
      throw UsageError("device", "has already computed the forces of this session", "open another session");
    run::RunConfig config;
    set_options(options, {"gravity", "device"}, "", config);
    set_options(boundary, {"boundary"}, "boundary.", config);
    const auto view = [](const std::optional<LentArray>& array) {
      return array ? std::optional(array->view()) : std::nullopt;
    };
    const ParticlesOnDevice particles = {position.view(), mass.view(), view(eps), view(targets), view(target_eps)};
    GravityOptions gravity = config.simulation.gravity;
    gravity.G = G;
    const std::size_t rows = targets ? particles.targets->rows : particles.position.rows;
    std::shared_ptr<void> acceleration, potential;
    {
      const nb::gil_scoped_release free;
      acceleration = evaluator_->allocate(rows * 3 * (is_double ? 8 : 4));
      potential = evaluator_->allocate(rows * (is_double ? 8 : 4));
      evaluator_->evaluate(particles, gravity, {acceleration.get(), potential.get(), is_double},
                           config.simulation.boundary);
    }
    const std::string backend = evaluator_->backend();
    OpenDevices::all().put_back(name_, std::move(*evaluator_));
    evaluator_.reset();
    const int device = std::get<1>(name_).indices.front();
    return nb::make_tuple(lent_result(acceleration, {rows, 3}, real_type(is_double), backend, device),
                          lent_result(potential, {rows}, real_type(is_double), backend, device));
  }

 private:
  DeviceName name_;
  std::optional<ForceEvaluator> evaluator_;  ///< until evaluate()
};

}  // namespace

LentArray::LentArray(nb::ndarray<nb::ro> array)
    : array_(std::move(array)), data_(array_.data()), kind_(name_of(array_.dtype())) {
  for (std::size_t k = 0; k < array_.ndim(); ++k) {
    shape_.push_back(static_cast<std::int64_t>(array_.shape(k)));
    strides_.push_back(array_.stride(k));
  }
}

LentArray::LentArray(std::uintptr_t pointer, std::vector<std::int64_t> shape, const std::vector<std::int64_t>& strides,
                     const std::string& kind, nb::object owner)
    : owner_(std::move(owner)),
      data_(reinterpret_cast<const void*>(pointer)),
      shape_(std::move(shape)),
      kind_(kind == "f8"   ? "float64"
            : kind == "f4" ? "float32"
                           : kind) {
  if (strides.size() != shape_.size()) {
    throw UsageError("strides",
                     "are " + std::to_string(strides.size()) + " for " + std::to_string(shape_.size()) + " axes",
                     "give one each");
  }
  const std::int64_t bytes = kind == "f8" ? 8 : 4;
  for (const std::int64_t stride : strides) {
    if (stride % bytes != 0)
      throw UsageError("strides", "are not multiples of a number's size in bytes", "copy the array");
    strides_.push_back(stride / bytes);
  }
}

LentArray::LentArray(const ArrayOnDevice& array, bool vectors, nb::object owner)
    : owner_(std::move(owner)),
      data_(array.data),
      shape_{static_cast<std::int64_t>(array.rows)},
      strides_{array.row_stride},
      kind_("float64") {
  if (!vectors) return;
  shape_.push_back(3);
  strides_.push_back(array.column_stride);
}

ArrayOnDevice LentArray::view() const {
  ArrayOnDevice array;
  array.data = data_;
  array.value = value_;
  array.is_double = kind_ == "float64";
  array.rows = static_cast<std::size_t>(shape_[0]);
  array.row_stride = strides_[0];
  array.column_stride = strides_.size() > 1 ? strides_[1] : 0;
  return array;
}

nb::object LentResult::capsule() const {
  // the device is waited for when the last owner goes, who may need the interpreter's lock for what it waits for
  const nb::capsule owner(new std::shared_ptr<void>(memory), [](void* p) noexcept {
    const nb::gil_scoped_release free;
    delete static_cast<std::shared_ptr<void>*>(p);
  });
  const nb::ndarray<> array(memory.get(), shape.size(), shape.data(), owner, nullptr, type, device_type, device);
  return nb::cast(array, nb::rv_policy::reference);
}

nb::dlpack::dtype real_type(bool wide) { return wide ? nb::dtype<double>() : nb::dtype<float>(); }

LentResult lent_result(std::shared_ptr<void> memory, std::vector<std::size_t> shape, nb::dlpack::dtype type,
                       const std::string& backend, int device) {
  return {std::move(memory), std::move(shape), type, backend == "cuda" ? dlpack_cuda : dlpack_cpu, device};
}

void bind_lent_arrays(nb::module_& m) {
  nb::class_<LentArray>(m, "LentArray")
      .def(nb::init<nb::ndarray<nb::ro>>())
      .def(nb::init<std::uintptr_t, std::vector<std::int64_t>, const std::vector<std::int64_t>&, const std::string&,
                    nb::object>())
      .def_static("of_all", [](double value, std::int64_t n) { return LentArray(value, n); })
      .def_prop_ro("shape", [](const LentArray& a) { return nb::tuple(nb::cast(a.shape())); })
      .def_prop_ro("kind", &LentArray::kind)
      .def_prop_ro("lies_nowhere", &LentArray::lies_nowhere);
  nb::class_<LentResult>(m, "LentResult")
      .def_prop_ro("shape", [](const LentResult& r) { return nb::tuple(nb::cast(r.shape)); })
      .def_prop_ro("kind", [](const LentResult& r) { return name_of(r.type); })
      .def_prop_ro("device", [](const LentResult& r) { return nb::make_tuple(r.device_type, r.device); })
      .def_prop_ro("pointer", &LentResult::pointer)
      .def("capsule", &LentResult::capsule);
  nb::class_<DeviceForces>(m, "DeviceForces")
      .def(nb::init<const std::string&, int>(), nb::arg("backend"), nb::arg("device"))
      .def_prop_ro("stream", &DeviceForces::stream)
      .def("wait_for", &DeviceForces::wait_for)
      .def("evaluate", &DeviceForces::evaluate, nb::arg("position"), nb::arg("mass"), nb::arg("eps").none(),
           nb::arg("targets").none(), nb::arg("target_eps").none(), nb::arg("G"), nb::arg("options"),
           nb::arg("boundary"), nb::arg("is_double"));
  m.def("device_of_memory", [](std::uintptr_t p) { return device_of_memory(reinterpret_cast<const void*>(p)); });
  m.def("close_devices", [] { OpenDevices::all().close(); });
}

}  // namespace hornbeam::python
