// SPDX-License-Identifier: Apache-2.0
// Gas on a domain: its state between evaluations (domain_gas.cpp), and the sums over its neighbours, one walk after
// another (gas_sums.cpp).
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "hornbeam/gas.h"
#include "interactions/gathering.h"
#include "interactions/sph/gas_module.h"
#include "interactions/sph/gas_pulls.h"
#include "interactions/sph/gas_rungs.h"
#include "interactions/sph/material_laws.h"

HB_OPEN

/// Arrays of a value a particle that sums have.
constexpr std::size_t columns_of_sums = 8;

class DomainGas final : public Gas {
 public:
  DomainGas(ParticleDomain& domain, GasOptions options, Materials materials, Surroundings around);

  [[nodiscard]] double frame_length(const KeyBox& cube) const override;
  void load(const Particles& particles) override;
  void evaluate() override;
  bool finish() override;
  void restore() override;
  [[nodiscard]] bool needs_boxes() const override { return true; }  // neighbours are searched in them
  void set_moment(const StepMoment& moment) override { moment_ = moment; }
  double step_limit() override;
  bool step_begin(const Kick& kick) override { return kick_energies(kick, true); }
  bool step_end(const Kick& kick) override { return kick_energies(kick, false); }
  void ask_for_steps(const BlockMoment& /*block*/, double stricter) override { rungs_.ask(options_, stricter); }
  void limit_rungs(const BlockMoment& block, int deeper, RungCensus& census) override;
  [[nodiscard]] StepWords step_words() const override;
  [[nodiscard]] bool predicts() const override { return true; }
  void predict(Particles& copy, const Particles& saved, const std::vector<double>& since, double step) const override;
  void describe(Particles& snapshot) const override;
  void report(Reports& reports) const override { reports.gas = report_; }
  void add_energies(Energies& energies) override;
  [[nodiscard]] std::optional<Cause> cause(const Particles& particles, std::size_t i) const override;
  GasSumSeconds sum_seconds() override { return timer_.seconds(); }
  [[nodiscard]] Bytes bytes() const override;

 private:
  [[nodiscard]] GasRule rule() const;
  bool kick_energies(const Kick& kick, bool begins);
  /// Values of each particle, between the sums of one evaluation.
  std::array<DeviceArray<pos_t>*, columns_of_sums> columns() {
    return {&energy_, &gas_mass_, &due_mass_, &lapse_, &curl_, &change_, &bound_low_, &bound_high_};
  }
  void reserve_sums();
  [[nodiscard]] const Groups* due_groups() const;
  [[nodiscard]] GatherTargets targets(u32 due) const;
  void bound_smooth(const PairPoints& points);
  void guess(const PairPoints& points);
  u32 predict();
  [[nodiscard]] GatherFrame gather_frame() const;
  [[noreturn]] void report_unsettled(u32 count);
  void find_smooth(const PairPoints& points, u32 due);
  void find_terms();
  void find_pulls(const PairPoints& points, u32 due);
  void find_forces(const PairPoints& points, u32 due);
  pos_t find_largest(const PairPoints& points, const DeviceArray<pos_t>& values);
  std::vector<SourceImage> find_images(double reach);
  /// What the other ranks have found of their gas, for all that reads it of sources or steps.
  void exchange_densities();
  void exchange_forces();
  template <class T>
  [[nodiscard]] T value_at(const DeviceArray<T>& array, std::size_t at = 0) const;

  ParticleDomain& domain_;
  Device& device_;
  DeviceParticles& p_;
  GasOptions options_;
  Materials materials_;
  StepMoment moment_;
  GasReport report_;
  Surroundings around_;
  Vec3 box_{};  ///< edges of a periodic box; 0: of an open axis
  SecondsTimer<GasSumSeconds> timer_;
  pos_t least_ = 0, most_ = 0;  ///< bounds of H
  pos_t speed_unit_ = 1;        ///< internal speed per speed
  i32 gas_ = 0;                 ///< particles of it
  bool guessed_ = false;        ///< whether H has been found before
  GasRungs rungs_;
  GasPulls pulls_;
  Gathering gathering_;
  PairShare share_;   ///< of the sums of one evaluation
  double reach_ = 0;  ///< of what forces are summed over
  // between the sums of one evaluation, in the order of the tree
  DeviceArray<pos_t> energy_, gas_mass_, due_mass_, lapse_, curl_, change_, bound_low_, bound_high_;
  DeviceArray<real> places_, states_, strains_;  ///< rows, see walk/gather.h
  DeviceArray<pos_t> images_, cell_reach_;
  DeviceArray<u32> settled_, left_;
  DeviceArray<MaterialLaw> laws_;
  DeviceArray<pos_t> tables_;
};

template <class T>
T DomainGas::value_at(const DeviceArray<T>& array, std::size_t at) const {
  T value;
  device_.download(&value, array, at * sizeof(T), sizeof value);
  return value;
}

HB_CLOSE
