// SPDX-License-Identifier: Apache-2.0
// The live view of a simulation in memory, bound.
#include "served_view.h"

#include <nanobind/stl/string.h>

#include "binding.h"

namespace hornbeam::python {

void bind_served_view(nb::module_& m) {
  nb::class_<ServedView>(m, "ServedView")
      .def_prop_ro("url", &ServedView::url)
      .def_prop_ro("is_open", &ServedView::is_open)
      .def_prop_ro("paused", [](ServedView& v) { return v.source().paused(); })
      .def("pause", [](ServedView& v) { v.source().control(view::Control::pause); })
      .def("go_on", [](ServedView& v) { v.source().control(view::Control::go_on); })
      .def("step", [](ServedView& v) { v.source().control(view::Control::step); })
      .def("close", [](ServedView& v) {
        const nb::gil_scoped_release free;
        v.close();
      });
}

}  // namespace hornbeam::python
