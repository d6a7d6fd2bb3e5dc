// SPDX-License-Identifier: Apache-2.0
// Forces of a set of particles and what they should be, for tests of whole evaluations.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "dynamics/particle_system.h"
#include "hornbeam/gravity.h"
#include "hornbeam/ics.h"
#include "interactions/gravity/host/oracle.h"
#include "support/environment.h"

namespace hornbeam {

/// x, y, z, potential of each particle, input order.
using Forces = std::vector<std::array<double, 4>>;

/// Positions and masses at rest, family halo, ids from 0.
inline Particles at_rest(const std::vector<Vec3>& position, const std::vector<double>& mass) {
  Particles p;
  p.resize(position.size());
  p.position = position;
  p.mass = mass;
  return p;
}

inline Particles drawn(const std::string& model, std::size_t n, std::uint64_t seed = 1) {
  return ics::make(model, n, ics::Seed{seed}).particles;
}

struct Evaluation {
  Forces field;
  Interactions interactions;
  GravityOptions options;  ///< as the backend understood them
};

/// Options by which opening angles decide how exact forces are, in place of usual_accuracy.
inline GravityOptions by_angles() { return {.accuracy = 0}; }

/// The forces of a backend's last walk; p: its particles, which become those of now.
inline Forces forces_of(ParticleSystem& backend, Particles& p) {
  backend.domain().store(p);
  Forces field;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const Vec3& a = p.acceleration[i];
    field.push_back({a[0], a[1], a[2], p.potential[i]});
  }
  return field;
}

/// A backend's first device with the tree of these particles.
inline ParticleSystem with_tree(const std::string& name, const Particles& particles, const GravityOptions& options,
                                int threads = 0, const Boundary& boundary = {}, double time = 0) {
  ParticleSystem backend = open_system(name, 0, threads);
  backend.set_boundary(boundary, time);
  backend.load(particles, options);
  backend.build_tree();
  return backend;
}

/// One evaluation in a box.
inline Evaluation evaluate_in(const std::string& name, Particles particles, const GravityOptions& options,
                              const Boundary& boundary, int threads = 0) {
  ParticleSystem backend = with_tree(name, particles, options, threads, boundary);
  backend.evaluate();
  return {forces_of(backend, particles), backend.interactions(), backend.options()};
}

/// One evaluation by a backend, on its first device.
inline Evaluation evaluate_on(const std::string& name, Particles particles, const GravityOptions& options,
                              int threads = 0) {
  particles.validate("particles");
  return evaluate_in(name, std::move(particles), options, {}, threads);
}

inline Evaluation evaluate(const Particles& particles, const GravityOptions& options, int threads = 0) {
  return evaluate_on("cpu", particles, options, threads);
}

/// The fp64 direct sum over all particles, at those of `which`.
inline Forces exact_at(const std::vector<std::size_t>& which, const Particles& particles,
                       const GravityOptions& options) {
  Forces field;
  fp64::sum_directly(detect_instruction_set(), open_system("cpu", 0, 0).threads(), particles, which, options, field);
  return field;
}

/// The same at all of them.
inline Forces exact(const Particles& particles, const GravityOptions& options) {
  std::vector<std::size_t> which(particles.size());
  std::iota(which.begin(), which.end(), std::size_t{0});
  return exact_at(which, particles, options);
}

inline double acceleration_size(const std::array<double, 4>& f) { return std::hypot(f[0], f[1], f[2]); }

/// |a - b| / |b| of particle i, or |a - b| where b is 0.
inline double relative_difference(const std::array<double, 4>& a, const std::array<double, 4>& b) {
  const double size = acceleration_size(b), d = std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
  return size > 0 ? d / size : d;
}

/// The largest relative difference of accelerations; infinite where a number is non-finite.
inline double worst_difference(const Forces& a, const Forces& b) {
  double worst = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    const double d = relative_difference(a[i], b[i]);
    worst = std::isfinite(d) ? std::max(worst, d) : INFINITY;
  }
  return worst;
}

/// rms over particles of |a - b| over the rms |b|: insensitive to particles where |b| happens to vanish.
inline double rms_difference(const Forces& a, const Forces& b) {
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    difference += std::pow(std::hypot(a[i][0] - b[i][0], a[i][1] - b[i][1], a[i][2] - b[i][2]), 2);
    size += std::pow(acceleration_size(b[i]), 2);
  }
  return std::sqrt(difference / size);
}

/// The largest |phi_a - phi_b| / |phi_b|.
inline double worst_potential_difference(const Forces& a, const Forces& b) {
  double worst = 0;
  for (std::size_t i = 0; i < b.size(); ++i) worst = std::max(worst, std::abs(a[i][3] / b[i][3] - 1));
  return worst;
}

}  // namespace hornbeam
