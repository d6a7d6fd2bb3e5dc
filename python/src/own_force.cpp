// SPDX-License-Identifier: Apache-2.0
// Python functions as forces, see own_force.h. A simulation calls them without the interpreter's lock, which they take.
#include "own_force.h"

#include <memory>
#include <utility>

#include "binding.h"

namespace hornbeam::python {
namespace {

template <class T>
std::function<std::vector<T>(const ForceTargets&)> function_of(nb::object function) {
  if (function.is_none()) return {};
  const std::shared_ptr<nb::object> kept(new nb::object(std::move(function)), [](const nb::object* object) {
    const nb::gil_scoped_acquire lock;
    delete object;
  });
  return [kept](const ForceTargets& targets) {
    const nb::gil_scoped_acquire lock;
    const nb::object values = (*kept)(targets.time, array_of(std::vector(targets.position)),
                                      array_of(std::vector(targets.velocity)), array_of(std::vector(targets.id)));
    if constexpr (std::is_same_v<T, Vec3>) {
      return vectors_from(nb::cast<Vectors>(values));
    } else {
      return numbers_from(nb::cast<Numbers>(values));
    }
  };
}

}  // namespace

OwnForce own_force(const std::string& name, nb::object acceleration, nb::object potential, nb::object step) {
  return {.name = name,
          .acceleration = function_of<Vec3>(std::move(acceleration)),
          .potential = function_of<double>(std::move(potential)),
          .step = function_of<double>(std::move(step))};
}

}  // namespace hornbeam::python
