// SPDX-License-Identifier: Apache-2.0
// Pictures of snapshots as arrays: hornbeam/render.h, what `hornbeam render` draws.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "binding.h"
#include "hornbeam/error.h"
#include "hornbeam/render.h"
#include "run/groups_beside.h"
#include "run/record.h"

namespace hornbeam::python {
namespace {

/// What hornbeam/plot.py asks of a picture.
struct Asked {
  int width, height;
  std::string axis;
  double turn, tilt;
  std::optional<double> extent;
  std::optional<std::vector<double>> centre;
  std::vector<std::string> families;
  std::string style;
  bool labels;
  std::string record;  ///< of the run, which says what its gas was; empty: nothing
};

render::Options options_of(const Asked& asked) {
  render::Options o;
  o.width = asked.width, o.height = asked.height, o.labels = asked.labels;
  o.axis = asked.axis == "x" ? render::Axis::x : asked.axis == "y" ? render::Axis::y : render::Axis::z;
  o.from = {.turn = asked.turn, .tilt = asked.tilt};
  o.extent = asked.extent;
  if (asked.centre) o.centre = Vec3{asked.centre->at(0), asked.centre->at(1), asked.centre->at(2)};
  for (const std::string& family : asked.families) o.families.push_back(run::family_of(family, "family"));
  o.style = asked.style == "spheres"  ? render::Style::spheres
            : asked.style == "points" ? render::Style::points
                                      : render::Style::by_file;
  const run::Recorded run = run::recorded(asked.record, "record");
  o.gas.gamma = run.gamma;
  o.gas.kernel = run.kernel_of_gas;
  return o;
}

render::Image drawn(const Snapshot& snapshot, const render::Options& options) {
  render::refuse_absent_families(snapshot.particles, options, "picture");
  return render::draw(snapshot, options);
}

/// (pixels (height, width, 3), centre, width in units of length)
nb::tuple draw(const Snapshot& snapshot, const Asked& asked) {
  render::Image image;
  render::Camera camera;
  {
    const nb::gil_scoped_release free;
    const render::Options options = render::settled(options_of(asked), snapshot);
    image = drawn(snapshot, options);
    camera = render::frame(snapshot, options);
  }
  const auto height = static_cast<std::size_t>(image.height), width = static_cast<std::size_t>(image.width);
  const nb::object pixels = array_of(std::move(image.rgb)).attr("reshape")(nb::make_tuple(height, width, 3));
  return nb::make_tuple(pixels, nb::make_tuple(camera.centre[0], camera.centre[1], camera.centre[2]), camera.extent);
}

void write_picture(const std::string& path, const Snapshot& snapshot, const Asked& asked) {
  const nb::gil_scoped_release free;
  render::refuse_other_pictures(path);
  render::write_png(path, drawn(snapshot, render::settled(options_of(asked), snapshot)));
}

}  // namespace

void bind_pictures(nb::module_& m) {
  nb::class_<Asked>(m, "Picture")
      .def(
          "__init__",
          [](Asked* self, int width, int height, const std::string& axis, double turn, double tilt,
             std::optional<double> extent, std::optional<std::vector<double>> centre,
             const std::vector<std::string>& families, const std::string& style, bool labels,
             const std::string& record) {
            new (self)
                Asked{width, height, axis, turn, tilt, extent, std::move(centre), families, style, labels, record};
          },
          nb::arg("width"), nb::arg("height"), nb::arg("axis"), nb::arg("turn"), nb::arg("tilt"),
          nb::arg("extent").none(), nb::arg("centre").none(), nb::arg("families"), nb::arg("style"), nb::arg("labels"),
          nb::arg("record"));
  m.def("draw", &draw);
  m.def("write_picture", &write_picture);
}

}  // namespace hornbeam::python
