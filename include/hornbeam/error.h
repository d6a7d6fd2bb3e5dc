// SPDX-License-Identifier: Apache-2.0
// The one way the library reports trouble: exceptions that say what was received and what is allowed.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

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

/// A walk or a run has come to numbers that are not finite: the problem names a particle, the remedy fits the cause.
class NotFinite : public Error {
 public:
  NotFinite(std::string subject_, std::string problem_, std::string remedy_)
      : Error(subject_, problem_, remedy_),
        subject(std::move(subject_)),
        problem(std::move(problem_)),
        remedy(std::move(remedy_)) {}

  std::string subject, problem, remedy;  ///< of which what() is made
};

/// The backend or device asked for by name is not there.
class NoDevice : public UsageError {
 public:
  using UsageError::UsageError;
};

}  // namespace hornbeam
