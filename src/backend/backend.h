// SPDX-License-Identifier: Apache-2.0
// What every device offers: it holds the particles and runs the stages of the path on them.
// The host sees only scalars between load() and store().
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "hornbeam/gravity.h"
#include "hornbeam/particles.h"
#include "hornbeam/potential.h"
#include "memory/need.h"

namespace hornbeam {

/// A sample of the last walk beside what it should be.
struct ForceSample {
  std::vector<std::array<double, 4>> walked;  ///< acceleration and potential of each particle asked for
  std::vector<std::array<double, 4>> direct;  ///< the same by direct summation over all particles in fp64; empty where
                                              ///< the backend leaves that to the CPU's oracle
  double momentum = 0;                        ///< |sum m a| / sum m |a| over all particles
};

/// How block steps choose rungs (docs/dynamics.md eq. 1 to 4).
struct StepRule {
  double longest = 0;     ///< the step of rung 0, > 0
  double eta = 0;         ///< of the softening criterion, > 0
  double eta_change = 0;  ///< of the criterion by change of acceleration; 0: not used
  int deepest = 0;        ///< last rung, 0 to 30
};

/// Particles by rung.
struct RungCensus {
  std::array<std::uint64_t, 31> particles{};
  std::uint64_t beyond = 0;      ///< that asked for more than the deepest rung just now
  std::uint64_t not_finite = 0;  ///< of those that got a rung just now: accelerations that are no finite numbers
  /// The deepest rung with a particle; 0 without particles.
  [[nodiscard]] int deepest() const;
  /// Particles on `rung` and deeper.
  [[nodiscard]] std::uint64_t from(int rung) const;
};

/// What is held of each particle beside its position, mass and force.
struct Holding {
  bool velocities = false, own_eps = false;
  bool rungs = false;  ///< block steps: with the accelerations of two steps
  bool copy = false;   ///< remember()
};

/// One device with one set of particles. Not thread-safe; several may live in one process.
class Backend {
 public:
  virtual ~Backend() = default;

  [[nodiscard]] virtual std::string name() const = 0;    ///< "cpu", "cuda", "opencl"
  [[nodiscard]] virtual std::string device() const = 0;  ///< one line for people: model, instruction set
  [[nodiscard]] virtual int threads() const = 0;

  /// Throws Error where n particles will not fit the device: what is needed by purpose, had, and what to change. For
  /// callers that have yet to make them; load() asks by itself.
  virtual void admit(std::uint64_t n, const GravityOptions& options, const Holding& holding) = 0;
  /// What of that comes from the host's memory.
  [[nodiscard]] virtual memory::Need host_need(const GravityOptions& options, const Holding& holding) const = 0;
  /// Takes the particles (validated by the caller) and the options of all evaluations to come. steps: what will be
  /// asked for later, rungs or a copy. Throws UsageError for options this backend lacks, Error where memory is short
  /// (needed, had, what to change).
  virtual void load(const Particles& particles, const GravityOptions& options, const Holding& steps) = 0;
  void load(const Particles& particles, const GravityOptions& options) { load(particles, options, {}); }
  /// bound, key, sort, reorder, build, moments: the tree of the present positions.
  virtual void build_tree() = 0;
  /// walk: accelerations and potentials at the present positions; needs the tree.
  virtual void walk() = 0;
  /// v += a dt.
  virtual void kick(double dt) = 0;
  /// x += v dt; the tree is stale afterwards.
  virtual void drift(double dt) = 0;
  /// Sums over all particles in fp64, in an order that does not depend on the number of threads.
  virtual Energies energies() = 0;
  /// Particles whose position, velocity, acceleration or potential is not finite, after a walk; as store() and save()
  /// would write them. interactions/gravity/finite.h names one.
  virtual std::uint64_t not_finite() = 0;
  /// Writes positions, velocities, accelerations and potentials back, in the order load() received.
  virtual void store(Particles& particles) = 0;
  /// The same for restore(): accelerations and potentials as they are held, for G = 1, and rungs where there are any.
  virtual void save(Particles& particles) = 0;
  /// Takes accelerations, potentials and rungs that save() wrote as those of the present positions, instead of a walk:
  /// how a resumed run goes on with the same bits. Needs the tree; particles in the order load() received.
  virtual void restore(const Particles& particles) = 0;

  /// Positions and velocities of particles `which` (as for sample()), without moving the others to the host.
  virtual std::vector<Motion> motions(const std::vector<std::size_t>& which) = 0;
  /// The forces of the last walk at particles `which` (indices in the order load() received, ascending).
  virtual ForceSample sample(const std::vector<std::size_t>& which) = 0;

  // Block steps. A particle on rung r has steps of longest / 2^r; rungs from `least` on are those whose steps end now.

  /// Gives rungs to the particles from `least` on, after their closing kick (to all, from the present accelerations
  /// alone, where there are none yet), and corrects the velocities of those whose step that ends here was the first of
  /// another length (docs/dynamics.md eq. 5); returns the census of all particles.
  virtual RungCensus choose_rungs(const StepRule& rule, int least) = 0;
  /// v += a dt / 2 for the particles from `least` on, dt the step of each one's rung.
  virtual void kick_rungs(const StepRule& rule, int least) = 0;
  /// moments and boxes of the present positions; order, cells and groups stay those of the last build_tree().
  virtual void refit() = 0;
  /// walk() for the groups that hold a particle from `least` on; the accelerations of others stay.
  virtual void walk_rungs(int least) = 0;

  // Steps of varying length.

  /// The largest |a| / eps of all particles with eps > 0: the softening criterion's shortest step is eta over its root.
  virtual double largest_pull_over_eps() = 0;
  /// Keeps a copy of all particles, go_back() returns to it (the tree is stale then). Throws Error where there is no
  /// room.
  virtual void remember() = 0;
  virtual void go_back() = 0;

  /// Potentials that walks add from now on, through later loads, too, as they stand at `time`; energies() counts them.
  /// Best called before load(), which chooses a unit of mass that fits particles and potentials.
  virtual void set_external(const std::vector<ExternalPotential>& fields, double time) = 0;

  [[nodiscard]] virtual const GravityOptions& options() const = 0;  ///< with leaf_size, group_size as chosen
  [[nodiscard]] virtual const StageSeconds& seconds() const = 0;    ///< summed since load()
  [[nodiscard]] virtual Interactions interactions() const = 0;      ///< of the last walk()
  [[nodiscard]] virtual Bytes bytes() const = 0;
};

struct DeviceInfo {
  std::string backend;
  std::string device;
  int threads = 0;  ///< of a GPU: its compute units
  std::uint64_t memory_bytes = 0;
};

/// Every device this build and machine can use.
std::vector<DeviceInfo> list_devices();

class Device;

/// Opens a device with memory of its own, "cuda" or "opencl"; null where `backend` means the CPU: "cpu", and "auto"
/// where there is no CUDA device. Throws NoDevice for a backend that is not built or has no such device here.
std::unique_ptr<Device> open_device(const std::string& backend, int device);

/// Opens backend "cpu", "cuda", "opencl" or "auto" (cuda where there is a device, else cpu; Backend::name() says
/// which); threads: of the CPU, 0 for all cores. Throws NoDevice for a backend that is not built or has no device here.
std::unique_ptr<Backend> open_backend(const std::string& backend, int device, int threads);

}  // namespace hornbeam
