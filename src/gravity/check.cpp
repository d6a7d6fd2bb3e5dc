// SPDX-License-Identifier: Apache-2.0
// Error statistics of forces against the fp64 direct sum.
#include "gravity/check.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include "backend/backend.h"
#include "backend/cpu/pipeline.h"

namespace hornbeam {
namespace {

constexpr std::uint64_t sample_seed = 20120101;  // fixed: the same particles are sampled on every run

/// k different indices below n, ascending.
std::vector<std::size_t> draw(std::size_t n, std::size_t k) {
  std::vector<std::size_t> all(n);
  std::iota(all.begin(), all.end(), std::size_t{0});
  if (k >= n) return all;
  std::mt19937_64 engine(sample_seed);
  for (std::size_t i = 0; i < k; ++i) std::swap(all[i], all[i + engine() % (n - i)]);
  all.resize(k);
  std::sort(all.begin(), all.end());
  return all;
}

double length(const Vec3& v) { return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

double momentum_error(const Particles& p) {
  Vec3 sum{};
  double size = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    for (int k = 0; k < 3; ++k) sum[k] += p.mass[i] * p.acceleration[i][k];
    size += p.mass[i] * length(p.acceleration[i]);
  }
  return size > 0 ? length(sum) / size : 0.0;
}

}  // namespace

DirectSample sum_sample(const Particles& particles, const GravityOptions& options, std::size_t k, int threads) {
  DirectSample sample{draw(particles.size(), k), {}};
  if (sample.index.empty()) return sample;
  const int used = open_backend("cpu", 0, threads)->threads();
  fp64::sum_directly(detect_instruction_set(), used, particles, sample.index, options, sample.field);
  return sample;
}

std::vector<double> acceleration_errors(const Particles& particles, const DirectSample& sample) {
  double squares = 0;
  for (const auto& d : sample.field) squares += d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
  const double floor = 0.01 * std::sqrt(squares / static_cast<double>(sample.field.size()));
  std::vector<double> error(sample.index.size());
  for (std::size_t s = 0; s < error.size(); ++s) {
    const Vec3& a = particles.acceleration[sample.index[s]];
    const auto& d = sample.field[s];
    const double size = std::max(length({d[0], d[1], d[2]}), floor);
    error[s] = size > 0 ? length({a[0] - d[0], a[1] - d[1], a[2] - d[2]}) / size : 0.0;
  }
  std::sort(error.begin(), error.end());
  return error;
}

ForceError force_error(const Particles& particles, const DirectSample& sample) {
  ForceError e;
  e.sampled = sample.index.size();
  e.momentum = momentum_error(particles);
  if (sample.index.empty()) return e;
  const std::vector<double> error = acceleration_errors(particles, sample);
  for (const double x : error) e.acc_mean += x, e.acc_rms += x * x;
  for (std::size_t s = 0; s < error.size(); ++s) {
    const double exact = sample.field[s][3];
    if (exact != 0) e.pot_mean += std::abs((particles.potential[sample.index[s]] - exact) / exact);
  }
  const auto count = static_cast<double>(error.size());
  e.acc_mean /= count;
  e.acc_rms = std::sqrt(e.acc_rms / count);
  e.pot_mean /= count;
  const auto percentile = [&](double p) {
    return error[std::min(error.size() - 1, static_cast<std::size_t>(p * count))];
  };
  e.acc_median = percentile(0.5);
  e.acc_p90 = percentile(0.9);
  e.acc_p99 = percentile(0.99);
  e.acc_max = error.back();
  return e;
}

ForceError check_forces(const Particles& particles, const GravityOptions& options, std::size_t k, int threads) {
  return force_error(particles, sum_sample(particles, options, k, threads));
}

}  // namespace hornbeam
