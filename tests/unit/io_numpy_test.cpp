// SPDX-License-Identifier: Apache-2.0
// NumPy's arrays and archives: every layout that they may have, and damaged, cut, foreign and pickled ones.
// tests/cli/test_numpy.py reads and writes them with NumPy itself.
#include "io/arrays/numpy.h"

#include "io/arrays/npy.h"
#include "io/arrays/zip.h"
#include "io_support.h"

namespace hornbeam {
namespace {

using namespace test;

std::string text_of(io::Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

template <class T>
std::string npy(const std::string& descr, const std::vector<std::uint64_t>& shape, const std::vector<T>& values,
                bool swapped = false) {
  std::string text = io::npy_header(descr, shape);
  for (const T value : values) text += text_of(io::to_bytes(value, swapped));
  return text;
}

std::string header(const std::string& dictionary) {
  return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(dictionary.size()) + '\0' + dictionary;
}

Snapshot parsed_array(const std::string& file, io::Lacking lacking = io::Lacking::refused) {
  return io::parse_numpy(std::as_bytes(std::span(file)), "a.npy", lacking);
}
std::string array_refusal(const std::string& file, io::Lacking lacking = io::Lacking::refused) {
  return error_of([&] { parsed_array(file, lacking); });
}

/// An archive of stored members.
std::string zipped(const std::vector<std::pair<std::string, std::string>>& members,
                   std::uint64_t largest = 0xFFFFFFFF) {
  const TemporaryFolder folder;
  io::ReplacedFile file(folder / "a.npz");
  io::FileWriter out(file);
  io::ZipWriter zip(out, largest);
  for (const auto& [name, contents] : members) {
    zip.add(name, [&](const io::ZipWriter::Sink& sink) { sink(std::as_bytes(std::span(contents))); });
  }
  zip.finish();
  out.flush();
  file.commit();
  return text_of(read_file(folder / "a.npz"));
}

const std::vector<double> two_rows{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14};

TEST(NumpyArray, SevenColumnsArePositionsVelocitiesAndMasses) {
  const Particles p = parsed_array(npy("<f8", {2, 7}, two_rows)).particles;
  EXPECT_EQ(p.position[1], (Vec3{8, 9, 10}));
  EXPECT_EQ(p.velocity[0], (Vec3{4, 5, 6}));
  EXPECT_EQ(p.mass, (std::vector<double>{7, 14}));
}

TEST(NumpyArray, TypesOrdersAndVersions) {
  const Particles expected = parsed_array(npy("<f8", {2, 7}, two_rows)).particles;
  const std::vector<float> singles(two_rows.begin(), two_rows.end());
  const std::vector<std::int16_t> whole(two_rows.begin(), two_rows.end());
  std::vector<double> columns;  // Fortran's order
  for (std::size_t k = 0; k < 7; ++k) columns.insert(columns.end(), {two_rows[k], two_rows[k + 7]});
  std::string fortran = npy("<f8", {2, 7}, columns);
  fortran.replace(fortran.find("False"), 5, "True ");
  std::string second_version = npy("<f8", {2, 7}, two_rows);
  second_version[6] = 2;
  second_version.insert(10, 2, '\0');
  for (const std::string& file :
       {npy(">f8", {2, 7}, two_rows, true), npy("<f4", {2, 7}, singles), npy(">f4", {2, 7}, singles, true),
        npy(">i2", {2, 7}, whole, true), fortran, second_version}) {
    const Particles found = parsed_array(file).particles;
    EXPECT_EQ(found.position, expected.position);
    EXPECT_EQ(found.velocity, expected.velocity);
    EXPECT_EQ(found.mass, expected.mass);
  }
}

TEST(NumpyArray, PositionsAloneAreEnoughOnlyWhereTheCallerSaysSo) {
  const std::string file = npy("<f8", {2, 3}, std::vector<double>{1, 2, 3, 4, 5, 6});
  EXPECT_NE(array_refusal(file).find("without velocity mass"), std::string::npos) << array_refusal(file);
  const Snapshot found = parsed_array(file, io::Lacking::assumed);
  EXPECT_EQ(found.particles.velocity, (std::vector<Vec3>{Vec3{}, Vec3{}}));
  EXPECT_EQ(found.particles.mass, (std::vector<double>{0.5, 0.5}));
  EXPECT_TRUE(contains(found.notes, "no velocities: 0 is assumed"));
  EXPECT_TRUE(contains(found.notes, "no masses: 1/2 is assumed for each"));
  const std::string with_mass = npy("<f8", {1, 4}, std::vector<double>{1, 2, 3, 4});
  EXPECT_EQ(parsed_array(with_mass, io::Lacking::assumed).particles.mass, std::vector<double>{4});
}

TEST(NumpyArray, EveryCutIsRefused) {
  const std::string file = npy("<f8", {2, 7}, two_rows);
  for (std::size_t size = 0; size < file.size(); ++size) EXPECT_NE(array_refusal(file.substr(0, size)), "") << size;
  EXPECT_NE(array_refusal(file + "x"), "");
}

TEST(NumpyArray, WhatIsNoNumberIsRefused) {
  const std::string rest(64, '\0');
  const std::vector<std::pair<std::string, std::string>> headers{
      {"{'descr': '|O', 'fortran_order': False, 'shape': (8,)}", "Python objects (pickled)"},
      {"{'descr': [('x', '<f8')], 'fortran_order': False, 'shape': (8,)}", "structured"},
      {"{'descr': '<c16', 'fortran_order': False, 'shape': (4,)}", "type <c16"},
      {"{'descr': '<U4', 'fortran_order': False, 'shape': (4,)}", "type <U4"},
      {"{'descr': '<f8', 'fortran_order': Maybe, 'shape': (8,)}", "neither True nor False"},
      {"{'descr': '<f8', 'shape': (8,)}", "no entry fortran_order"},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': (8,), 'more': 1}", "unknown entry more"},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': (-8,)}", "not made of whole numbers"},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, 4294967296)}", "truncated or damaged"},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': (8", "damaged"},
      {"", "damaged"},
      {"import os", "damaged"}};
  for (const auto& [dictionary, part] : headers) {
    const std::string error = array_refusal(header(dictionary) + rest);
    EXPECT_EQ(error.find("a.npy: "), 0u) << dictionary;
    EXPECT_NE(error.find(part), std::string::npos) << dictionary << ": " << error;
  }
  EXPECT_NE(array_refusal(npy("<f8", {3, 2}, std::vector<double>(6))).find("shape (3, 2)"), std::string::npos);
}

std::vector<std::pair<std::string, std::string>> members() {
  return {{"pos.npy", npy("<f8", {2, 3}, std::vector<double>{1, 2, 3, 4, 5, 6})},
          {"vel.npy", npy("<f8", {2, 3}, std::vector<double>(6, 0.5))},
          {"m.npy", npy("<f8", {}, std::vector<double>{0.25})},
          {"ParticleIDs.npy", npy("<i4", {2}, std::vector<std::int32_t>{9, 7})},
          {"type.npy", npy("|u1", {2}, std::vector<std::uint8_t>{4, 2})},
          {"time.npy", npy("<f8", {}, std::vector<double>{2.5})},
          {"colour.npy", npy("<f8", {2}, std::vector<double>(2))}};
}

TEST(NumpyArchive, NamesThatPeopleUseTellTheFields) {
  const Snapshot found = parsed_array(zipped(members()));
  const Particles& p = found.particles;
  EXPECT_EQ(p.position[1], (Vec3{4, 5, 6}));
  EXPECT_EQ(p.mass, (std::vector<double>{0.25, 0.25}));  // one number is that of each
  EXPECT_EQ(p.id, (std::vector<std::uint64_t>{9, 7}));
  EXPECT_EQ(p.family, (std::vector<Family>{Family::star, Family::disc}));
  EXPECT_EQ(found.time, 2.5);
  EXPECT_TRUE(contains(found.notes, "array colour is not read"));
}

TEST(NumpyArchive, AxesMayStandApart) {
  const auto axis = [](double a, double b) { return npy("<f8", {2}, std::vector<double>{a, b}); };
  std::vector<std::pair<std::string, std::string>> apart{
      {"x.npy", axis(1, 4)}, {"z.npy", axis(3, 6)}, {"y.npy", axis(2, 5)}};
  const Snapshot found = parsed_array(zipped(apart), io::Lacking::assumed);
  EXPECT_EQ(found.particles.position, (std::vector<Vec3>{{1, 2, 3}, {4, 5, 6}}));
  apart.pop_back();
  EXPECT_NE(array_refusal(zipped(apart), io::Lacking::assumed).find("of the three axes of position"),
            std::string::npos);
}

TEST(NumpyArchive, KeepsEverythingThatASnapshotHolds) {
  const TemporaryFolder folder;
  Snapshot start = sample(3, true);
  EXPECT_TRUE(write_snapshot(folder / "a.npz", start).empty());
  const Snapshot found = read_snapshot(folder / "a.npz");
  EXPECT_TRUE(found.has_units);
  EXPECT_EQ(found.units.physical, true);
  EXPECT_EQ(found.units.G, start.units.G);
  EXPECT_EQ(found.units.length_cm, start.units.length_cm);
  EXPECT_EQ(found.particles.eps, start.particles.eps);
  write_snapshot(folder / "b.npz", start);
  EXPECT_EQ(read_file(folder / "a.npz"), read_file(folder / "b.npz"));
}

TEST(NumpyArchive, LargeSizesTakeTheirOwnFields) {
  const std::string usual = zipped(members()), large = zipped(members(), 1);
  EXPECT_GT(large.size(), usual.size());
  EXPECT_EQ(parsed_array(large).particles.position, parsed_array(usual).particles.position);
}

TEST(NumpyArchive, EveryCutAndEveryChangedByteOfAnArrayIsRefused) {
  const std::string file = zipped(members());
  for (std::size_t size = 0; size < file.size(); ++size) EXPECT_NE(array_refusal(file.substr(0, size)), "") << size;
  const std::size_t start = file.find("NUMPY"), end = file.find("colour");
  for (std::size_t at = start; at + 1 < end; at += 7) {
    std::string changed = file;
    changed[at] ^= 1;
    const std::string error = array_refusal(changed);  // headers of members, which the directory repeats, may change
    const bool in_header = error.empty();
    EXPECT_TRUE(!in_header || parsed_array(changed).particles.position == parsed_array(file).particles.position) << at;
  }
}

TEST(NumpyArchive, RefusesWhatItCannotTell) {
  const auto with = [](const std::string& name, const std::string& contents) {
    auto all = members();
    all.emplace_back(name, contents);
    return array_refusal(zipped(all));
  };
  EXPECT_NE(with("position.npy", "").find("arrays pos and position both hold the same quantity"), std::string::npos);
  EXPECT_NE(with("eps.npy", npy("<f8", {3}, std::vector<double>(3))).find("must be (2,)"), std::string::npos);
  EXPECT_NE(with("eps.npy", "text").find("array eps: is not a NumPy array"), std::string::npos);
  EXPECT_NE(with("length_cm.npy", npy("<f8", {}, std::vector<double>{1})).find("only some of its units"),
            std::string::npos);
  auto without = members();
  without.erase(without.begin() + 1);
  EXPECT_NE(array_refusal(zipped(without)).find("has no array velocity"), std::string::npos);
  without = members();
  without[4].second = npy("|u1", {2}, std::vector<std::uint8_t>{4, 6});
  EXPECT_NE(array_refusal(zipped(without)).find("from 0 to 5"), std::string::npos);
}

}  // namespace
}  // namespace hornbeam
