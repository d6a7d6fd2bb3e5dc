// SPDX-License-Identifier: Apache-2.0
// Programs from source text, built for one device when first requested and kept on disk as its driver compiled them.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "device/opencl/binary_cache.h"
#include "device/opencl/opencl_context.h"

namespace hornbeam {

/// A built program and kernels of its own: their arguments are state.
class OpenClProgram {
 public:
  OpenClProgram(const OpenClContext& context, BuiltProgram program) : context_(context), program_(std::move(program)) {}
  ~OpenClProgram();
  OpenClProgram(const OpenClProgram&) = delete;
  OpenClProgram& operator=(const OpenClProgram&) = delete;

  /// Throws Error naming a kernel that the program lacks.
  cl_kernel kernel(const char* name);
  [[nodiscard]] const BuiltProgram& built() const { return program_; }

 private:
  const OpenClContext& context_;
  BuiltProgram program_;
  std::map<std::string, cl_kernel> kernels_;
};

/// Builds programs for the device of one context.
class OpenClBuilder {
 public:
  /// cache: folder of compiled programs, empty for none.
  OpenClBuilder(const OpenClContext& context, std::filesystem::path cache)
      : context_(context), cache_(std::move(cache)) {}

  /// `source` with the options of all our programs and `options` ("-DA=1 -DB"). name: of the program, for errors.
  /// Throws Error with the compiler's words.
  std::unique_ptr<OpenClProgram> build(const std::string& name, const std::string& source, const std::string& options);

  [[nodiscard]] int compiled() const { return compiled_; }  ///< programs that went through the device's compiler
  [[nodiscard]] int reused() const { return reused_; }      ///< programs found on disk
  /// What the program is kept under: its source and options, device and driver.
  [[nodiscard]] std::string identity(const std::string& source, const std::string& options) const;

 private:
  [[nodiscard]] std::string all_options(const std::string& own) const;
  cl_program from_cache(const std::string& identity, const std::string& options) const;
  cl_program from_source(const std::string& name, const std::string& source, const std::string& options) const;
  [[nodiscard]] std::string build_log(cl_program program) const;
  [[nodiscard]] std::string binary_of(cl_program program) const;

  const OpenClContext& context_;
  BinaryCache cache_;
  int compiled_ = 0, reused_ = 0;
};

}  // namespace hornbeam
