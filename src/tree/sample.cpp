// SPDX-License-Identifier: Apache-2.0
// Finding and gathering, see sample.h. Compiled once a precision (HB_PRECISION).
#include "tree/sample.h"

HB_OPEN

Sample::Sample(Device& device, const DeviceParticles& particles, const std::vector<std::size_t>& which)
    : device_(device), p_(particles), count_(static_cast<i32>(which.size())), places_(device), gathered_(device) {
  const std::vector<u32> numbers(which.begin(), which.end());
  DeviceArray<u32> wanted(device);
  wanted.reserve(numbers.size() * sizeof(u32));
  places_.reserve(numbers.size() * sizeof(u32));
  device_.upload(wanted, 0, numbers.data(), numbers.size() * sizeof(u32));
  device_.launch(
      kernels::find_places{.input = p_.input, .n = p_.n, .wanted = wanted, .count = count_, .places = places_},
      plain_variant, p_.n);
}

template <class Launch, class T>
std::vector<T> Sample::gather(const DeviceArray<T>& from) {
  std::vector<T> values(static_cast<std::size_t>(count_));
  gathered_.reserve(values.size() * sizeof(T));
  device_.launch(Launch{.from = from, .place = places_, .n = count_, .to = gathered_.as<T>()}, plain_variant, count_);
  device_.download(values.data(), gathered_, 0, values.size() * sizeof(T));
  return values;
}

std::vector<Motion> Sample::motions() {
  std::vector<Motion> found(static_cast<std::size_t>(count_));
  const auto take = [&](const DeviceArray<pos_t>& from, const auto& set) {
    if (from.bytes() == 0) return;
    const std::vector<pos_t> values = gather<kernels::gather_positions>(from);
    for (std::size_t i = 0; i < found.size(); ++i) set(found[i], static_cast<double>(values[i]));
  };
  for (int k = 0; k < 3; ++k) {
    take(p_.x[k], [k](Motion& m, double v) { m.position[k] = v; });
    take(p_.v[k], [k](Motion& m, double v) { m.velocity[k] = v; });
  }
  return found;
}

std::vector<double> Sample::body_masses() {
  if (p_.body_mass.bytes() == 0) return {};
  const std::vector<pos_t> values = gather<kernels::gather_positions>(p_.body_mass);
  return {values.begin(), values.end()};
}

std::vector<std::array<double, 4>> Sample::forces() {
  std::vector<std::array<double, 4>> forces(static_cast<std::size_t>(count_));
  for (int k = 0; k < 4; ++k) {
    const std::vector<real> values = gather<kernels::gather_reals>(p_.acc[k]);
    for (std::size_t i = 0; i < values.size(); ++i) forces[i][k] = static_cast<double>(values[i]);
  }
  return forces;
}

HB_CLOSE
