// SPDX-License-Identifier: Apache-2.0
// Connections as coroutines of Boost.Beast, which reads and checks what comes; see http.h.
#include "view/http.h"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <chrono>
#include <csignal>
#include <thread>

#include "hornbeam/error.h"
#include "view/query.h"

namespace hornbeam::view {
namespace {

namespace net = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using tcp = net::ip::tcp;

constexpr std::uint32_t most_header = 8192;  ///< bytes
constexpr std::uint64_t most_body = 1024;    ///< nothing that is asked needs one
constexpr int most_connections = 64;
constexpr int threads = 3;  ///< one may read a file while others answer
constexpr auto patience = std::chrono::seconds(30);
/// From one answer until all of the next request is there: slow connections keep others out no longer than this.
constexpr auto time_for_request = std::chrono::seconds(5);
constexpr std::uint64_t slowest = 64 << 10;  ///< bytes a second that a connection must take
constexpr auto longest_wait = std::chrono::seconds(5);
constexpr auto between_asks = std::chrono::milliseconds(10);

/// Of headers that stand twice, the values follow one another: no single one counts.
Question question_of(const http::request<http::string_body>& request) {
  Question question;
  question.method = std::string(request.method_string());
  split_target(std::string(request.target()), question.path, question.query);
  for (const auto& field : request) {
    std::string name(field.name_string());
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
    const auto [place, is_first] = question.header.try_emplace(std::move(name), field.value());
    if (!is_first) place->second += ", " + std::string(field.value());
  }
  return question;
}

/// Signals are for the program's own threads.
class SignalsElsewhere {
 public:
  SignalsElsewhere() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsElsewhere() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsElsewhere(const SignalsElsewhere&) = delete;
  SignalsElsewhere& operator=(const SignalsElsewhere&) = delete;

 private:
  sigset_t before_{};
};

}  // namespace

struct HttpServer::State {
  State() = default;
  ~State() {
    context.stop();
    for (std::thread& thread : pool) thread.join();
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  void start(Answerer made) {
    answer = std::move(made);
    net::co_spawn(context, accept(), net::detached);
    const SignalsElsewhere quiet;
    for (int k = 0; k < threads; ++k) pool.emplace_back([this] { context.run(); });
  }

  void listen(const Address& address) {
    if (address.host.empty())
      throw UsageError("host", "is empty", "give 127.0.0.1, 0.0.0.0 or an address of this machine");
    boost::system::error_code trouble;
    const auto found =
        tcp::resolver(context).resolve(address.host, std::to_string(address.port), tcp::resolver::passive, trouble);
    if (trouble || found.empty()) {
      throw UsageError("host", "received " + address.host + ": " + trouble.message(),
                       "give 127.0.0.1, 0.0.0.0 or an address of this machine");
    }
    const tcp::endpoint at = found.begin()->endpoint();
    acceptor.open(at.protocol());
    acceptor.set_option(net::socket_base::reuse_address(true));
    acceptor.bind(at, trouble);
    if (trouble == net::error::address_in_use) {
      throw Error("port", std::to_string(address.port) + " is in use", "take another one, or 0 for any that is free");
    }
    if (trouble) {
      throw Error("port", std::to_string(address.port) + " of " + address.host + ": " + trouble.message());
    }
    acceptor.listen();
  }

  net::awaitable<void> pause_between_asks() {
    net::steady_timer pause(context, between_asks);
    co_await pause.async_wait(net::use_awaitable);
  }

  net::awaitable<void> accept() {
    for (;;) {
      if (connections >= most_connections) {  // others wait until one ends
        co_await pause_between_asks();
        continue;
      }
      boost::system::error_code trouble;
      tcp::socket socket(net::make_strand(context));
      co_await acceptor.async_accept(socket, net::redirect_error(net::use_awaitable, trouble));
      if (trouble == net::error::operation_aborted) co_return;
      if (trouble) {  // no file descriptor is left
        co_await pause_between_asks();
        continue;
      }
      ++connections;
      auto strand = socket.get_executor();
      net::co_spawn(strand, serve(beast::tcp_stream(std::move(socket))),
                    [this](const std::exception_ptr&) { --connections; });  // thrown: the other side went away
    }
  }

  /// One connection, question by question.
  net::awaitable<void> serve(beast::tcp_stream stream) {
    beast::flat_buffer buffer;
    stream.socket().set_option(tcp::no_delay(true));
    for (;;) {
      http::request_parser<http::string_body> parser;
      parser.header_limit(most_header);
      parser.body_limit(most_body);
      stream.expires_after(time_for_request);
      boost::system::error_code trouble;
      co_await http::async_read(stream, buffer, parser, net::redirect_error(net::use_awaitable, trouble));
      if (trouble == http::error::end_of_stream || trouble == beast::error::timeout) break;
      if (trouble) {
        co_await send(stream, text_answer(400, "What came is no request: " + trouble.message()), 11, false, false);
        break;
      }
      const auto& request = parser.get();
      const Answer found = co_await find(stream, question_of(request));
      const bool goes_on = request.keep_alive();
      co_await send(stream, found, request.version(), goes_on, request.method() == http::verb::head);
      if (!goes_on) break;
    }
    boost::system::error_code ignored;
    stream.socket().shutdown(tcp::socket::shutdown_send, ignored);
  }

  net::awaitable<Answer> find(beast::tcp_stream& stream, Question question) {
    const auto until = std::chrono::steady_clock::now() + longest_wait;
    Answer nothing_new;
    nothing_new.status = 204;
    for (;;) {
      Answer thrown;
      try {
        if (std::optional<Answer> found = answer(question)) co_return *std::move(found);
      } catch (const std::exception& error) {
        thrown = text_answer(500, error.what());
      }
      if (!thrown.body.empty()) co_return thrown;
      if (std::chrono::steady_clock::now() >= until) co_return nothing_new;
      net::steady_timer pause(stream.get_executor(), between_asks);
      co_await pause.async_wait(net::use_awaitable);
    }
  }

  static net::awaitable<void> send(beast::tcp_stream& stream, const Answer& found, unsigned version, bool goes_on,
                                   bool header_only) {
    http::response<http::empty_body> head(static_cast<http::status>(found.status), version);
    head.set(http::field::content_type, found.type);
    head.set(http::field::cache_control, "no-store");
    head.set("X-Content-Type-Options", "nosniff");
    head.set("Cross-Origin-Resource-Policy", "same-origin");
    head.set("Referrer-Policy", "no-referrer");  // a token may stand in the address
    for (const auto& [name, value] : found.header) head.set(name, value);
    std::uint64_t size = 0;
    std::vector<net::const_buffer> parts;
    for (const auto& part : found.body) {
      size += part->size();
      parts.emplace_back(net::buffer(*part));
    }
    if (found.status != 204) head.content_length(size);
    head.keep_alive(goes_on);
    stream.expires_after(patience);
    co_await http::async_write(stream, head, net::use_awaitable);
    if (header_only || parts.empty()) co_return;
    stream.expires_after(patience + std::chrono::seconds(size / slowest));
    co_await net::async_write(stream, parts, net::use_awaitable);
  }

  Answerer answer;
  net::io_context context{threads};
  tcp::acceptor acceptor{context};
  const pid_t process = ::getpid();
  std::atomic<int> connections{0};
  std::vector<std::thread> pool;
};

HttpServer::HttpServer(const Address& address) : state_(std::make_unique<State>()) { state_->listen(address); }
/// A process made by fork has none of the threads, and cannot take apart what they were using.
HttpServer::~HttpServer() {
  if (state_->process == ::getpid()) return;
  ::close(state_->acceptor.native_handle());
  static_cast<void>(state_.release());
}

void HttpServer::serve(Answerer answer) { state_->start(std::move(answer)); }

std::uint16_t HttpServer::port() const { return state_->acceptor.local_endpoint().port(); }

}  // namespace hornbeam::view
