// SPDX-License-Identifier: Apache-2.0
// The store of a domain, from its rows. Compiled once a precision (HB_PRECISION).
#include "tree/device/device_particles.h"

#include <type_traits>

HB_OPEN

DeviceParticles::DeviceParticles(Device& device) {
  for_each_array_of([&](const StoreRow&, auto& array) { array = std::decay_t<decltype(array)>(device); }, *this);
}

void DeviceParticles::copy(const DeviceParticles& other, Device& device) {
  n = other.n;
  const auto take = [&](const StoreRow&, Buffer& to, const Buffer& from) {
    if (from.bytes() == 0) return to.release();
    to.reserve(from.bytes());
    device.copy(to, from, from.bytes());
  };
  for_each_array_of(take, *this, other);
  soft2_unit = other.soft2_unit;
  eps_unit = other.eps_unit;
}

void DeviceParticles::make_soft2(Device& device, double eps_for_all, double unit) {
  soft2_unit = unit;
  device.launch(kernels::make_soft2{.eps = eps,
                                    .eps_for_all = static_cast<pos_t>(eps_for_all),
                                    .unit = static_cast<pos_t>(eps.bytes() > 0 ? unit * eps_unit : unit),
                                    .n = n,
                                    .soft2 = soft2},
                plain_variant, n);
}

std::uint64_t DeviceParticles::bytes() const {
  std::uint64_t sum = 0;
  for_each_array_of([&](const StoreRow&, const Buffer& array) { sum += array.bytes(); }, *this);
  return sum;
}

ParticleArrays DeviceParticles::arrays() const {
  return {.x = x[0], .y = x[1], .z = x[2], .mass = mass, .soft2 = soft2};
}

HB_CLOSE
