// SPDX-License-Identifier: Apache-2.0
// Pictures and movies: hornbeam/render.h. Options come as python/hornbeam/pictures.py has checked them.
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <filesystem>
#include <optional>

#include "binding.h"
#include "hornbeam/io.h"
#include "hornbeam/render.h"
#include "run/pictures.h"

namespace hornbeam::python {
namespace {

using Pair = std::array<double, 2>;

/// The values of a dict of all options, by name.
class Given {
 public:
  explicit Given(const nb::dict& values) : values_(values) {}

  template <class T>
  [[nodiscard]] T get(const char* name) const {
    return nb::cast<T>(values_[name]);
  }
  template <class T>
  [[nodiscard]] std::optional<T> maybe(const char* name) const {
    const nb::object value = values_[name];
    return value.is_none() ? std::nullopt : std::optional(nb::cast<T>(value));
  }

 private:
  const nb::dict& values_;
};

/// None where nothing of a field is asked for.
std::optional<render::Field> field_from(const Given& given) {
  if (!given.get<bool>("of_field")) return {};
  render::Field field;
  if (const auto quantity = given.maybe<int>("field")) field.quantity = static_cast<render::GasQuantity>(*quantity);
  field.slice = given.maybe<double>("slice");
  if (const auto scale = given.maybe<int>("scale")) field.scale = static_cast<render::Scale>(*scale + 1);
  field.low = given.maybe<double>("vmin");
  field.high = given.maybe<double>("vmax");
  if (const auto colours = given.maybe<int>("cmap")) field.colours = static_cast<render::ColourMap>(*colours);
  field.shaded = given.get<bool>("shade");
  return field;
}

render::Options options_from(const nb::dict& values) {
  const Given given(values);
  render::Options options;
  options.width = given.get<int>("width");
  options.height = given.get<int>("height");
  options.axis = static_cast<render::Axis>(given.get<int>("axis"));
  options.from = {given.get<double>("turn"), given.get<double>("tilt")};
  options.perspective = given.get<double>("perspective");
  options.style = static_cast<render::Style>(given.get<int>("style"));
  if (const auto light = given.maybe<Pair>("light")) options.sun = {(*light)[0], (*light)[1]};
  options.centre = given.maybe<Vec3>("centre");
  options.extent = given.maybe<double>("extent");
  for (const int family : given.get<std::vector<int>>("types")) {
    options.families.push_back(static_cast<Family>(family));
  }
  options.decades = given.get<double>("decades");
  options.gamma = given.get<double>("gamma");
  options.field = field_from(given);
  options.gas.mean_molecular_weight = given.get<double>("mu");
  options.labels = given.get<bool>("labels");
  return options;
}

/// (height, width, 3), as numbers of 8 bits.
nb::object pixels_of(render::Image&& image) {
  auto kept = std::make_unique<render::Image>(std::move(image));
  render::Image* const data = kept.release();
  const nb::capsule owner(data, [](void* p) noexcept { delete static_cast<render::Image*>(p); });
  const auto width = static_cast<std::size_t>(data->width), height = static_cast<std::size_t>(data->height);
  return nb::cast(nb::ndarray<nb::numpy, std::uint8_t>(data->rgb.data(), {height, width, 3}, owner));
}

/// (pixels, centre, width in units of length). record: of the run that the snapshot is of, empty where it is not known;
/// subject: what messages call it.
nb::tuple picture(const Snapshot& snapshot, const std::string& record, const std::string& subject,
                  const std::optional<std::string>& path, const nb::dict& given) {
  render::Options options = options_from(given);
  render::Image image;
  render::Camera camera;
  {
    const nb::gil_scoped_release free;
    if (path) render::refuse_other_pictures(*path);
    run::settle_gas(options, record, subject);
    options = render::settled(options, snapshot);
    render::refuse_absent_families(snapshot.particles, options, subject);
    image = render::draw(snapshot, options);
    camera = render::frame(snapshot, options);
    if (path) render::write_png(*path, image);
  }
  const nb::tuple centre = nb::make_tuple(camera.centre[0], camera.centre[1], camera.centre[2]);
  return nb::make_tuple(pixels_of(std::move(image)), centre, camera.extent);
}

/// The names of a folder's snapshots in their order.
std::vector<std::string> snapshot_files(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& file : render::snapshot_files(folder)) names.push_back(file.string());
  return names;
}

std::string movie(const std::vector<std::string>& files, const std::string& path, std::optional<int> fps,
                  const std::optional<std::string>& ffmpeg, const nb::object& tell, const nb::dict& given) {
  render::Options options = options_from(given);
  render::MovieOptions how{.frames_per_second = fps, .ffmpeg = {}};
  if (ffmpeg) how.ffmpeg = *ffmpeg;
  const auto progress = [&](std::size_t done, std::size_t all) {
    const nb::gil_scoped_acquire held;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (!tell.is_none()) tell(done, all);
  };
  const nb::gil_scoped_release free;
  if (!files.empty()) run::settle_gas(options, read_record(files.front()), files.front());
  return render::movie({files.begin(), files.end()}, path, run::read_with_box, options, how, progress);
}

template <std::size_t N>
std::vector<std::string> texts(const std::array<std::string_view, N>& names) {
  return {names.begin(), names.end()};
}

}  // namespace

void bind_pictures(nb::module_& m) {
  m.attr("gas_quantities") = texts(render::gas_quantity_names);
  m.attr("colour_maps") = texts(render::colour_map_names);
  m.def("snapshot_files", &snapshot_files);
  m.def("picture", &picture, nb::arg("snapshot"), nb::arg("record"), nb::arg("subject"), nb::arg("path").none(),
        nb::arg("options"));
  m.def("movie", &movie, nb::arg("files"), nb::arg("path"), nb::arg("fps").none(), nb::arg("ffmpeg").none(),
        nb::arg("tell").none(), nb::arg("options"));
}

}  // namespace hornbeam::python
