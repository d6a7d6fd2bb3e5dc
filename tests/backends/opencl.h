// SPDX-License-Identifier: Apache-2.0
// PoCL, OpenCL on the CPU, for tests; absent_reason() says why a test cannot use it.
#pragma once

#include <string>

#if defined(HORNBEAM_TEST_OPENCL)
#define CL_HPP_ENABLE_EXCEPTIONS
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#define CL_HPP_TARGET_OPENCL_VERSION 120
#include <CL/opencl.hpp>
#include <optional>
#include <vector>

namespace hornbeam::opencl {

struct Machine {
  cl::Device device;
  cl::Context context;
  cl::CommandQueue queue;
};

/// PoCL's CPU device, if it is installed.
inline std::optional<Machine> find_pocl() {
  std::vector<cl::Platform> platforms;
  try {
    cl::Platform::get(&platforms);
  } catch (const cl::Error&) {
    return std::nullopt;  // the loader found no driver at all
  }
  for (const cl::Platform& platform : platforms) {
    if (platform.getInfo<CL_PLATFORM_NAME>() != "Portable Computing Language") continue;
    std::vector<cl::Device> devices;
    platform.getDevices(CL_DEVICE_TYPE_CPU, &devices);
    if (devices.empty()) continue;
    const cl::Context context(devices.front());
    return Machine{devices.front(), context, cl::CommandQueue(context, devices.front())};
  }
  return std::nullopt;
}

inline std::string absent_reason() { return find_pocl() ? "" : "PoCL is not installed (package pocl-opencl-icd)"; }

/// Compiles `source` as OpenCL C 1.2, headers of src/ and tests/ found. Throws cl::BuildError with the compiler's
/// words.
inline cl::Program compile(const Machine& machine, const std::string& source, int precision) {
  cl::Program program(machine.context, source);
  // correctly rounded division and square root: PoCL has them, and bits are compared
  program.build({machine.device}, ("-cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt -I" HORNBEAM_SOURCES
                                   "/src -I" HORNBEAM_SOURCES "/tests -I" HORNBEAM_GENERATED " -DHB_PRECISION=" +
                                   std::to_string(precision))
                                      .c_str());
  return program;
}

}  // namespace hornbeam::opencl

#else
namespace hornbeam::opencl {
inline std::string absent_reason() { return "built without OpenCL (package ocl-icd-opencl-dev)"; }
}  // namespace hornbeam::opencl
#endif
