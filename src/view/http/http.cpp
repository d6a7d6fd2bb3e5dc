// SPDX-License-Identifier: Apache-2.0
// Connections as coroutines of Boost.Beast, which reads and checks what comes; see http.h.
#include "view/http/http.h"

#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/buffers_suffix.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <new>
#include <system_error>
#include <thread>

#include "hornbeam/error.h"
#include "view/http/connections.h"
#include "view/http/own_sockets.h"
#include "view/query.h"

namespace hornbeam::view {
namespace {

namespace net = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using tcp = net::ip::tcp;

constexpr std::uint32_t most_header = 8192;  ///< bytes
constexpr std::uint64_t most_body = 1024;    ///< nothing that is asked needs one
constexpr int threads = 3;                   ///< one may read a file while others answer
/// A connection ends if its request has not come this long after the answer before, or if it takes nothing of an answer
/// for this long.
constexpr auto patience = std::chrono::seconds(5);
constexpr auto longest_wait = std::chrono::seconds(5);
constexpr auto between_asks = std::chrono::milliseconds(10);
/// The server's threads yield to those of a run: next to one that is busy, one of them takes a tenth of a core.
constexpr int niceness = 10;

using Stream = beast::tcp_stream;
using Stage = Connections::Stage;

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

void yield_to_others() {
  const auto self = static_cast<id_t>(::gettid());
  ::setpriority(PRIO_PROCESS, self, std::max(::getpriority(PRIO_PROCESS, self), niceness));
}

/// What the system refuses while a server begins, as an Error.
template <class Act>
void beginning(const Act& act) {
  const auto fail = [](const std::string& why, const std::string& remedy) {
    throw Error("view", "cannot be served: " + why, remedy);
  };
  const auto remedy_for = [](int code) {
    return code == EAGAIN ? "end other programs, or raise ulimit -u and ulimit -v" : "close files, or raise ulimit -n";
  };
  try {
    act();
  } catch (const boost::system::system_error& error) {
    fail(error.code().message(), remedy_for(error.code().value()));
  } catch (const std::system_error& error) {  // of threads
    fail(error.code().message(), remedy_for(error.code().value()));
  } catch (const std::bad_alloc&) {
    fail("there is too little memory", "use fewer particles, or close other programs");
  }
}

std::uint64_t size_of(const Answer& answer) {
  std::uint64_t size = 0;
  for (const auto& part : answer.body) size += part->size();
  return size;
}

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
    for (int k = 0; k < threads; ++k) pool.emplace_back([this] { work(); });
  }

  void work() {
    yield_to_others();
    for (;;) {
      try {
        context.run();
        return;
      } catch (...) {  // no memory for what comes next: the run's threads must not end by it
        std::this_thread::sleep_for(between_asks);
      }
    }
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
    listening.emplace([&] {
      acceptor.open(at.protocol());
      return acceptor.native_handle();
    });
    acceptor.set_option(net::socket_base::reuse_address(true));
    acceptor.bind(at, trouble);
    if (trouble == net::error::address_in_use) {
      throw Error("port", std::to_string(address.port) + " is in use", "take another one, or 0 for any that is free");
    }
    if (trouble) {
      throw Error("port", std::to_string(address.port) + " of " + address.host + ": " + trouble.message());
    }
    acceptor.listen();
    acceptor.non_blocking(true);
    port = acceptor.local_endpoint().port();
  }

  net::awaitable<void> pause_between_asks() {
    net::steady_timer pause(context, between_asks);
    co_await pause.async_wait(net::use_awaitable);
  }

  net::awaitable<void> accept() {
    for (;;) {
      try {
        const bool taken = connections.takes_more() && co_await accept_one();
        if (!taken) co_await pause_between_asks();
      } catch (const std::exception&) {  // no memory for another one
        std::this_thread::sleep_for(between_asks);
      }
    }
  }

  /// A connection. It leaves the list of sockets after it has been closed.
  struct Listed {
    Listed(std::unique_ptr<OwnSocket> socket, Stream made) : own(std::move(socket)), stream(std::move(made)) {}
    std::unique_ptr<OwnSocket> own;
    Stream stream;
  };

  /// False if there is none, or no file descriptor for it.
  net::awaitable<bool> accept_one() {
    boost::system::error_code trouble;
    co_await acceptor.async_wait(tcp::acceptor::wait_read, net::redirect_error(net::use_awaitable, trouble));
    tcp::socket socket(net::make_strand(context));
    auto own = std::make_unique<OwnSocket>([&] {
      if (!trouble) acceptor.accept(socket, trouble);
      return trouble ? -1 : socket.native_handle();
    });
    if (trouble) {
      const bool is_gone = trouble == net::error::connection_aborted || trouble == net::error::would_block;
      if (!is_gone) connections.close_one();
      co_return false;
    }
    connections.make_room();
    const auto both = std::make_shared<Listed>(std::move(own), Stream(std::move(socket)));
    const std::shared_ptr<Stream> stream(both, &both->stream);
    net::co_spawn(stream->get_executor(), serve(stream), net::detached);  // throws if the other side went away
    co_return true;
  }

  static std::function<void()> hang_up(const std::shared_ptr<Stream>& stream) {
    return [weak = std::weak_ptr(stream)] {
      if (std::shared_ptr<Stream> alive = weak.lock()) {
        auto strand = alive->get_executor();
        net::post(strand, [alive = std::move(alive)] {
          boost::system::error_code ignored;
          alive->socket().shutdown(tcp::socket::shutdown_both, ignored);
        });
      }
    };
  }

  /// One connection, question by question.
  net::awaitable<void> serve(std::shared_ptr<Stream> stream) {
    Connections::Entry entry(connections, hang_up(stream));
    beast::flat_buffer buffer;
    stream->socket().set_option(tcp::no_delay(true));
    for (bool goes_on = true; goes_on && !entry.leaves(); entry.progress(Stage::next_request)) {
      http::request_parser<http::string_body> parser;
      parser.header_limit(most_header);
      parser.body_limit(most_body);
      stream->expires_after(patience);
      boost::system::error_code trouble;
      co_await http::async_read(*stream, buffer, parser, net::redirect_error(net::use_awaitable, trouble));
      if (trouble == http::error::end_of_stream || trouble == beast::error::timeout) break;
      if (trouble) {
        co_await send(*stream, entry, text_answer(400, "This is not a valid request: " + trouble.message()), 11, false,
                      false);
        break;
      }
      entry.progress(Stage::wait);
      const auto& request = parser.get();
      const Answer found = co_await find(*stream, entry, question_of(request));
      goes_on = request.keep_alive() && found.status != 403;  // whoever may not ask keeps no connection
      co_await send(*stream, entry, found, request.version(), goes_on, request.method() == http::verb::head);
    }
    boost::system::error_code ignored;
    stream->socket().shutdown(tcp::socket::shutdown_send, ignored);
  }

  /// What is answered now; nothing if there is none yet.
  std::optional<Answer> found_now(const Question& question) const {
    try {
      return answer(question);
    } catch (const std::exception& error) {
      return text_answer(500, error.what());
    } catch (...) {
      return text_answer(500, "view: an unknown error");
    }
  }

  net::awaitable<Answer> find(Stream& stream, Connections::Entry& entry, Question question) {
    const auto until = std::chrono::steady_clock::now() + longest_wait;
    for (bool is_large = false;;) {  // a large answer is made again only once there is a place for it
      if (!is_large || entry.may_send(Connections::large)) {
        std::optional<Answer> found = found_now(question);
        if (found && (is_large || entry.may_send(size_of(*found)))) co_return *std::move(found);
        is_large = found.has_value();
        if (!is_large) entry.progress(Stage::wait);
      }
      if (entry.leaves() || std::chrono::steady_clock::now() >= until) break;
      net::steady_timer pause(stream.get_executor(), between_asks);
      co_await pause.async_wait(net::use_awaitable);
    }
    Answer nothing_new;
    nothing_new.status = 204;
    co_return nothing_new;
  }

  static net::awaitable<void> send(Stream& stream, Connections::Entry& entry, const Answer& found, unsigned version,
                                   bool goes_on, bool header_only) {
    http::response<http::empty_body> head(static_cast<http::status>(found.status), version);
    head.set(http::field::content_type, found.type);
    head.set(http::field::cache_control, "no-store");
    head.set("X-Content-Type-Options", "nosniff");
    head.set("Cross-Origin-Resource-Policy", "same-origin");
    head.set("Referrer-Policy", "no-referrer");  // a token may be in the address
    for (const auto& [name, value] : found.header) head.set(name, value);
    const std::uint64_t size = size_of(found);
    if (found.status != 204) head.content_length(size);
    head.keep_alive(goes_on);
    entry.progress(Stage::answer);
    stream.expires_after(patience);
    co_await http::async_write(stream, head, net::use_awaitable);
    if (!header_only) co_await send_body(stream, entry, found, size);
  }

  static net::awaitable<void> send_body(Stream& stream, Connections::Entry& entry, const Answer& found,
                                        std::uint64_t size) {
    std::vector<net::const_buffer> parts;
    for (const auto& part : found.body) parts.emplace_back(net::buffer(*part));
    beast::buffers_suffix<std::vector<net::const_buffer>> rest(parts);
    while (size > 0) {
      stream.expires_after(patience);
      const std::size_t sent = co_await stream.async_write_some(rest, net::use_awaitable);
      rest.consume(sent);
      size -= sent;
      entry.progress(Stage::answer);
    }
  }

  Connections connections;  // before the context, whose coroutines use it to their end
  Answerer answer;
  net::io_context context{threads};
  std::optional<OwnSocket> listening;  // before the acceptor, which it outlives
  tcp::acceptor acceptor{context};
  std::uint16_t port = 0;
  const pid_t process = ::getpid();
  std::vector<std::thread> pool;
};

HttpServer::HttpServer(const Address& address) {
  beginning([&] {
    state_ = std::make_unique<State>();
    state_->listen(address);
  });
}
/// A process made by fork has none of the threads, and cannot take apart what they were using. Its sockets are closed.
HttpServer::~HttpServer() {
  if (state_->process != ::getpid()) static_cast<void>(state_.release());
}

void HttpServer::serve(Answerer answer) {
  beginning([&] { state_->start(std::move(answer)); });
}

std::uint16_t HttpServer::port() const { return state_->port; }

}  // namespace hornbeam::view
