// SPDX-License-Identifier: Apache-2.0
// The HTTP server of the live view with clients that are slow, silent or many, and its sockets in other processes.
#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "hornbeam/error.h"
#include "view/http/connections.h"
#include "view/http/http.h"
#include "view/http/own_sockets.h"

namespace hornbeam::view {
namespace {

using Stage = Connections::Stage;

/// Closes the connections of which it hands the functions out, and says which.
struct Closed {
  std::vector<int> numbers;
  std::function<void()> of(int k) {
    return [this, k] { numbers.push_back(k); };
  }
};

TEST(ViewConnections, TheOldestThatHasSentNothingIsClosedFirst) {
  Connections all;
  Closed closed;
  std::vector<std::unique_ptr<Connections::Entry>> entries;
  for (int k = 0; k < static_cast<int>(Connections::most); ++k) {
    all.make_room();
    entries.push_back(std::make_unique<Connections::Entry>(all, closed.of(k)));
  }
  EXPECT_TRUE(closed.numbers.empty());
  entries[0]->progress(Stage::wait);
  entries[1]->progress(Stage::answer);
  entries[2]->progress(Stage::next_request);
  EXPECT_TRUE(all.takes_more());
  EXPECT_TRUE(closed.numbers.empty());  // none has come
  all.make_room();
  EXPECT_EQ(closed.numbers, std::vector<int>{3});
  EXPECT_TRUE(entries[3]->leaves() && !entries[4]->leaves());
  entries.erase(entries.begin() + 3);
  all.make_room();  // one has gone
  EXPECT_EQ(closed.numbers.size(), 1U);
}

TEST(ViewConnections, TheirOrderIsThatOfWhatTheyDo) {
  Connections all;
  Closed closed;
  std::vector<std::unique_ptr<Connections::Entry>> entries;
  for (const Stage stage : {Stage::wait, Stage::answer, Stage::next_request, Stage::first_request}) {
    entries.push_back(std::make_unique<Connections::Entry>(all, closed.of(static_cast<int>(entries.size()))));
    entries.back()->progress(stage);
  }
  while (all.close_one()) {
  }
  EXPECT_EQ(closed.numbers, (std::vector<int>{3, 2, 1, 0}));
}

TEST(ViewConnections, FewLargeAnswersAreSentAtTheSameTime) {
  Connections all;
  Closed closed;
  std::vector<std::unique_ptr<Connections::Entry>> entries;
  for (std::size_t k = 0; k < Connections::most_large; ++k) {
    entries.push_back(std::make_unique<Connections::Entry>(all, closed.of(0)));
    EXPECT_TRUE(entries.back()->may_send(Connections::large));
    entries.back()->progress(Stage::answer);
  }
  Connections::Entry other(all, closed.of(1));
  EXPECT_FALSE(other.may_send(Connections::large));
  EXPECT_TRUE(other.may_send(Connections::large - 1));
  entries[3]->progress(Stage::next_request);  // it has received its answer
  EXPECT_TRUE(other.may_send(Connections::large));
  EXPECT_TRUE(closed.numbers.empty());
}

/// A client of a server on this machine.
class Client {
 public:
  explicit Client(std::uint16_t port, int buffer = 0) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    if (buffer > 0) ::setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &buffer, sizeof buffer);
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(port);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    is_open_ = ::connect(socket_, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0;
  }
  ~Client() { ::close(socket_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  [[nodiscard]] bool is_open() const { return is_open_; }
  void send(const std::string& text) const { ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL); }
  /// What comes until the server closes, or within so many seconds.
  [[nodiscard]] std::string received(double seconds) const {
    std::string all;
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    while (std::chrono::steady_clock::now() < end) {
      pollfd one{socket_, POLLIN, 0};
      std::array<char, 65536> some{};
      if (::poll(&one, 1, 20) <= 0) continue;
      const ssize_t got = ::recv(socket_, some.data(), some.size(), 0);
      if (got <= 0) break;
      all.append(some.data(), static_cast<std::size_t>(got));
    }
    return all;
  }
  [[nodiscard]] std::string answer(const std::string& path) const {
    send("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n");
    return received(10);
  }

 private:
  int socket_;
  bool is_open_ = false;
};

/// "/large" is 8 MB, each time in another piece of memory; "/throw" throws.
class ViewHttp : public testing::Test {
 protected:
  void SetUp() override {
    try {
      server = std::make_unique<HttpServer>(Address{});
    } catch (const UsageError& error) {
      GTEST_SKIP() << error.what();  // built without Boost
    }
    server->serve([this](const Question& asked) -> std::optional<Answer> {
      if (asked.path == "/throw") throw 7;
      if (asked.path != "/large") return text_answer(asked.path == "/no" ? 403 : 200, "small");
      Answer answer;
      answer.body.push_back(std::make_shared<const std::string>(8'000'000, 'x'));
      const std::scoped_lock lock(mutex);
      large.emplace_back(answer.body[0]);
      return answer;
    });
  }
  std::size_t large_ones() {
    const std::scoped_lock lock(mutex);
    std::size_t alive = 0;
    for (const auto& one : large) alive += one.expired() ? 0 : 1;
    return alive;
  }
  std::mutex mutex;
  std::vector<std::weak_ptr<const std::string>> large;
  std::unique_ptr<HttpServer> server;  // last: it answers until it ends
};

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

TEST_F(ViewHttp, SilentClientsKeepNobodyOut) {
  std::vector<std::unique_ptr<Client>> silent;
  for (int k = 0; k < 200; ++k) {
    silent.push_back(std::make_unique<Client>(server->port()));
    if (k % 2 == 0) silent.back()->send("GET / HTTP/1.1\r\nHost: ");  // half of a request
    if (k % 20 != 19) continue;
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_NE(Client(server->port()).answer("/").find("200 OK"), std::string::npos) << k;
    EXPECT_LT(seconds_since(begin), 2.0) << k;  // it waits for none of them, which have 5 s
  }
}

TEST_F(ViewHttp, WhoMayNotAskKeepsNoConnection) {
  const Client client(server->port());
  client.send("GET /no HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_NE(client.received(10).find("403"), std::string::npos);
  EXPECT_LT(seconds_since(begin), 2.0);
}

TEST_F(ViewHttp, SlowReadersKeepNobodyOutAndLittleMemory) {
  std::vector<std::unique_ptr<Client>> slow;
  for (int k = 0; k < 100; ++k) {
    slow.push_back(std::make_unique<Client>(server->port(), 4096));
    slow.back()->send("GET /large HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");  // and reads nothing
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_NE(Client(server->port()).answer("/").find("200 OK"), std::string::npos);
#if defined(__SANITIZE_ADDRESS__)
  EXPECT_LT(seconds_since(begin), 20.0);
#else
  EXPECT_LT(seconds_since(begin), 2.0);
#endif
  EXPECT_LE(large_ones(), Connections::most_large + 3);  // and one being made by each thread
}

TEST_F(ViewHttp, LargeAnswersAreWhole) {
  const std::string all = Client(server->port()).answer("/large");
  EXPECT_EQ(all.size() - all.find("\r\n\r\n") - 4, 8'000'000U);
}

TEST_F(ViewHttp, ThrownNumbersAreAnswers) {
  EXPECT_NE(Client(server->port()).answer("/throw").find("500"), std::string::npos);
  EXPECT_NE(Client(server->port()).answer("/").find("200"), std::string::npos);
}

TEST_F(ViewHttp, AForkedChildDoesNotListen) {
  const Client open(server->port());
  EXPECT_TRUE(open.is_open());
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  const std::uint16_t port = server->port();
  std::array<int, 2> begun{};
  ASSERT_EQ(::pipe(begun.data()), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(begun[1]);  // of both processes: the parent waits for it
    ::pause();
    ::_exit(0);
  }
  ::close(begun[1]);
  char none = 0;
  EXPECT_EQ(::read(begun[0], &none, 1), 0);
  ::close(begun[0]);
  EXPECT_NE(Client(port).answer("/").find("200"), std::string::npos);  // the parent goes on
  server.reset();
  EXPECT_FALSE(Client(port).is_open());
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(open.received(10), "");  // closed by the parent, and not open in the child
  EXPECT_LT(seconds_since(begin), 2.0);
  EXPECT_NO_THROW(HttpServer(Address{"127.0.0.1", port}));
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
}

/// Descriptors whose socket is bound to that port of this machine.
int descriptors_at(std::uint16_t port) {
  int found = 0;
  for (int k = 0; k < 200; ++k) {
    sockaddr_in at{};
    socklen_t size = sizeof at;
    found += ::getsockname(k, reinterpret_cast<sockaddr*>(&at), &size) == 0 && at.sin_port == htons(port) ? 1 : 0;
  }
  return found;
}

TEST_F(ViewHttp, AChildForkedDuringAnAcceptHasNoConnection) {
  const std::uint16_t port = server->port();
  int kept = 0;
  for (int round = 0; round < 200; ++round) {
    const Client one(port);
    const auto until = std::chrono::steady_clock::now() + std::chrono::microseconds(round % 100);
    while (std::chrono::steady_clock::now() < until) {
    }
    const pid_t child = ::fork();
    if (child == 0) ::_exit(descriptors_at(port) == 0 ? 0 : 1);
    int ended = 0;
    ::waitpid(child, &ended, 0);
    kept += WEXITSTATUS(ended);
  }
  EXPECT_EQ(kept, 0);
}

TEST(ViewSockets, AreClosedInChildrenAndOnlyThey) {
  std::array<int, 2> pair{}, pipe_ends{};
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, pair.data()), 0);
  ASSERT_EQ(::pipe(pipe_ends.data()), 0);
  auto own = std::make_unique<OwnSocket>([&] { return pair[0]; });
  EXPECT_EQ(::fcntl(pair[0], F_GETFD), FD_CLOEXEC);
  const auto open_in_child = [](int descriptor) {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(::fcntl(descriptor, F_GETFD) == -1 ? 0 : 1);
    int ended = 0;
    ::waitpid(child, &ended, 0);
    return WEXITSTATUS(ended) == 1;
  };
  EXPECT_FALSE(open_in_child(pair[0]));
  EXPECT_TRUE(open_in_child(pair[1]));
  ::dup2(pipe_ends[0], pair[0]);  // the descriptor is something else by now
  EXPECT_TRUE(open_in_child(pair[0]));
  own.reset();
  for (const int descriptor : {pair[0], pair[1], pipe_ends[0], pipe_ends[1]}) ::close(descriptor);
}

}  // namespace
}  // namespace hornbeam::view
