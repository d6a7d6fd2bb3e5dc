// SPDX-License-Identifier: Apache-2.0
// Particles on one device with their tree, order and frame of units: what every interaction visits. It is made once
// and shared; the class behind it is compiled once a precision (tree/particle_domain.h).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "hornbeam/gravity.h"
#include "hornbeam/particles.h"
#include "tree/images.h"
#include "tree/lent_particles.h"

namespace hornbeam {

class Device;

/// What is held of each particle besides its position, mass and force.
struct Holding {
  bool velocities = false, own_eps = false;
  bool rungs = false;   ///< block steps: with the accelerations of two steps
  bool copy = false;    ///< remember()
  bool images = false;  ///< sources are in more than one
  bool bodies = false;  ///< particles collide: radii, and masses in full
  bool spins = false;
  bool asks = false;       ///< a module asks for steps of particles
  bool leaving = false;    ///< particles may be taken out
  bool gas = false;        ///< gas flows
  bool materials = false;  ///< and is of several materials
  bool softened = false;   ///< and is softened by its H
  bool strained = false;   ///< and its viscosity reconstructs velocities
};

/// The cube that keys divide, in the user's units.
struct KeyBox {
  double low[3];
  double edge;
};

/// What an interaction asks of the frame of units that it will be computed in.
class FrameUser {
 public:
  virtual ~FrameUser() = default;
  /// A length that must lie well within the range of numbers, besides the cube's edge; 0: none.
  [[nodiscard]] virtual double frame_length(const KeyBox& /*cube*/) const { return 0; }
  /// The same of masses, besides the particles' total; extent: the largest coordinate.
  [[nodiscard]] virtual double frame_mass(double /*extent*/) const { return 0; }
  /// Gives back what it can make again: memory is short.
  virtual void make_room() {}
};

/// How the tree is to be made.
struct DomainOptions {
  double G = 1;
  Curve curve = Curve::hilbert;
  int leaf_size = 0, group_size = 0;  ///< group_size 0: no groups
  int moment_order = 0;               ///< highest of cells that is needed
  bool direct = false;                ///< for direct sums alone: no cells are needed
};

/// A particle that has left an open box.
struct Departure {
  std::size_t index = 0;  ///< in the order that load() received
  Motion motion;
  std::optional<double> mass;  ///< where collisions may have changed it
};
using Departing = std::function<void(const std::vector<Departure>&)>;

class Domain {
 public:
  virtual ~Domain() = default;

  [[nodiscard]] virtual Precision precision() const = 0;
  /// Leaves of a tree that is only searched for neighbours, where none are requested.
  [[nodiscard]] virtual int gathering_leaf_size() const = 0;
  [[nodiscard]] virtual std::size_t size() const = 0;
  /// Those that the frame must suit from the next load() on; they must outlive the domain's use.
  virtual void set_users(std::vector<FrameUser*> users) = 0;

  /// Takes particles (validated by the caller) that fit into memory. holding: velocities and own eps, as the particles
  /// have them, and what will be requested later, rungs or a copy.
  virtual void load(const Particles& particles, const DomainOptions& options, const Holding& holding) = 0;
  /// The same of arrays on the device.
  virtual void load_lent(const LentParticles& particles, const DomainOptions& options, const Holding& holding) = 0;
  /// Writes accelerations and potentials, in the order that load() received, into arrays on the device.
  virtual void give(const ForcesOnDevice& to) = 0;
  /// The cube that the last build() divided.
  [[nodiscard]] virtual KeyBox cube() const = 0;
  /// bound, key, sort, reorder, build: order and cells of the present positions.
  virtual void build() = 0;

  /// Other positions of the same particles, in the order load() received; order and cells stay as they are.
  virtual void move(const std::vector<Vec3>& position) = 0;
  virtual void move(const ArrayOnDevice& position) = 0;
  /// The targets of the next evaluation: all particles, or those on rung `least` or deeper.
  virtual void take_all() = 0;
  virtual void take_due(int least) = 0;

  /// Writes positions, velocities, accelerations and potentials back, in the order load() received; spins where they
  /// are held, and radii and masses where bodies merge.
  virtual void store(Particles& particles) = 0;
  /// The same for restore(): accelerations and potentials as they are held, for G = 1, and rungs where there are any.
  virtual void save(Particles& particles) = 0;
  /// Takes accelerations, potentials and rungs that save() wrote as those of the present positions; particles in the
  /// order load() received, the tree being there.
  virtual void restore(const Particles& particles) = 0;
  /// Positions and velocities of particles `which` (indices in the order load() received, ascending).
  virtual std::vector<Motion> motions(const std::vector<std::size_t>& which) = 0;

  /// Takes out the particles that are marked as removed; how many. Those left are renumbered, in their order on input,
  /// as if load() had received them alone. The tree is stale then. departing: called before with those that are beyond
  /// the walls, where there are any; may be null.
  virtual std::size_t take_out(const Departing& departing) = 0;
  /// Index that load(), or the caller since, received of each particle that is left, in the order on input; from now on
  /// these are their places.
  virtual std::vector<std::size_t> take_origins() = 0;

  /// Keeps a copy of all particles, go_back() returns to it (the tree is stale then). Throws Error where there is no
  /// room.
  virtual void remember() = 0;
  virtual void go_back() = 0;

  [[nodiscard]] virtual const StageSeconds& seconds() const = 0;  ///< summed since load()
  [[nodiscard]] virtual Bytes bytes() const = 0;

  /// Where sources stand from now on, through later loads, too: the first image is where they are.
  void set_images(std::vector<SourceImage> images) { images_ = std::move(images); }
  [[nodiscard]] const std::vector<SourceImage>& images() const { return images_; }
  /// Periods of the infinite lattice of which these are the near images, 0 along open axes; all 0: there is none.
  void set_lattice(const Vec3& periods) { lattice_ = periods; }
  [[nodiscard]] const Vec3& lattice() const { return lattice_; }

 private:
  Vec3 lattice_{};
  std::vector<SourceImage> images_ = one_image;
};

/// Throws UsageError for a precision that the device lacks.
std::unique_ptr<Domain> make_domain(Device& device, Precision precision);

}  // namespace hornbeam
