// SPDX-License-Identifier: Apache-2.0
// External potentials on a domain in its precision. Compiled once a precision.
#pragma once

#include <utility>

#include "interactions/external/external_module.h"
#include "interactions/external/fields.h"
#include "tree/particle_domain.h"
#include "tree/particle_sums.h"

HB_OPEN

class DomainExternal final : public External {
 public:
  explicit DomainExternal(ParticleDomain& domain) : domain_(domain), on_device_(domain.device()) {}

  void set(const std::vector<ExternalPotential>& potentials, double time) override;
  [[nodiscard]] double frame_length(const KeyBox& cube) const override { return far_distance(fields_, cube); }
  [[nodiscard]] double frame_mass(double extent) const override {
    return strongest_mass(fields_, extent, domain_.frame().G);
  }
  void load(const Particles& /*particles*/) override { unit_ = 0; }
  void load_lent(const LentParticles& /*particles*/) override { unit_ = 0; }
  void evaluate() override;

  /// In the units of the present frame.
  const ExternalFields& present();

 private:
  ParticleDomain& domain_;
  PresentFields fields_;
  ExternalFields on_device_;
  double unit_ = 0;  ///< internal length per length in which on_device_ are; 0: they are not there
};

HB_CLOSE
