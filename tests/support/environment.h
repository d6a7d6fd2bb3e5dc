// SPDX-License-Identifier: Apache-2.0
// An environment variable for the duration of a test.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>

namespace hornbeam {

/// Sets a variable; its end brings back what was there.
class EnvironmentVariable {
 public:
  EnvironmentVariable(const char* name, const char* value) : name_(name) {
    const char* const before = std::getenv(name);
    if (before != nullptr) before_ = before;
    setenv(name, value, 1);
  }
  ~EnvironmentVariable() {
    if (before_) {
      setenv(name_, before_->c_str(), 1);
    } else {
      unsetenv(name_);
    }
  }
  EnvironmentVariable(const EnvironmentVariable&) = delete;
  EnvironmentVariable& operator=(const EnvironmentVariable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};

/// An instruction set requested by name while this lives.
class AskedInstructionSet : public EnvironmentVariable {
 public:
  explicit AskedInstructionSet(const char* isa) : EnvironmentVariable("HORNBEAM_ISA", isa) {}
};

}  // namespace hornbeam
