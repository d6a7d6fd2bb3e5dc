// SPDX-License-Identifier: Apache-2.0
// The one way the library reports trouble: exceptions that say what was received and what is allowed.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace hornbeam {

/// Whether `text` is UTF-8, as terminals, JSON and Python take it.
bool is_utf8(std::string_view text);

/// `text` on one line: white space as one blank, other control characters, and all that is beyond ASCII where it is no
/// UTF-8, as \xNN. Texts come from files, too.
inline std::string one_line(const std::string& text) {
  constexpr const char* digits = "0123456789abcdef";
  const bool plain = is_utf8(text);
  std::string line;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n' || c == '\r' || c == '\t' || c == ' ') {
      if (line.empty() || line.back() != ' ' || c == ' ') line += ' ';
    } else if (byte < 32 || byte == 127 || (byte > 127 && !plain)) {
      line += {'\\', 'x', digits[byte / 16], digits[byte % 16]};
    } else {
      line += c;
    }
  }
  return line;
}

/// A failure while doing what was asked (the command line exits 1).
/// what() reads `SUBJECT: what happened (what to do)`; SUBJECT is the file, option, key or particle concerned.
class Error : public std::runtime_error {
 public:
  Error(const std::string& subject, const std::string& what, const std::string& remedy = "")
      : std::runtime_error(one_line(subject + ": " + what + (remedy.empty() ? "" : " (" + remedy + ")"))) {}
};

/// A request that can never be met: unknown names, values out of range, features not built (the command line exits 2).
class UsageError : public Error {
 public:
  using Error::Error;
};

/// A walk or a run has come to numbers that are non-finite: the problem names a particle, the remedy fits the cause.
class NotFinite : public Error {
 public:
  NotFinite(std::string subject_, std::string problem_, std::string remedy_)
      : Error(subject_, problem_, remedy_),
        subject(std::move(subject_)),
        problem(std::move(problem_)),
        remedy(std::move(remedy_)) {}

  std::string subject, problem, remedy;  ///< of which what() is made
};

/// The backend or device requested by name is not there.
class NoDevice : public UsageError {
 public:
  using UsageError::UsageError;
};

}  // namespace hornbeam
