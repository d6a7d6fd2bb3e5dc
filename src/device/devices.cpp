// SPDX-License-Identifier: Apache-2.0
// Which backends this program has, and which of them a name means.
#include "device/devices.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <numeric>
#include <utility>

#include "device/built.h"
#include "device/driver_failure.h"
#include "device/host/host_device.h"
#include "device/opencl/opencl_device.h"
#include "device/processes/remote_device.h"
#include "device/processes/team.h"
#include "device/replicated_device.h"
#include "device/threads.h"
#include "hornbeam/error.h"
#include "memory/room.h"
#if defined(HORNBEAM_CUDA)
#include "device/cuda/cuda_device.h"
#endif

namespace hornbeam {
namespace {

constexpr int most_ranks = 64;  ///< of one device that is opened several times

std::vector<DeviceInfo> cuda_devices() {
#if defined(HORNBEAM_CUDA)
  return list_cuda_devices();
#else
  return {};
#endif
}

bool built_with_cuda() {
#if defined(HORNBEAM_CUDA)
  return true;
#else
  return false;
#endif
}

std::unique_ptr<Device> open_cuda([[maybe_unused]] int device) {
#if defined(HORNBEAM_CUDA)
  return open_cuda_device(device);
#else
  throw NoDevice("backend = cuda", "is not built into this program",
                 "build it where nvcc is installed, or use cpu or auto");
#endif
}

/// Drivers do not survive fork(): calls into them fail or wait for ever.
void check_process(const std::string& backend) {
  static std::atomic<pid_t> opener = 0;
  pid_t none = 0;
  if (!opener.compare_exchange_strong(none, getpid()) && none != getpid()) {
    throw Error("backend = " + backend,
                "was opened by process " + std::to_string(none) + ", of which this one is a fork",
                "start processes by spawn or forkserver, or use cpu");
  }
}

std::unique_ptr<Device> open_driver(const std::string& backend, int device) {
  check_process(backend);
  return backend == "cuda" ? open_cuda(device) : open_opencl_device(device);
}

}  // namespace

Lending& lending_of(Device& device) {
  if (Lending* const lending = device.lending()) return *lending;
  if (device.ranks() > 1) {
    throw UsageError("device", "is several, and arrays in device memory are on one", "give the index of that device");
  }
  throw UsageError("backend = " + device.backend(), "cannot use pointers to device memory", "use backend cuda or cpu");
}

std::optional<int> device_of_memory([[maybe_unused]] const void* memory) {
#if defined(HORNBEAM_CUDA)
  return cuda_device_of(memory);
#else
  throw NoDevice("backend = cuda", "is not built into this program",
                 "build it where nvcc is installed, or use arrays in the host's memory");
#endif
}

std::vector<std::string> built_backends() {
#if defined(HORNBEAM_CUDA)
  return {"cpu", "opencl", "cuda"};
#else
  return {"cpu", "opencl"};
#endif
}

std::vector<DeviceInfo> list_devices() {
  std::vector<DeviceInfo> devices = cuda_devices();
  for (DeviceInfo& device : list_opencl_devices()) devices.push_back(std::move(device));
  devices.push_back(host_info());
  return devices;
}

namespace {

void pass_over(int index, const std::string& why, std::string& note) {
  note += (note.empty() ? "" : "; ") + ("CUDA device " + std::to_string(index) + " is skipped: " + why);
}

/// The first CUDA device from `from` on with memory, otherwise the CPU. note: of those before.
std::unique_ptr<Device> open_automatic(int from, int threads, std::string note) {
  const int count = static_cast<int>(cuda_devices().size());
  if (count == 0 && note.empty()) note = built_with_cuda() ? limited_driver_note() : "";
  std::unique_ptr<Device> device = first_with_room(
      from, count, [](int index) { return open_driver("cuda", index); }, note);
  const int index = device != nullptr ? device->choice().index : 0;
  if (device == nullptr) device = open_host_device(threads);
  if (!note.empty())
    note = "backend = auto uses " + device->backend() + " device " + std::to_string(index) + ": " + note;
  device->set_choice({true, index, threads, note});
  return device;
}

}  // namespace

std::unique_ptr<Device> first_with_room(int from, int count, const DeviceOpener& open, std::string& note) {
  for (int index = from; index < count; ++index) {
    try {
      std::unique_ptr<Device> device = open(index);
      const std::uint64_t free = device->free_bytes();
      if (free >= kept_free_on_device) {
        device->set_choice({true, index, 0, ""});
        return device;
      }
      pass_over(index, memory::shown_bytes(static_cast<double>(free)) + " of its memory is free", note);
    } catch (const DeviceFull& full) {
      pass_over(index, full.what(), note);
    }
  }
  return nullptr;
}

std::unique_ptr<Device> open_next_device(const Device& full, const std::string& why) {
  const DeviceChoice& choice = full.choice();
  if (!choice.is_automatic || full.backend() != "cuda") return nullptr;
  std::string note;
  pass_over(choice.index, why, note);
  return open_automatic(choice.index + 1, choice.threads, note);
}

TestedRanks ranks_of_environment() {
  const char* const text = std::getenv("HORNBEAM_RANKS");
  if (text == nullptr) return {};
  const Devices ranks = Devices::from_text(text, "HORNBEAM_RANKS");
  if (ranks.are_all() || ranks.indices.size() > 2 || ranks.indices.front() < 1 || ranks.indices.front() > most_ranks) {
    throw UsageError("HORNBEAM_RANKS = " + std::string(text),
                     "must be a number from 1 to " + std::to_string(most_ranks));
  }
  return {true, ranks.indices.front(), ranks.is_one() ? 0 : ranks.indices.back()};
}

namespace {

std::size_t count_devices(const std::string& backend) {
  return backend == "cuda" ? cuda_devices().size() : list_opencl_devices().size();
}

/// Devices of a backend with drivers, as one.
std::unique_ptr<Device> open_drivers(const std::string& backend, const Devices& devices) {
  const auto [are_named, times, fail_at] = ranks_of_environment();
  std::vector<int> indices = devices.indices;
  if (devices.are_all()) {
    indices.resize(std::max<std::size_t>(count_devices(backend), 1));  // the first one says why there is none
    std::iota(indices.begin(), indices.end(), 0);
  }
  std::vector<std::unique_ptr<Device>> opened;
  for (const int index : indices) {
    for (int time = 0; time < times; ++time) opened.push_back(open_driver(backend, index));
  }
  if (opened.size() == 1) return std::move(opened.front());
  auto device = std::make_unique<ReplicatedDevice>(std::move(opened), times > 1 ? 1 : least_targets_of_rank);
  device->fail_at(fail_at);
  return device;
}

}  // namespace

std::unique_ptr<Device> processes::open_own_device(const std::string& backend, const Devices& devices, Place place) {
  return open_driver(backend, index_of_process(place, devices, static_cast<int>(count_devices(backend))));
}

std::unique_ptr<Device> open_device(const std::string& backend, const Devices& devices, int threads) {
  check_threads(threads, "threads = " + std::to_string(threads));
  const bool automatic = backend == "auto";
  if (processes::Team* const team = processes::Team::of_this_process(); team != nullptr && team->is_for_this_thread()) {
    const bool on_gpus = automatic && !cuda_devices().empty();
    if (on_gpus || backend == "cuda" || backend == "opencl") {
      return processes::open_device_of_team(*team, on_gpus ? "cuda" : backend, devices);
    }
    if (backend == "cpu" || automatic) {
      std::unique_ptr<Device> device = open_host_device(threads);
      device->set_choice({automatic, 0, threads, team->has_devices() ? "" : team->note_of_one()});
      return device;
    }
  }
  if (automatic && devices == Devices(0)) return open_automatic(0, threads, "");
  if (backend == "cuda" || (automatic && !cuda_devices().empty())) return open_drivers("cuda", devices);
  if (backend == "opencl") return open_drivers(backend, devices);
  if (backend != "cpu" && !automatic) {
    throw UsageError("backend = " + backend, "is not a backend", "use auto, cpu, cuda or opencl");
  }
  if (!devices.are_all() && devices != Devices(0)) {
    throw NoDevice("device = " + devices.text(), "the CPU is device 0", "leave device out");
  }
  return open_host_device(threads);
}

}  // namespace hornbeam
