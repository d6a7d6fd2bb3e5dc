// SPDX-License-Identifier: Apache-2.0
// The direct sums of a sample: see direct_sample.h. Compiled once a precision (HB_PRECISION).
#include "interactions/gravity/direct_sample.h"

#include <algorithm>

#include "device/kernels/sizes.h"

HB_OPEN
namespace {

/// Sources whose masses and softenings are widened to fp64 at a time.
constexpr i32 source_chunk = 1 << 22;

/// Blocks that share the sources of one set of targets: few targets need many to fill the device.
i32 spans_of(i32 tiles) {
  constexpr i32 enough_blocks = 4096, most = 256;
  return std::clamp(enough_blocks / tiles, 1, most);
}

/// What sum_sampled leaves, 4 values a target of each block, added up by target.
std::vector<std::array<double, 4>> add_rows(const std::vector<double>& part, i32 count, i32 spans) {
  std::vector<std::array<double, 4>> forces(static_cast<std::size_t>(count));
  for (i32 t = 0; t < count; ++t) {
    for (i32 span = 0; span < spans; ++span) {
      const i32 block = t / HB_SAMPLE_TARGETS * spans + span;
      const std::size_t row = static_cast<std::size_t>(block) * HB_SAMPLE_TARGETS + t % HB_SAMPLE_TARGETS;
      for (int k = 0; k < 4; ++k) forces[t][k] += part[4 * row + k];
    }
  }
  return forces;
}

/// to[i] = from[begin + i], in fp64: sum_sampled is that of fp64.
void widen(Device& device, const DeviceArray<real>& from, i32 begin, i32 count, const DeviceArray<pos_t>& to) {
  device.launch(kernels::widen_reals{.from = from, .begin = begin, .count = count, .to = to}, plain_variant, count);
}

/// eps^2 / 2 of the sampled targets.
DeviceArray<pos_t> soft2_of_targets(Device& device, const DeviceParticles& p, const Sample& sample) {
  const i32 count = sample.count();
  DeviceArray<real> gathered(device);
  DeviceArray<pos_t> soft2(device);
  gathered.reserve(static_cast<std::size_t>(count) * sizeof(real));
  soft2.reserve(static_cast<std::size_t>(count) * sizeof(double));
  device.launch(kernels::gather_reals{.from = p.soft2, .place = sample.places(), .n = count, .to = gathered},
                plain_variant, count);
  widen(device, gathered, 0, count, soft2);
  return soft2;
}

}  // namespace

std::vector<std::array<double, 4>> sums_of_sample(Device& device, const DeviceParticles& p, const Sample& sample,
                                                  const WalkOptions& options, const std::vector<SourceImage>& images) {
  const i32 count = sample.count(), tiles = (count + HB_SAMPLE_TARGETS - 1) / HB_SAMPLE_TARGETS,
            spans = spans_of(tiles), chunk = std::min(p.n, source_chunk);
  std::vector<double> part(static_cast<std::size_t>(tiles) * spans * HB_SAMPLE_TARGETS * 4);
  DeviceArray<pos_t> mass(device), soft2(device), sums(device);
  const DeviceArray<pos_t> own_soft2 = soft2_of_targets(device, p, sample);
  for (DeviceArray<pos_t>* b : {&mass, &soft2}) b->reserve(static_cast<std::size_t>(chunk) * sizeof(double));
  sums.reserve(part.size() * sizeof(double));
  for (i32 begin = 0; begin < p.n; begin += chunk) {
    const i32 end = std::min(p.n, begin + chunk);
    widen(device, p.mass, begin, end - begin, mass);
    widen(device, p.soft2, begin, end - begin, soft2);
    for (std::size_t image = 0; image < images.size(); ++image) {
      const Vec3& shift = images[image].shift;
      device.launch(kernels::sum_sampled{.unit = options.unit,
                                         .softening = options.softening,
                                         .position = p.x,
                                         .mass = mass,
                                         .soft2 = soft2,
                                         .begin = begin,
                                         .end = end,
                                         .places = sample.places(),
                                         .soft2_of_target = own_soft2,
                                         .count = count,
                                         .spans = spans,
                                         .image = image > 0 ? 1 : 0,
                                         .shift_x = static_cast<pos_t>(shift[0]),
                                         .shift_y = static_cast<pos_t>(shift[1]),
                                         .shift_z = static_cast<pos_t>(shift[2]),
                                         .sums = sums},
                    {Precision::fp64, 0}, static_cast<i64>(tiles) * spans * HB_BLOCK);
    }
  }
  device.download(part.data(), sums, 0, part.size() * sizeof(double));
  return add_rows(part, count, spans);
}

HB_CLOSE
