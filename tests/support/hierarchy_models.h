// SPDX-License-Identifier: Apache-2.0
// Models on which forces to an accuracy keep what is promised (docs/hierarchy.md eq. 1), and the check that they do.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <string>

#include "hornbeam/force_tree.h"
#include "simulation/check.h"
#include "support/devices.h"
#include "support/forces.h"

// A name of its own: other tests have lattices and discs, too.
namespace hornbeam::accuracy_models {

inline GravityOptions options(double accuracy, Precision precision = Precision::mixed, double eps = 0) {
  GravityOptions o;
  o.accuracy = accuracy;
  o.precision = precision;
  o.eps = eps;
  return o;
}

/// n particles of equal mass at places that `place` draws.
inline Particles placed(std::size_t n, const std::function<Vec3(std::mt19937_64&, std::size_t)>& place) {
  std::mt19937_64 engine(11);
  std::vector<Vec3> position(n);
  for (std::size_t i = 0; i < n; ++i) position[i] = place(engine, i);
  return at_rest(position, std::vector<double>(n, 1.0 / static_cast<double>(n)));
}

inline double normal(std::mt19937_64& engine) { return std::normal_distribution<double>()(engine); }
inline double uniform(std::mt19937_64& engine) { return std::uniform_real_distribution<double>(-1, 1)(engine); }

inline Particles disc(std::size_t n) {
  return placed(n, [](auto& e, std::size_t) {
    const double r = -std::log((1 + uniform(e)) * (1 + uniform(e)) / 4 + 1e-12), phi = 3.14159265 * uniform(e);
    return Vec3{r * std::cos(phi), r * std::sin(phi), 0.05 * normal(e)};
  });
}

inline Particles shell(std::size_t n) {
  return placed(n, [](auto& e, std::size_t) {
    const Vec3 v = {normal(e), normal(e), normal(e)};
    const double size = std::hypot(v[0], v[1], v[2]);
    return Vec3{v[0] / size, v[1] / size, v[2] / size};
  });
}

inline Particles lattice(int n) {
  std::vector<Vec3> position;
  for (int i = 0; i < n * n * n; ++i) position.push_back({i % n + 0.5, i / n % n + 0.5, i / (n * n) + 0.5});
  return at_rest(position, std::vector<double>(position.size(), 1.0));
}

/// 60 clumps in each of 60 clumps, each level of a hundredth of the size: fp32 would overflow without scaled lengths.
inline Particles clumps(std::size_t n) {
  return placed(n, [](auto& e, std::size_t i) {
    std::mt19937_64 outer(i % 60 + 1), inner(i % 3600 + 1000);
    Vec3 x;
    for (double& c : x) c = uniform(outer);
    for (double& c : x) c += 0.01 * uniform(inner) + 1e-4 * normal(e);
    return x;
  });
}

/// Two Plummer spheres far from each other, of masses 1000 to 1.
inline Particles two_clusters(std::size_t n) {
  Particles p = drawn("plummer", n, 3);
  for (std::size_t i = 0; i < n / 2; ++i) {
    p.position[i][0] += 1000;
    p.mass[i] *= 1e-3;
  }
  return p;
}

inline Particles coincident(std::size_t n) {
  Particles p = drawn("plummer", n, 5);
  for (std::size_t i = 0; i < n / 2; ++i) p.position[i] = {0.1, 0.2, 0.3};
  return p;
}

/// Errors of forces that keep an accuracy.
inline void expect_promise(const ForceError& e, double accuracy) {
  EXPECT_LE(e.promised_rms, accuracy);
  EXPECT_LE(e.promised_p99, 5 * accuracy);
  EXPECT_LE(e.promised_max, 100 * accuracy);
}

/// The three measures of what is promised, of forces by `mass` in all, or in each box of a lattice.
inline ForceError promised_errors(const Forces& walked, const Forces& direct, double mass,
                                  const LatticeScales& lattice = {}) {
  std::vector<double> error;
  double squares = 0;
  for (std::size_t i = 0; i < direct.size(); ++i) {
    const auto &a = walked[i], &d = direct[i];
    error.push_back(std::hypot(a[0] - d[0], a[1] - d[1], a[2] - d[2]) / fp64::demanded_pull_of(d, mass, 1, lattice));
    squares += error.back() * error.back();
  }
  std::sort(error.begin(), error.end());
  ForceError e;
  e.sampled = error.size();
  e.promised_rms = std::sqrt(squares / static_cast<double>(error.size()));
  e.promised_p99 = error[error.size() * 99 / 100];
  e.promised_max = error.back();
  return e;
}

inline double mass_of(const Particles& p) { return std::accumulate(p.mass.begin(), p.mass.end(), 0.0); }

/// Backends that tests of any accuracy and precision run on. OpenCL has the loosest one: PoCL takes a minute for each
/// other program, and for smaller accuracies as long as all else (those of open space: HierarchyOnDevices). The CPU is
/// the first: its direct sums, which the others are compared with, take far less time than PoCL's.
inline std::vector<std::string> backends_for(const GravityOptions& o) {
  std::vector<std::string> backends = every_backend();
  std::rotate(backends.begin(), backends.end() - 1, backends.end());
  if (o.precision != Precision::mixed || o.accuracy < 1e-2) std::erase(backends, "opencl");
  return backends;
}

/// Whether many particles each met every other and its images: the next evaluation would make the same sums.
inline bool has_summed_many_directly(ParticleSystem& system) {
  const Interactions met = system.interactions();
  const std::uint64_t n = system.domain().size();
  return n > 2000 && met.cell + met.expansion == 0 && met.particle >= n * (n - 1);
}

/// Direct sums at a sample's particles, as sample_errors() leaves them for others of the same particles and softening.
using DirectSums = std::vector<std::array<double, 4>>;

/// The errors of the first evaluation and of the next, which knows |a|, in a box. direct: empty, or of the same
/// particles, softening, box and sample.
inline void expect_kept_in(const std::string& what, const Particles& p, const GravityOptions& o, std::size_t sample,
                           const Boundary& boundary, double time, DirectSums& direct) {
  for (const std::string& backend : backends_for(o)) {
    ParticleSystem system = with_tree(backend, p, o, 2, boundary, time);
    for (const char* const turn : {"first", "next"}) {
      SCOPED_TRACE(backend + ", " + what + ", accuracy " + std::to_string(o.accuracy) + ", " + turn);
      system.evaluate();
      expect_promise(sample_errors(system, p, sample, 2, direct).summary, o.accuracy);
      if (has_summed_many_directly(system)) break;
    }
  }
}

inline void expect_kept_in(const std::string& what, const Particles& p, const GravityOptions& o, std::size_t sample,
                           const Boundary& boundary = {}, double time = 0) {
  DirectSums direct;
  expect_kept_in(what, p, o, sample, boundary, time, direct);
}

/// The same of several accuracies, whose direct sums are made once.
inline void expect_each_kept_in(const std::string& what, const Particles& p, GravityOptions o,
                                const std::vector<double>& accuracies, std::size_t sample,
                                const Boundary& boundary = {}, double time = 0) {
  DirectSums direct;
  for (const double accuracy : accuracies) {
    o.accuracy = accuracy;
    expect_kept_in(what, p, o, sample, boundary, time, direct);
  }
}

/// The CPU's direct sums at a sample's particles, for systems of other backends.
inline DirectSums summed_by_cpu(const Particles& p, const GravityOptions& o, std::size_t sample) {
  ParticleSystem system = with_tree("cpu", p, o, 2);
  system.evaluate();
  DirectSums direct;
  static_cast<void>(sample_errors(system, p, sample, 2, direct));
  return direct;
}

/// The errors of the first evaluation on a backend and of the next, which knows |a|. direct: empty, or of the same
/// particles, softening and sample.
inline void expect_kept_on(const std::string& backend, const std::string& what, const Particles& p,
                           const GravityOptions& o, std::size_t sample, bool large, DirectSums& direct) {
  ParticleSystem system = with_tree(backend, p, o, 2);
  for (const char* const turn : {"first", "next"}) {
    system.evaluate();
    const ForceError e = sample_errors(system, p, sample, 2, direct).summary;
    SCOPED_TRACE(backend + ", " + what + ", accuracy " + std::to_string(o.accuracy) + ", " + turn);
    expect_promise(e, o.accuracy);
    EXPECT_LE(e.pot_mean, o.accuracy);  // potentials are smoother than forces
    if (large) {
      EXPECT_GE(e.promised_rms, o.accuracy / 8) << "is more exact than requested";
    }
    if (has_summed_many_directly(system)) break;
  }
}

inline void expect_kept_on(const std::string& backend, const std::string& what, const Particles& p,
                           const GravityOptions& o, std::size_t sample, bool large = false) {
  DirectSums direct;
  expect_kept_on(backend, what, p, o, sample, large, direct);
}

/// The promise at points, every nth of which is compared with the field at a massless particle there.
inline void expect_kept_at_points(const std::string& backend, const std::vector<Vec3>& points, const Particles& p,
                                  const GravityOptions& o, std::size_t nth = 1) {
  SCOPED_TRACE(backend);
  const ForceField field = ForceTree(p, {}, backend, 0, 2).evaluate_at(points, {}, o);
  Particles with = p;
  std::vector<std::size_t> which;
  Forces walked;
  for (std::size_t i = 0; i < points.size(); i += nth) {
    which.push_back(with.size());
    with.resize(with.size() + 1);
    with.position.back() = points[i];
    with.mass.back() = 0;
    const Vec3& a = field.acceleration[i];
    walked.push_back({a[0], a[1], a[2], field.potential[i]});
  }
  expect_promise(promised_errors(walked, exact_at(which, with, o), mass_of(p)), o.accuracy);
}

}  // namespace hornbeam::accuracy_models
