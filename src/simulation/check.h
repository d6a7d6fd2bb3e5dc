// SPDX-License-Identifier: Apache-2.0
// Forces against fp64 direct summation on a sample of the particles: the measure of every accuracy figure.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "hornbeam/gravity.h"
#include "hornbeam/particles.h"

namespace hornbeam {

class ParticleSystem;

/// Errors over a sample: |a - a_direct| / max(|a_direct|, 0.01 rms |a_direct|) (docs/conventions.md); the same
/// relative to max(|a_direct|, f a_s), by which an accuracy is promised (docs/hierarchy.md eq. 1); the mean of
/// |phi - phi_direct| / |phi_direct|, and the momentum error |sum m a| / sum m |a| over all particles.
struct ForceError {
  std::size_t sampled = 0;
  double acc_mean = 0, acc_rms = 0, acc_median = 0, acc_p90 = 0, acc_p99 = 0, acc_max = 0;
  double promised_rms = 0, promised_p99 = 0, promised_max = 0;
  double pot_mean = 0;
  double momentum = 0;
};

/// With the error of the acceleration at each of the sample, ascending.
struct SampledError {
  ForceError summary;
  std::vector<double> acceleration;
};

// All throw NotFinite, naming a particle, where a force, a direct sum or an error is non-finite.

/// Compares the last walk of `backend` as check_forces() does. `direct` (k, 4) keeps the direct sums from one
/// evaluation to the next of the same particles, softening and k: empty, it is filled.
SampledError sample_errors(ParticleSystem& system, const Particles& loaded, std::size_t k, int threads,
                           std::vector<std::array<double, 4>>& direct);

/// Compares the last walk of `backend` with the direct sum at k of the loaded particles (all, if k >= N), drawn with a
/// fixed seed. The device computes the sum if it has fp64, otherwise the CPU.
ForceError check_forces(ParticleSystem& system, const Particles& loaded, std::size_t k, int threads = 0);

/// Compares particles.acceleration and .potential with the direct sum over all particles, at k of them drawn with a
/// fixed seed (all, where k >= N).
ForceError check_forces(const Particles& particles, const GravityOptions& options, std::size_t k, int threads = 0);

}  // namespace hornbeam
