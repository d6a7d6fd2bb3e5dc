// SPDX-License-Identifier: Apache-2.0
// The live view: a page, frames and buttons over HTTP, for those who have the token (docs/view.md).
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "view/gate.h"
#include "view/http/http.h"
#include "view/source.h"

namespace hornbeam::view {

/// Particles that a frame shows at most, unless another number is requested: what a browser turns at 30 frames a
/// second.
inline constexpr std::size_t usual_most = 1'000'000;
/// Of `hornbeam view`: one that is known beforehand serves tunnels.
inline constexpr std::uint16_t usual_port = 8710;

struct ServerOptions {
  Address address;
  /// Needed by whoever asks; none: as token_or_random() finds it.
  std::optional<std::string> token;
};

class Server {
 public:
  /// Throws UsageError for a token that is too short or cannot be in an address, and as HttpServer does.
  Server(std::shared_ptr<Source> source, const ServerOptions& options);

  [[nodiscard]] std::uint16_t port() const { return http_.port(); }
  [[nodiscard]] const std::string& token() const { return token_; }
  /// For the browser, with the token.
  [[nodiscard]] std::string url() const;

 private:
  std::string host_, token_;
  HttpServer http_;
};

/// What a question that has passed the gate gets; nothing: no frame yet. Whatever the source throws, the answer is a
/// line for the page.
std::optional<Answer> answered(Source& source, const Question& question);

}  // namespace hornbeam::view
