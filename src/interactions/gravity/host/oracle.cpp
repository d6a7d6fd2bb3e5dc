// SPDX-License-Identifier: Apache-2.0
// Direct summation in fp64 for chosen particles: what every other walk is checked against. HB_PRECISION = HB_DOUBLE.
#include <algorithm>
#include <cmath>

#include "device/host/kernels.h"
#include "device/host/threads.h"
#include "interactions/gravity/host/oracle.h"
#include "physics/accuracy.h"
#include "physics/softening.h"
#include "stages/units.h"
#include "tree/frame.h"

HB_OPEN

double demanded_pull_of(const std::array<double, 4>& force, double mass, std::size_t images,
                        const LatticeScales& lattice) {
  return demanded_among(static_cast<double>(images), lattice.zero, lattice.least, force[0], force[1], force[2],
                        force[3], mass);
}

void sum_directly(InstructionSet isa, int threads, const Particles& all, const std::vector<std::size_t>& which,
                  const GravityOptions& options, std::vector<std::array<double, 4>>& acc,
                  const std::vector<SourceImage>& images) {
  const Threads scope(threads);
  const std::size_t n = all.size(), count = which.size();
  std::vector<double> source[5], target[5], sum[4];
  for (auto& s : source) s.resize(n);
  for (auto& t : target) t.resize(count);
  for (auto& s : sum) s.resize(count);
  double extent = 0, total = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (int k = 0; k < 3; ++k) extent = std::max(extent, std::abs(all.position[i][k] - all.position[0][k]));
    total += all.mass[i];
  }
  for (const SourceImage& image : images) {
    for (const double shift : image.shift) extent = std::max(extent, std::abs(shift));
  }
  const double unit = power_of_two_over(extent, internal_edge_exponent), mass_unit = power_of_two_over(total, 0);
  for (std::size_t i = 0; i < n; ++i) {
    const double eps = options.eps >= 0 ? options.eps : (all.eps.empty() ? 0.0 : all.eps[i]);
    for (int k = 0; k < 3; ++k) source[k][i] = all.position[i][k];
    source[3][i] = all.mass[i] * mass_unit;
    source[4][i] = half_squared_eps(eps, unit);
  }
  std::vector<i32> number(count);
  for (std::size_t t = 0; t < count; ++t) {
    number[t] = static_cast<i32>(which[t]);
    for (int k = 3; k < 5; ++k) target[k][t] = source[k][which[t]];
  }
  const auto view = [](const std::vector<double>(&a)[5]) {
    return ParticlesView{a[0].data(), a[1].data(), a[2].data(), a[3].data(), a[4].data()};
  };
  WalkOptions w{};
  w.unit = unit;
  w.softening = options.softening == Softening::spline ? HB_SPLINE : HB_PLUMMER;
  w.particles = static_cast<i32>(n);
  const WalkArrays arrays{view(source),
                          view(target),
                          {},
                          nullptr,
                          nullptr,
                          0,
                          {sum[0].data(), sum[1].data(), sum[2].data(), sum[3].data()}};
  std::vector<GroupRange> groups;
  for (i32 first = 0; first < static_cast<i32>(count); first += direct_group_size) {
    groups.push_back({first, std::min(direct_group_size, static_cast<i32>(count) - first)});
  }
  for (const SourceImage& image : images) {
    w.image = &image != &images.front() ? 1 : 0;
    for (std::size_t t = 0; t < count; ++t) {
      for (int k = 0; k < 3; ++k) target[k][t] = source[k][which[t]] - image.shift[k];
    }
    kernels_of(isa).sum_direct(arrays, number.data(), groups.data(), static_cast<i32>(groups.size()), w);
  }
  acc.resize(count);
  for (std::size_t t = 0; t < count; ++t) {
    const double per_potential = options.G * unit / mass_unit;
    for (int k = 0; k < 4; ++k) acc[t][k] = sum[k][t] * (k < 3 ? unit * per_potential : per_potential);
  }
}

HB_CLOSE
