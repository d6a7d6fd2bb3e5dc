// SPDX-License-Identifier: Apache-2.0
// What is conserved, as Python sees it.
#include <fmt/format.h>
#include <nanobind/stl/string.h>

#include <string>

#include "binding.h"
#include "hornbeam/simulation.h"

namespace hornbeam::python {
namespace {

std::string numbers_of(const Energies& e) {
  const auto three = [](const Vec3& v) { return fmt::format("({:.6g}, {:.6g}, {:.6g})", v[0], v[1], v[2]); };
  return fmt::format(
      "<hornbeam.Energies: kinetic {:.6g}, potential {:.6g}, thermal {:.6g}, total {:.6g}, momentum {}, "
      "angular_momentum {}>",
      e.kinetic, e.potential, e.thermal, e.total(), three(e.momentum), three(e.angular_momentum));
}

}  // namespace

void bind_energies(nb::module_& m) {
  nb::class_<Energies>(m, "Energies", "Conserved quantities.")
      .def_ro("kinetic", &Energies::kinetic)
      .def_ro("potential", &Energies::potential)
      .def_ro("thermal", &Energies::thermal)
      .def_prop_ro("total", &Energies::total)
      .def("__repr__", &numbers_of)
      .def_prop_ro("momentum",
                   [](const Energies& e) { return nb::make_tuple(e.momentum[0], e.momentum[1], e.momentum[2]); })
      .def_prop_ro("angular_momentum", [](const Energies& e) {
        return nb::make_tuple(e.angular_momentum[0], e.angular_momentum[1], e.angular_momentum[2]);
      });
}

}  // namespace hornbeam::python
