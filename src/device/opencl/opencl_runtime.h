// SPDX-License-Identifier: Apache-2.0
// libOpenCL.so.1, opened at run time, so that one program starts on machines with and without it: the table of its
// entry points and the words for its errors. Everything else of the OpenCL backend calls through here.
#pragma once

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <CL/cl.h>

#include <string>

namespace hornbeam {

/// The entry points that the backend calls; null pointers where there is no loader.
struct OpenClCalls {
#define HB_OPENCL_CALL(name) decltype(&::name) name = nullptr;
#include "device/opencl/opencl_calls.inc"
#undef HB_OPENCL_CALL

  /// Whether the loader is here; else missing() says what is not.
  [[nodiscard]] bool present() const { return missing.empty(); }
  std::string missing;
};

/// Looks for libOpenCL.so.1. Never throws; the library stays loaded (drivers leave threads of their own behind).
OpenClCalls load_opencl();

/// CL_OUT_OF_RESOURCES and its like, with the number where it has no name here.
std::string opencl_error_name(cl_int code);

/// Throws Error `SUBJECT: CALL failed: CL_...` for anything but CL_SUCCESS; subject: the device or platform.
void check_opencl(cl_int code, const char* call, const std::string& subject);

}  // namespace hornbeam
