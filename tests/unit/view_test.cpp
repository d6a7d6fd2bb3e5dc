// SPDX-License-Identifier: Apache-2.0
// Frames of the live view: which particles are shown, frames and their messages, requests, energies.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "unit/view_support.h"
#include "view/frame.h"
#include "view/history.h"
#include "view/query.h"
#include "view/thinning.h"

namespace hornbeam::view {
namespace {

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

TEST(ViewFrame, AnotherColourIsThatOfAnotherFrame) {
  const Snapshot snapshot = stars(2000);
  for (const std::size_t most : {100, 5000}) {
    const Frame plain = make_frame(snapshot, "", most);
    for (const char* colour : {"speed", "mass", "", "no such colour"}) {
      const Frame other = recoloured(make_frame(snapshot, "speed", most), snapshot, colour, most);
      EXPECT_EQ(whole(other), whole(make_frame(snapshot, colour, most))) << colour;
      EXPECT_EQ(other.places[0].bytes->size(), plain.places[0].bytes->size());
    }
    const Frame shared = recoloured(plain, snapshot, "speed", most);
    EXPECT_EQ(shared.places[0].bytes, plain.places[0].bytes);
    EXPECT_EQ(shared.bodies[0].bytes, plain.bodies[0].bytes);
  }
}

TEST(ViewFrame, WhatIsNoColourIsNone) {
  const Frame plain = make_frame(stars(3), "", 10), coloured = make_frame(stars(3), "speed", 10);
  for (const char* unknown : {"", "x", "density", "position", "SPEED"}) {
    EXPECT_TRUE(plain.shows(unknown)) << unknown;
    EXPECT_FALSE(coloured.shows(unknown)) << unknown;
  }
  EXPECT_FALSE(plain.shows("speed"));
  EXPECT_TRUE(coloured.shows("speed"));
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

}  // namespace
}  // namespace hornbeam::view
