// SPDX-License-Identifier: Apache-2.0
// External potentials on a domain in its precision. Compiled once a precision.
#pragma once

#include <utility>
#include <vector>

#include "interactions/external/external_module.h"
#include "interactions/external/fields.h"
#include "tree/particle_domain.h"
#include "tree/particle_sums.h"

HB_OPEN

class DomainExternal final : public Module, public FieldSource {
 public:
  DomainExternal(ParticleDomain& domain, std::vector<ExternalPotential> potentials, double time)
      : domain_(domain), fields_{std::move(potentials), time}, on_device_(domain.device()) {
    domain_.set_fields(this);
  }
  ~DomainExternal() override { domain_.set_fields(nullptr); }
  DomainExternal(const DomainExternal&) = delete;
  DomainExternal& operator=(const DomainExternal&) = delete;

  [[nodiscard]] double frame_length(const KeyBox& cube) const override { return far_distance(fields_, cube); }
  [[nodiscard]] double frame_mass(double extent) const override {
    return strongest_mass(fields_, extent, domain_.frame().G);
  }
  void load(const Particles& /*particles*/) override { unit_ = 0; }
  void at(double time) override;
  void evaluate() override;
  const ExternalFields& present() override;

 private:
  ParticleDomain& domain_;
  PresentFields fields_;
  ExternalFields on_device_;
  double unit_ = 0;  ///< internal length per length in which on_device_ are; 0: they are not there
};

HB_CLOSE
