// SPDX-License-Identifier: Apache-2.0
// Sums and censuses over all particles, which every device takes in its own way and order. Compiled once a precision.
#pragma once

#include <memory>

#include "physics/external.h"
#include "physics/rigid.h"
#include "stages/finite.h"
#include "stages/rungs.h"
#include "tree/device/device_particles.h"
#include "tree/energies.h"
#include "tree/rung_census.h"

HB_OPEN

/// External fields on the device, in internal units.
struct ExternalFields {
  explicit ExternalFields(Device& device) : fields(device) {}
  DeviceArray<ExternalField> fields;
  i32 count = 0;
};

/// What puts external fields on a device. Energies count their potentials in full.
class FieldSource {
 public:
  virtual ~FieldSource() = default;
  /// In the units of the present frame.
  virtual const ExternalFields& present() = 0;
};

/// What turns sums in internal units into the user's.
struct SumUnits {
  double potential;  ///< user's potential per internal one
  double mass;       ///< internal mass per user's
};

class ParticleSums {
 public:
  virtual ~ParticleSums() = default;

  /// Energies with G, momentum and angular momentum; fields: external ones, whose potential the particles' holds.
  [[nodiscard]] virtual Energies energies(const DeviceParticles& particles, const ExternalFields& fields,
                                          const SumUnits& units) = 0;
  /// Sums of m a and of m |a|, internal.
  [[nodiscard]] virtual PullSums pulls(const DeviceParticles& particles) = 0;
  /// Of the net force and its torque about `origin`, in internal units; unit: internal length per length.
  [[nodiscard]] virtual NetSums net_forces(const DeviceParticles& particles, const RigidVector& origin,
                                           double unit) = 0;
  /// Corrects velocities and gives rungs as Leapfrog::choose_rungs(), rungs and earlier accelerations being there;
  /// known: whether they hold something; tick: of a longest step, now. rule: in this device's units.
  [[nodiscard]] virtual RungCensus choose_rungs(DeviceParticles& particles, const RungRule& rule, i32 least, bool known,
                                                i32 tick) = 0;
  /// The largest |a| / eps of particles with eps > 0, internal.
  [[nodiscard]] virtual pos_t largest_pull(const DeviceParticles& particles) = 0;
};

/// The one that fits a device.
std::unique_ptr<ParticleSums> make_particle_sums(Device& device);

/// From counts[HB_CENSUS].
RungCensus census_of(const u32* counts);

HB_CLOSE
