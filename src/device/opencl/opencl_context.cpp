// SPDX-License-Identifier: Apache-2.0
#include "device/opencl/opencl_context.h"

#include <algorithm>
#include <cstring>
#include <mutex>

#include "hornbeam/error.h"

namespace hornbeam {
namespace {

template <class T>
T value_of(const OpenClCalls& calls, cl_device_id device, cl_device_info what) {
  T value{};
  calls.clGetDeviceInfo(device, what, sizeof(T), &value, nullptr);
  return value;
}

/// A driver's string without its closing null; `get` is clGetDeviceInfo or clGetPlatformInfo.
template <class Get, class Object, class What>
std::string text_of(Get get, Object object, What what) {
  std::size_t bytes = 0;
  if (get(object, what, 0, nullptr, &bytes) != CL_SUCCESS || bytes == 0) return "";
  std::string text(bytes, '\0');
  if (get(object, what, bytes, text.data(), nullptr) != CL_SUCCESS) return "";
  text.resize(std::min(text.find('\0'), text.size()));
  return text;
}

OpenClDescription describe(const OpenClCalls& calls, cl_platform_id platform, cl_device_id device) {
  OpenClDescription d;
  d.platform = platform;
  d.device = device;
  d.type = value_of<cl_device_type>(calls, device, CL_DEVICE_TYPE);
  d.name = text_of(calls.clGetDeviceInfo, device, CL_DEVICE_NAME);
  d.platform_name = text_of(calls.clGetPlatformInfo, platform, CL_PLATFORM_NAME);
  d.platform_version = text_of(calls.clGetPlatformInfo, platform, CL_PLATFORM_VERSION);
  d.driver_version = text_of(calls.clGetDeviceInfo, device, CL_DRIVER_VERSION);
  d.memory_bytes = value_of<cl_ulong>(calls, device, CL_DEVICE_GLOBAL_MEM_SIZE);
  d.largest_allocation = value_of<cl_ulong>(calls, device, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  d.largest_group = value_of<std::size_t>(calls, device, CL_DEVICE_MAX_WORK_GROUP_SIZE);
  d.compute_units = value_of<cl_uint>(calls, device, CL_DEVICE_MAX_COMPUTE_UNITS);
  d.fp64 = value_of<cl_device_fp_config>(calls, device, CL_DEVICE_DOUBLE_FP_CONFIG) != 0;
  d.exact_division = (value_of<cl_device_fp_config>(calls, device, CL_DEVICE_SINGLE_FP_CONFIG) &
                      CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0;
  return d;
}

/// Drivers may set themselves up at the first question, and PoCL's does not expect two threads to ask it.
std::mutex first_questions;

std::vector<cl_platform_id> platforms_of(const OpenClCalls& calls) {
  const std::lock_guard lock(first_questions);
  cl_uint count = 0;
  if (calls.clGetPlatformIDs(0, nullptr, &count) != CL_SUCCESS || count == 0) return {};
  std::vector<cl_platform_id> platforms(count);
  if (calls.clGetPlatformIDs(count, platforms.data(), nullptr) != CL_SUCCESS) return {};
  return platforms;
}

std::vector<cl_device_id> devices_of(const OpenClCalls& calls, cl_platform_id platform) {
  const std::lock_guard lock(first_questions);
  cl_uint count = 0;
  if (calls.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count) != CL_SUCCESS || count == 0) return {};
  std::vector<cl_device_id> devices(count);
  if (calls.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, devices.data(), nullptr) != CL_SUCCESS) return {};
  return devices;
}

int rank_of(const OpenClDescription& d) {
  if ((d.type & CL_DEVICE_TYPE_GPU) != 0) return 0;
  return d.is_processor() ? 2 : 1;
}

Queue new_queue(const OpenClCalls& calls, cl_context context, const OpenClDescription& description) {
  cl_int code = CL_SUCCESS;
  cl_command_queue queue = calls.clCreateCommandQueue(context, description.device, CL_QUEUE_PROFILING_ENABLE, &code);
  check_opencl(code, "clCreateCommandQueue", description.name);
  return {queue, calls.clReleaseCommandQueue};
}

/// The context that others have open on this device, otherwise a new one.
std::shared_ptr<DriverContext> driver_context(const OpenClCalls& calls, const OpenClDescription& description) {
  static std::mutex opening;
  static std::map<cl_device_id, std::weak_ptr<DriverContext>> open;
  const std::lock_guard lock(opening);
  std::weak_ptr<DriverContext>& slot = open[description.device];
  std::shared_ptr<DriverContext> found = slot.lock();
  if (found != nullptr) return found;
  found = std::make_shared<DriverContext>(calls, description);
  if (description.is_processor()) found->queue = new_queue(calls, found->handle, description);
  slot = found;
  return found;
}

std::string mebibytes(std::uint64_t bytes) { return std::to_string(bytes >> 20) + " MiB"; }

}  // namespace

std::vector<OpenClDescription> describe_opencl_devices(const OpenClCalls& calls) {
  std::vector<OpenClDescription> found;
  if (!calls.present()) return found;
  for (cl_platform_id platform : platforms_of(calls)) {
    for (cl_device_id device : devices_of(calls, platform)) found.push_back(describe(calls, platform, device));
  }
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return rank_of(a) < rank_of(b); });
  return found;
}

DriverContext::DriverContext(const OpenClCalls& calls, const OpenClDescription& description)
    : release(calls.clReleaseContext) {
  cl_int code = CL_SUCCESS;
  const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM,
                                              reinterpret_cast<cl_context_properties>(description.platform), 0};
  handle = calls.clCreateContext(properties, 1, &description.device, nullptr, nullptr, &code);
  check_opencl(code, "clCreateContext", description.name);
}

DriverContext::~DriverContext() {
  queue.reset();
  programs.clear();
  release(handle);
}

OpenClContext::OpenClContext(const OpenClCalls& calls, OpenClDescription description)
    : calls_(calls),
      description_(std::move(description)),
      driver_(driver_context(calls_, description_)),
      queue_(driver_->queue != nullptr ? driver_->queue : new_queue(calls_, context(), description_)) {}

OpenClContext::~OpenClContext() {
  calls_.clFinish(queue());
  forget_fetch();
}

cl_mem OpenClContext::allocate(std::size_t bytes) {
  const std::uint64_t had = description_.memory_bytes - std::min(description_.memory_bytes, allocated_);
  const std::string needed = mebibytes(bytes + (1U << 20) - 1) + " of device memory are needed, ";
  const std::string remedy = "use fewer particles, precision = single or mixed, or a device with more memory";
  if (bytes > had) {
    throw Error(description_.name, needed + mebibytes(had) + " of " + mebibytes(description_.memory_bytes) + " left",
                remedy);
  }
  if (bytes > description_.largest_allocation) {
    throw Error(description_.name,
                needed + mebibytes(description_.largest_allocation) + " is the largest allocation of its driver",
                remedy);
  }
  cl_int code = CL_SUCCESS;
  cl_mem memory = calls_.clCreateBuffer(context(), CL_MEM_READ_WRITE, bytes, nullptr, &code);
  if (code != CL_SUCCESS) {
    throw Error(description_.name, needed + "clCreateBuffer failed: " + opencl_error_name(code), remedy);
  }
  sizes_.emplace(memory, bytes);
  allocated_ += bytes;
  return memory;
}

void OpenClContext::release(cl_mem memory) noexcept {
  const auto found = sizes_.find(memory);
  if (found == sizes_.end()) return;
  allocated_ -= found->second;
  sizes_.erase(found);
  calls_.clReleaseMemObject(memory);
}

void OpenClContext::upload(cl_mem to, std::size_t offset, const void* from, std::size_t bytes) {
  if (bytes == 0) return;
  check(calls_.clEnqueueWriteBuffer(queue(), to, CL_TRUE, offset, bytes, from, 0, nullptr, nullptr),
        "clEnqueueWriteBuffer");
}

void OpenClContext::download(void* to, cl_mem from, std::size_t offset, std::size_t bytes) {
  if (bytes == 0) return;
  check(calls_.clEnqueueReadBuffer(queue(), from, CL_TRUE, offset, bytes, to, 0, nullptr, nullptr),
        "clEnqueueReadBuffer");
}

void OpenClContext::begin_fetch(cl_mem from, std::size_t bytes) {
  forget_fetch();
  check(calls_.clEnqueueReadBuffer(queue(), from, CL_FALSE, 0, bytes, fetched_.data(), 0, nullptr, &is_fetched_),
        "clEnqueueReadBuffer");
}

void OpenClContext::end_fetch(void* to, std::size_t bytes) {
  check(calls_.clFlush(queue()), "clFlush");  // what was requested since is to begin while the host waits
  check(calls_.clWaitForEvents(1, &is_fetched_), "clWaitForEvents");
  forget_fetch();
  std::memcpy(to, fetched_.data(), bytes);
}

void OpenClContext::forget_fetch() noexcept {
  if (is_fetched_ != nullptr) calls_.clReleaseEvent(is_fetched_);
  is_fetched_ = nullptr;
}

void OpenClContext::clear(cl_mem memory, std::size_t bytes) {
  if (bytes == 0) return;
  const unsigned char zeros[16] = {};
  std::size_t pattern = sizeof(zeros);  // the widest that divides: drivers fill byte by byte when asked for bytes
  while (bytes % pattern != 0) pattern /= 2;
  check(calls_.clEnqueueFillBuffer(queue(), memory, zeros, pattern, 0, bytes, 0, nullptr, nullptr),
        "clEnqueueFillBuffer");
}

void OpenClContext::copy(cl_mem to, cl_mem from, std::size_t bytes) {
  if (bytes == 0) return;
  check(calls_.clEnqueueCopyBuffer(queue(), from, to, 0, 0, bytes, 0, nullptr, nullptr), "clEnqueueCopyBuffer");
}

void OpenClContext::launch(cl_kernel kernel, const char* name, std::int64_t groups, std::size_t size,
                           const Arguments& arguments) {
  if (groups <= 0) return;
  cl_uint index = 0;
  for (const Arguments::Item& item : arguments.items()) {
    const cl_int code = calls_.clSetKernelArg(kernel, index, item.bytes, item.value);
    if (code != CL_SUCCESS) {
      check(code, ("clSetKernelArg for argument " + std::to_string(index) + " of " + name).c_str());
    }
    ++index;
  }
  const std::size_t items = static_cast<std::size_t>(groups) * size;
  const cl_int code = calls_.clEnqueueNDRangeKernel(queue(), kernel, 1, nullptr, &items, &size, 0, nullptr, nullptr);
  if (code != CL_SUCCESS) check(code, (std::string("clEnqueueNDRangeKernel of ") + name).c_str());
}

cl_event OpenClContext::mark() {
  cl_event event = nullptr;
  check(calls_.clEnqueueMarkerWithWaitList(queue(), 0, nullptr, &event), "clEnqueueMarkerWithWaitList");
  return event;
}

void OpenClContext::finish() { check(calls_.clFinish(queue()), "clFinish"); }

}  // namespace hornbeam
