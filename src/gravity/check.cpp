// SPDX-License-Identifier: Apache-2.0
// Error statistics of forces against the fp64 direct sum.
#include "gravity/check.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <unordered_map>
#include <vector>

#include "backend/backend.h"
#include "backend/cpu/pipeline.h"

namespace hornbeam {
namespace {

constexpr std::uint64_t sample_seed = 20120101;  // fixed: the same particles are sampled on every run

/// k different indices below n (all, where k >= n), ascending: the first k cards of a shuffled deck, of which only
/// those that have moved are remembered.
std::vector<std::size_t> draw(std::size_t n, std::size_t k) {
  std::vector<std::size_t> drawn(std::min(n, k));
  if (k >= n) {
    std::iota(drawn.begin(), drawn.end(), std::size_t{0});
    return drawn;
  }
  std::mt19937_64 engine(sample_seed);
  std::unordered_map<std::size_t, std::size_t> moved;
  const auto card = [&](std::size_t at) {
    const auto found = moved.find(at);
    return found == moved.end() ? at : found->second;
  };
  for (std::size_t i = 0; i < k; ++i) {
    const std::size_t j = i + engine() % (n - i);
    drawn[i] = card(j);
    moved[j] = card(i);
  }
  std::sort(drawn.begin(), drawn.end());
  return drawn;
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

using Forces = std::vector<std::array<double, 4>>;

double length(const std::array<double, 4>& f) { return length(Vec3{f[0], f[1], f[2]}); }

Forces sum_on_cpu(const Particles& particles, const std::vector<std::size_t>& which, const GravityOptions& options,
                  int threads) {
  Forces direct;
  const int used = open_backend("cpu", 0, threads)->threads();
  fp64::sum_directly(detect_instruction_set(), used, particles, which, options, direct);
  return direct;
}

/// Ascending.
std::vector<double> acceleration_errors(const Forces& walked, const Forces& direct) {
  double squares = 0;
  for (const auto& d : direct) squares += length(d) * length(d);
  const double floor = 0.01 * std::sqrt(squares / static_cast<double>(direct.size()));
  std::vector<double> error(direct.size());
  for (std::size_t s = 0; s < direct.size(); ++s) {
    const auto &a = walked[s], &d = direct[s];
    const double size = std::max(length(d), floor);
    error[s] = size > 0 ? length(Vec3{a[0] - d[0], a[1] - d[1], a[2] - d[2]}) / size : 0.0;
  }
  std::sort(error.begin(), error.end());
  return error;
}

SampledError compare(const Forces& walked, const Forces& direct, double momentum) {
  SampledError sampled{{}, acceleration_errors(walked, direct)};
  ForceError& e = sampled.summary;
  const std::vector<double>& error = sampled.acceleration;
  e.sampled = direct.size();
  e.momentum = momentum;
  if (direct.empty()) return sampled;
  for (const double x : error) e.acc_mean += x, e.acc_rms += x * x;
  for (std::size_t s = 0; s < direct.size(); ++s) {
    const double phi = walked[s][3], exact = direct[s][3];
    if (exact != 0) e.pot_mean += std::abs((phi - exact) / exact);
  }
  const auto count = static_cast<double>(direct.size());
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
  return sampled;
}

}  // namespace

SampledError sample_errors(Backend& backend, const Particles& loaded, std::size_t k, int threads,
                           std::vector<std::array<double, 4>>& direct) {
  const std::vector<std::size_t> which = draw(loaded.size(), k);
  const ForceSample sample = backend.sample(which);
  if (!sample.direct.empty()) return compare(sample.walked, sample.direct, sample.momentum);
  if (direct.empty()) direct = sum_on_cpu(loaded, which, backend.options(), threads);
  return compare(sample.walked, direct, sample.momentum);
}

ForceError check_forces(Backend& backend, const Particles& loaded, std::size_t k, int threads) {
  Forces direct;
  return sample_errors(backend, loaded, k, threads, direct).summary;
}

ForceError check_forces(const Particles& particles, const GravityOptions& options, std::size_t k, int threads) {
  const std::vector<std::size_t> which = draw(particles.size(), k);
  Forces walked;
  walked.reserve(which.size());
  for (const std::size_t i : which) {
    const Vec3& a = particles.acceleration[i];
    walked.push_back({a[0], a[1], a[2], particles.potential[i]});
  }
  return compare(walked, sum_on_cpu(particles, which, options, threads), momentum_error(particles)).summary;
}

}  // namespace hornbeam
