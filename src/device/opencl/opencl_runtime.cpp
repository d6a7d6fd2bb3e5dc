// SPDX-License-Identifier: Apache-2.0
#include "device/opencl/opencl_runtime.h"

#include <dlfcn.h>

#include "hornbeam/error.h"

namespace hornbeam {
namespace {

struct NamedError {
  cl_int code;
  const char* name;
};

#define HB_NAMED(code) \
  NamedError { code, #code }
constexpr NamedError named_errors[] = {
    HB_NAMED(CL_DEVICE_NOT_FOUND),
    HB_NAMED(CL_DEVICE_NOT_AVAILABLE),
    HB_NAMED(CL_COMPILER_NOT_AVAILABLE),
    HB_NAMED(CL_MEM_OBJECT_ALLOCATION_FAILURE),
    HB_NAMED(CL_OUT_OF_RESOURCES),
    HB_NAMED(CL_OUT_OF_HOST_MEMORY),
    HB_NAMED(CL_PROFILING_INFO_NOT_AVAILABLE),
    HB_NAMED(CL_MEM_COPY_OVERLAP),
    HB_NAMED(CL_BUILD_PROGRAM_FAILURE),
    HB_NAMED(CL_MAP_FAILURE),
    HB_NAMED(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST),
    HB_NAMED(CL_INVALID_VALUE),
    HB_NAMED(CL_INVALID_DEVICE_TYPE),
    HB_NAMED(CL_INVALID_PLATFORM),
    HB_NAMED(CL_INVALID_DEVICE),
    HB_NAMED(CL_INVALID_CONTEXT),
    HB_NAMED(CL_INVALID_COMMAND_QUEUE),
    HB_NAMED(CL_INVALID_MEM_OBJECT),
    HB_NAMED(CL_INVALID_BINARY),
    HB_NAMED(CL_INVALID_BUILD_OPTIONS),
    HB_NAMED(CL_INVALID_PROGRAM),
    HB_NAMED(CL_INVALID_PROGRAM_EXECUTABLE),
    HB_NAMED(CL_INVALID_KERNEL_NAME),
    HB_NAMED(CL_INVALID_KERNEL_DEFINITION),
    HB_NAMED(CL_INVALID_KERNEL),
    HB_NAMED(CL_INVALID_ARG_INDEX),
    HB_NAMED(CL_INVALID_ARG_VALUE),
    HB_NAMED(CL_INVALID_ARG_SIZE),
    HB_NAMED(CL_INVALID_KERNEL_ARGS),
    HB_NAMED(CL_INVALID_WORK_DIMENSION),
    HB_NAMED(CL_INVALID_WORK_GROUP_SIZE),
    HB_NAMED(CL_INVALID_WORK_ITEM_SIZE),
    HB_NAMED(CL_INVALID_GLOBAL_OFFSET),
    HB_NAMED(CL_INVALID_EVENT_WAIT_LIST),
    HB_NAMED(CL_INVALID_EVENT),
    HB_NAMED(CL_INVALID_OPERATION),
    HB_NAMED(CL_INVALID_BUFFER_SIZE),
    HB_NAMED(CL_INVALID_GLOBAL_WORK_SIZE),
    HB_NAMED(CL_INVALID_PROPERTY),
};
#undef HB_NAMED

bool is_shortage(cl_int code) {
  return code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_RESOURCES || code == CL_OUT_OF_HOST_MEMORY;
}

template <class Function>
void find(void* library, const char* name, Function*& function, std::string& missing) {
  function = reinterpret_cast<Function*>(dlsym(library, name));
  if (function == nullptr) missing = std::string("libOpenCL.so.1 has no ") + name + " (OpenCL 1.2 is needed)";
}

}  // namespace

OpenClCalls load_opencl() {
  OpenClCalls calls;
  void* library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (library == nullptr) {
    calls.missing = "libOpenCL.so.1 is not installed";
    return calls;
  }
#define HB_OPENCL_CALL(name) find(library, #name, calls.name, calls.missing);
#include "device/opencl/opencl_calls.inc"
#undef HB_OPENCL_CALL
  return calls;
}

std::string opencl_error_name(cl_int code) {
  for (const NamedError& error : named_errors) {
    if (error.code == code) return error.name;
  }
  return "error " + std::to_string(code);
}

void check_opencl(cl_int code, const char* call, const std::string& subject) {
  if (code == CL_SUCCESS) return;
  throw Error(subject, std::string(call) + " failed: " + opencl_error_name(code),
              is_shortage(code) ? "the device may be out of memory: use fewer particles, or free its memory" : "");
}

}  // namespace hornbeam
