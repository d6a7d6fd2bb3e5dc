// SPDX-License-Identifier: Apache-2.0
#include "device/opencl/opencl_runtime.h"

#include <dlfcn.h>

#include "hornbeam/error.h"

namespace hornbeam {
namespace {

#define HB_OPENCL_ERRORS(F)                       \
  F(CL_DEVICE_NOT_FOUND)                          \
  F(CL_DEVICE_NOT_AVAILABLE)                      \
  F(CL_COMPILER_NOT_AVAILABLE)                    \
  F(CL_MEM_OBJECT_ALLOCATION_FAILURE)             \
  F(CL_OUT_OF_RESOURCES)                          \
  F(CL_OUT_OF_HOST_MEMORY)                        \
  F(CL_PROFILING_INFO_NOT_AVAILABLE)              \
  F(CL_MEM_COPY_OVERLAP)                          \
  F(CL_BUILD_PROGRAM_FAILURE)                     \
  F(CL_MAP_FAILURE)                               \
  F(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST) \
  F(CL_INVALID_VALUE)                             \
  F(CL_INVALID_DEVICE_TYPE)                       \
  F(CL_INVALID_PLATFORM)                          \
  F(CL_INVALID_DEVICE)                            \
  F(CL_INVALID_CONTEXT)                           \
  F(CL_INVALID_COMMAND_QUEUE)                     \
  F(CL_INVALID_MEM_OBJECT)                        \
  F(CL_INVALID_BINARY)                            \
  F(CL_INVALID_BUILD_OPTIONS)                     \
  F(CL_INVALID_PROGRAM)                           \
  F(CL_INVALID_PROGRAM_EXECUTABLE)                \
  F(CL_INVALID_KERNEL_NAME)                       \
  F(CL_INVALID_KERNEL_DEFINITION)                 \
  F(CL_INVALID_KERNEL)                            \
  F(CL_INVALID_ARG_INDEX)                         \
  F(CL_INVALID_ARG_VALUE)                         \
  F(CL_INVALID_ARG_SIZE)                          \
  F(CL_INVALID_KERNEL_ARGS)                       \
  F(CL_INVALID_WORK_DIMENSION)                    \
  F(CL_INVALID_WORK_GROUP_SIZE)                   \
  F(CL_INVALID_WORK_ITEM_SIZE)                    \
  F(CL_INVALID_GLOBAL_OFFSET)                     \
  F(CL_INVALID_EVENT_WAIT_LIST)                   \
  F(CL_INVALID_EVENT)                             \
  F(CL_INVALID_OPERATION)                         \
  F(CL_INVALID_BUFFER_SIZE)                       \
  F(CL_INVALID_GLOBAL_WORK_SIZE)                  \
  F(CL_INVALID_PROPERTY)

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
#define HB_OPENCL_FIND(name) find(library, #name, calls.name, calls.missing);
  HB_OPENCL_CALLS(HB_OPENCL_FIND)
#undef HB_OPENCL_FIND
  return calls;
}

std::string opencl_error_name(cl_int code) {
  switch (code) {
#define HB_OPENCL_NAME(error) \
  case error:                 \
    return #error;
    HB_OPENCL_ERRORS(HB_OPENCL_NAME)
#undef HB_OPENCL_NAME
    default:
      return "error " + std::to_string(code);
  }
}

void check_opencl(cl_int code, const char* call, const std::string& subject) {
  if (code == CL_SUCCESS) return;
  throw Error(subject, std::string(call) + " failed: " + opencl_error_name(code),
              is_shortage(code) ? "the device may be out of memory: use fewer particles, or free its memory" : "");
}

}  // namespace hornbeam
