// SPDX-License-Identifier: Apache-2.0
// The Python module hornbeam._core: what the library is, its tables, snapshots, files and models. What people call
// is in python/hornbeam/*.py, which checks what it is given; here it is handed on.
#include <nanobind/stl/array.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>
#include <omp.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "binding.h"
#include "core/fields.h"
#include "device/built.h"
#include "device/devices.h"
#include "device/processes/team.h"
#include "hornbeam/error.h"
#include "hornbeam/ics.h"
#include "hornbeam/io.h"
#include "hornbeam/units.h"
#include "hornbeam/version.h"
#include "io/gadget/hdf5_layout.h"
#include "run/config/config.h"
#include "run/config/key_dimensions.h"
#include "run/config/keys.h"
#include "run/config/model_request.h"
#include "run/config/suggest.h"
#include "run/config/unit_text.h"
#include "run/folder/pictures.h"
#include "run/records/record.h"
#include "run/session/watchdog.h"
#include "simulation/selftest.h"

namespace hornbeam::python {
namespace {

/// The classes of hornbeam/errors.py, for good: translators may not outlive them.
struct ErrorClasses {
  PyObject *error = PyExc_RuntimeError, *usage = PyExc_ValueError, *not_finite = PyExc_RuntimeError,
           *no_device = PyExc_ValueError;
} classes;

/// Messages name files, whose names may be any bytes.
void raise(PyObject* error, const char* message, bool of_request) {
  const std::string said = by_keywords(message, of_request);
  const auto text = nb::steal(PyUnicode_DecodeUTF8(said.data(), static_cast<Py_ssize_t>(said.size()), "replace"));
  PyErr_SetObject(error, text.ptr());
}

void translate(const std::exception_ptr& thrown, void* /*payload*/) {
  try {
    std::rethrow_exception(thrown);
  } catch (const NoDevice& e) {
    raise(classes.no_device, e.what(), true);
  } catch (const UsageError& e) {
    raise(classes.usage, e.what(), true);
  } catch (const NotFinite& e) {
    raise(classes.not_finite, e.what(), false);
  } catch (const Error& e) {
    raise(classes.error, e.what(), false);
  }
}

void set_errors(const nb::object& error, const nb::object& usage, const nb::object& not_finite,
                const nb::object& no_device) {
  classes = {error.inc_ref().ptr(), usage.inc_ref().ptr(), not_finite.inc_ref().ptr(), no_device.inc_ref().ptr()};
}

nb::list devices() {
  nb::list all;
  for (const DeviceInfo& device : list_devices()) {
    nb::dict one;
    one["backend"] = device.backend;
    one["device"] = device.device;
    one["threads"] = device.threads;
    one["memory_bytes"] = device.memory_bytes;
    all.append(one);
  }
  return all;
}

nb::dict run_selftest() {
  Selftest done;
  {
    const nb::gil_scoped_release free;
    done = selftest();
  }
  nb::list all;
  for (const SelftestEvaluation& e : done.all) {
    nb::dict one;
    one["backend"] = e.backend;
    one["label"] = e.label;
    one["difference"] = e.difference;
    one["tolerance"] = e.tolerance;
    one["good"] = e.good();
    all.append(one);
  }
  nb::dict answer;
  answer["evaluations"] = all;
  answer["not_built"] = done.not_built;
  answer["failures"] = done.failures();
  return answer;
}

/// [(section, key, powers of length, mass and velocity, or the name of a unit)]
nb::list key_dimensions() {
  nb::list rows;
  for (const run::KeyDimension& one : run::key_dimensions()) {
    const Dimension& d = one.dimension;
    const nb::object in = one.unit.empty() ? nb::object(nb::make_tuple(d.length, d.mass, d.velocity))
                                           : nb::object(nb::str(std::string(one.unit).c_str()));
    rows.append(nb::make_tuple(std::string(one.section), std::string(one.key), in));
  }
  return rows;
}

/// [(section, key, type, help)], of sections and keys as the table has them.
nb::list option_table() {
  nb::list rows;
  for (const run::Section& section : run::sections()) {
    for (const run::Key& key : run::keys()) {
      if (key.section == section.name) {
        rows.append(nb::make_tuple(key.section, key.name, key.type(), run::described(key)));
      }
    }
  }
  return rows;
}

nb::list sections() {
  nb::list rows;
  for (const run::Section& section : run::sections()) rows.append(nb::make_tuple(section.name, section.help));
  return rows;
}

nb::list models() {
  nb::list all;
  for (const ics::Model& model : ics::models()) {
    nb::list options;
    for (const ics::Option& o : model.options) {
      const nb::object powers = nb::make_tuple(o.dimension.length, o.dimension.mass, o.dimension.velocity);
      const nb::object measure = !o.unit.empty() ? nb::cast(o.unit) : o.dimension == Dimension{} ? nb::none() : powers;
      options.append(nb::make_tuple(o.name, o.default_value, o.type, o.help, measure));
    }
    all.append(nb::make_tuple(model.name, model.summary, options));
  }
  return all;
}

Snapshot draw_model(const std::string& model, std::optional<std::uint64_t> n, std::uint64_t seed,
                    const std::map<std::string, std::string>& options, const std::optional<std::string>& units) {
  run::ModelRequest request;
  request.model = model;
  request.n = n;
  request.seed = seed;
  request.options = options;
  request.softens = true;
  request.of_files = run::FileUnits::convert;
  if (units) request.units = units_from(*units, "units");
  const nb::gil_scoped_release free;
  run::find_model(model, "model");
  return run::draw(request);
}

/// [(name, what messages call it, (length, mass, velocity), components, required)]
nb::list field_table() {
  nb::list rows;
  for_each_field([&](const auto& field) {
    const FieldRow& row = field.row;
    constexpr bool is_vector = std::is_same_v<typename std::decay_t<decltype(field)>::Value, Vec3>;
    if (row.life == Life::run) return;
    const Dimension& d = row.dimension;
    rows.append(nb::make_tuple(row.name, row.said(), nb::make_tuple(d.length, d.mass, d.velocity), is_vector ? 3 : 1,
                               row.required));
  });
  return rows;
}

/// The field called `name`, as a view that keeps the snapshot; None where it is not there. make: it is made where it is
/// not.
nb::object view(nb::handle_t<Snapshot> self, const std::string& name, bool make) {
  auto& snapshot = nb::cast<Snapshot&>(self);
  nb::object found = nb::none();
  for_each_field([&](const auto& field) {
    using T = typename std::decay_t<decltype(field)>::Value;
    auto& array = snapshot.particles.*field.array;
    const std::size_t n = snapshot.particles.size();
    if (name != field.row.name) return;
    if (array.empty() && make) array.resize(n, field.fill);
    if (array.empty() && !field.row.required) return;
    static T none{};  // an array of no particles points somewhere, too
    T* const data = array.empty() ? &none : array.data();
    if constexpr (std::is_same_v<T, Vec3>) {
      found = nb::cast(nb::ndarray<nb::numpy, double>(data, {n, 3}, self));
    } else if constexpr (std::is_same_v<T, Family>) {
      found = nb::cast(nb::ndarray<nb::numpy, std::uint8_t>(data, {n}, self));
    } else {
      found = nb::cast(nb::ndarray<nb::numpy, T>(data, {n}, self));
    }
  });
  return found;
}

/// Its memory stays, as views may look at it.
void clear_field(Snapshot& snapshot, const std::string& name) {
  for_each_array(snapshot.particles, [&](auto& array, const FieldRow& row) {
    if (name == row.name && !row.required) array.clear();
  });
}

/// Puts in what the same particles have now, at the places in memory where views look.
void renew(Snapshot& shown, Snapshot now) {
  if (described(now.units) != described(shown.units)) convert(now, shown.units);
  for_each_field([&](const auto& field) {
    const auto& from = now.particles.*field.array;
    auto& to = shown.particles.*field.array;
    if (from.empty()) return;
    if (to.empty()) to.resize(from.size());
    std::copy(from.begin(), from.end(), to.begin());
  });
}

Snapshot selected_of(const Snapshot& snapshot, const std::vector<std::size_t>& places) {
  Snapshot some = snapshot;
  some.particles = selected(snapshot.particles, places);
  return some;
}

/// Of the units of length, mass and velocity in cgs; None for G = 1.
nb::object sizes_of(const Units& units) {
  if (!units.physical) return nb::none();
  return nb::make_tuple(units.length_cm, units.mass_g, units.velocity_cm_per_s);
}

/// Of a field, in words: "kpc", empty for G = 1.
std::string unit_of(const Snapshot& snapshot, const std::string& name) {
  std::string unit;
  for_each_field([&](const auto& field) {
    const Dimension& d = field.row.dimension;
    if (name == field.row.name) unit = unit_name(snapshot.units, d.length, d.mass, d.velocity);
  });
  return unit;
}

/// The particles of both, of which `other` may have no units; what there is to warn of.
std::vector<std::string> append(Snapshot& s, const Snapshot& other) {
  if (s.has_units) check_units(other, s.units);
  if (other.has_units) s.units = other.units;
  s.has_units = s.has_units || other.has_units;
  return s.append(other);
}

/// None: not known.
std::optional<double> gamma_of(const Snapshot& s) {
  return s.gas && s.gas->gamma > 1 ? std::optional(s.gas->gamma) : std::nullopt;
}

/// The keys of [boundary].
nb::object boundary_keys(const Snapshot& s) {
  run::RunConfig config;
  config.simulation.boundary = s.boundary;
  Json keys = run::to_json(config)["boundary"];
  keys.erase("self_gravity");  // of runs, not of space
  return object_of(keys);
}

/// What is known of the particles beside their fields, for pickles: their box as the keys of [boundary], how gas flowed
/// as the attributes of files, and notes.
nb::dict surroundings(const Snapshot& s) {
  nb::dict gas;
  const auto keep = [&](const char* name, const auto& value) { gas[name] = value; };
  if (s.gas) io::gadget_hdf5::for_each_gas_parameter(*s.gas, keep, keep);
  nb::dict d;
  d["boundary"] = boundary_keys(s);
  d["gas"] = gas;
  d["notes"] = s.notes;
  const Units& u = s.units;
  d["units"] = nb::make_tuple(u.length_cm, u.mass_g, u.velocity_cm_per_s, u.G, u.physical, s.has_units);
  return d;
}

void set_surroundings(Snapshot& s, const nb::dict& d) {
  s.boundary = boundary_of(nb::cast<nb::dict>(d["boundary"]));
  s.notes = nb::cast<std::vector<std::string>>(d["notes"]);
  const auto u = nb::cast<nb::tuple>(d["units"]);
  const auto size = [&u](std::size_t k) { return nb::cast<double>(u[k]); };
  s.units = {size(0), size(1), size(2), size(3), nb::cast<bool>(u[4])};
  s.has_units = nb::cast<bool>(u[5]);
  const auto gas = nb::cast<nb::dict>(d["gas"]);
  if (gas.size() == 0) return;
  const auto fill = [&](const char* name, auto& value) { value = nb::cast<std::decay_t<decltype(value)>>(gas[name]); };
  io::gadget_hdf5::for_each_gas_parameter(s.gas.emplace(), fill, fill);
}

/// The threads of this thread's team end, to be made anew when they are needed: a process made by fork has none of them
/// and would wait for ever.
void rest_threads() { omp_pause_resource_all(omp_pause_hard); }

void bind_snapshot(nb::module_& m) {
  nb::class_<Snapshot>(m, "Snapshot")
      .def("__init__",
           [](Snapshot* self, std::size_t n) {
             new (self) Snapshot();
             self->particles.resize(n);
           })
      .def("copy", [](const Snapshot& s) { return Snapshot(s); })
      .def("size", [](const Snapshot& s) { return s.particles.size(); })
      .def_rw("time", &Snapshot::time)
      .def_prop_rw(
          "box_size", [](const Snapshot& s) { return s.box_size; }, &Snapshot::set_box_size)
      .def_prop_rw("boundary", &boundary_keys,
                   [](Snapshot& s, const nb::dict& keys) {
                     const Boundary boundary = boundary_of(keys);
                     boundary.validate();
                     s.set_boundary(boundary);
                   })
      .def_prop_ro("walls",
                   [](const Snapshot& s) {
                     return s.boundary.kind == BoundaryKind::open ? std::string() : in_words(s.boundary);
                   })
      .def_prop_rw(
          "gamma", &gamma_of,
          [](Snapshot& s, std::optional<double> gamma) {
            if (gamma && !s.gas) s.gas.emplace().equation_of_state = name(EquationOfState::ideal);
            if (!gamma && s.gas && s.gas->kernel.empty()) s.gas.reset();
            if (s.gas) s.gas->gamma = gamma.value_or(0);
          },
          nb::for_setter(nb::arg("gamma").none()))
      .def_prop_rw("surroundings", &surroundings, &set_surroundings)
      .def_prop_ro("notes", [](const Snapshot& s) { return by_keywords(s.notes); })
      .def_prop_ro("G", [](const Snapshot& s) { return s.units.G; })
      .def_prop_ro("units", [](const Snapshot& s) { return described(s.units); })
      .def_prop_ro("within_walls", [](const Snapshot& s) { return run::within_walls_note(s); })
      .def_prop_ro("box", [](const Snapshot& s) { return nb::make_tuple(s.boundary.size[0], s.boundary.size[1]); })
      .def("unit_name", [](const Snapshot& s, int l, int m, int v) { return unit_name(s.units, l, m, v); })
      .def("unit_of_measure", [](const Snapshot& s, const std::string& key) { return run::unit_of(key, s.units); })
      .def_prop_ro("sizes", [](const Snapshot& s) { return sizes_of(s.units); })
      .def("take_units",
           [](Snapshot& s, const Snapshot& of) {
             s.units = of.units;
             s.has_units = of.has_units;
           })
      .def("set_units",
           [](Snapshot& s, const std::string& text) {
             s.units = units_from(text, "units");
             s.has_units = true;
           })
      .def("convert", [](Snapshot& s, const std::string& text) { convert(s, units_from(text, "units")); })
      .def("unit", &unit_of)
      .def("view", &view, nb::arg("name"), nb::arg("make") = false)
      .def("clear", &clear_field)
      .def("renew", &renew)
      .def("select", &selected_of)
      .def("append", &append)
      .def("validate", [](const Snapshot& s, const std::string& subject) { s.particles.validate(subject); })
      .def("__eq__", [](const Snapshot& a, const Snapshot& b) {
        const auto gamma = [](const Snapshot& s) { return s.gas ? s.gas->gamma : 0; };
        bool same = a.time == b.time && a.units == b.units && a.boundary == b.boundary && a.box_size == b.box_size &&
                    gamma(a) == gamma(b) && a.particles.size() == b.particles.size();
        for_each_field([&](const auto& field) { same = same && a.particles.*field.array == b.particles.*field.array; });
        return same;
      });
}

Snapshot read(const std::string& path, const std::optional<std::string>& format, bool physical,
              const std::string& blocks) {
  const nb::gil_scoped_release free;
  const ReadOptions options{.physical = physical, .blocks = blocks};
  if (!format) return run::read_with_box(path, options);
  Snapshot snapshot = read_snapshot(path, format_named(*format), options);
  run::settle_from_record(snapshot, path);
  return snapshot;
}

std::vector<std::string> write(const std::string& path, const Snapshot& snapshot,
                               const std::optional<std::string>& format, const std::string& record) {
  const nb::gil_scoped_release free;
  return write_snapshot(path, snapshot, format ? format_named(*format) : format_of(path, "format="), record);
}

/// rank and size count where there is a communicator, the launcher's otherwise.
std::optional<int> join_ranks(std::optional<std::uintptr_t> communicator, int rank, int size) {
  const nb::gil_scoped_release free;
  if (!communicator) return processes::join_team({processes::launcher()});
  if (size < 2) return std::nullopt;
  return processes::join_team({processes::launched_as(rank, size), reinterpret_cast<const void*>(*communicator)});
}

void leave_ranks(int status) {
  const nb::gil_scoped_release free;
  processes::leave_team(status);
}

int number_of_ranks() {
  const processes::Team* const team = processes::Team::of_this_process();
  return team == nullptr ? 1 : team->size();
}

}  // namespace

void check_units(const Snapshot& given, const Units& here) {
  if (!given.has_units || described(given.units) == described(here)) return;
  throw UsageError("units",
                   "received particles in " + described(given.units) + " together with others in " + described(here),
                   "convert() them first");
}

NB_MODULE(_core, m) {
  nb::set_leak_warnings(false);  // classes of errors stay until the end
  nb::register_exception_translator(translate);
  m.def("set_errors", &set_errors);
  m.attr("version") = version;
  m.attr("commit") = commit;
  m.attr("family_names") = std::vector<std::string>(family_names.begin(), family_names.end());
  m.def("built_backends", &built_backends);
  m.def("devices", &devices);
  m.def("join_ranks", &join_ranks, nb::arg("communicator").none(), nb::arg("rank"), nb::arg("size"));
  m.def("leave_ranks", &leave_ranks);
  m.def("number_of_ranks", &number_of_ranks);
  m.def("selftest", &run_selftest);
  m.def("option_table", &option_table);
  m.def("key_dimensions", &key_dimensions);
  m.def("number_from", [](const std::string& text, const Snapshot& s, std::array<int, 3> d, const std::string& name) {
    return number_from(text, s.units, {.length = d[0], .mass = d[1], .velocity = d[2]}, name);
  });
  m.def("sections", &sections);
  m.def("suggestion", &run::suggestion);
  m.def("models", &models);
  m.def("model", &draw_model, nb::arg("model"), nb::arg("n").none(), nb::arg("seed"), nb::arg("options"),
        nb::arg("units").none());
  m.def("field_table", &field_table);
  bind_snapshot(m);
  m.def("read", &read, nb::arg("path"), nb::arg("format").none(), nb::arg("physical") = false, nb::arg("blocks") = "");
  m.def("write", &write, nb::arg("path"), nb::arg("snapshot"), nb::arg("format").none(), nb::arg("record") = "");
  m.def("rest_threads", &rest_threads);
  bind_analysis(m);
  bind_energies(m);
  bind_external(m);
  bind_forces(m);
  bind_pictures(m);
  bind_lent_arrays(m);
  bind_lent_searches(m);
  bind_runs(m);
  bind_served_view(m);
  bind_simulation(m);
}

}  // namespace hornbeam::python
