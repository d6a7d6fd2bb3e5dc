// SPDX-License-Identifier: Apache-2.0
// The live view without a network: which particles are shown, frames and their messages, who may ask, pauses.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstring>
#include <thread>

#include "hornbeam/error.h"
#include "view/frame.h"
#include "view/history.h"
#include "view/live_source.h"
#include "view/query.h"
#include "view/server.h"
#include "view/thinning.h"

namespace hornbeam::view {
namespace {

Snapshot stars(std::size_t n, std::uint64_t first_id = 0) {
  Snapshot snapshot;
  snapshot.particles.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto x = static_cast<double>(i);
    snapshot.particles.position[i] = {1e6 + x, -x, 0.5};
    snapshot.particles.velocity[i] = {x, 0, 0};
    snapshot.particles.mass[i] = 1;
    snapshot.particles.id[i] = first_id + i;
    snapshot.particles.family[i] = Family::star;
  }
  return snapshot;
}

std::vector<std::uint64_t> shown_ids(const Particles& particles, std::size_t most) {
  std::vector<std::uint64_t> ids;
  for (const std::uint32_t place : shown_places(particles, most)) ids.push_back(particles.id[place]);
  std::sort(ids.begin(), ids.end());
  return ids;
}

/// One array of a message, found as a browser finds it.
template <class T>
std::vector<T> array_in(const std::string& message, const std::string& name) {
  std::uint32_t length = 0;
  std::memcpy(&length, message.data() + 4, 4);
  const Json about = Json::parse(message.substr(8, length));
  std::size_t at = 8 + length;
  for (const Json& array : about["arrays"]) {
    const std::map<std::string, std::size_t> sizes{{"f32", 4}, {"u32", 4}, {"u16", 2}, {"u8", 1}};
    const std::size_t bytes =
        sizes.at(array["type"]) * array["rows"].get<std::size_t>() * array["columns"].get<std::size_t>();
    if (array["name"] == name) {
      std::vector<T> values(bytes / sizeof(T));
      std::memcpy(values.data(), message.data() + at, bytes);
      return values;
    }
    at += (bytes + 3) / 4 * 4;
  }
  return {};
}

std::string whole(const Frame& frame, std::string_view has = "") {
  std::string all;
  for (const auto& part : message_of(frame, has, {{"index", 3}})) all += *part;
  return all;
}

Question question(const std::string& path, const std::string& host = "127.0.0.1:8710") {
  return {"GET", path, {}, {{"host", host}}};
}

unsigned status(const std::optional<Answer>& answer) { return answer ? answer->status : 0; }

TEST(ViewThinning, FewParticlesAreAllShown) {
  EXPECT_EQ(shown_places(stars(0).particles, 10).size(), 0U);
  EXPECT_EQ(shown_places(stars(10).particles, 10).size(), 10U);
}

TEST(ViewThinning, TheSameIdsAreShownWhateverTheirOrder) {
  const Particles one = stars(20000).particles;
  Particles other = one;
  std::reverse(other.id.begin(), other.id.end());
  const auto ids = shown_ids(one, 5000);
  EXPECT_NEAR(static_cast<double>(ids.size()), 5000.0, 5 * std::sqrt(5000.0 * 0.75));  // five standard deviations
  EXPECT_EQ(ids, shown_ids(other, 5000));
}

TEST(ViewThinning, MoreShowsTheSameOnesAndOthers) {
  const Particles particles = stars(20000).particles;
  const auto few_ids = shown_ids(particles, 2000), many = shown_ids(particles, 6000);
  EXPECT_TRUE(std::includes(many.begin(), many.end(), few_ids.begin(), few_ids.end()));
  EXPECT_LT(few_ids.size(), many.size());
}

TEST(ViewThinning, SmallFamiliesAreShownWhole) {
  Particles particles = stars(20000).particles;
  particles.family[17] = particles.family[18000] = Family::black_hole;
  for (const std::size_t most : {1, 100, 5000}) {
    const auto places = shown_places(particles, most);
    EXPECT_TRUE(std::binary_search(places.begin(), places.end(), 17U));
    EXPECT_TRUE(std::binary_search(places.begin(), places.end(), 18000U));
    EXPECT_TRUE(std::is_sorted(places.begin(), places.end()));
  }
}

TEST(ViewFrame, PlacesFarFromTheOriginStayFine) {
  const Snapshot snapshot = stars(101);
  const Frame frame = make_frame(snapshot, "", 1000);
  const auto x = array_in<float>(whole(frame), "position");
  ASSERT_EQ(x.size(), 303U);
  EXPECT_EQ(frame.about["origin"][0].get<double>(), 1e6 + 50);
  EXPECT_EQ(x[0], -50.0F);
  EXPECT_EQ(x[301], -50.0F);
}

TEST(ViewFrame, ValuesAreUpperHalvesOfFloats) {
  const Frame frame = make_frame(stars(7), "speed", 1000);
  const auto values = array_in<std::uint16_t>(whole(frame), "value");
  ASSERT_EQ(values.size(), 7U);
  EXPECT_EQ(values[0], 0);
  for (std::size_t k = 1; k < 7; ++k) {
    const auto speed = std::bit_cast<float>(static_cast<std::uint32_t>(values[k]) << 16);
    EXPECT_NEAR(speed, static_cast<float>(k), static_cast<float>(k) / 128);  // seven bits of mantissa
  }
  EXPECT_EQ(half_of(-1), 0);
  EXPECT_EQ(half_of(std::nan("")), 0);
  EXPECT_EQ(half_of(1e300), 0x7f7f);  // the largest float, not infinity
}

TEST(ViewFrame, BodiesAreSentOnce) {
  const Frame frame = make_frame(stars(5), "", 1000), later = make_frame(stars(5), "speed", 1000);
  EXPECT_EQ(frame.bodies_key, later.bodies_key);
  EXPECT_EQ(array_in<std::uint32_t>(whole(frame), "id"), (std::vector<std::uint32_t>{0, 1, 2, 3, 4}));
  EXPECT_TRUE(array_in<std::uint32_t>(whole(later, frame.bodies_key), "id").empty());
  EXPECT_EQ(array_in<float>(whole(later, frame.bodies_key), "position").size(), 15U);
  EXPECT_NE(make_frame(stars(5, 1), "", 1000).bodies_key, frame.bodies_key);
}

TEST(ViewFrame, LargeIdsHaveTwoWords) {
  const std::uint64_t large = (std::uint64_t{7} << 32) + 5;
  const auto id = array_in<std::uint32_t>(whole(make_frame(stars(1, large), "", 10)), "id");
  EXPECT_EQ(id, (std::vector<std::uint32_t>{5, 7}));
}

TEST(ViewFrame, ColoursAreThoseThatAreThere) {
  Snapshot snapshot = stars(3);
  EXPECT_EQ(colours_of(snapshot.particles), (std::vector<std::string>{"mass", "speed"}));
  snapshot.particles.density = {1, 2, 4};
  EXPECT_EQ(colours_of(snapshot.particles).front(), "density");
  const auto values = array_in<std::uint16_t>(whole(make_frame(snapshot, "density", 10)), "value");
  EXPECT_EQ(values, (std::vector<std::uint16_t>{half_of(1), half_of(2), half_of(4)}));
  EXPECT_TRUE(make_frame(snapshot, "potential", 10).about["colour"].is_null());
  EXPECT_TRUE(colours_of(Particles()).size() <= 1);
}

TEST(ViewFrame, NoParticlesMakeAFrame) {
  const std::string message = whole(make_frame(stars(0), "speed", 10));
  EXPECT_EQ(message.substr(0, 4), "HBV1");
  EXPECT_EQ(message.find("null,null"), std::string::npos);
}

TEST(ViewQuery, IsDecoded) {
  std::string path;
  std::map<std::string, std::string> query;
  split_target("/a%20b?index=3&colour=internal%5Fenergy&&x&y=%zz&index=4", path, query);
  EXPECT_EQ(path, "/a b");
  EXPECT_EQ(query, (std::map<std::string, std::string>{
                       {"index", "3"}, {"colour", "internal_energy"}, {"x", ""}, {"y", "%zz"}}));
}

TEST(ViewGate, OtherNamesAreRefused) {
  const Gate gate("127.0.0.1", "");
  for (const char* host : {"127.0.0.1:8710", "localhost:9999", "localhost", "[::1]:8710", "192.168.1.7:80"}) {
    EXPECT_EQ(status(gate.refusal(question("/", host))), 0U) << host;
  }
  for (const char* host : {"evil.example:8710", "", "localhost.evil.example", "1.2.3.4.evil.example:1", "deadbeef"}) {
    EXPECT_EQ(status(gate.refusal(question("/", host))), 403U) << host;
  }
}

TEST(ViewGate, OtherOriginsAreRefused) {
  const Gate gate("127.0.0.1", "");
  Question asked = question("/control");
  asked.header["origin"] = "http://127.0.0.1:8710";
  EXPECT_EQ(status(gate.refusal(asked)), 0U);
  for (const char* origin : {"http://evil.example", "null", "https://127.0.0.1:8710", "http://127.0.0.1:8711"}) {
    asked.header["origin"] = origin;
    EXPECT_EQ(status(gate.refusal(asked)), 403U) << origin;
  }
}

TEST(ViewGate, TokensAreNeeded) {
  const Gate gate("0.0.0.0", "abcdefgh");
  Question asked = question("/frame");
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
  asked.header["authorization"] = "Bearer x";
  EXPECT_EQ(status(gate.refusal(asked)), 403U);
  EXPECT_NE(random_token(), random_token());
  EXPECT_EQ(random_token().size(), 32U);
}

TEST(ViewHistory, StaysSmallAndShowsTheWholeCourse) {
  EnergyHistory history;
  for (int k = 0; k <= 10000; ++k) history.add({0.5 * k, 1.0 * k, -1, 1e-6 * k});
  const Json json = history.json();
  EXPECT_LE(json["time"].size(), EnergyHistory::most + 1);
  EXPECT_GE(json["time"].size(), EnergyHistory::most / 2);
  EXPECT_EQ(json["time"].front(), 0.0);
  EXPECT_EQ(json["step"].back(), 10000.0);
  const auto times = json["time"].get<std::vector<double>>();
  EXPECT_TRUE(std::is_sorted(times.begin(), times.end()));
  EXPECT_TRUE(EnergyHistory().json()["time"].empty());
}

/// A simulation whose steps only count.
struct Counting {
  std::uint64_t step = 0;
  int copies = 0;
  Shot shot() {
    ++copies;
    Shot made;
    made.snapshot = stars(4);
    made.step = step;
    made.changes = 1 + step;
    return made;
  }
};

TEST(ViewLive, CostsNothingWhereNobodyLooks) {
  Counting counting;
  LiveSource live(
      "test", -1, [](std::uint64_t) { return std::optional<Shot>(); }, 0, 100);
  live.at_work(true);
  for (; counting.step < 100; ++counting.step) {
    live.between_steps(
        true, 1 + counting.step, [&] { return counting.shot(); }, [] { return false; });
  }
  EXPECT_EQ(counting.copies, 0);
  EXPECT_FALSE(live.frame({}));  // somebody looks from now on
  live.between_steps(
      true, 1 + counting.step, [&] { return counting.shot(); }, [] { return false; });
  const auto found = live.frame({});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->more["step"], 100);
  EXPECT_EQ(counting.copies, 1);
  FrameWish later;
  later.after = found->more["version"];
  EXPECT_FALSE(live.frame(later));
  live.between_steps(
      true, 1 + counting.step, [&] { return counting.shot(); }, [] { return false; });
  EXPECT_EQ(counting.copies, 1);  // nothing has changed
}

TEST(ViewLive, IsFetchedAtRest) {
  Counting counting;
  LiveSource live(
      "test", -1,
      [&](std::uint64_t known) { return known == 1 + counting.step ? std::optional<Shot>() : counting.shot(); }, 0,
      100);
  const auto found = live.frame({});
  ASSERT_TRUE(found);
  FrameWish later;
  later.after = found->more["version"];
  EXPECT_FALSE(live.frame(later));
  counting.step = 5;
  std::this_thread::sleep_for(std::chrono::milliseconds(20));  // copies take a sixth of the time
  ASSERT_TRUE(live.frame(later));
  EXPECT_EQ(live.frame(later)->more["step"], 5);
}

TEST(ViewLive, StepsWaitWhilePaused) {
  Counting counting;
  LiveSource live(
      "test", -1, [](std::uint64_t) { return std::optional<Shot>(); }, 0, 100);
  std::atomic<std::uint64_t> made{0};
  std::atomic<bool> stop{false};
  live.control(Control::pause);
  std::thread simulation([&] {
    for (; made < 1000 && !stop; ++made) {
      live.between_steps(
          true, 1 + made, [&] { return counting.shot(); }, [&] { return stop.load(); });
      if (stop) break;
    }
  });
  const auto settled = [&](std::uint64_t steps) {
    for (int k = 0; k < 200 && made != steps; ++k) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    return made == steps;
  };
  EXPECT_TRUE(settled(0));
  EXPECT_EQ(live.state()["status"], "paused");
  live.control(Control::step);
  EXPECT_TRUE(settled(1));
  live.control(Control::step);
  live.control(Control::step);
  EXPECT_TRUE(settled(3));
  live.control(Control::go_on);
  EXPECT_TRUE(settled(1000));
  simulation.join();
  live.control(Control::pause);
  std::thread waiting([&] {
    live.between_steps(
        true, 0, [&] { return counting.shot(); }, [&] { return stop.load(); });
  });
  stop = true;  // Ctrl-C
  waiting.join();
  std::thread ended([&] {
    live.between_steps(
        true, 0, [&] { return counting.shot(); }, [] { return false; });
  });
  live.end();
  ended.join();
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

}  // namespace
}  // namespace hornbeam::view
