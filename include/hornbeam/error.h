// SPDX-License-Identifier: Apache-2.0
// The one way the library reports trouble: exceptions that say what was received and what is allowed.
#pragma once

#include <stdexcept>
#include <string>

namespace hornbeam {

/// A failure while doing what was asked (the command line exits 1).
/// what() reads `SUBJECT: what happened (what to do)`; SUBJECT is the file, option, key or particle concerned.
class Error : public std::runtime_error {
 public:
  Error(const std::string& subject, const std::string& what, const std::string& remedy = "")
      : std::runtime_error(subject + ": " + what + (remedy.empty() ? "" : " (" + remedy + ")")) {}
};

/// A request that can never be met: unknown names, values out of range, features not built (the command line exits 2).
class UsageError : public Error {
 public:
  using Error::Error;
};

/// The backend or device asked for by name is not there.
class NoDevice : public UsageError {
 public:
  using UsageError::UsageError;
};

}  // namespace hornbeam
