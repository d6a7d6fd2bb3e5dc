// SPDX-License-Identifier: Apache-2.0
// Gas in steps: which it asks for, kicks of its energies, and in block steps the limits that neighbours set one
// another. A part of the gas of a domain (domain_gas.cpp). Compiled once a precision.
#pragma once

#include "interactions/pair_sources.h"
#include "interactions/sph/gas_module.h"

HB_OPEN

GasClock clock_of(const BlockMoment& block);

class GasRungs {
 public:
  /// Of gas whose H has just been found.
  struct Gas {
    const PairPoints& points;
    const DeviceArray<pos_t>&images, &cell_reach;
    std::size_t image_count;
    const DeviceArray<pos_t>& mass;  ///< 0 of what is no gas
    DeviceArray<pos_t>& due_mass;    ///< and of what is not due; it is used up
  };

  explicit GasRungs(ParticleDomain& domain)
      : domain_(domain),
        device_(domain.device()),
        p_(domain.particles()),
        height_(device_),
        spare_(device_),
        change_(device_) {}

  /// u += (du/dt) dt of all; as Module::ask_for_steps(). Both kicks return how many energies are below 0 then.
  std::uint64_t kick_energies(double dt);
  void ask(const GasOptions& options, double stricter);
  /// u += (du/dt) dt / 2 of those that are due, dt the step that begins or the time since it did.
  std::uint64_t step_energies(const GasClock& clock, bool begins);
  /// What attracts gas that is due, before its own forces are added.
  void keep_falls(const DeviceArray<pos_t>& due_mass);
  /// Accelerations of what is not due as they were when its steps began.
  void keep_accelerations(const GasClock& clock);
  /// All gas goes down by so many rungs; all must be due.
  void deepen(const GasClock& clock, int deeper, const Gas& gas, RungCensus& census);
  /// Neighbours within one rung of one another; how many were woken for it.
  std::uint64_t limit(const GasClock& clock, const Gas& gas, const Groups* due, RungCensus& census);
  [[nodiscard]] std::uint64_t bytes() const { return height_.bytes() + spare_.bytes() + change_.bytes(); }

 private:
  struct Moved {
    std::uint64_t all = 0, woken = 0;
  };
  void find_heights(const GasClock& clock, int deeper);
  Moved go_down(const GasClock& clock, const Gas& gas, RungCensus& census);

  ParticleDomain& domain_;
  Device& device_;
  DeviceParticles& p_;
  DeviceArray<u32> height_, spare_;  ///< spare: of another rank
  DeviceArray<u32> change_;          ///< who left each rung, who came to it, and who was woken or fell below 0
};

HB_CLOSE
