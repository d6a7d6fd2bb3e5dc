// SPDX-License-Identifier: Apache-2.0
// Who may ask the server of the live view: whoever has the token, and no page of another site. server.h uses it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "view/http/http.h"

namespace hornbeam::view {

class Gate {
 public:
  /// host: the name that the server was bound by. token: without one nothing is answered.
  Gate(std::string host, std::string token) : host_(std::move(host)), token_(std::move(token)) {}

  /// Returns why a request is refused, or nothing if it is answered. A page of another site is known by what browsers
  /// send: the Host that it made lead here, its Origin, or Sec-Fetch-Site, which images and links have, too. A link of
  /// another site may open the page itself, since notebooks have such links.
  [[nodiscard]] std::optional<Answer> refusal(const Question& question) const;

 private:
  [[nodiscard]] bool knows_host(const std::string& host) const;
  [[nodiscard]] bool has_token(const Question& question) const;

  std::string host_, token_;
};

/// The environment variable of one's own token. Unlike the options of a program, other users cannot read it.
inline constexpr const char* token_variable = "HORNBEAM_VIEW_TOKEN";

/// Returns 128 random bits in hexadecimal digits.
std::string random_token();

/// Returns the first line of a file. Throws Error if it cannot be read, UsageError if it is no token.
std::string token_in(const std::filesystem::path& file);

/// Returns `own`, otherwise that of the environment, otherwise a random one. Throws UsageError if it is no token.
std::string token_or_random(const std::optional<std::string>& own);

/// The name of this machine.
std::string machine_name();

}  // namespace hornbeam::view
