// SPDX-License-Identifier: Apache-2.0
// The sample of a check: see device_check.h.
#include "interactions/gravity/device_check.h"

#include <algorithm>

#include "device/kernels/sizes.h"
#include "dynamics/energies.h"

HB_OPEN
namespace {

/// Sources whose masses and softenings are widened to fp64 at a time.
constexpr i32 source_chunk = 1 << 22;

/// Blocks that share the sources of one set of targets: few targets need many to fill the device.
i32 spans_of(i32 tiles) {
  constexpr i32 enough_blocks = 4096, most = 256;
  return std::clamp(enough_blocks / tiles, 1, most);
}

}  // namespace

DeviceCheck::DeviceCheck(Device& device, Precision precision)
    : device_(device),
      variant_{precision, 0},
      places_(device),
      wanted_(device),
      gathered_(device),
      mass_(device),
      soft2_(device),
      own_soft2_(device),
      sums_(device) {}

ForceSample DeviceCheck::run(const DeviceParticles& p, const std::vector<std::size_t>& which,
                             const WalkOptions& options) {
  ForceSample s;
  s.momentum = momentum(p);
  if (which.empty()) return s;
  const i32 count = static_cast<i32>(which.size());
  find_places(p, which);
  s.walked = walked(p, count);
  if (variant_.precision != Precision::single) s.direct = direct(p, count, options);
  return s;
}

std::vector<Motion> DeviceCheck::motions(const DeviceParticles& p, const std::vector<std::size_t>& which) {
  find_places(p, which);
  std::vector<Motion> found(which.size());
  std::vector<pos_t> values(which.size());
  const i32 count = static_cast<i32>(which.size());
  gathered_.reserve(values.size() * sizeof(pos_t));
  const auto gather = [&](const DeviceArray<pos_t>& from, auto set) {
    if (from.bytes() == 0) return;
    device_.launch(kernels::gather_positions{.from = from, .place = places_, .n = count, .to = gathered_.as<pos_t>()},
                   variant_, count);
    device_.download(values.data(), gathered_, 0, values.size() * sizeof(pos_t));
    for (std::size_t i = 0; i < found.size(); ++i) set(found[i], static_cast<double>(values[i]));
  };
  for (int k = 0; k < 3; ++k) {
    gather(p.x[k], [k](Motion& m, double v) { m.position[k] = v; });
    gather(p.v[k], [k](Motion& m, double v) { m.velocity[k] = v; });
  }
  return found;
}

void DeviceCheck::find_places(const DeviceParticles& p, const std::vector<std::size_t>& which) {
  const std::vector<u32> wanted(which.begin(), which.end());
  wanted_.reserve(wanted.size() * sizeof(u32));
  places_.reserve(wanted.size() * sizeof(u32));
  device_.upload(wanted_, 0, wanted.data(), wanted.size() * sizeof(u32));
  device_.launch(
      kernels::find_places{
          .input = p.input, .n = p.n, .wanted = wanted_, .count = static_cast<i32>(wanted.size()), .places = places_},
      variant_, p.n);
}

DeviceCheck::Forces DeviceCheck::walked(const DeviceParticles& p, i32 count) {
  Forces forces(static_cast<std::size_t>(count));
  std::vector<real> values(forces.size());
  gathered_.reserve(values.size() * sizeof(real));
  for (int k = 0; k < 4; ++k) {
    device_.launch(kernels::gather_reals{.from = p.acc[k], .place = places_, .n = count, .to = gathered_.as<real>()},
                   variant_, count);
    device_.download(values.data(), gathered_, 0, values.size() * sizeof(real));
    for (std::size_t i = 0; i < values.size(); ++i) forces[i][k] = static_cast<double>(values[i]);
  }
  return forces;
}

DeviceCheck::Forces DeviceCheck::direct(const DeviceParticles& p, i32 count, const WalkOptions& options) {
  const KernelVariant fp64{Precision::fp64, 0};
  const i32 tiles = (count + HB_SAMPLE_TARGETS - 1) / HB_SAMPLE_TARGETS, spans = spans_of(tiles);
  const std::size_t rows = static_cast<std::size_t>(tiles) * spans * HB_SAMPLE_TARGETS;
  const i32 chunk = std::min(p.n, source_chunk);
  for (DeviceArray<pos_t>* b : {&mass_, &soft2_}) b->reserve(static_cast<std::size_t>(chunk) * sizeof(double));
  own_soft2_.reserve(static_cast<std::size_t>(count) * sizeof(double));
  gathered_.reserve(static_cast<std::size_t>(count) * sizeof(real));
  sums_.reserve(rows * 4 * sizeof(double));
  const auto own_soft2 = gathered_.as<real>();
  device_.launch(kernels::gather_reals{.from = p.soft2, .place = places_, .n = count, .to = own_soft2}, variant_,
                 count);
  device_.launch(kernels::widen_reals{.from = own_soft2, .begin = 0, .count = count, .to = own_soft2_}, variant_,
                 count);
  for (i32 begin = 0; begin < p.n; begin += chunk) {
    const i32 end = std::min(p.n, begin + chunk);
    const auto widen = [&](const DeviceArray<real>& from, const DeviceArray<pos_t>& to) {
      device_.launch(kernels::widen_reals{.from = from, .begin = begin, .count = end - begin, .to = to}, variant_,
                     end - begin);
    };
    widen(p.mass, mass_);
    widen(p.soft2, soft2_);
    device_.launch(kernels::sum_sampled{.unit = options.unit,
                                        .softening = options.softening,
                                        .position = p.x,
                                        .mass = mass_,
                                        .soft2 = soft2_,
                                        .begin = begin,
                                        .end = end,
                                        .places = places_,
                                        .soft2_of_target = own_soft2_,
                                        .count = count,
                                        .spans = spans,
                                        .sums = sums_},
                   fp64, static_cast<i64>(tiles) * spans * HB_BLOCK);
  }
  std::vector<double> part(rows * 4);
  device_.download(part.data(), sums_, 0, part.size() * sizeof(double));
  Forces forces(static_cast<std::size_t>(count));
  for (i32 t = 0; t < count; ++t) {
    for (i32 span = 0; span < spans; ++span) {
      const i32 block = t / HB_SAMPLE_TARGETS * spans + span;
      const std::size_t row = static_cast<std::size_t>(block) * HB_SAMPLE_TARGETS + t % HB_SAMPLE_TARGETS;
      for (int k = 0; k < 4; ++k) forces[t][k] += part[4 * row + k];
    }
  }
  return forces;
}

double DeviceCheck::momentum(const DeviceParticles& p) {
  const i32 blocks = std::min((p.n + HB_BLOCK - 1) / HB_BLOCK, HB_MOST_SUM_BLOCKS);
  std::vector<pos_t> part(static_cast<std::size_t>(blocks) * HB_PULL_SUMS);
  sums_.reserve(part.size() * sizeof(pos_t));
  device_.launch(kernels::sum_pulls{.n = p.n, .blocks = blocks, .acc = p.acc, .mass = p.mass, .sums = sums_}, variant_,
                 static_cast<i64>(blocks) * HB_BLOCK);
  device_.download(part.data(), sums_, 0, part.size() * sizeof(pos_t));
  PullSums total{};
  for (std::size_t i = 0; i < part.size(); ++i) total[i % HB_PULL_SUMS] += static_cast<double>(part[i]);
  return momentum_error_of(total);
}

HB_CLOSE
