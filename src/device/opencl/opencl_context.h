// SPDX-License-Identifier: Apache-2.0
// One OpenCL device with its context and its queue: memory, copies and launches by handle. The programs, the sort and
// OpenClDevice are based on it.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "device/device.h"
#include "device/opencl/opencl_runtime.h"

namespace hornbeam {

/// What the driver says of a device.
struct OpenClDescription {
  cl_platform_id platform = nullptr;
  cl_device_id device = nullptr;
  cl_device_type type = 0;
  std::string name, platform_name, platform_version, driver_version;
  std::uint64_t memory_bytes = 0, largest_allocation = 0;
  std::size_t largest_group = 0;
  cl_uint compute_units = 0;
  bool fp64 = false;
  bool exact_division = false;  ///< knows -cl-fp32-correctly-rounded-divide-sqrt

  [[nodiscard]] bool is_processor() const { return (type & CL_DEVICE_TYPE_CPU) != 0; }
};

/// All devices of all platforms, GPUs first, then accelerators, then CPUs; empty where there is no loader or driver.
std::vector<OpenClDescription> describe_opencl_devices(const OpenClCalls& calls);

/// A built program, released with its last holder.
using BuiltProgram = std::shared_ptr<_cl_program>;
/// A queue in order, released with its last holder.
using Queue = std::shared_ptr<_cl_command_queue>;

/// What the contexts of one device share that are open at the same time: the driver's context, and the programs built
/// in it by their options. So a second simulation of a process compiles nothing; PoCL takes 0.3 s of it even where its
/// files hold all kernels. Nothing stays when the last one is closed.
///
/// Where the device is a processor they share one queue as well. Each kernel has all cores there, so that nothing is
/// lost; and PoCL before 7.0 aborts where three queues run one kernel in unlike sizes (its fix: c9ac4c0c).
struct DriverContext {
  DriverContext(const OpenClCalls& calls, const OpenClDescription& description);
  ~DriverContext();
  DriverContext(const DriverContext&) = delete;
  DriverContext& operator=(const DriverContext&) = delete;

  decltype(&::clReleaseContext) release;
  cl_context handle = nullptr;
  Queue queue;          ///< none where each context has its own
  std::mutex building;  ///< protects programs
  std::map<std::string, BuiltProgram> programs;
};

class OpenClContext {
 public:
  /// Throws Error where the driver will not open the device.
  OpenClContext(const OpenClCalls& calls, OpenClDescription description);
  ~OpenClContext();
  OpenClContext(const OpenClContext&) = delete;
  OpenClContext& operator=(const OpenClContext&) = delete;

  [[nodiscard]] const OpenClCalls& calls() const { return calls_; }
  [[nodiscard]] const OpenClDescription& description() const { return description_; }
  [[nodiscard]] cl_context context() const { return driver_->handle; }
  [[nodiscard]] DriverContext& driver() const { return *driver_; }
  [[nodiscard]] cl_command_queue queue() const { return queue_.get(); }
  [[nodiscard]] std::uint64_t allocated_bytes() const { return allocated_; }

  /// Throws Error with the bytes needed and had. Counts for itself: many drivers take memory only when it is first
  /// used.
  cl_mem allocate(std::size_t bytes);
  void release(cl_mem memory) noexcept;
  void upload(cl_mem to, std::size_t offset, const void* from, std::size_t bytes);
  void download(void* to, cl_mem from, std::size_t offset, std::size_t bytes);
  /// See Device.
  void begin_fetch(cl_mem from, std::size_t bytes);
  void end_fetch(void* to, std::size_t bytes);
  void clear(cl_mem memory, std::size_t bytes);
  void copy(cl_mem to, cl_mem from, std::size_t bytes);
  /// `groups` work groups of `size` items; name: of the kernel, for errors.
  void launch(cl_kernel kernel, const char* name, std::int64_t groups, std::size_t size, const Arguments& arguments);

  cl_event mark();  ///< an event that completes with all work before it
  void finish();
  void check(cl_int code, const char* call) const { check_opencl(code, call, description_.name); }

 private:
  void forget_fetch() noexcept;

  const OpenClCalls& calls_;
  OpenClDescription description_;
  std::shared_ptr<DriverContext> driver_;
  Queue queue_;
  std::uint64_t allocated_ = 0;
  std::array<std::byte, fetch_room> fetched_{};
  cl_event is_fetched_ = nullptr;
  std::unordered_map<cl_mem, std::size_t> sizes_;
};

}  // namespace hornbeam
