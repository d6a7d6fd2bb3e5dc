// SPDX-License-Identifier: Apache-2.0
// See adopted.h.
#include "tree/adopted.h"

#include "device/device.h"

namespace hornbeam {

ArrayOnDevice Adopted::read(const ArrayOnDevice& column, std::size_t axes) {
  ArrayOnDevice there = column;
  if (!column.on_host || device_.lending() == nullptr) return there;
  there.on_host = false;
  if (column.data == nullptr || column.rows == 0) return there;
  there.data = device_.adopt(const_cast<void*>(column.data));
  if (there.data != nullptr) return there;
  const std::size_t bytes = column.rows * axes * sizeof(double);
  Buffer& copy = copies_.emplace_back(device_);
  copy.reserve(bytes);
  device_.upload(copy, 0, column.data, bytes);
  there.data = copy.handle();
  return there;
}

std::optional<ArrayOnDevice> Adopted::read(const std::optional<ArrayOnDevice>& column, std::size_t axes) {
  return column ? std::optional(read(*column, axes)) : std::nullopt;
}

ParticlesOnDevice Adopted::read(const ParticlesOnDevice& p) {
  return {read(p.position, 3), read(p.mass, 1), read(p.eps, 1), read(p.targets, 3), read(p.target_eps, 1)};
}

ForcesOnDevice Adopted::written(const ForcesOnDevice& forces, std::size_t rows) {
  if (!forces.on_host || rows == 0 || device_.lending() == nullptr) return forces;
  void* const tide = forces.tide != nullptr ? copy_for(forces.tide, 9 * rows) : nullptr;
  return {copy_for(forces.acceleration, 3 * rows), copy_for(forces.potential, rows), true, false, tide};
}

void* Adopted::copy_for(void* to, std::size_t numbers) {
  if (void* const there = device_.adopt(to)) return there;
  Written& written = written_.emplace_back(Written{to, numbers * sizeof(double), Buffer(device_)});
  written.copy.reserve(written.bytes);
  return written.copy.handle();
}

void Adopted::finish() {
  for (const Written& one : written_) device_.download(one.to, one.copy, 0, one.bytes);
}

}  // namespace hornbeam
