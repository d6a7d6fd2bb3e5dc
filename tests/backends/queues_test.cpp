// SPDX-License-Identifier: Apache-2.0
// Launches on other queues wait for what was requested before, and what follows join_queues() for them.
#include <gtest/gtest.h>

#include <memory>
#include <numeric>
#include <vector>

#include "../support/devices.h"
#include "device/launches.h"
#include "tree/device/device_particles.h"

namespace hornbeam::mixed {
namespace {

class Queues : public ::testing::Test {
 protected:
  static constexpr i32 n = 1 << 12, many = 100000;  ///< multiplications: a launch that outlasts later ones

  /// Slow work on an array, which writes what stands in it.
  static void linger(Device& device, const DeviceArray<u32>& on) {
    device.launch(kernels::scale_reals{.values = on.as<real>(), .factor = real{1}, .times = many, .n = n},
                  plain_variant, n);
  }
  /// Quick work that overwrites it.
  static void number(Device& device, const DeviceArray<u32>& on) {
    device.launch(kernels::number_items{.n = n, .numbers = on}, plain_variant, n);
  }
  static DeviceArray<u32> ones(Device& device) {
    DeviceArray<u32> made(device);
    made.reserve(n * sizeof(u32));
    const std::vector<float> values(n, 1.0F);
    device.upload(made, 0, values.data(), n * sizeof(u32));
    return made;
  }
  static void expect_numbered(Device& device, const DeviceArray<u32>& array) {
    std::vector<u32> found(n), numbers(n);
    std::iota(numbers.begin(), numbers.end(), 0u);
    device.download(found.data(), array, 0, n * sizeof(u32));
    EXPECT_EQ(found, numbers) << device.backend();
  }
};

TEST_F(Queues, KeepTheOrderOfWhatDependsOnEachOther) {
  for (const std::string& backend : device_backends()) {
    const std::unique_ptr<Device> device = open_device(backend, 0);
    const DeviceArray<u32> before = ones(*device), first = ones(*device), second = ones(*device);
    linger(*device, before);
    device->on_queue(1, [&] { number(*device, before); });
    device->on_queue(1, [&] { linger(*device, first); });
    device->on_queue(2, [&] { linger(*device, second); });
    device->on_queue(1, [&] { number(*device, first); });
    device->join_queues(2);
    number(*device, second);
    for (const DeviceArray<u32>* array : {&before, &first, &second}) expect_numbered(*device, *array);
  }
}

}  // namespace
}  // namespace hornbeam::mixed
