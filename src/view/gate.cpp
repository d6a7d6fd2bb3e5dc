// SPDX-License-Identifier: Apache-2.0
// Tokens, and what browsers say of who asks, see gate.h.
#include "view/gate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <stdexcept>

#include "core/this_process.h"
#include "hornbeam/error.h"
#include "io/files/file.h"

namespace hornbeam::view {
namespace {

constexpr std::size_t least_token = 8, most_token = 128;

/// "name" of "name:8710", "::1" of "[::1]:8710"; empty if it is no such thing.
std::string without_port(const std::string& host) {
  const bool in_brackets = host.starts_with('[');
  const std::size_t end = in_brackets ? host.find(']') : std::min(host.find(':'), host.size());
  if (end == std::string::npos) return "";
  const std::string port = host.substr(end + (in_brackets ? 1 : 0));
  const bool is_port = port.empty() || (port[0] == ':' && port.find_first_not_of("0123456789", 1) == std::string::npos);
  return !is_port ? "" : in_brackets ? host.substr(1, end - 1) : host.substr(0, end);
}

bool is_address(const std::string& host) {
  const bool v6 = host.find(':') != std::string::npos;
  return !host.empty() && std::all_of(host.begin(), host.end(), [v6](unsigned char c) {
    return c == '.' || (v6 ? std::isxdigit(c) != 0 || c == ':' : std::isdigit(c) != 0);
  });
}

/// Takes as long wherever they differ.
bool same(const std::string& a, const std::string& b) {
  if (b.empty()) return false;
  unsigned char differs = a.size() == b.size() ? 0 : 1;
  for (std::size_t k = 0; k < a.size(); ++k) differs |= static_cast<unsigned char>(a[k] ^ b[k % b.size()]);
  return differs == 0;
}

std::string value_of(const std::map<std::string, std::string>& map, const char* name) {
  const auto found = map.find(name);
  return found == map.end() ? std::string() : found->second;
}

/// Whether it was sent by the page of this server, by a hand-written address, or by no browser.
bool is_own_site(const Question& question) {
  const std::string site = value_of(question.header, "sec-fetch-site");
  return site.empty() || site == "same-origin" || site == "none";
}

/// Whether a browser opens the page in a tab of its own.
bool opens_page(const Question& question) {
  const std::string into = value_of(question.header, "sec-fetch-dest");
  return question.method == "GET" && question.path == "/" && (into.empty() || into == "document") &&
         value_of(question.header, "sec-fetch-mode") == "navigate";
}

std::string checked(const std::string& token, const std::string& subject) {
  const bool plain = std::all_of(token.begin(), token.end(),
                                 [](unsigned char c) { return std::isalnum(c) != 0 || c == '-' || c == '_'; });
  if (plain && token.size() >= least_token && token.size() <= most_token) return token;
  throw UsageError(subject, fmt::format("received a token of {} characters", token.size()),
                   fmt::format("must be {} to {} letters, digits, - and _", least_token, most_token));
}

}  // namespace

std::string machine_name() {
  const std::string name = host_name();
  return name.empty() ? "localhost" : name;
}

bool Gate::knows_host(const std::string& host) const {
  const std::string name = without_port(host);
  if (name.empty()) return false;
  return name == "localhost" || is_address(name) || name == host_ || name == machine_name();
}

bool Gate::has_token(const Question& question) const {
  const std::string bearer = value_of(question.header, "authorization");
  constexpr std::string_view scheme = "Bearer ";
  const std::string given =
      bearer.starts_with(scheme) ? bearer.substr(scheme.size()) : value_of(question.query, "token");
  return same(given, token_);
}

std::optional<Answer> Gate::refusal(const Question& question) const {
  const std::string host = value_of(question.header, "host"), origin = value_of(question.header, "origin");
  if (!knows_host(host)) return text_answer(403, "The address in the request is not one of this server.");
  const bool other_origin = !origin.empty() && origin != "http://" + host;
  if (other_origin || (!is_own_site(question) && !opens_page(question))) {
    return text_answer(403, "Pages of other sites have no access.");
  }
  if (!has_token(question)) {
    return text_answer(403, "A token is needed: open the whole address that was printed, ?token=... included.");
  }
  return {};
}

std::string random_token() try {
  std::random_device entropy;
  std::string token;
  for (int k = 0; k < 4; ++k) token += fmt::format("{:08x}", entropy());
  return token;
} catch (const std::runtime_error& error) {  // the system's file of random numbers cannot be opened
  throw Error("token", fmt::format("cannot be generated: {}", error.what()), "give a token yourself, or close files");
}

std::string token_in(const std::filesystem::path& file) {
  constexpr std::uint64_t most = 4096;  // bytes: with blanks and further lines
  if (const std::uint64_t size = io::regular_file_size(file); size > most) {
    throw UsageError(file.string(), fmt::format("received a file of {} bytes", size),
                     fmt::format("must contain a token of {} to {} characters", least_token, most_token));
  }
  const std::string text = io::read_text(file), line = text.substr(0, text.find_first_of("\r\n"));
  return checked(line.substr(0, line.find_last_not_of(" \t") + 1), file.string());
}

std::string token_or_random(const std::optional<std::string>& own) {
  if (own) return checked(*own, "token");
  const char* variable = std::getenv(token_variable);
  const bool has_value = variable != nullptr && *variable != '\0';
  return has_value ? checked(variable, token_variable) : random_token();
}

}  // namespace hornbeam::view
