// SPDX-License-Identifier: Apache-2.0
// What the tests of files share: a sample snapshot, a folder that vanishes, raw bytes, and the text of an error.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "hornbeam/error.h"
#include "hornbeam/io.h"
#include "io/files/bytes.h"

namespace hornbeam::test {

namespace fs = std::filesystem;

/// A folder of its own, removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "hornbeam_io_XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw Error(name, "cannot create");
    path_ = name;
  }
  ~TemporaryFolder() { fs::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] fs::path operator/(const std::string& name) const { return path_ / name; }
  [[nodiscard]] const fs::path& path() const { return path_; }
  [[nodiscard]] std::size_t count_files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(path_), fs::directory_iterator()));
  }

 private:
  fs::path path_;
};

inline std::vector<std::byte> read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

inline void write_file(const fs::path& path, io::Bytes bytes) {
  std::ofstream out(path, std::ios::binary);
  out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}
inline void write_file(const fs::path& path, const std::string& text) {
  write_file(path, std::as_bytes(std::span(text)));
}

template <class T>
void overwrite(std::vector<std::byte>& file, std::size_t offset, T value) {
  const auto bytes = io::to_bytes(value, false);
  std::copy(bytes.begin(), bytes.end(), file.begin() + static_cast<std::ptrdiff_t>(offset));
}

/// What `action` throws says; empty where it throws nothing.
inline std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

inline bool contains(const std::vector<std::string>& sentences, const std::string& part) {
  return std::any_of(sentences.begin(), sentences.end(),
                     [&](const std::string& sentence) { return sentence.find(part) != std::string::npos; });
}

/// `per_family` particles of each family in the order of families, every optional array filled.
/// Gas alone has internal energy, density and smoothing length; ids are unique, unordered and below 2^31.
inline Snapshot sample(std::size_t per_family, bool physical = false) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  Snapshot s;
  Particles& p = s.particles;
  const std::size_t n = per_family * family_count;
  p.resize(n);
  for (auto* array : {&p.eps, &p.internal_energy, &p.density, &p.smoothing_length, &p.potential}) array->resize(n);
  p.acceleration.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (auto* vectors : {&p.position, &p.velocity, &p.acceleration}) {
      for (double& x : (*vectors)[i]) x = uniform(random);
    }
    p.mass[i] = 1.5 + uniform(random);
    p.eps[i] = 0.02 + 0.01 * uniform(random);
    p.potential[i] = -2.0 + uniform(random);
    p.id[i] = 1000 + 7919 * i % 104729;
    p.family[i] = static_cast<Family>(i / per_family);
    if (p.family[i] != Family::gas) continue;
    p.internal_energy[i] = 3.0 + uniform(random);
    p.density[i] = 5.0 + uniform(random);
    p.smoothing_length[i] = 0.2 + 0.1 * uniform(random);
  }
  s.time = 1.25;
  s.box_size = 8.0;
  if (physical) s.units = Units::galactic();
  return s;
}

/// Every number of two arrays within a relative `tolerance`.
inline void expect_close(const std::vector<double>& found, const std::vector<double>& expected, double tolerance,
                         const char* name) {
  ASSERT_EQ(found.size(), expected.size()) << name;
  for (std::size_t i = 0; i < found.size(); ++i) {
    ASSERT_LE(std::abs(found[i] - expected[i]), tolerance * std::abs(expected[i])) << name << " of particle " << i;
  }
}
inline void expect_close(const std::vector<Vec3>& found, const std::vector<Vec3>& expected, double tolerance,
                         const char* name) {
  const auto flat = [](const std::vector<Vec3>& vectors) {
    std::vector<double> numbers;
    for (const Vec3& v : vectors) numbers.insert(numbers.end(), v.begin(), v.end());
    return numbers;
  };
  expect_close(flat(found), flat(expected), tolerance, name);
}

}  // namespace hornbeam::test
