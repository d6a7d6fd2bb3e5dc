// SPDX-License-Identifier: Apache-2.0
// The OpenCL device below the pipeline: memory, stamps, sort and scan, and programs kept on disk. Runs on the device
// that HORNBEAM_TEST_OPENCL_DEVICE numbers, the first one without it (GPUs come first).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <random>
#include <thread>

#include "device/opencl/opencl_device.h"
#include "hornbeam/error.h"
#include "support/devices.h"

namespace hornbeam {
namespace {

int device_asked_for() {
  const char* index = std::getenv("HORNBEAM_TEST_OPENCL_DEVICE");
  return index == nullptr ? 0 : std::atoi(index);
}

class OpenClDevice : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::vector<DeviceInfo> list = list_opencl_devices();
    if (list.empty()) GTEST_SKIP() << absent("opencl", "no OpenCL device (package pocl-opencl-icd)");
    device = open_opencl_device(device_asked_for());
    RecordProperty("device", device->description());
  }

  template <class T>
  DeviceArray<T> on_device(const std::vector<T>& values) {
    DeviceArray<T> buffer(*device);
    buffer.reserve(std::max<std::size_t>(1, values.size()) * sizeof(T));
    device->upload(buffer, 0, values.data(), values.size() * sizeof(T));
    return buffer;
  }
  template <class T>
  std::vector<T> on_host(const Buffer& buffer, std::size_t n) {
    std::vector<T> values(n);
    device->download(values.data(), buffer, 0, n * sizeof(T));
    return values;
  }

  std::unique_ptr<Device> device;
};
using OpenClDeviceLong = OpenClDevice;

TEST_F(OpenClDevice, SaysWhatItIs) {
  const DeviceInfo info = list_opencl_devices()[static_cast<std::size_t>(device_asked_for())];
  EXPECT_EQ(device->backend(), "opencl");
  EXPECT_EQ(device->description(), info.device);
  EXPECT_EQ(device->memory_bytes(), info.memory_bytes);
  EXPECT_GT(device->memory_bytes(), 0U);
  EXPECT_TRUE(device->has(Precision::single));
  std::cout << "device: " << device->description() << "\n";
}

TEST_F(OpenClDevice, RefusesAnIndexThatIsNotThere) {
  EXPECT_THROW(open_opencl_device(-1), NoDevice);
  EXPECT_THROW(open_opencl_device(1000), NoDevice);
}

TEST_F(OpenClDevice, BringsBackWhatWasSent) {
  std::vector<std::uint32_t> values(1003);
  std::iota(values.begin(), values.end(), 7U);
  auto buffer = on_device(values);
  EXPECT_EQ(on_host<std::uint32_t>(buffer, values.size()), values);

  const std::uint32_t patch[] = {1, 2, 3};
  device->upload(buffer, 500 * sizeof(std::uint32_t), patch, sizeof(patch));
  std::copy(std::begin(patch), std::end(patch), values.begin() + 500);
  EXPECT_EQ(on_host<std::uint32_t>(buffer, values.size()), values);
  std::uint32_t part[2] = {};
  device->download(part, buffer, 501 * sizeof(std::uint32_t), sizeof(part));
  EXPECT_EQ(part[0], 2U);
  EXPECT_EQ(part[1], 3U);
}

TEST_F(OpenClDevice, CopiesAndClears) {
  std::vector<std::uint8_t> values(1003, 0x5a);
  const Buffer from = on_device(values);
  Buffer to = on_device(std::vector<std::uint8_t>(1003, 1));
  device->copy(to, from, 1000);
  std::fill(values.begin() + 1000, values.end(), std::uint8_t{1});
  EXPECT_EQ(on_host<std::uint8_t>(to, 1003), values);
  for (const std::size_t bytes : {std::size_t{1}, std::size_t{48}, std::size_t{250}, std::size_t{1003}}) {
    device->clear(to, bytes);
    std::fill(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(bytes), std::uint8_t{0});
    EXPECT_EQ(on_host<std::uint8_t>(to, 1003), values) << bytes;
  }
}

TEST_F(OpenClDevice, CountsItsMemoryAndSaysWhatIsShort) {
  const std::uint64_t before = device->free_bytes();
  Buffer buffer(*device);
  buffer.reserve(1 << 20);
  EXPECT_EQ(device->free_bytes(), before - (1 << 20));
  buffer.release();
  EXPECT_EQ(device->free_bytes(), before);
  try {
    buffer.reserve(device->memory_bytes() + (std::size_t{1} << 20));
    FAIL() << "more memory than there is";
  } catch (const Error& e) {
    const std::string said = e.what();
    const std::uint64_t needed = (device->memory_bytes() + (2U << 20) - 1) >> 20;  // rounded up
    const std::string expected =
        std::to_string(needed) + " MiB of device memory are needed, " + std::to_string(before >> 20) + " MiB of ";
    EXPECT_NE(said.find(expected), std::string::npos) << said;
    EXPECT_NE(said.find("use fewer particles"), std::string::npos) << said;
  }
  EXPECT_EQ(buffer.handle(), nullptr);
  EXPECT_EQ(device->free_bytes(), before);  // nothing was lost
}

TEST_F(OpenClDevice, StampsAreSecondsApart) {
  auto buffer = on_device(std::vector<std::uint32_t>(1 << 20, 1));
  const int start = device->stamp();
  device->exclusive_scan(buffer, 1 << 20);
  const int middle = device->stamp();
  device->exclusive_scan(buffer, 1 << 20);
  const int end = device->stamp();
  EXPECT_GT(device->seconds(start, middle), 0.0);
  EXPECT_GT(device->seconds(middle, end), 0.0);
  EXPECT_LT(device->seconds(start, end), 60.0);
  EXPECT_NEAR(device->seconds(start, end), device->seconds(start, middle) + device->seconds(middle, end), 1e-9);
  for (int k = 0; k < 4096; ++k) device->stamp();
  EXPECT_THROW(device->seconds(start, end), Error);  // forgotten
}

TEST_F(OpenClDevice, ScansLikeTheSequentialSum) {
  std::mt19937 random(5);
  for (const std::int64_t n : {0, 1, 2, 255, 256, 257, 2047, 2048, 2049, 100000, 2048 * 2048, 2048 * 2048 + 12345}) {
    std::vector<std::uint32_t> values(static_cast<std::size_t>(n));
    for (std::uint32_t& value : values) value = random() % 1000;  // sums pass 2^31 at the largest n, none passes 2^32
    auto buffer = on_device(values);
    device->exclusive_scan(buffer, n);
    std::exclusive_scan(values.begin(), values.end(), values.begin(), 0U);
    EXPECT_EQ(on_host<std::uint32_t>(buffer, values.size()), values) << n;
  }
}

enum class Keys { random, few, equal, reversed };

std::vector<std::uint64_t> make_keys(Keys kind, std::size_t n) {
  std::mt19937_64 random(11);
  std::vector<std::uint64_t> keys(n);
  for (std::size_t i = 0; i < n; ++i) {
    switch (kind) {
      case Keys::random:
        keys[i] = random();
        break;
      case Keys::few:
        keys[i] = (random() % 5) * 0x1111'2222'3333'4444U;
        break;
      case Keys::equal:
        keys[i] = 0x0123'4567'89ab'cdefU;
        break;
      case Keys::reversed:
        keys[i] = (n - i) << 8;
        break;
    }
  }
  return keys;
}

struct Sorted {
  std::vector<std::uint64_t> keys;
  std::vector<std::uint32_t> values;
};

Sorted sort_on_host(const std::vector<std::uint64_t>& keys, int begin, int end) {
  const std::uint64_t mask = (std::uint64_t{1} << end) - (std::uint64_t{1} << begin);
  Sorted sorted{keys, std::vector<std::uint32_t>(keys.size())};
  std::iota(sorted.values.begin(), sorted.values.end(), 0U);
  std::stable_sort(sorted.values.begin(), sorted.values.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return (keys[a] & mask) < (keys[b] & mask); });
  for (std::size_t i = 0; i < keys.size(); ++i) sorted.keys[i] = keys[sorted.values[i]];
  return sorted;
}

class OpenClSort : public OpenClDevice, public ::testing::WithParamInterface<Keys> {
 protected:
  Sorted sort_on_device(const std::vector<std::uint64_t>& input, int begin, int end) {
    std::vector<std::uint32_t> places(input.size());
    std::iota(places.begin(), places.end(), 0U);
    auto keys = on_device(input);
    auto values = on_device(places);
    DeviceArray<std::uint64_t> spare_keys(*device);
    DeviceArray<std::uint32_t> spare_values(*device);
    spare_keys.reserve(keys.bytes());
    spare_values.reserve(values.bytes());
    EXPECT_EQ(
        device->sort_pairs(keys, spare_keys, values, spare_values, static_cast<std::int64_t>(input.size()), begin, end),
        begin);
    return {on_host<std::uint64_t>(keys, input.size()), on_host<std::uint32_t>(values, input.size())};
  }
};

// The most take launches of 65,535 items and more, which PoCL compiles apart.
TEST_P(OpenClSort, IsTheStableSort) {
  for (const std::size_t n : {0, 1, 2, 255, 256, 257, 2048, 2049, 100000, 530000}) {
    const std::vector<std::uint64_t> keys = make_keys(GetParam(), n);
    for (const auto& [begin, end] : {std::pair{0, 63}, {0, 33}, {0, 1}, {23, 63}, {50, 63}}) {
      const Sorted expected = sort_on_host(keys, begin, end), found = sort_on_device(keys, begin, end);
      EXPECT_EQ(found.keys, expected.keys) << n << " keys, bits " << begin << " to " << end;
      EXPECT_EQ(found.values, expected.values) << n << " keys, bits " << begin << " to " << end;
    }
  }
}

std::string name_of(const ::testing::TestParamInfo<Keys>& info) {
  constexpr const char* names[] = {"random", "few", "equal", "reversed"};
  return names[static_cast<int>(info.param)];
}

INSTANTIATE_TEST_SUITE_P(Keys, OpenClSort, ::testing::Values(Keys::random, Keys::few, Keys::equal, Keys::reversed),
                         name_of);

TEST_F(OpenClDeviceLong, TimesOfSortAndScan) {
  constexpr std::int64_t n = 1 << 24;
  const std::vector<std::uint64_t> input = make_keys(Keys::random, n);
  DeviceArray<std::uint64_t> keys(*device), spare_keys(*device);
  DeviceArray<std::uint32_t> values(*device), spare_values(*device);
  for (Buffer* buffer : {&keys, &spare_keys}) buffer->reserve(n * sizeof(std::uint64_t));
  for (Buffer* buffer : {&values, &spare_values}) buffer->reserve(n * sizeof(std::uint32_t));
  for (int round = 0; round < 4; ++round) {  // the first one builds the program
    device->upload(keys, 0, input.data(), n * sizeof(std::uint64_t));
    const int start = device->stamp();
    device->sort_pairs(keys, spare_keys, values, spare_values, n, 0, 63);
    const int sorted = device->stamp();
    device->exclusive_scan(values, n);
    const int end = device->stamp();
    std::cout << "2^24: sort of 63 bits " << 1e3 * device->seconds(start, sorted) << " ms, scan "
              << 1e3 * device->seconds(sorted, end) << " ms\n";
  }
  const auto found = on_host<std::uint64_t>(keys, n);
  const std::uint64_t mask = (std::uint64_t{1} << 63) - 1;
  EXPECT_TRUE(std::is_sorted(found.begin(), found.end(), [&](auto a, auto b) { return (a & mask) < (b & mask); }));
}

}  // namespace
}  // namespace hornbeam
