// SPDX-License-Identifier: Apache-2.0
// A small HTTP server: questions in, answers out, on threads of its own. What is asked and who may ask is server.h's.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hornbeam::view {

/// A request, of which only this much is looked at.
struct Question {
  std::string method;                         ///< "GET", "POST", ...
  std::string path;                           ///< without the query
  std::map<std::string, std::string> query;   ///< decoded; of a name that stands twice, the first
  std::map<std::string, std::string> header;  ///< names in small letters; what stands twice: "first, second"
};

/// What comes back. The parts of the body follow one another and are not copied.
struct Answer {
  unsigned status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::vector<std::shared_ptr<const std::string>> body;
  std::vector<std::pair<std::string, std::string>> header;  ///< besides those that every answer has
};
Answer text_answer(unsigned status, std::string text);

/// Called on one of the server's threads, several at once. Nothing: there is no answer yet; it is asked again a little
/// later, and after some seconds the answer is 204, no content. What it throws is answered by 500.
using Answerer = std::function<std::optional<Answer>(const Question&)>;

struct Address {
  std::string host = "127.0.0.1";  ///< an address of this machine, or a name of one
  std::uint16_t port = 0;          ///< 0: any that is free
};

/// Listens from its construction on and serves to its end, which waits for answers that are being made. A connection
/// that neither asks nor takes an answer for 5 seconds ends, and slow ones keep no one out (connections.h). A forked
/// child does not listen.
class HttpServer {
 public:
  /// Throws Error if the port is in use or the system has no socket left. Throws UsageError if the host is not an
  /// address of this machine or the program was built without Boost.
  explicit HttpServer(const Address& address);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  /// Once. Throws Error if the system starts no thread.
  void serve(Answerer answer);

  [[nodiscard]] std::uint16_t port() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace hornbeam::view
