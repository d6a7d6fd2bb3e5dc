// SPDX-License-Identifier: Apache-2.0
// Error statistics of forces against the fp64 direct sum.
#include "simulation/check.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <unordered_map>
#include <vector>

#include "dynamics/particle_system.h"
#include "hornbeam/error.h"
#include "interactions/gravity/host/oracle.h"
#include "interactions/gravity/lattice/reference.h"
#include "simulation/finite.h"
#include "simulation/length.h"

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

double momentum_error(const Particles& p) {
  double most_mass = 0, most_pull = 0;  // by which products stay within the range of numbers
  for (std::size_t i = 0; i < p.size(); ++i) {
    most_mass = std::max(most_mass, p.mass[i]);
    most_pull = std::max(most_pull, length(p.acceleration[i]));
  }
  if (most_mass == 0 || most_pull == 0) return 0.0;
  Vec3 sum{};
  double size = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const double share = p.mass[i] / most_mass;
    for (int k = 0; k < 3; ++k) sum[k] += share * (p.acceleration[i][k] / most_pull);
    size += share * (length(p.acceleration[i]) / most_pull);
  }
  return size > 0 ? length(sum) / size : 0.0;
}

using Forces = std::vector<std::array<double, 4>>;

double strength(const std::array<double, 4>& f) { return length(Vec3{f[0], f[1], f[2]}); }

Forces sum_on_cpu(const Particles& particles, const std::vector<std::size_t>& which, const GravityOptions& options,
                  int threads, const std::vector<SourceImage>& images = one_image) {
  Forces direct;
  const int used = open_system("cpu", 0, threads).threads();
  fp64::sum_directly(detect_instruction_set(), used, particles, which, options, direct, images);
  return direct;
}

/// What direct sums over the near images of a lattice lack.
void add_far_images(const ParticleSystem& system, const Particles& loaded, const std::vector<std::size_t>& which,
                    Forces& direct) {
  const Vec3& lattice = system.lattice();
  if (lattice == Vec3{}) return;
  fp64::add_far_images(loaded, which, system.options().G, lattice,
                       fp64::reference_order_for(loaded.size(), which.size()), direct);
}

double rms_length(const Forces& forces) {
  double largest = 0, squares = 0;
  for (const auto& f : forces) largest = std::max(largest, strength(f));
  for (const auto& f : forces) squares += largest > 0 ? std::pow(strength(f) / largest, 2) : 0.0;
  return largest * std::sqrt(squares / static_cast<double>(forces.size()));
}

/// Of accelerations, relative to size(direct); ascending.
template <class Size>
std::vector<double> acceleration_errors(const Forces& walked, const Forces& direct, const Size& size_of) {
  std::vector<double> error(direct.size());
  for (std::size_t s = 0; s < direct.size(); ++s) {
    const auto &a = walked[s], &d = direct[s];
    const double size = size_of(d);
    error[s] = size > 0 ? length(Vec3{a[0] - d[0], a[1] - d[1], a[2] - d[2]}) / size : 0.0;
  }
  std::sort(error.begin(), error.end());
  return error;
}

double rms(const std::vector<double>& error) {
  double squares = 0;
  for (const double x : error) squares += x * x;
  return std::sqrt(squares / static_cast<double>(error.size()));
}

double percentile(const std::vector<double>& error, double p) {
  return error[std::min(error.size() - 1, static_cast<std::size_t>(p * static_cast<double>(error.size())))];
}

/// What is compared with direct sums, and of which particles.
struct Compared {
  const Particles& particles;
  const std::vector<std::size_t>& which;
  const Forces& walked;
  double G = 1, momentum = 0;
  std::size_t images = 1;  ///< of the particles, whose masses attract, too; of a lattice 1
  LatticeScales lattice = {};
};

/// Adds the errors relative to the size that an accuracy goes by (docs/hierarchy.md eq. 1).
void add_promised(const Compared& compared, const Forces& direct, ForceError& e) {
  const double mass = std::accumulate(compared.particles.mass.begin(), compared.particles.mass.end(), 0.0);
  const std::vector<double> error = acceleration_errors(compared.walked, direct, [&](const std::array<double, 4>& d) {
    return fp64::demanded_pull_of(d, compared.G * mass, compared.images, compared.lattice);
  });
  e.promised_rms = rms(error);
  e.promised_p99 = percentile(error, 0.99);
  e.promised_max = error.back();
}

/// The relative error of the potential at one of the sample.
double potential_error(double walked, double direct) {
  return direct == 0 ? 0.0 : std::abs((walked - direct) / direct);
}

/// Throws NotFinite for direct sums that are non-finite: then nothing can be said of the walk's.
void demand_finite_sums(const Compared& compared, const Forces& direct) {
  for (std::size_t s = 0; s < direct.size(); ++s) {
    const auto& d = direct[s];
    if (std::all_of(d.begin(), d.end(), [](double x) { return std::isfinite(x); })) continue;
    const std::size_t i = compared.which[s];
    throw NotFinite("check",
                    "the direct sum at particle " + std::to_string(i) + " (id " +
                        std::to_string(compared.particles.id[i]) + ") is non-finite in double precision",
                    "masses, distances or G are too large or too small for it: use other units");
  }
}

/// `error`: ascending. Throws NotFinite where that or another measure is no number.
ForceError summarise(const Compared& compared, const Forces& direct, const std::vector<double>& error) {
  ForceError e;
  e.sampled = direct.size();
  e.momentum = compared.momentum;
  if (direct.empty()) return e;
  for (const double x : error) e.acc_mean += x;
  for (std::size_t s = 0; s < direct.size(); ++s) e.pot_mean += potential_error(compared.walked[s][3], direct[s][3]);
  const auto count = static_cast<double>(direct.size());
  e.acc_mean /= count;
  e.acc_rms = rms(error);
  e.pot_mean /= count;
  e.acc_median = percentile(error, 0.5);
  e.acc_p90 = percentile(error, 0.9);
  e.acc_p99 = percentile(error, 0.99);
  e.acc_max = error.back();
  add_promised(compared, direct, e);
  if (!std::isfinite(e.acc_rms) || !std::isfinite(e.pot_mean) || !std::isfinite(e.momentum)) {
    throw NotFinite("check", "the errors overflow, though forces and direct sums do not", "use other units");
  }
  return e;
}

SampledError compare(const Compared& compared, const Forces& direct) {
  demand_finite_sums(compared, direct);
  const double floor = direct.empty() ? 0 : 0.01 * rms_length(direct);
  std::vector<double> error = acceleration_errors(
      compared.walked, direct, [&](const std::array<double, 4>& d) { return std::max(strength(d), floor); });
  const ForceError summary = summarise(compared, direct, error);
  return {summary, std::move(error)};
}

}  // namespace

SampledError sample_errors(ParticleSystem& system, const Particles& loaded, std::size_t k, int threads,
                           std::vector<std::array<double, 4>>& direct) {
  demand_finite(system, {"check", loaded});
  const std::vector<std::size_t> which = draw(loaded.size(), k);
  const ForceSample sample = system.gravity().sample(which, direct.empty());
  const bool is_lattice = system.lattice() != Vec3{};
  const Compared compared{loaded,
                          which,
                          sample.walked,
                          system.options().G,
                          sample.momentum,
                          is_lattice ? 1 : system.domain().images().size(),
                          lattice_scales(system.lattice())};
  if (direct.empty()) {
    direct = sample.direct;
    if (direct.empty()) direct = sum_on_cpu(loaded, which, system.options(), threads, system.domain().images());
    add_far_images(system, loaded, which, direct);
  }
  return compare(compared, direct);
}

ForceError check_forces(ParticleSystem& system, const Particles& loaded, std::size_t k, int threads) {
  Forces direct;
  return sample_errors(system, loaded, k, threads, direct).summary;
}

ForceError check_forces(const Particles& particles, const GravityOptions& options, std::size_t k, int threads) {
  demand_finite(options, {"check", particles});
  const std::vector<std::size_t> which = draw(particles.size(), k);
  Forces walked;
  walked.reserve(which.size());
  for (const std::size_t i : which) {
    const Vec3& a = particles.acceleration[i];
    walked.push_back({a[0], a[1], a[2], particles.potential[i]});
  }
  return compare({particles, which, walked, options.G, momentum_error(particles)},
                 sum_on_cpu(particles, which, options, threads))
      .summary;
}

}  // namespace hornbeam
