// SPDX-License-Identifier: Apache-2.0
// The server of the live view, see server.h; answers.cpp has what it says.
#include "view/server.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <random>
#include <utility>

#include "hornbeam/error.h"

namespace hornbeam::view {
namespace {

constexpr std::size_t least_token = 8, most_token = 128;

std::string machine_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "localhost";
}

/// "name" of "name:8710", "::1" of "[::1]:8710".
std::string without_port(const std::string& host) {
  if (host.starts_with('[')) return host.substr(1, host.find(']') - 1);
  return host.substr(0, host.rfind(':'));
}

bool is_address(const std::string& host) {
  const bool v6 = host.find(':') != std::string::npos;
  return !host.empty() && std::all_of(host.begin(), host.end(), [v6](unsigned char c) {
    return c == '.' || (v6 ? std::isxdigit(c) != 0 || c == ':' : std::isdigit(c) != 0);
  });
}

/// Takes as long wherever they differ.
bool same(const std::string& a, const std::string& b) {
  unsigned char differs = a.size() == b.size() ? 0 : 1;
  for (std::size_t k = 0; k < a.size(); ++k) differs |= static_cast<unsigned char>(a[k] ^ b[k % b.size()]);
  return differs == 0;
}

std::string value_of(const std::map<std::string, std::string>& map, const char* name) {
  const auto found = map.find(name);
  return found == map.end() ? std::string() : found->second;
}

void check_token(const std::string& token) {
  const bool plain = std::all_of(token.begin(), token.end(),
                                 [](unsigned char c) { return std::isalnum(c) != 0 || c == '-' || c == '_'; });
  if (plain && token.size() >= least_token && token.size() <= most_token) return;
  throw UsageError("token", fmt::format("received one of {} characters", token.size()),
                   fmt::format("must be {} to {} letters, digits, - and _", least_token, most_token));
}

}  // namespace

bool Gate::knows_host(const std::string& host) const {
  const std::string name = without_port(host);
  return name == "localhost" || is_address(name) || name == host_ || (!token_.empty() && name == machine_name());
}

bool Gate::has_token(const Question& question) const {
  if (token_.empty()) return true;
  const std::string bearer = value_of(question.header, "authorization");
  constexpr std::string_view scheme = "Bearer ";
  const std::string given =
      bearer.starts_with(scheme) ? bearer.substr(scheme.size()) : value_of(question.query, "token");
  return same(given, token_);
}

std::optional<Answer> Gate::refusal(const Question& question) const {
  const std::string host = value_of(question.header, "host"), origin = value_of(question.header, "origin");
  if (!knows_host(host)) return text_answer(403, "This is not the server that the address names.");
  if (!origin.empty() && origin != "http://" + host) return text_answer(403, "Pages of other sites may not ask.");
  if (!has_token(question)) {
    return text_answer(403, "A token is needed: open the whole address that was printed, ?token=... included.");
  }
  return {};
}

std::string random_token() {
  std::random_device entropy;
  std::string token;
  for (int k = 0; k < 4; ++k) token += fmt::format("{:08x}", entropy());
  return token;
}

Server::Server(std::shared_ptr<Source> source, const ServerOptions& options)
    : host_(options.address.host), token_(options.token), http_(options.address) {
  if (!token_.empty()) check_token(token_);
  if (token_.empty() && !http_.is_loopback()) token_ = random_token();
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
  return fmt::format("http://{}:{}/{}{}", name, http_.port(), token_.empty() ? "" : "?token=", token_);
}

}  // namespace hornbeam::view
