// SPDX-License-Identifier: Apache-2.0
#include "device/opencl/opencl_program.h"

#include <algorithm>

#include "hornbeam/error.h"

namespace hornbeam {

OpenClProgram::~OpenClProgram() {
  for (const auto& [name, kernel] : kernels_) context_.calls().clReleaseKernel(kernel);
}

cl_kernel OpenClProgram::kernel(const char* name) {
  const auto found = kernels_.find(name);
  if (found != kernels_.end()) return found->second;
  cl_int code = CL_SUCCESS;
  cl_kernel kernel = context_.calls().clCreateKernel(program_.get(), name, &code);
  if (code != CL_SUCCESS) context_.check(code, (std::string("clCreateKernel of ") + name).c_str());
  kernels_.emplace(name, kernel);
  return kernel;
}

std::unique_ptr<OpenClProgram> OpenClBuilder::build(const std::string& name, const std::string& source,
                                                    const std::string& options) {
  const std::string key = identity(source, options);
  if (cl_program found = from_cache(key, all_options(options))) {
    ++reused_;
    return std::make_unique<OpenClProgram>(context_, BuiltProgram(found, context_.calls().clReleaseProgram));
  }
  cl_program program = from_source(name, source, all_options(options));
  ++compiled_;
  if (cache_.keeps()) cache_.keep(key, binary_of(program));
  return std::make_unique<OpenClProgram>(context_, BuiltProgram(program, context_.calls().clReleaseProgram));
}

std::string OpenClBuilder::all_options(const std::string& own) const {
  std::string options = "-w -cl-std=CL1.2";
#if defined(HB_STRICT)
  options += " -DHB_STRICT";
#else
  options += " -cl-denorms-are-zero";
#endif
  if (context_.description().exact_division) options += " -cl-fp32-correctly-rounded-divide-sqrt";
  return own.empty() ? options : options + " " + own;
}

std::string OpenClBuilder::identity(const std::string& source, const std::string& options) const {
  const OpenClDescription& d = context_.description();
  return d.platform_name + "|" + d.platform_version + "|" + d.name + "|" + d.driver_version + "|" +
         all_options(options) + "|" + std::to_string(source.size()) + " " + hash_text(source);
}

cl_program OpenClBuilder::from_cache(const std::string& identity, const std::string& options) const {
  const std::optional<std::string> binary = cache_.find(identity);
  if (!binary) return nullptr;
  const OpenClCalls& calls = context_.calls();
  const auto* bytes = reinterpret_cast<const unsigned char*>(binary->data());
  const std::size_t size = binary->size();
  cl_device_id device = context_.description().device;
  cl_int status = CL_SUCCESS, code = CL_SUCCESS;
  cl_program program = calls.clCreateProgramWithBinary(context_.context(), 1, &device, &size, &bytes, &status, &code);
  if (code == CL_SUCCESS && status == CL_SUCCESS &&
      calls.clBuildProgram(program, 1, &device, options.c_str(), nullptr, nullptr) == CL_SUCCESS) {
    return program;
  }
  if (program != nullptr) calls.clReleaseProgram(program);
  return nullptr;  // a driver may refuse what it once wrote: the source is at hand
}

cl_program OpenClBuilder::from_source(const std::string& name, const std::string& source,
                                      const std::string& options) const {
  const OpenClCalls& calls = context_.calls();
  cl_device_id device = context_.description().device;
  const char* text = source.c_str();
  const std::size_t size = source.size();
  cl_int code = CL_SUCCESS;
  cl_program program = calls.clCreateProgramWithSource(context_.context(), 1, &text, &size, &code);
  context_.check(code, "clCreateProgramWithSource");
  code = calls.clBuildProgram(program, 1, &device, options.c_str(), nullptr, nullptr);
  if (code == CL_SUCCESS) return program;
  const std::string log = build_log(program);
  calls.clReleaseProgram(program);
  throw Error(context_.description().name, "clBuildProgram of " + name + " failed: " + opencl_error_name(code) +
                                               ", options " + options + "\n" + log);
}

std::string OpenClBuilder::build_log(cl_program program) const {
  const OpenClCalls& calls = context_.calls();
  cl_device_id device = context_.description().device;
  std::size_t bytes = 0;
  calls.clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &bytes);
  std::string log(bytes, '\0');
  calls.clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, bytes, log.data(), nullptr);
  constexpr std::size_t enough = 8000;  // a broken header brings thousands of errors; the first ones show
  log.resize(std::min({log.find('\0'), log.size(), enough}));
  return log;
}

std::string OpenClBuilder::binary_of(cl_program program) const {
  const OpenClCalls& calls = context_.calls();
  std::size_t bytes = 0;
  if (calls.clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(bytes), &bytes, nullptr) != CL_SUCCESS) return "";
  std::string binary(bytes, '\0');
  auto* start = reinterpret_cast<unsigned char*>(binary.data());
  if (calls.clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(start), &start, nullptr) != CL_SUCCESS) return "";
  return binary;
}

}  // namespace hornbeam
