// SPDX-License-Identifier: Apache-2.0
// Forces against fp64 direct summation on a sample of the particles: the measure of every accuracy figure.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "hornbeam/gravity.h"
#include "hornbeam/particles.h"

namespace hornbeam {

/// Errors over a sample: |a - a_direct| / max(|a_direct|, 0.01 rms |a_direct|) (design, conventions), the mean of
/// |phi - phi_direct| / |phi_direct|, and the momentum error |sum m a| / sum m |a| over all particles.
struct ForceError {
  std::size_t sampled = 0;
  double acc_mean = 0, acc_rms = 0, acc_median = 0, acc_p90 = 0, acc_p99 = 0, acc_max = 0;
  double pot_mean = 0;
  double momentum = 0;
};

/// The fp64 direct sum over all particles at some of them: made once, it serves every evaluation of the same particles
/// with the same softening and G.
struct DirectSample {
  std::vector<std::size_t> index;            ///< (k), ascending
  std::vector<std::array<double, 4>> field;  ///< (k, 4): acceleration, potential
};

/// The direct sum at k particles drawn with a fixed seed (at all, where k >= N).
DirectSample sum_sample(const Particles& particles, const GravityOptions& options, std::size_t k, int threads = 0);

/// The error of particles.acceleration at each of the sample, as ForceError defines it, ascending.
std::vector<double> acceleration_errors(const Particles& particles, const DirectSample& sample);

/// The errors of particles.acceleration and .potential.
ForceError force_error(const Particles& particles, const DirectSample& sample);

/// Compares particles.acceleration and .potential with the direct sum over all particles, at k of them drawn with a
/// fixed seed (all, where k >= N).
ForceError check_forces(const Particles& particles, const GravityOptions& options, std::size_t k, int threads = 0);

}  // namespace hornbeam
