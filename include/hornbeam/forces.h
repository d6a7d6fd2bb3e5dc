// SPDX-License-Identifier: Apache-2.0
// Forces on one device, requested again and again: of all particles on one another, or at places of their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "hornbeam/boundary.h"
#include "hornbeam/device_arrays.h"
#include "hornbeam/force_tree.h"
#include "hornbeam/gravity.h"
#include "hornbeam/particles.h"

namespace hornbeam {

class Lending;
class ParticleSystem;

/// A device with the memory that evaluations have taken, which the next one uses again. Not thread-safe; several may
/// live in one process. Throws as Simulation does.
class ForceEvaluator {
 public:
  /// backend: "auto", "cpu", "cuda", "opencl"; threads: of the CPU, 0 for all cores.
  explicit ForceEvaluator(const std::string& backend = "cpu", const Devices& devices = 0, int threads = 0);
  ~ForceEvaluator();
  ForceEvaluator(ForceEvaluator&&) noexcept;
  ForceEvaluator& operator=(ForceEvaluator&&) noexcept;

  /// Fills particles.acceleration and particles.potential (input order), in the borders of space as they are at the
  /// time 0. Velocities play no part and may be empty. Throws NotFinite, and fills nothing, where one of them would not
  /// be finite.
  void evaluate(Particles& particles, const GravityOptions& options, const Boundary& boundary = {});
  /// Forces of the particles at target points, as ForceTree::evaluate_at() finds them.
  ForceField evaluate_at(const Particles& particles, const std::vector<Vec3>& points, const std::vector<double>& eps,
                         const GravityOptions& options, const Boundary& boundary = {});

  /// The same of arrays in the memory of the evaluator's device, of "cuda" or "cpu", or of the host, and into such
  /// arrays. They are read after what wait_for() names; all is done when it returns. Throws as above, with
  /// the same words, and UsageError for arrays on a device whose memory is not that of callers (OpenCL).
  void evaluate(const ParticlesOnDevice& particles, const GravityOptions& options, const ForcesOnDevice& forces,
                const Boundary& boundary = {});
  /// The CUDA stream on which arrays are read and written; 0 on the CPU.
  [[nodiscard]] std::uintptr_t stream() const;
  /// What is requested from now on comes after all that this stream of the device holds now: a cudaStream_t, or CUDA's
  /// 1 (default) or 2 (of the thread). Nothing on the CPU.
  void wait_for(std::uintptr_t stream);
  /// Returns memory on the device that may outlive the evaluator. It is freed when the device has done all work that
  /// was requested before its last owner released it.
  std::shared_ptr<void> allocate(std::size_t bytes);

  [[nodiscard]] std::string backend() const;      ///< what "auto" chose
  [[nodiscard]] std::string device_note() const;  ///< which devices "auto" passed over, and why; empty: none
  [[nodiscard]] StageSeconds seconds() const;     ///< of the last evaluation
  [[nodiscard]] Interactions interactions() const;
  [[nodiscard]] Bytes bytes() const;                 ///< that are held on the device
  [[nodiscard]] std::uint64_t memory_bytes() const;  ///< that the device has

 private:
  void evaluate_there(const ParticlesOnDevice& particles, const GravityOptions& options, const ForcesOnDevice& forces,
                      const Boundary& boundary);
  [[nodiscard]] Lending& lending();

  std::unique_ptr<ParticleSystem> system_;
};

}  // namespace hornbeam
