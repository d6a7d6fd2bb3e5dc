// SPDX-License-Identifier: Apache-2.0
// The server of the live view, see server.h; answers.cpp has what it says, gate.cpp who may ask.
#include "view/server.h"

#include <fmt/format.h>

#include <utility>

namespace hornbeam::view {

Server::Server(std::shared_ptr<Source> source, const ServerOptions& options)
    : host_(options.address.host), token_(token_or_random(options.token)), http_(options.address) {
  http_.serve([gate = Gate(host_, token_), source = std::move(source)](const Question& question) {
    std::optional<Answer> refused = gate.refusal(question);
    return refused ? refused : answered(*source, question);
  });
}

std::string Server::url() const {
  const bool everywhere = host_ == "0.0.0.0" || host_ == "::";
  const std::string name = everywhere                             ? machine_name()
                           : host_.find(':') != std::string::npos ? "[" + host_ + "]"
                                                                  : host_;
  return fmt::format("http://{}:{}/?token={}", name, http_.port(), token_);
}

}  // namespace hornbeam::view
