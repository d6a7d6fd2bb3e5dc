// SPDX-License-Identifier: Apache-2.0
// Options by name, and the devices that stay open from one call to the next, see open_devices.h.
#include "open_devices.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>

#include "device/devices.h"
#include "hornbeam/error.h"
#include "run/config/config_json.h"
#include "run/config/keys.h"
#include "run/config/suggest.h"

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
    case run::Kind::devices:
      if (std::string text; nb::try_cast(value, text)) return text;
      if (!is_truth && nb::try_cast(value, integer)) return std::to_string(integer);
      if (std::vector<int> indices; nb::try_cast(value, indices)) return run::devices_text(indices);
      break;
    case run::Kind::word:
      if (std::string word; nb::try_cast(value, word)) return word;
      break;
  }
  refuse_kind(key, value, subject);
}

/// Of devices that stay open.
constexpr std::size_t most_devices = 4;
std::uint64_t most_kept(const std::string& backend, std::uint64_t memory_bytes) {
  constexpr std::uint64_t most_bytes = 256 << 20;
  return backend == "cuda" ? std::max(most_bytes, memory_bytes / 16) : most_bytes;
}

/// Takes one of that name out of those that are idle, if there is one.
template <class Opened>
std::optional<Opened> taken_from(std::vector<std::pair<DeviceName, Opened>>& idle, const DeviceName& name) {
  const auto one = std::find_if(idle.begin(), idle.end(), [&](const auto& held) { return held.first == name; });
  if (one == idle.end()) return {};
  std::optional<Opened> found(std::move(one->second));
  idle.erase(one);
  return found;
}

}  // namespace

void set_options(const nb::dict& options, const std::vector<std::string_view>& sections, const std::string& prefix,
                 run::RunConfig& config) {
  const auto is_asked = [&](const run::Key& key) {
    return std::find(sections.begin(), sections.end(), key.section) != sections.end();
  };
  for (const auto& [name_object, value] : options) {
    const auto name = nb::cast<std::string>(name_object);
    const std::vector<run::Key>& keys = run::keys();
    const auto found =
        std::find_if(keys.begin(), keys.end(), [&](const run::Key& key) { return key.name == name && is_asked(key); });
    if (found == keys.end()) {
      std::vector<std::string> known;
      for (const run::Key& key : keys) {
        if (is_asked(key)) known.push_back(key.name);
      }
      throw UsageError(prefix + name, "unknown option", run::suggestion(name, known));
    }
    run::set_checked(*found, config, value_of(*found, value, prefix + name), prefix + name);
  }
}

NeighbourOptions search_options(double box, const nb::dict& options) {
  run::RunConfig config;
  set_options(options, {"device"}, "", config);
  NeighbourOptions search;
  search.box_size = box;
  search.backend = config.simulation.backend;
  search.device = config.simulation.device;
  search.threads = config.simulation.threads;
  return search;
}

NeighbourOptions search_options(const Vec3& box, const nb::dict& options) {
  const bool is_cube = box[0] == box[1] && box[1] == box[2];
  NeighbourOptions search = search_options(is_cube ? box[0] : 0, options);
  if (!is_cube) search.box = box;
  return search;
}

/// Never destroyed: the drivers of devices may be gone before.
OpenDevices& OpenDevices::all() {
  static OpenDevices* const devices = new OpenDevices;
  return *devices;
}

ForceEvaluator OpenDevices::take(const DeviceName& name) {
  const nb::gil_scoped_release free;
  {
    const std::lock_guard lock(mutex_);
    if (std::optional<ForceEvaluator> found = taken_from(idle_, name)) return std::move(*found);
  }
  return ForceEvaluator(std::get<0>(name), std::get<1>(name), std::get<2>(name));
}

std::unique_ptr<Device> OpenDevices::take_device(const std::string& backend, int number) {
  {
    const std::lock_guard lock(mutex_);
    if (auto found = taken_from(idle_devices_, DeviceName{backend, Devices(number), 0})) return std::move(*found);
  }
  return open_device(backend, number);
}

/// A GPU's memory is let go of more slowly than it is used again: to open one takes 2 to 10 ms, a tree of a million
/// particles there 1.
void OpenDevices::put_back(const DeviceName& name, ForceEvaluator evaluator) {
  const nb::gil_scoped_release free;
  const std::uint64_t most = most_kept(evaluator.backend(), evaluator.memory_bytes());
  if (!evaluator.device_note().empty()) return;  // the device that was full may have memory next time
  const Bytes held = evaluator.bytes();
  if (held.particles + held.tree + held.scratch > most) return;
  const std::lock_guard lock(mutex_);
  if (idle_.size() < most_devices) idle_.emplace_back(name, std::move(evaluator));
}

void OpenDevices::put_back(const std::string& backend, int number, std::unique_ptr<Device> device,
                           std::uint64_t bytes) {
  if (bytes > most_kept(backend, device->memory_bytes())) return;
  const std::lock_guard lock(mutex_);
  if (idle_devices_.size() < most_devices)
    idle_devices_.emplace_back(DeviceName{backend, Devices(number), 0}, std::move(device));
}

void OpenDevices::close() {
  const nb::gil_scoped_release free;
  std::vector<std::pair<DeviceName, ForceEvaluator>> closed;
  std::vector<std::pair<DeviceName, std::unique_ptr<Device>>> closed_devices;
  const std::lock_guard lock(mutex_);
  closed.swap(idle_);
  closed_devices.swap(idle_devices_);
}

void OpenDevices::forget() {
  static_cast<void>(new auto(std::move(idle_)));
  static_cast<void>(new auto(std::move(idle_devices_)));
  idle_.clear();
  idle_devices_.clear();
}

}  // namespace hornbeam::python
