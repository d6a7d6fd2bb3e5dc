// SPDX-License-Identifier: Apache-2.0
// Who may ask the live view and what is answered, without a network: sites, tokens, routes, exceptions.
#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <new>
#include <stdexcept>
#include <vector>

#include "hornbeam/error.h"
#include "support/environment.h"
#include "unit/view_support.h"

namespace hornbeam::view {
namespace {

TEST(ViewGate, OtherNamesAreRefused) {
  const Gate gate("127.0.0.1", test_token);
  for (const char* host : {"127.0.0.1:8710", "localhost:9999", "localhost", "[::1]:8710", "192.168.1.7:80"}) {
    EXPECT_EQ(status(gate.refusal(question("/", host))), 0U) << host;
  }
  for (const char* host : {"evil.example:8710", "", "localhost.evil.example", "1.2.3.4.evil.example:1", "deadbeef",
                           "[::1].evil.example", "[::1", "localhost:x", "127.0.0.1:8710, evil.example",
                           "evil.example, 127.0.0.1:8710", "localhost, localhost", "evil@localhost"}) {
    EXPECT_EQ(status(gate.refusal(question("/", host))), 403U) << host;
  }
}

TEST(ViewGate, OtherOriginsAreRefused) {
  const Gate gate("127.0.0.1", test_token);
  Question asked = question("/control");
  asked.header["origin"] = "http://127.0.0.1:8710";
  EXPECT_EQ(status(gate.refusal(asked)), 0U);
  for (const char* origin : {"http://evil.example", "null", "https://127.0.0.1:8710", "http://127.0.0.1:8711"}) {
    asked.header["origin"] = origin;
    EXPECT_EQ(status(gate.refusal(asked)), 403U) << origin;
  }
}

TEST(ViewGate, PagesOfOtherSitesAreRefusedOnEveryPath) {
  const Gate gate("127.0.0.1", test_token);
  for (const char* path : {"/", "/state", "/frame", "/energy", "/control", "/nowhere", ""}) {
    for (const char* method : {"GET", "HEAD", "POST", "OPTIONS"}) {
      Question asked = question(path);
      asked.method = method;
      for (const char* site : {"none", "same-origin"}) {
        asked.header["sec-fetch-site"] = site;
        EXPECT_EQ(status(gate.refusal(asked)), 0U) << path << site;
      }
      for (const char* site : {"cross-site", "same-site", "Cross-Site", "x", "same-origin, cross-site"}) {
        asked.header["sec-fetch-site"] = site;
        for (const char* mode : {"", "no-cors", "cors", "same-origin", "websocket", "navigate"}) {
          asked.header["sec-fetch-mode"] = mode;
          const bool opens =
              std::string(path) == "/" && std::string(method) == "GET" && std::string(mode) == "navigate";
          EXPECT_EQ(status(gate.refusal(asked)), opens ? 0U : 403U) << method << path << site << mode;
        }
      }
    }
  }
}

TEST(ViewGate, ALinkOpensThePageInATabAndWithTheToken) {
  const Gate gate("127.0.0.1", test_token);
  Question link = question("/");
  link.header["sec-fetch-site"] = "cross-site";
  link.header["sec-fetch-mode"] = "navigate";
  link.header["sec-fetch-dest"] = "document";
  EXPECT_EQ(status(gate.refusal(link)), 0U);
  for (const char* into : {"iframe", "frame", "embed", "object", "image"}) {
    Question inside = link;
    inside.header["sec-fetch-dest"] = into;
    EXPECT_EQ(status(gate.refusal(inside)), 403U) << into;
  }
  link.query.clear();
  EXPECT_EQ(status(gate.refusal(link)), 403U);
}

TEST(ViewGate, TokensAreNeeded) {
  const Gate gate("0.0.0.0", "abcdefgh");
  for (const char* path : {"/", "/state", "/frame", "/energy", "/control", "/nowhere"}) {
    for (const char* method : {"GET", "POST", "HEAD"}) {
      Question asked = question(path);
      asked.method = method;
      asked.query.clear();
      EXPECT_EQ(status(gate.refusal(asked)), 403U);
      for (const char* wrong : {"", "abcdefg", "abcdefghi", "abcdefgH"}) {
        asked.query["token"] = wrong;
        EXPECT_EQ(status(gate.refusal(asked)), 403U) << wrong;
      }
      asked.query["token"] = "abcdefgh";
      EXPECT_EQ(status(gate.refusal(asked)), 0U);
      asked.query.clear();
      asked.header["authorization"] = "Bearer abcdefgh";
      EXPECT_EQ(status(gate.refusal(asked)), 0U);
      for (const char* wrong : {"Bearer x", "Bearer ", "abcdefgh", "Bearer abcdefgh, Bearer abcdefgh"}) {
        asked.header["authorization"] = wrong;
        EXPECT_EQ(status(gate.refusal(asked)), 403U) << wrong;
      }
    }
  }
  Question asked = question("/");
  asked.query["token"] = "";
  EXPECT_EQ(status(Gate("127.0.0.1", "").refusal(asked)), 403U);  // no token opens nothing
}

TEST(ViewToken, IsRandomUnlessOneIsGiven) {
  const EnvironmentVariable none(token_variable, "");
  EXPECT_NE(random_token(), random_token());
  EXPECT_EQ(random_token().size(), 32U);
  EXPECT_EQ(token_or_random({}).size(), 32U);
  EXPECT_NE(token_or_random({}), token_or_random({}));
  EXPECT_EQ(token_or_random("my-own_token"), "my-own_token");
  for (const char* wrong : {"", "short", "with blanks & so", "zwölf-zeichen"}) {
    EXPECT_THROW(token_or_random(wrong), UsageError) << wrong;
  }
  EXPECT_THROW(token_or_random(std::string(129, 'a')), UsageError);
}

TEST(ViewToken, ComesFromTheEnvironment) {
  const EnvironmentVariable own(token_variable, "of-the-environment");
  EXPECT_EQ(token_or_random({}), "of-the-environment");
  EXPECT_EQ(token_or_random("my-own_token"), "my-own_token");
  const EnvironmentVariable wrong(token_variable, "short");
  EXPECT_THROW(token_or_random({}), UsageError);
}

TEST(ViewToken, ComesFromAFile) {
  const auto file = std::filesystem::temp_directory_path() / ("hornbeam_token_" + std::to_string(::getpid()));
  const auto of = [&](const std::string& text) {
    std::ofstream(file) << text;
    return token_in(file);
  };
  for (const char* text : {"my-own-token", "my-own-token\n", "my-own-token \r\nand more\n"}) {
    EXPECT_EQ(of(text), "my-own-token");
  }
  for (const std::string& text : {std::string(), std::string("\nmy-own-token"), std::string("short\n"),
                                  std::string(100'000, 'a'), std::string("my own token")}) {
    EXPECT_THROW(of(text), UsageError) << text.substr(0, 20);
  }
  std::filesystem::remove(file);
  EXPECT_THROW(token_in(file), Error);
}

TEST(ViewServer, AnswersWhatItKnows) {
  class Nothing : public Source {
   public:
    Json state() override { return {{"title", "nothing"}}; }
    std::optional<FrameFound> frame(const FrameWish& wish) override {
      if (wish.index == 7) throw Error("snapshot_0007.hdf5", "is damaged");
      return {};
    }
    Json energy() override { return Json::object(); }
    void control(Control) override {}
  } source;
  EXPECT_EQ(status(answered(source, question("/"))), 200U);
  EXPECT_EQ(status(answered(source, question("/state"))), 200U);
  EXPECT_EQ(status(answered(source, question("/frame"))), 0U);
  EXPECT_EQ(status(answered(source, question("/etc/passwd"))), 404U);
  EXPECT_EQ(status(answered(source, question("/../view_test.cpp"))), 404U);
  EXPECT_EQ(status(answered(source, question("/control"))), 405U);
  Question asked = question("/frame");
  asked.query["index"] = "7";
  EXPECT_EQ(status(answered(source, asked)), 422U);
  asked.query["index"] = "-1";
  EXPECT_EQ(status(answered(source, asked)), 400U);
  asked = question("/control");
  asked.method = "POST";
  EXPECT_EQ(status(answered(source, asked)), 400U);
  asked.query["do"] = "pause";
  EXPECT_EQ(status(answered(source, asked)), 200U);
  asked.path = "/frame";
  EXPECT_EQ(status(answered(source, asked)), 405U);
}

/// A source of which everything throws.
class Throwing : public Source {
 public:
  explicit Throwing(std::function<void()> act) : act_(std::move(act)) {}
  Json state() override { return thrown(); }
  std::optional<FrameFound> frame(const FrameWish&) override { return thrown(), std::nullopt; }
  Json energy() override { return thrown(); }
  void control(Control) override { thrown(); }

 private:
  Json thrown() {
    act_();
    return {};
  }
  std::function<void()> act_;
};

TEST(ViewServer, WhateverIsThrownIsALine) {
  const std::vector<std::function<void()>> all{[] { throw std::bad_alloc(); },
                                               [] { throw std::length_error("vector"); },
                                               [] { throw std::exception(); },
                                               [] { throw Error("x.hdf5", "is damaged"); },
                                               [] { throw 7; },
                                               [] { throw std::string("text"); }};
  for (const auto& act : all) {
    Throwing source(act);
    for (const char* path : {"/state", "/frame", "/energy", "/control"}) {
      Question asked = question(path);
      if (asked.path == "/control") asked = {"POST", path, {{"do", "pause"}}, {}};
      const std::optional<Answer> answer = answered(source, asked);
      ASSERT_TRUE(answer);
      EXPECT_EQ(answer->status, 422U) << path;
      EXPECT_FALSE(Json::parse(*answer->body[0])["error"].get<std::string>().empty());
    }
  }
}

}  // namespace
}  // namespace hornbeam::view
