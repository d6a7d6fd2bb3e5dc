// SPDX-License-Identifier: Apache-2.0
// The live view: a page, frames and buttons over HTTP, for whoever may look (docs/view.md).
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "view/http.h"
#include "view/source.h"

namespace hornbeam::view {

/// Particles that a frame shows at most, unless another number is asked for: what a browser turns at 30 frames a
/// second.
inline constexpr std::size_t usual_most = 1'000'000;
/// Of `hornbeam view`: one that is known beforehand serves tunnels.
inline constexpr std::uint16_t usual_port = 8710;

struct ServerOptions {
  Address address;
  /// Needed by whoever asks; empty: made where other machines can connect, else none.
  std::string token;
};

/// Who may ask.
class Gate {
 public:
  /// host: the name that the server was bound by.
  Gate(std::string host, std::string token) : host_(std::move(host)), token_(std::move(token)) {}

  /// Why not; nothing where he may. A page of another site, whose name was made to lead here or that sends orders from
  /// elsewhere, is known by the Host or Origin that browsers send.
  [[nodiscard]] std::optional<Answer> refusal(const Question& question) const;

 private:
  [[nodiscard]] bool knows_host(const std::string& host) const;
  [[nodiscard]] bool has_token(const Question& question) const;

  std::string host_, token_;
};

class Server {
 public:
  /// Throws UsageError for a token that is too short or cannot stand in an address, and as HttpServer does.
  Server(std::shared_ptr<Source> source, const ServerOptions& options);

  [[nodiscard]] std::uint16_t port() const { return http_.port(); }
  [[nodiscard]] const std::string& token() const { return token_; }
  /// For the browser, with the token where one is needed.
  [[nodiscard]] std::string url() const;

 private:
  std::string host_, token_;
  HttpServer http_;
};

/// 128 random bits in hexadecimal digits.
std::string random_token();

/// What a question that has passed the gate gets; nothing: no frame yet.
std::optional<Answer> answered(Source& source, const Question& question);

}  // namespace hornbeam::view
