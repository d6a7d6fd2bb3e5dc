// SPDX-License-Identifier: Apache-2.0
// Pictures and movies: hornbeam/render.h. Options come as python/hornbeam/pictures.py has checked them.
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>

#include "binding.h"
#include "hornbeam/io.h"
#include "hornbeam/render.h"
#include "run/folder/pictures.h"

namespace hornbeam::python {
namespace {

using Pair = std::array<double, 2>;

/// The values of a dict by name; of what it lacks nothing changes.
class Given {
 public:
  explicit Given(const nb::dict& values) : values_(values) {}

  [[nodiscard]] bool has(const char* name) const { return values_.contains(name); }
  template <class T>
  [[nodiscard]] T get(const char* name) const {
    return nb::cast<T>(values_[name]);
  }
  /// T: as which it comes from Python, where that is not the member's type.
  template <class T, class Member>
  void settle(Member& member, const char* name) const {
    if (has(name)) member = static_cast<Member>(get<T>(name));
  }
  template <class T>
  void settle(T& member, const char* name) const {
    settle<T, T>(member, name);
  }
  template <class T>
  void settle(std::optional<T>& member, const char* name) const {
    if (has(name)) member = get<T>(name);
  }

 private:
  const nb::dict& values_;
};

/// None where nothing of a field is requested.
std::optional<render::Field> field_from(const Given& given) {
  constexpr std::array names{"field", "slice", "scale", "vmin", "vmax", "cmap"};
  render::Field field;
  given.settle(field.shaded, "shade");
  const bool asked = std::any_of(names.begin(), names.end(), [&](const char* name) { return given.has(name); });
  if (!asked && !field.shaded) return {};
  given.settle<int>(field.quantity, "field");
  given.settle(field.slice, "slice");
  if (given.has("scale")) field.scale = static_cast<render::Scale>(given.get<int>("scale") + 1);
  given.settle(field.low, "vmin");
  given.settle(field.high, "vmax");
  if (given.has("cmap")) field.colours = static_cast<render::ColourMap>(given.get<int>("cmap"));
  return field;
}

/// What is not given is as hornbeam/render.h has it.
render::Options options_from(const nb::dict& values) {
  const Given given(values);
  render::Options options;
  given.settle(options.width, "width");
  given.settle(options.height, "height");
  given.settle<int>(options.axis, "axis");
  given.settle(options.from.turn, "turn");
  given.settle(options.from.tilt, "tilt");
  given.settle(options.perspective, "perspective");
  given.settle<int>(options.style, "style");
  if (given.has("light")) options.sun = {given.get<Pair>("light")[0], given.get<Pair>("light")[1]};
  given.settle(options.centre, "centre");
  given.settle(options.extent, "extent");
  if (given.has("types")) {
    for (const int family : given.get<std::vector<int>>("types")) {
      options.families.push_back(static_cast<Family>(family));
    }
  }
  given.settle(options.decades, "decades");
  given.settle(options.gamma, "gamma");
  options.field = field_from(given);
  given.settle(options.gas.mean_molecular_weight, "mu");
  given.settle(options.labels, "labels");
  return options;
}

/// (height, width, 3), as values of 8 bits.
nb::object pixels_of(render::Image&& image) {
  auto kept = std::make_unique<render::Image>(std::move(image));
  render::Image* const data = kept.release();
  const nb::capsule owner(data, [](void* p) noexcept { delete static_cast<render::Image*>(p); });
  const auto width = static_cast<std::size_t>(data->width), height = static_cast<std::size_t>(data->height);
  return nb::cast(nb::ndarray<nb::numpy, std::uint8_t>(data->rgb.data(), {height, width, 3}, owner));
}

/// The options that a patch of a ring from above has beyond those of any picture.
nb::dict view_of_ring(const Snapshot& snapshot) {
  const render::Options view = run::view_of_ring(snapshot);
  nb::dict d;
  d["extent"] = *view.extent;
  d["style"] = "spheres";
  return d;
}

/// The numbers that pictures have where nothing is given.
nb::dict picture_defaults() {
  const render::Options options;
  const render::Sun sun;
  nb::dict d;
  d["width"] = options.width;
  d["height"] = options.height;
  d["turn"] = options.from.turn;
  d["tilt"] = options.from.tilt;
  d["light"] = nb::make_tuple(sun.azimuth, sun.height);
  d["perspective"] = options.perspective;
  d["decades"] = options.decades;
  d["gamma"] = options.gamma;
  d["mu"] = render::usual_molecular_weight;
  return d;
}

/// (pixels, centre, width in units of length, the axis along which one looks). record: of the run that the snapshot is
/// of, empty where it is not known; subject: what messages call it; numbers: a file for those of its field.
nb::tuple picture(const Snapshot& snapshot, const std::string& record, const std::string& subject,
                  const std::optional<std::string>& path, const std::optional<std::string>& numbers,
                  const nb::dict& given) {
  render::Options options = options_from(given);
  render::Image image;
  render::Camera camera;
  {
    const nb::gil_scoped_release free;
    if (path) render::refuse_other_pictures(*path);
    if (numbers) render::refuse_other_numbers(*numbers);
    run::settle_gas(options, snapshot.gas, record, subject);
    options = render::settled(options, snapshot);
    render::refuse_absent_families(snapshot.particles, options, subject);
    image = render::draw(snapshot, options);
    camera = render::frame(snapshot, options);
    if (numbers) render::write_npy(*numbers, render::field_map(snapshot, options, camera));
    if (path) render::write_png(*path, image);
  }
  const nb::tuple centre = nb::make_tuple(camera.centre[0], camera.centre[1], camera.centre[2]);
  return nb::make_tuple(pixels_of(std::move(image)), centre, camera.extent, static_cast<int>(camera.axis),
                        run::assumed_gas_note(options, snapshot.particles));
}

/// The names of a folder's snapshots in their order.
std::vector<std::string> snapshot_files(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& file : render::snapshot_files(folder)) names.push_back(file.string());
  return names;
}

std::string movie(const std::vector<std::string>& files, const std::string& path, std::optional<int> fps,
                  const std::optional<std::string>& ffmpeg, bool keep_frames, const nb::object& tell,
                  const nb::dict& given) {
  render::Options options = options_from(given);
  render::MovieOptions how{.frames_per_second = fps, .ffmpeg = {}, .keep_frames = keep_frames};
  if (ffmpeg) how.ffmpeg = *ffmpeg;
  const auto progress = [&](std::size_t done, std::size_t all) {
    const nb::gil_scoped_acquire held;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (!tell.is_none()) tell(done, all);
  };
  const nb::gil_scoped_release free;
  if (!files.empty()) run::settle_gas(options, {}, read_record(files.front()), files.front());
  return render::movie({files.begin(), files.end()}, path, run::read_for_picture, options, how, progress);
}

template <std::size_t N>
std::vector<std::string> texts(const std::array<std::string_view, N>& names) {
  return {names.begin(), names.end()};
}

}  // namespace

void bind_pictures(nb::module_& m) {
  m.attr("gas_quantities") = texts(render::gas_quantity_names);
  m.attr("colour_maps") = texts(render::colour_map_names);
  m.def("picture_defaults", &picture_defaults);
  m.def("view_of_ring", &view_of_ring);
  m.def("snapshot_files", &snapshot_files);
  m.def("picture", &picture, nb::arg("snapshot"), nb::arg("record"), nb::arg("subject"), nb::arg("path").none(),
        nb::arg("numbers").none(), nb::arg("options"));
  m.def("movie", &movie, nb::arg("files"), nb::arg("path"), nb::arg("fps").none(), nb::arg("ffmpeg").none(),
        nb::arg("keep_frames"), nb::arg("tell").none(), nb::arg("options"));
}

}  // namespace hornbeam::python
