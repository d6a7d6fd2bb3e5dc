// SPDX-License-Identifier: Apache-2.0
// What fails of one file or measure while a command goes on with the others.
#pragma once

#include <exception>
#include <string>

#include "hornbeam/error.h"

namespace hornbeam::cli {

/// The first failure, which the command ends with once all else is done.
class Failures {
 public:
  /// What `act` throws, in words; empty where it throws nothing. Wrong usage ends the command at once. At the end the
  /// failure is reported as one of `flag` with the file, unless memory was short.
  template <class Act>
  std::string of(const std::string& file, const std::string& flag, const Act& act) {
    try {
      act();
      return "";
    } catch (const UsageError&) {
      throw;
    } catch (const Error& error) {
      std::string why = error.what();
      const bool says_itself = flag.empty() || why.starts_with("memory: ") || why.starts_with(file + ": ");
      if (first_ == nullptr && says_itself) first_ = std::current_exception();
      if (first_ == nullptr) first_ = std::make_exception_ptr(Error(file, flag + ": " + why));
      return why;
    }
  }
  void rethrow() const {
    if (first_ != nullptr) std::rethrow_exception(first_);
  }

 private:
  std::exception_ptr first_;
};

}  // namespace hornbeam::cli
